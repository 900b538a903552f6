// SPDX-License-Identifier: Apache-2.0

// Common parts of the validator: the owner of each vertex, the counts and findings of a validation, and the
// distribution of work over blocks. The rules and the kernels that check them (the Go package validate checks the same
// rules on the CPU) are, for a tree:
//
//	kernel 2's output: parents in range, the root its own  levels.cuh, enter
//	1  the tree is a tree, without cycles                   levels.cuh, descend, settle_leaves and find_stuck
//	2  tree edges join levels that differ by exactly one    true by construction: a level is the distance to the
//	                                                        root along parents
//	3  tuples join levels that differ by at most one        tuples.cuh, check_tuples
//	4  the tree spans its component                         tuples.cuh, check_tuples: no tuple leaves the tree
//	5  a vertex and its parent are joined by a tuple        tuples.cuh, join_batch; window.cuh, check_joined
//
// Of shortest paths:
//
//	kernel 2's output, rule 1                               as of a tree
//	kernel 3's output: distances are numbers                tuples.cuh, check_distances
//	2  tree edges have the length of the difference         tuples.cuh, check_path_tuples; tuples.cuh, join_tuples
//	3  no tuple makes a path shorter                        tuples.cuh, check_path_tuples
//	4  the tree spans its component                         tuples.cuh, check_path_tuples
//	5  a vertex and its parent are joined by a tuple        by rule 2; tuples.cuh, join_tuples, if that is broken
//
// In a directed graph a tuple <u, v> is an edge from u to v, and rules on tuples hold in this direction: if u is
// reached, v is, at most one level below u and no farther than over the edge; and a vertex's parent is the first label
// of the tuple that joins them.
//
// If a rank cannot store the levels of all labels, queries.cu checks the same rules for trees.
// Nothing here is shared with the search, nor read from kernel 1's structure.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "common/block.cuh"
#include "common/check.cuh"
#include "kernel1/build.cuh"
#include "validate/validate.h"

namespace g500::validate {

constexpr u64 kNoParent = ~0ull; // no vertex, in 64 bits

// Places is a range of places, the same on all ranks.
struct Places {
	u64 first, count;
};

// No vertex, for labels of 32 or of 64 bits; the latter if there are more vertices than 32-bit labels (ADR 26).
template <typename Label>
constexpr Label kNone = (Label)~0ull;

// Split computes the owner and place of a vertex: rank label mod P, place label div P. Kernels over tuples also have
// the form for a single rank, in which all of them are constants or the label, and forms for directed tuples.
template <typename T, bool kIsAlone = false, bool kIsDirected = false>
struct Split {
	using Label = T;
	using Slot = std::conditional_t<kIsAlone, T, u64>;
	static constexpr bool kAlone = kIsAlone, kDirected = kIsDirected;

	u32 ranks, rank; // P, and the number of this one
	Label n;         // labels are below it
	u32 owned;       // number of this rank's labels
	u64 slice;       // places in a rank's slice of an array
	u64 reciprocal;  // 2^64 / P rounded up, if P is more than 1

	// Returns the quotient by a multiplication. The reciprocal is too large by at most 1, a fraction below 2^-32 of it,
	// so the product is too large by less than 1/P: exact for 32 bits. It is exact for 64 bits, too: labels are below
	// 2^48, and the reciprocal's error is below 2^-48 of it.
	__device__ u32 place(Label label) const {
		if (ranks == 1) return (u32)label;
		if constexpr (sizeof(Label) == sizeof(u64)) return (u32)__umul64hi(reciprocal, label);
		else return (u32)(((reciprocal >> 32) * label + __umulhi((u32)reciprocal, label)) >> 32);
	}

	__device__ u32 owner(Label label, u32 place) const { return (u32)(label - (Label)place * ranks); }

	// Returns the index of a vertex in an array of all ranks' slices.
	__device__ Slot slot(Label label) const {
		if constexpr (kAlone) return label;
		const u32 at = place(label);
		return owner(label, at) * slice + at;
	}

