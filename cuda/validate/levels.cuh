// SPDX-License-Identifier: Apache-2.0

// Levels from the parents alone: a vertex is one level below its parent. Beginning with the root, the inner vertices
// of a level, which have children, are marked in a bitmap of all ranks' vertices, and each rank finds its inner
// vertices with marked parents. They are few. All other vertices, the leaves of the tree, get their levels in one pass
// afterwards. If a level has no inner vertex, the parents of vertices without a level lead to a cycle or out of the
// tree.
//
// A vertex at place p is bit p % 8 of byte p / 8 of its rank's slice of a bitmap, and 4-bit field p % 8 of word p / 8
// of its slice of the levels. A thread processes eight vertices, so no two threads write the same byte or word.
#pragma once

#include "validate/validate.cuh"

namespace g500::validate {

// Levels have four bits, so that the levels of a scale-26 graph (33 MB) stay in the L2 cache of a large GPU. The tree
// of an official graph has fewer than ten levels. Codes are levels relative to a base: 0 for vertices above the base,
// kBelow for vertices with a parent but no level yet. So codes never differ by more than levels do.
constexpr u32 kDeepest = G500_VALIDATOR_LEVELS - 1; // the last code of exactly one level
constexpr u32 kBelow = 14;
constexpr u32 kOutside = 15; // the vertex is not in the tree
static_assert(kDeepest < kBelow);

// Spreads eight bits over the eight 4-bit fields of a word.
__device__ inline u32 spread(u32 bits) {
	bits = (bits | bits << 12) & 0x000f000f;
	bits = (bits | bits << 6) & 0x03030303;
	return (bits | bits << 3) & 0x11111111;
}

// Finds parents out of range, and a root that is not its own parent. Marks parents in `inner`, a bitmap of all ranks'
// vertices. All other vertices of the tree than the root become leaves that wait for their levels.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a parent per vertex, and a random bit for it. Writes: one bit and four bits of level per vertex, and one
//         atomicOr per inner vertex.
__global__ void __launch_bounds__(kThreads)
enter_kernel(Split<u64> split, Tree tree, OwnSlices own, u32 *inner, Tally *tally) {
	ull reached = 0;
	for_share_of_block(split.slice / 8, kBytesPerBlock, [&](u64 b) {
		u64 parent[8];
		u32 wait = 0, root = 0, outside = 0;
		load_eight(tree.parents, b * 8, split.owned, parent);
#pragma unroll
		for (int i = 0; i < 8; i++) {
			const u64 label = split.label(b * 8 + i);
			if (label == tree.root && b * 8 + i < split.owned) {
				if (parent[i] != tree.root) offend(tally, G500_RULE_ROOT, tree.root, parent[i]);
				root |= 1u << i;
			} else if (parent[i] == kNoParent) {
				outside |= 1u << i;
			} else {
				if (parent[i] >= split.n) offend(tally, G500_RULE_RANGE, label, parent[i]);
				else mark(inner, split.slot(parent[i]));
				wait |= 1u << i;
			}
		}
		reached += __popc(root | wait);
		own.leaves[b] = (u8)wait;
		own.levels[b] = spread(outside) * kOutside | spread(wait) * kBelow;
	});
	add_up(reached, &tally->reached);
}

// Separates this rank's inner vertices from its leaves, and marks the root, which is at this place or on another rank.
// `inner` has this rank's slice of inner vertices from every rank.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a bit of each rank per vertex. Writes: three bits per vertex.
__global__ void __launch_bounds__(kThreads)
separate_inner_kernel(u64 slice, u32 ranks, const u8 *inner, u64 root, OwnSlices own) {
	for_share_of_block(slice / 8, kBytesPerBlock, [&](u64 b) {
		const u32 wait = own.leaves[b];
		u32 parents = 0;
		for (u32 rank = 0; rank < ranks; rank++) parents |= inner[rank * (slice / 8) + b];
		own.inner[b] = (u8)(wait & parents);
		own.leaves[b] = (u8)(wait & ~parents);
		own.marks[b] = root / 8 == b ? (u8)(1u << root % 8) : 0;
	});
}

// Finds the inner vertices without a level whose parents are marked in `above`, the bitmap of one level of all ranks;
// marks them in own.marks and sets their codes.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a bit per vertex; for each inner one its parent and a random bit. Writes: a bit per vertex; for each vertex
//         found four bits.
__global__ void __launch_bounds__(kThreads)
descend_kernel(Split<u64> split, Parents parents, const u32 *above, u32 code, OwnSlices own, Tally *tally) {
	ull settled = 0;
	for_share_of_block(split.slice / 8, kBytesPerBlock, [&](u64 b) {
		const u32 wait = own.inner[b];
		u32 found = 0;
		for (u32 rest = wait; rest != 0; rest &= rest - 1) {
			const int i = __ffs(rest) - 1;
			found |= (u32)has_bit(above, split.slot(parents[b * 8 + i])) << i;
		}
		own.marks[b] = (u8)found;
		if (found == 0) return;
		own.inner[b] = (u8)(wait & ~found);
		own.levels[b] = (own.levels[b] & ~(spread(found) * 15)) | spread(found) * code;
		settled += __popc(found);
	});
	add_up(settled, &tally->sizes[code]);
}

__device__ inline u32 code_of(const u32 *levels, u64 slot) { return __ldca(levels + slot / 8) >> slot % 8 * 4 & 15; }

// Returns the lowest bit of each 4-bit field of x that equals code.
__device__ inline u32 fields_equal(u32 x, u32 code) {
	const u32 differ = x ^ 0x11111111 * code;
	return ~(differ | differ >> 1 | differ >> 2 | differ >> 3) & 0x11111111;
}

// Sets the codes of the leaves whose parents have one before the deepest. A parent is no leaf, so its code is final.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a bit per vertex; for each leaf its parent and a random code. Writes: a bit and four bits for each leaf.
__global__ void __launch_bounds__(kThreads)
settle_leaves_kernel(Split<u64> split, Parents parents, const u32 *levels, OwnSlices own, Tally *tally) {
	u32 sizes[G500_VALIDATOR_LEVELS] = {};
	for_share_of_block(split.slice / 8, kBytesPerBlock, [&](u64 b) {
		const u32 wait = own.leaves[b];
		if (wait == 0) return;
		u64 parent[8];
		u32 found = 0, codes = 0;
		load_eight(parents, b * 8, split.owned, parent);
#pragma unroll
		for (int i = 0; i < 8; i++) {
			const u32 above = wait >> i & 1 ? code_of(levels, split.slot(parent[i])) : kOutside;
			if (above >= kDeepest) continue;
			found |= 1u << i;
			codes |= (above + 1) << 4 * i;
		}
		own.leaves[b] = (u8)(wait & ~found);
		own.levels[b] = (own.levels[b] & ~(spread(found) * 15)) | codes;
#pragma unroll
		for (u32 code = 1; code <= kDeepest; code++) sizes[code] += __popc(fields_equal(codes, code));
	});
#pragma unroll
	for (u32 code = 1; code <= kDeepest; code++) add_up(sizes[code], &tally->sizes[code]);
}

// Makes the deepest level with its own code the base. It and all levels above get code 0.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block. Reads and writes: four bits per vertex.
__global__ void __launch_bounds__(kThreads) raise_base_kernel(u64 slice, u32 *levels) {
	for_share_of_block(slice / 8, kBytesPerBlock, [&](u64 b) {
		const u32 codes = levels[b];
		const u32 kept = codes >> 3 & codes >> 2 & codes >> 1 & 0x11111111; // codes kBelow and kOutside
		levels[b] = codes & kept * 15;
	});
}

// Near codes have two bits, so that the levels at both ends of consecutive tuples are in the L1 cache (sort_tuples.cu):
// one code for each of three consecutive levels with nearly all ends of tuples, and kFar for all other vertices.
constexpr u32 kFar = 3;

// Levels has the codes of the vertices of all ranks.
struct Levels {
	const u32 *near, *codes;
	u32 first; // code of the first level with a near code

