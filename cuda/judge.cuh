// What the parts of the judge share: what is counted and found while a tree is judged, and how work is dealt out.
// The rules, and where they are checked (the words are those of the Go package validate, whose twin this is):
//
//	kernel 2's output: parents in range, the root its own  judge_levels.cuh, enter
//	1  the tree is a tree, without cycles                   judge_levels.cuh, climb
//	2  tree edges join levels that differ by exactly one    true by construction: a level is the distance to the
//	                                                        root along parents
//	3  tuples join levels that differ by at most one        judge_tuples.cuh
//	4  the tree spans its component                         judge_tuples.cuh: no tuple leaves the tree
//	5  a vertex and its parent are joined by a tuple        judge_tuples.cuh
//
// Nothing here is shared with the search, nor read from kernel 1's structure.
#pragma once

#include <cstdint>

#include "check.cuh"
#include "g500cuda.h"

namespace g500::judge {

using u32 = uint32_t;
using u64 = uint64_t;
using ull = unsigned long long; // what 64-bit atomics take

constexpr u32 kNone = 0xffffffffu; // no vertex

// A block takes so many labels, or tuples: few enough that blocks even out, many enough that the atomics with which
// its warps hand in their sums do not matter.
constexpr int kThreads = 256;
constexpr u64 kLabelsPerBlock = 16 * kThreads;
constexpr u64 kTuplesPerBlock = 64 * kThreads;

// Offences are told apart by rule; of one rule, the lowest is kept: the offending label, then the other one.
constexpr int kRules = G500_RULE_TREE_EDGE + 1;
constexpr ull kNoOffence = ~0ull;

// Tally is what the kernels find and count.
struct Tally {
	ull worst[kRules]; // by rule: label << 32 | other label, or kNoOffence
	ull open;          // vertices whose climb has not come to its end
	ull reached;       // vertices with a parent
	ull edges;         // tuples in the component, self-loops left out
	ull loops;         // self-loops in the component
	ull deepest;       // level
};

// Notes that a rule is broken at label. The look beforehand keeps a tree that is wrong everywhere from queueing at
// one address.
__device__ inline void offend(Tally *tally, int rule, u32 label, u32 other) {
	const ull offence = (ull)label << 32 | other;
	if (offence < *(volatile ull *)&tally->worst[rule]) atomicMin(&tally->worst[rule], offence);
}

// Adds up what the threads of a warp have counted. The whole warp must call it.
__device__ inline void hand_in(ull *sum, ull mine) {
	for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(~0u, mine, step);
	if (threadIdx.x % 32 == 0 && mine > 0) atomicAdd(sum, mine);
}

// The same for the largest value.
__device__ inline void hand_in_largest(ull *largest, ull mine) {
	for (int step = 16; step > 0; step /= 2) {
		const ull theirs = __shfl_down_sync(~0u, mine, step);
		mine = theirs > mine ? theirs : mine;
	}
	if (threadIdx.x % 32 == 0 && mine > 0) atomicMax(largest, mine);
}

// Range is the part of n things that a block takes: a loop from begin to end in steps of kThreads.
struct Range {
	u64 begin, end;
};

__device__ inline Range share_of_block(u64 n, u64 per_block) {
	const u64 first = blockIdx.x * per_block;
	return {first + threadIdx.x, first + per_block < n ? first + per_block : n};
}

} // namespace g500::judge
