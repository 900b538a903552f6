// SPDX-License-Identifier: Apache-2.0

// The entries of the result: the parent's label, or -1 if the vertex was not reached, in 64 or 32 bits.
#pragma once

#include "common/bitmap.cuh"
#include "common/block.cuh"
#include "search/graph.cuh"
#include "search/state.cuh"

namespace g500 {

// Returns the entry for a parent's label, all ones for none.
template <typename Word>
__device__ inline Word result_word(const State &, u32 parent) {
	return parent == kNone ? ~(Word)0 : parent;
}
template <typename Word>
__device__ inline Word result_word(const State &s, u64 parent) {
	return is_none(parent) ? ~(Word)0 : (Word)((u64)(u32)parent * s.ranks + (parent >> 32));
}

// Stores the parent of the vertex with that number among the owned labels.
template <typename Label>
__device__ inline void store_result(const State &s, u64 owned, Label parent) {
	if (s.result_bits == 64) ((u64 *)s.result)[owned] = result_word<u64>(s, parent);
	else ((u32 *)s.result)[owned] = result_word<u32>(s, parent);
}

// Stores 16 aligned bytes of entries, which are not read soon.
template <typename Word, typename Label>
__device__ inline void store_16_bytes(const State &s, u64 owned, const Label *parent) {
	uint4 *const to = (uint4 *)((Word *)s.result + owned);
	const auto word = [&](int i) { return result_word<Word>(s, parent[i]); };
	if constexpr (sizeof(Word) == sizeof(u32)) {
		__stcs(to, make_uint4(word(0), word(1), word(2), word(3)));
	} else {
		const u64 a = word(0), b = word(1);
		__stcs(to, make_uint4((u32)a, (u32)(a >> 32), (u32)b, (u32)(b >> 32))); // low word first
	}
}

// Two bits per non-leaf vertex, by local id: how the vertex was reached. write_result.cuh reads them.

// Bit 0: the vertex was reached. Bit 1: its parent is in the array of parents.
enum How : u32 { kUnreached = 0, kFirstParent = 1, kNotFirstParent = 3 };

constexpr u32 kPerWord = 16; // vertices

// Returns how vertex v was reached.
__device__ inline u32 reached_at(const u32 *reached, u32 v) {
	return reached[v / kPerWord] >> v % kPerWord * 2 & 3;
}

// Spreads bits 4k to 4k+3 of a bitmap word to a distance of eight bits: their vertices are four apart (bitmap.cuh).
__device__ inline u32 spread_bits(u32 word, u32 k) { return (word >> 4 * k & 15) * 0x00204081u & 0x01010101u; }

// Returns the word of vertices 16k to 16k+15 of a group, from the group's words of the two bitmaps.
__device__ inline u32 lay_out_word(const uint4 &visited, const uint4 &not_first, u32 k) {
	return spread_bits(visited.x, k) | spread_bits(not_first.x, k) << 1 |
	       (spread_bits(visited.y, k) | spread_bits(not_first.y, k) << 1) << 2 |
	       (spread_bits(visited.z, k) | spread_bits(not_first.z, k) << 1) << 4 |
	       (spread_bits(visited.w, k) | spread_bits(not_first.w, k) << 1) << 6;
}

// Writes the words of a group; from_first has the vertices found from their first neighbour.
__device__ inline void lay_out_group(const State &s, u64 group, const uint4 &visited, const uint4 &from_first) {
	const uint4 not_first = without(visited, from_first);
	uint4 *to = (uint4 *)s.reached + 2 * group;
#pragma unroll
	for (u32 k = 0; k < 8; k += 4)
		to[k / 4] = make_uint4(lay_out_word(visited, not_first, k), lay_out_word(visited, not_first, k + 1),
		                       lay_out_word(visited, not_first, k + 2), lay_out_word(visited, not_first, k + 3));
}

// Writes the words of all this rank's vertices, after a search with or without sweeps.
__device__ inline void lay_out_reached(const Graph &g, const State &s, const u32 *visited, bool swept) {
	const uint4 none = make_uint4(0, 0, 0, 0);
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < g.padded / kGroup; i += gridDim.x * kThreads)
		lay_out_group(s, i, ((const uint4 *)visited)[i], swept ? ((const uint4 *)s.first_parent)[i] : none);
}

} // namespace g500