	// Loads the codes of the ends of tuples: near codes first. If labels exceed 32 bits, the tuples are not sorted, and
	// all vertices count as far.
	template <typename Split, typename Label, int kTuples>
	__device__ void load(const Split &split, const Label (&u)[kTuples], const Label (&v)[kTuples], u32 (&at_u)[kTuples],
	                     u32 (&at_v)[kTuples]) const {
		constexpr bool kAllFar = sizeof(Label) > sizeof(u32);
		bool far = kAllFar;
#pragma unroll
		for (int k = 0; k < kTuples; k++) {
			at_u[k] = kAllFar ? kFar : near_code(split.slot(u[k]));
			at_v[k] = kAllFar ? kFar : near_code(split.slot(v[k]));
		}
#pragma unroll
		for (int k = 0; k < kTuples; k++) {
			far = far || at_u[k] == kFar || at_v[k] == kFar;
			at_u[k] += first;
			at_v[k] += first;
		}
		if (!far) return;
#pragma unroll
		for (int k = 0; k < kTuples; k++) {
			if (at_u[k] == first + kFar) at_u[k] = code_of(codes, split.slot(u[k]));
			if (at_v[k] == first + kFar) at_v[k] = code_of(codes, split.slot(v[k]));
		}
	}

private:
	__device__ u32 near_code(u64 slot) const { return __ldg(near + slot / 16) >> slot % 16 * 2 & 3; }
	__device__ u32 near_code(u32 slot) const { return __ldg(near + slot / 16) >> slot % 16 * 2 & 3; }
};

// Writes near codes.
// Map:    one thread per 16 vertices, kBytesPerBlock times that per block.
// Reads:  four bits per vertex. Writes: two bits per vertex.
__global__ void __launch_bounds__(kThreads) narrow_levels_kernel(u64 slots, Levels levels, u32 *near) {
	for_share_of_block(slots / 16, kBytesPerBlock, [&](u64 b) {
		const uint2 codes = ((const uint2 *)levels.codes)[b];
		u32 word = 0;
#pragma unroll
		for (int i = 0; i < 16; i++) {
			const u32 code = (i < 8 ? codes.x : codes.y) >> i % 8 * 4 & 15, after = code - levels.first;
			word |= (code <= kDeepest ? min(after, kFar) : kFar) << 2 * i;
		}
		near[b] = word;
	});
}

// Marks the vertices with a parent at a range of this rank's places.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a parent per vertex. Writes: a bit per vertex.
__global__ void __launch_bounds__(kThreads) mark_reached_kernel(Places of, u32 owned, Parents parents, u8 *marks) {
	for_share_of_block(of.count / 8, kBytesPerBlock, [&](u64 b) {
		u64 parent[8];
		u32 reached = 0;
		load_eight(parents, of.first + b * 8, owned, parent);
#pragma unroll
		for (int i = 0; i < 8; i++) reached |= (u32)(parent[i] != kNoParent) << i;
		marks[b] = (u8)reached;
	});
}

// Finds the vertices without a level. A vertex whose parent has no parent is an orphan; the others lead to a cycle or
// to an orphan.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  two bits per vertex; for each vertex without a level its parent and a random bit.
__global__ void __launch_bounds__(kThreads)
find_stuck_kernel(Split<u64> split, Parents parents, const u32 *reached, OwnSlices own, Tally *tally) {
	for_share_of_block(split.slice / 8, kBytesPerBlock, [&](u64 b) {
		for (u32 wait = own.inner[b] | own.leaves[b]; wait != 0; wait &= wait - 1) {
			const u64 place = b * 8 + __ffs(wait) - 1;
			const u64 parent = parents[place];
			const int rule = has_bit(reached, split.slot(parent)) ? G500_RULE_CYCLE : G500_RULE_ORPHAN;
			offend(tally, rule, split.label(place), parent);
		}
	});
}

} // namespace g500::validate
