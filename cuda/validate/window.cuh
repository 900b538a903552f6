// SPDX-License-Identifier: Apache-2.0

// The parents of a range of vertices, which the steps over tuples look for.
#pragma once

#include "validate/levels.cuh"

namespace g500::validate {

// Packed is the order of a window's parents on several ranks: of each rank's slice only those that exist, without gaps.
struct Packed {
	const u32 *reached; // by index in the window, a bit: there is a parent; null on one rank, where no order is needed
	const u32 *before;  // by word of reached: bits before it
	u64 span, stride;   // indices and places of a slice

	__device__ bool has(u64 at) const { return has_bit(reached, at); }

	// Returns the place of the parent at an index, or of the next one in its slice.
	__device__ u64 place(u64 at) const {
		const u64 slice = at / span, word = at / 32;
		const u32 below = __ldg(reached + word) & ((1u << at % 32) - 1);
		return slice * stride + __ldg(before + word) - __ldg(before + slice * (span / 32)) + __popc(below);
	}
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
	Packed packed;
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
	__device__ Label parent(Index at) const {
		if (!packed.reached) return parents.label<Label>(at);
		return packed.has(at) ? parents.label<Label>(packed.place(at)) : kNone<Label>;
	}
	__device__ void join(Index at) const { atomicOr(joined + at / 32, 1u << at % 32); }
};

// Counts the bits of each word.
// Map: one thread per word. Reads and writes: 4 B per word.
__global__ void __launch_bounds__(kThreads) count_bits_kernel(const u32 *words, u64 n, u32 *bits) {
	const u64 i = thread_number<kThreads>();
	if (i < n) bits[i] = __popc(words[i]);
}

// Writes the parents in this rank's slice of the window.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a parent per vertex. Writes: a label per parent.
__global__ void __launch_bounds__(kThreads) pack_parents_kernel(Split<u64> split, Parents parents, Places of,
                                                                Packed packed, Parents to) {
	for_share_of_block(of.count / 8, kBytesPerBlock, [&](u64 b) {
		u64 parent[8], place = packed.place(split.rank * of.count + 8 * b);
		load_eight(parents, of.first + b * 8, split.owned, parent);
#pragma unroll
		for (int i = 0; i < 8; i++)
			if (parent[i] != kNoParent) to.store(place++, parent[i]);
	});
}

// Writes the hints of the window's vertices, whose first `count` parents exist unless they are packed.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a parent per vertex. Writes: a byte per vertex.
__global__ void __launch_bounds__(kThreads) hint_parents_kernel(u64 slots, Parents parents, Packed packed, u64 count,
                                                                u64 *hints) {
	for_share_of_block(slots / 8, kBytesPerBlock, [&](u64 b) {
		u64 parent[8], eight = 0, place = packed.reached ? packed.place(8 * b) : 0;
		if (!packed.reached) load_eight(parents, b * 8, count, parent);
#pragma unroll
		for (int i = 0; i < 8; i++) {
			if (packed.reached) parent[i] = packed.has(8 * b + i) ? *parents.at(place++) : kNoParent;
			eight |= (parent[i] & 0xff) << 8 * i;
		}
		hints[b] = eight;
	});
}

// Checks that every vertex of the tree in the window, except the root, is joined to its parent by a tuple on any rank.
// `joined` has the bits of this rank's vertices from every rank.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a parent, and a bit of each rank, per vertex.
__global__ void __launch_bounds__(kThreads) check_joined_kernel(Split<u64> split, Tree tree, Places of,
                                                                const u8 *joined, int rule, Tally *tally) {
	const u64 first = of.first, bytes = of.count / 8;
	for_share_of_block(bytes, kBytesPerBlock, [&](u64 b) {
		u64 parent[8];
		u32 marked = 0;
		for (u32 rank = 0; rank < split.ranks; rank++) marked |= joined[rank * bytes + b];
		load_eight(tree.parents, first + b * 8, split.owned, parent);
#pragma unroll
		for (int i = 0; i < 8; i++) {
			const u64 label = split.label(first + b * 8 + i);
			if (marked >> i & 1 || parent[i] == kNoParent || label == tree.root) continue;
			offend(tally, rule, label, parent[i]);
		}
	});
}

} // namespace g500::validate
