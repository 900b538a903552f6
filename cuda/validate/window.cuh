// The parents of a range of vertices, which the steps over tuples look for.
#pragma once

#include "validate/levels.cuh"

namespace g500::validate {

// Places is a range of places, the same on all ranks.
struct Places {
	u64 first, count;
};

// Window holds the parents of the vertices at a range of places of all ranks; the lowest byte of each, so that few
// parents have to be read; and one bit per vertex: a tuple of this rank joins it to its parent. If the tuples are
// sorted, most bits are found in the L1 cache and most bytes in the L2 cache.
template <typename Split>
struct Window {
	using Label = typename Split::Label;
	using Index = typename Split::Slot;

	Places of;
	Parents parents;
	const u8 *hints;
	u32 *joined;

	static constexpr Index kOutside = (Index)~0ull;

	// Returns the index of a vertex in the window, or kOutside.
	__device__ Index at(const Split &split, Label label) const {
		if constexpr (Split::kAlone) return label; // the window has all vertices
		const u32 place = split.place(label);
		return place - of.first < of.count ? (Index)(split.owner(label, place) * of.count + place - of.first) : kOutside;
	}

	// Returns whether a vertex still has to be joined. The L1 cache may have an older bit, so it may already be joined.
	__device__ bool waits(Index at) const { return !(__ldca(joined + at / 32) >> at % 32 & 1); }

	__device__ bool may_have_parent(Index at, Label parent) const { return __ldg(hints + at) == (u8)parent; }
	__device__ Label parent(Index at) const { return parents.label<Label>(at); }
	__device__ void join(Index at) const { atomicOr(joined + at / 32, 1u << at % 32); }
};

// Writes eight parents as labels, to an address that is a multiple of 16 bytes.
__device__ inline void store_eight(const u64 (&parent)[8], u32 *to) {
#pragma unroll
	for (int i = 0; i < 8; i += 4)
		*(uint4 *)(to + i) = make_uint4((u32)parent[i], (u32)parent[i + 1], (u32)parent[i + 2], (u32)parent[i + 3]);
}
__device__ inline void store_eight(const u64 (&parent)[8], u64 *to) {
#pragma unroll
	for (int i = 0; i < 8; i++) to[i] = parent[i];
}

// Writes this rank's slice of the window's parents, kNone beyond its last vertex: all ranks exchange slices of the same
// length.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a parent per vertex. Writes: a label per vertex.
template <typename Label>
__global__ void __launch_bounds__(kThreads) gather_parents_kernel(Split<Label> split, Parents parents, Places of,
                                                                  Label *own) {
	const Range mine = share_of_block(of.count / 8, kBytesPerBlock);
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		u64 parent[8];
		load_eight(parents, of.first + b * 8, split.owned, parent);
		store_eight(parent, own + 8 * b);
	}
}

// Writes the hints of the window's vertices, whose first `count` parents exist.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a parent per vertex. Writes: a byte per vertex.
__global__ void __launch_bounds__(kThreads) hint_parents_kernel(u64 slots, Parents parents, u64 count, u64 *hints) {
	const Range mine = share_of_block(slots / 8, kBytesPerBlock);
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		u64 parent[8], eight = 0;
		load_eight(parents, b * 8, count, parent);
#pragma unroll
		for (int i = 0; i < 8; i++) eight |= (parent[i] & 0xff) << 8 * i;
		hints[b] = eight;
	}
}

// Joined is the bits of this rank's vertices in the window, by sending rank, and the rule that requires them.
struct Joined {
	Places of;
	const u8 *bits;
	int rule;
};

// Checks that every vertex of the tree except the root is joined to its parent by a tuple on any rank.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a parent, and a bit of each rank, per vertex.
template <typename Label>
__global__ void __launch_bounds__(kThreads) check_joined_kernel(Split<Label> split, Tree<Label> tree, Joined joined,
                                                                Tally *tally) {
	const u64 first = joined.of.first, bytes = joined.of.count / 8;
	const Range mine = share_of_block(bytes, kBytesPerBlock);
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		u64 parent[8];
		u32 marked = 0;
		for (u32 rank = 0; rank < split.ranks; rank++) marked |= joined.bits[rank * bytes + b];
		load_eight(tree.parents, first + b * 8, split.owned, parent);
#pragma unroll
		for (int i = 0; i < 8; i++) {
			const Label label = split.label(first + b * 8 + i);
			if (marked >> i & 1 || parent[i] == kNoParent || label == tree.root) continue;
			offend(tally, joined.rule, label, parent[i]);
		}
	}
}

} // namespace g500::validate