	__device__ Label label(u64 place) const { return (Label)(place * ranks + rank); }
};

// Bytes of bitmaps (eight vertices each), vertices or tuples per block: few enough to balance the load of the
// multiprocessors, and many enough that the atomic additions of warps' sums are negligible.
using g500::kThreads;
constexpr u64 kBytesPerBlock = 8 * kThreads;
constexpr u64 kPlacesPerBlock = 64 * kThreads;

// A block of a kernel over tuples has all threads of a multiprocessor: consecutive tuples share its L1 cache.
constexpr int kTupleThreads = 4 * kThreads;
constexpr u64 kTuplesPerBlock = 64 * kTupleThreads;

// Tally is the findings in the format of atomics, and for each rule the label whose other label is sought: the worst
// one before the kernel. If the kernel finds a worse one, it is launched again (validate.cu).
struct Tally {
	ull worst[G500_RULES], other[G500_RULES];
	ull reached, edges, loops, sizes[G500_VALIDATOR_LEVELS];
	ull sought[G500_RULES];
};
static_assert(offsetof(Tally, sought) == sizeof(g500_findings));

// Records that a rule is broken at a label. Reads the values first, so that a tree with errors everywhere does not
// serialize the threads at one address.
__device__ inline void offend(Tally *tally, int rule, u64 label, u64 other) {
	if (label < *(volatile ull *)&tally->worst[rule]) atomicMin(&tally->worst[rule], (ull)label);
	if (label == tally->sought[rule] && other < *(volatile ull *)&tally->other[rule])
		atomicMin(&tally->other[rule], (ull)other);
}

// Range is a block's part of n items: a loop from begin to end in steps of the block's threads.
struct Range {
	u64 begin, end;
};

__device__ inline Range share_of_block(u64 n, u64 per_block) {
	const u64 first = blockIdx.x * per_block;
	return {first + threadIdx.x, first + per_block < n ? first + per_block : n};
}

// Calls act for the block's part of n items.
template <typename Act>
__device__ inline void for_share_of_block(u64 n, u64 per_block, Act act) {
	const Range mine = share_of_block(n, per_block);
	for (u64 i = mine.begin; i < mine.end; i += kThreads) act(i);
}

// TuplesOf is a piece of this rank's share of the edge list, in the format for labels of this length.
template <typename Label>
struct TuplesOf {
	const std::conditional_t<sizeof(Label) == sizeof(u32), g500_edge32, g500_edge> *edges;
	u64 count;
};

// Parents are entries of 64 or 32 bits, low half first; all ones mean none.
struct Parents {
	void *words;
	bool entries64;

	__host__ __device__ u32 *at(u64 place) const { return (u32 *)words + (place << entries64); }

	// Returns a parent, or kNoParent.
	__device__ u64 operator[](u64 place) const {
		const u32 *const word = at(place);
		if (entries64) return *(const u64 *)word;
		return *word == kNone<u32> ? kNoParent : *word;
	}

	// Returns a parent in range as a label, or kNone. A 32-bit label is the low half.
	template <typename Label>
	__device__ Label label(u64 place) const {
		if constexpr (sizeof(Label) == sizeof(u64)) return (*this)[place];
		else return __ldcs(at(place));
	}

	__device__ void store(u64 place, u64 parent) const {
		if (entries64) *(u64 *)at(place) = parent;
		else *at(place) = (u32)parent;
	}
};

// Tree is this rank's part of the tree to be validated.
struct Tree {
	Parents parents; // of owned vertices, by place
	u64 root;
};

// OwnSlices are this rank's slices of the arrays of levels.
struct OwnSlices {
	u8 *inner;   // one bit per vertex: it has children, but no level yet
	u8 *leaves;  // one bit per vertex: it has a parent and no children, and no level yet
	u8 *marks;   // one bit per vertex: it is inner and on the newest level
	u32 *levels; // four bits per vertex: the code of its level (levels.cuh)
};

__device__ inline u64 parent64(u32 parent) { return parent == kNone<u32> ? kNoParent : parent; }

// Loads the parents of eight vertices of this rank, kNoParent beyond the last one. The first place is a multiple of
// eight.
__device__ inline void load_eight(const Parents &parents, u64 place, u64 owned, u64 (&parent)[8]) {
	if (place + 8 > owned) {
#pragma unroll
		for (int i = 0; i < 8; i++) parent[i] = place + i < owned ? parents[place + i] : kNoParent;
		return;
	}
	const uint4 *const from = (const uint4 *)parents.at(place);
	if (parents.entries64) {
#pragma unroll
		for (int i = 0; i < 4; i++) {
			const uint4 two = __ldcs(from + i);
			parent[2 * i] = combined(two.x, two.y), parent[2 * i + 1] = combined(two.z, two.w);
		}
		return;
	}
#pragma unroll
	for (int i = 0; i < 2; i++) {
		const uint4 four = __ldcs(from + i);
		parent[4 * i] = parent64(four.x), parent[4 * i + 1] = parent64(four.y);
		parent[4 * i + 2] = parent64(four.z), parent[4 * i + 3] = parent64(four.w);
	}
}

// Sets a bit, which most other threads may have set before. The L1 cache would not notice that.
__device__ inline void mark(u32 *bitmap, u64 at) {
	const u32 bit = 1u << at % 32;
	if (!(__ldcg(bitmap + at / 32) & bit)) atomicOr(bitmap + at / 32, bit);
}

__device__ inline bool has_bit(const u32 *bitmap, u64 at) { return __ldg(bitmap + at / 32) >> at % 32 & 1; }

// What both forms of the validator have on a rank: the division of vertices, the tree, and findings.

struct Validation {
	cudaStream_t stream;
	Split<u64> split; // kernels over tuples have others, which are derived from it
	g500_validator_parts parts;
	Array<Tally> tally;
	u64 sought[G500_RULES]; // the tally's labels sought
	Tree tree;

