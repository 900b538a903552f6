// The last pass: the result in official form, each label's parent's label, in label order.
#pragma once

#include "search/search.cuh"

namespace g500 {

constexpr int kLabelThreads = 256;
constexpr int kLabelBlocks = 8; // a multiprocessor

// Copies the two bitmaps that say how this rank's vertices were reached into one.
__device__ void lay_side_by_side(const Columns &g, const State &s, const u32 *visited, const u32 *by_other) {
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < g.padded / 32; i += gridDim.x * kThreads)
		s.reached[i] = make_uint2(visited[i], by_other[i]);
}

// The hub id at a place in the order by tile.
__device__ inline u32 hub_at(const Columns &g, u32 place) {
	const uint2 runs = __ldg(g.runs + place / 32);
	const u32 run = runs.y + __popc(runs.x & ((2u << place % 32) - 1)) - 1;
	return __ldg(g.run_offset + run) + place;
}

// Finds the parents of vertices [begin, begin+n), a tile in hub order. The bits that say how a vertex was reached
// lie in runs there.
__device__ inline void settle_tile(const Columns &g, const State &s, u32 begin, u32 n, u32 unreached, u32 *parents) {
	constexpr int kEach = 4;
	for (u32 i0 = threadIdx.x; i0 < n; i0 += kLabelThreads * kEach) {
		u32 v[kEach], parent[kEach];
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const u32 i = i0 + j * kLabelThreads;
			v[j] = i < n ? hub_at(g, begin + i) : kNone;
			parent[j] = i < n ? __ldcs(g.tile_first + begin + i) : kNone;
		}
#pragma unroll
		for (int j = 0; j < kEach; j++)
			if (v[j] != kNone) {
				const uint2 word = s.reached[word_of(v[j])];
				if (!(word.x >> bit_of(v[j]) & 1)) parent[j] = unreached;
				else if (word.y >> bit_of(v[j]) & 1) parent[j] = s.parent[v[j]];
			}
#pragma unroll
		for (int j = 0; j < kEach; j++)
			if (v[j] != kNone) parents[i0 + j * kLabelThreads] = parent[j];
	}
}

// Adds the last pass to the trace, as far as it takes longer than the search. Tiles begin in order, so the end of the last
// one stands for the end of all.
__device__ inline void record_last_pass(const State &s) {
	const u32 n = (*s.trace_length)++;
	s.trace[n] = {2, 0, 0, now_ns() - *s.clock};
}

// Deals a tile's parents out in label order, four labels at a time.
__device__ inline void deal_tile(const uint2 &slots, const u32 *parents, uint4 *out) {
	const u32 of[4] = {slots.x & 0xffff, slots.x >> 16, slots.y & 0xffff, slots.y >> 16};
	u32 parent[4];
#pragma unroll
	for (int j = 0; j < 4; j++) parent[j] = of[j] == kNoSlot ? kNone : parents[of[j]];
	if (parent[0] != kLeft && parent[1] != kLeft && parent[2] != kLeft && parent[3] != kLeft) {
		__stcs(out, make_uint4(parent[0], parent[1], parent[2], parent[3]));
		return;
	}
#pragma unroll
	for (int j = 0; j < 4; j++)
		if (parent[j] != kLeft) __stcs((u32 *)out + j, parent[j]);
}

// One block a tile; root is the number of an owned label, or kNone on other ranks than the root's. Reads about 5 B a
// vertex with an edge and 2 B a label; writes 4 B a label; two bits a vertex, in runs. The last block ends after the search,
// so that no next one can begin before that.
__global__ void __launch_bounds__(kLabelThreads, kLabelBlocks) write_labels_kernel(const __grid_constant__ Columns g, const __grid_constant__ State s, u32 root, u32 root_label) {
	__shared__ u32 parents[kTile]; // of the tile's vertices, in hub order
	constexpr int kDeals = kTile / 4 / kLabelThreads;
	const u32 tile = blockIdx.x;
	const u32 begin = g.tile_start[tile], n = g.tile_start[tile + 1] - begin;
	const u64 base = (u64)tile * kTile;
	const u32 unreached = *(const volatile u32 *)&s.handover->unreached;
	uint2 slots[kDeals];
#pragma unroll
	for (int k = 0; k < kDeals; k++) slots[k] = __ldcs((const uint2 *)(g.slot + base) + k * kLabelThreads + threadIdx.x);
	settle_tile(g, s, begin, n, unreached, parents);
	__syncthreads();
#pragma unroll
	for (int k = 0; k < kDeals; k++) deal_tile(slots[k], parents, (uint4 *)(s.result + base) + k * kLabelThreads + threadIdx.x);
	if (tile == gridDim.x - 1) {
		wait_for_last_kernel();
		if (threadIdx.x == 0) record_last_pass(s);
	}
	if (root == kNone || root / kTile != tile) return;
	__syncthreads(); // a root without an edge is its own parent all the same
	if (threadIdx.x == 0) s.result[root] = root_label;
}

} // namespace g500
