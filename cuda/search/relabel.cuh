// The result in official form: each label's parent's label, in label order.
#pragma once

#include "search/block.cuh"
#include "search/graph.cuh"
#include "search/result.cuh"

namespace g500 {

constexpr u32 kResidual = kNone - 1; // a place in the result that the search writes itself
constexpr int kLabelThreads = 256;
constexpr int kLabelBlocks = 8; // per multiprocessor
constexpr int kDeals = kTile / 4 / kLabelThreads; // groups of four labels that a thread deals out

// Copies the two bitmaps that say how this rank's vertices were reached into one.
__device__ inline void lay_side_by_side(const Graph &g, const State &s, const u32 *visited, const u32 *not_first) {
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < g.padded / 32; i += gridDim.x * kThreads)
		s.reached[i] = make_uint2(visited[i], not_first[i]);
}

// The hub id at a place in the order by tile.
__device__ inline u32 hub_at(const Graph &g, u32 place) {
	const uint2 runs = __ldg(g.runs + place / 32);
	const u32 run = runs.y + __popc(runs.x & ((2u << place % 32) - 1)) - 1;
	return __ldg(g.run_offset + run) + place;
}

// Finds the parents of vertices [begin, begin+n), a tile in hub order. The bits that say how a vertex was reached lie
// in runs there.
__device__ inline void settle_tile(const Graph &g, const State &s, u32 begin, u32 n, u32 unreached, u32 *parents) {
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

// Deals a tile's parents out in label order, to four labels from one on, by its number among the owned ones.
template <typename Word>
__device__ inline void deal_tile(const State &s, const uint2 &slots, const u32 *parents, u64 owned) {
	const u32 of[4] = {slots.x & 0xffff, slots.x >> 16, slots.y & 0xffff, slots.y >> 16};
	u32 parent[4];
#pragma unroll
	for (int j = 0; j < 4; j++) parent[j] = of[j] == kNoSlot ? kNone : parents[of[j]];
	if (parent[0] != kResidual && parent[1] != kResidual && parent[2] != kResidual && parent[3] != kResidual) {
		store_four<Word>(s, owned, parent);
		return;
	}
#pragma unroll
	for (int j = 0; j < 4; j++)
		if (parent[j] != kResidual) store_result(s, owned + j, parent[j]);
}

// Relabelling is of one search: the root's label, its number among the owned labels, or kNone on other ranks than its
// own, and the blocks that have to be settled.
struct Relabelling {
	u32 root, owned_root, settled;
};

// Whether so many blocks have settled their vertices, in all searches. What they wrote before is to be seen from then
// on.
__device__ inline bool is_settled(const State &s, u32 blocks) { return load_acquire(&s.overlap->settled) == blocks; }

// Adds the relabelling to the trace, as far as it takes longer than the search.
__device__ inline void record_relabelling(const State &s) {
	const u32 n = (*s.trace_length)++;
	s.trace[n] = {G500_RELABEL, 0, 0, now_ns() - *s.level_ended};
}

// One block a tile. Reads about 5 B a vertex with an edge and 2 B a label; two bits a vertex, in runs; writes a word a
// label. The last block ends after the search, so that no next one can begin before that; it stands for the end of all,
// since tiles begin in order.
//
// By programmatic dependent launch blocks may run before the search has ended. They read nothing that it writes before
// they have either seen that it is settled, by an acquiring load of what its blocks release, or waited for all of it.
template <typename Word>
__global__ void __launch_bounds__(kLabelThreads, kLabelBlocks)
relabel_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, Relabelling search) {
	G500_SHARED_MEMORY(memory);
	u32 *parents = reinterpret_cast<u32 *>(memory); // kTile: of the tile's vertices, in hub order
	u32 &unreached = parents[kTile];
	const u32 tile = blockIdx.x;
	const u32 begin = g.tile_start[tile], n = g.tile_start[tile + 1] - begin;
	const u64 base = (u64)tile * kTile;
	uint2 slots[kDeals];
#pragma unroll
	for (int i = 0; i < kDeals; i++)
		slots[i] = __ldcs((const uint2 *)(g.slot + base) + i * kLabelThreads + threadIdx.x);
	if (threadIdx.x == 0) {
		if (!is_settled(s, search.settled)) await_previous_kernel();
		unreached = s.overlap->unreached;
	}
	__syncthreads();
	settle_tile(g, s, begin, n, unreached, parents);
	__syncthreads();
#pragma unroll
	for (int i = 0; i < kDeals; i++)
		deal_tile<Word>(s, slots[i], parents, base + 4 * (i * kLabelThreads + threadIdx.x));
	if (tile == gridDim.x - 1) {
		await_previous_kernel();
		if (threadIdx.x == 0) record_relabelling(s);
	}
	if (search.owned_root == kNone || search.owned_root / kTile != tile) return;
	__syncthreads(); // a root without an edge is its own parent all the same
	if (threadIdx.x == 0) store_result(s, search.owned_root, search.root);
}

constexpr u64 kRelabelShared = (kTile + 1) * sizeof(u32);

} // namespace g500