	// Enters a tree: no offence, all counts zero.
	int enter(u64 root, const void *d_parents, int bits) {
		if (root >= split.n || (bits != 32 && bits != 64)) return cudaErrorInvalidValue;
		tree = {{(void *)d_parents, bits == 64}, root};
		return clear();
	}

	int clear() {
		Tally *const all = tally;
		G500_TRY(cudaMemsetAsync(all, 0, sizeof *all, stream));
		for (ull *labels : {all->worst, all->other, all->sought})
			G500_TRY(cudaMemsetAsync(labels, 0xff, sizeof all->worst, stream));
		std::memset(sought, 0xff, sizeof sought);
		return cudaSuccess;
	}

	// Waits for the kernels launched so far, and copies their findings.
	int fetch(g500_findings *findings) const { return read_back(findings, tally.get(), sizeof *findings, stream); }

	// Launches kernels that check rules, and copies the findings. If a label is worse than all before, launches them again
	// to find the other label; the second launch writes the same results, except for the counts.
	template <typename Start>
	int look(g500_findings *findings, Start start) {
		bool anew = true;
		for (int launches = 0; launches < 2 && anew; launches++) {
			G500_TRY((int)start());
			G500_TRY(fetch(findings));
			G500_TRY(seek(*findings, &anew));
		}
		return cudaSuccess;
	}

	// Returns a launch over n vertices or messages, kPlacesPerBlock per block.
	Launch over(u64 n) const { return {blocks_for(n, kPlacesPerBlock), kThreads, stream}; }

private:
	// Makes the worst labels found the sought ones. *anew becomes whether one of them is new.
	int seek(const g500_findings &found, bool *anew) {
		*anew = false;
		for (int rule = 0; rule < G500_RULES; rule++) {
			if (found.worst[rule] == sought[rule]) continue;
			*anew = true;
			sought[rule] = found.worst[rule];
			G500_TRY(cudaMemsetAsync(&tally.get()->other[rule], 0xff, sizeof(ull), stream));
		}
		if (!*anew) return cudaSuccess;
		return cudaMemcpyAsync(tally.get()->sought, sought, sizeof sought, cudaMemcpyHostToDevice, stream);
	}
};

// Launches a kernel as G500_START does, by Validation::look.
#define G500_CHECK(validation, findings, kernel, ...) \
	(validation)->look(findings, [&] { return G500_START(kernel, __VA_ARGS__); })

inline Split<u64> split_among(u32 ranks, u32 rank, u64 vertices) {
	Split<u64> split = {ranks, rank, vertices, 0, 0, 0};
	split.owned = vertices > rank ? (u32)((vertices - rank - 1) / ranks) + 1 : 0;
	split.reciprocal = ranks > 1 ? ~0ull / ranks + 1 : 0;
	return split;
}

// Completes a new validator unless `code` is an error, or deletes it.
template <typename Validator>
int created(Validator *v, Validator **validator, int code) {
	if (code == cudaSuccess) code = v->tally.alloc(1);
	if (code == cudaSuccess) code = v->clear();
	if (code == cudaSuccess) *validator = v;
	else delete v;
	return code;
}

} // namespace g500::validate
