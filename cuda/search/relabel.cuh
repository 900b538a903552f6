// The result in official form: each label's parent's label, in label order.
#pragma once

#include "search/block.cuh"
#include "search/graph.cuh"
#include "search/state.cuh"

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

// Relabelling is of one search: the root's label, the number of ranks, the root's number among the owned labels, or kNone
// on other ranks than its own, and the blocks that have to be settled.
struct Relabelling {
	u32 root, ranks, owned_root, settled;
};

// Settled is what a block knows of a search whose vertices are settled, in shared memory.
struct Settled {
	const u32 *visited; // the newest bitmap of all ranks
	bool searching;     // but for residual vertices, which are still searched
	bool last;          // the block is the last one
};

// Tile is vertices [begin, begin+n) in the order by tile.
struct Tile {
	u32 begin, n;
};

// The parent of a vertex of the core. Nobody else writes the result of one that has only leaves for neighbours.
__device__ inline u32 parent_in_core(const State &s, const Settled &at, u32 v, u32 first) {
	const uint2 word = s.reached[word_of(v)];
	if (!(word.x >> bit_of(v) & 1)) return at.searching && first != kNone ? kResidual : kNone;
	return word.y >> bit_of(v) & 1 ? s.parent[v] : first;
}

// The parent of a leaf is its neighbour, if that is reached. Of two leaves that have each other, one is reached if the
// other is the root.
__device__ inline u32 parent_of_leaf(const Graph &g, const u32 *visited, u32 neighbour, u32 label, u32 root) {
	const bool is_reached = g.is_leaf(neighbour) ? label == root : test(visited, neighbour);
	return is_reached ? label : kNone;
}

// Finds the parents of a tile's vertices, in hub order. The bits that say how a vertex was reached lie in runs there,
// and so do the neighbours of leaves. While the search goes on, leaves that are not reached wait for its end.
__device__ inline void settle_tile(const Graph &g, const State &s, const Settled &at, u32 root, Tile tile,
                                   u32 *parents) {
	constexpr int kEach = 4;
	for (u32 i0 = threadIdx.x; i0 < tile.n; i0 += kLabelThreads * kEach) {
		u32 v[kEach], parent[kEach], neighbour[kEach];
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const u32 i = i0 + j * kLabelThreads;
			v[j] = i < tile.n ? hub_at(g, tile.begin + i) : kNone;
			parent[j] = i < tile.n ? __ldcs(g.tile_first + tile.begin + i) : kNone;
		}
#pragma unroll
		for (int j = 0; j < kEach; j++)
			neighbour[j] = v[j] != kNone && v[j] >= g.hubs ? __ldcs(g.leaf_neighbour + v[j]) : kNone;
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			if (v[j] == kNone) continue;
			const u32 i = i0 + j * kLabelThreads;
			if (v[j] < g.hubs) parents[i] = parent_in_core(s, at, v[j], parent[j]);
			else parents[i] = parent_of_leaf(g, at.visited, neighbour[j], parent[j], root);
			if (at.searching && v[j] >= g.hubs && parents[i] == kNone)
				s.waiting_leaves[atomicAdd(&s.overlap->waiting, 1)] = tile.begin + i;
		}
	}
}

// Gives the leaves that have waited for the end of the search their parents.
__device__ inline void settle_waiting(const Graph &g, const State &s, const Settled &at, const Relabelling &search) {
	const u32 n = *(volatile u32 *)&s.overlap->waiting;
	for (u32 i = threadIdx.x; i < n; i += kLabelThreads) {
		const u32 place = __ldcg(s.waiting_leaves + i), leaf = hub_at(g, place), neighbour = g.leaf_neighbour[leaf];
		if (g.is_leaf(neighbour) || !(__ldcg(at.visited + word_of(neighbour)) >> bit_of(neighbour) & 1)) continue;
		s.result[g.labels[leaf] / search.ranks] = g.tile_first[place];
	}
}

// Deals a tile's parents out in label order, four labels at a time.
__device__ inline void deal_tile(const uint2 &slots, const u32 *parents, uint4 *out) {
	const u32 of[4] = {slots.x & 0xffff, slots.x >> 16, slots.y & 0xffff, slots.y >> 16};
	u32 parent[4];
#pragma unroll
	for (int j = 0; j < 4; j++) parent[j] = of[j] == kNoSlot ? kNone : parents[of[j]];
	if (parent[0] != kResidual && parent[1] != kResidual && parent[2] != kResidual && parent[3] != kResidual) {
		__stcs(out, make_uint4(parent[0], parent[1], parent[2], parent[3]));
		return;
	}
#pragma unroll
	for (int j = 0; j < 4; j++)
		if (parent[j] != kResidual) __stcs((u32 *)out + j, parent[j]);
}

// Whether so many blocks have settled their vertices, in all searches. What they wrote before is to be seen from then
// on.
__device__ inline bool is_settled(const State &s, u32 blocks) { return load_acquire(&s.overlap->settled) == blocks; }

// Adds the relabelling to the trace, as far as it takes longer than the search.
__device__ inline void record_relabelling(const State &s) {
	const u32 n = (*s.trace_length)++;
	s.trace[n] = {G500_RELABEL, 0, 0, now_ns() - *s.level_ended};
}

// Arrives when a tile's results are written. Whether it was the last one.
__device__ inline bool is_last_tile(const State &s, Settled &at) {
	__syncthreads();
	if (threadIdx.x == 0) at.last = fetch_add_acq_rel(&s.overlap->relabelled) == gridDim.x - 1;
	__syncthreads();
	return at.last;
}

// One block a tile. Reads about 5 B a vertex with an edge, 4 B more a leaf, and 2 B a label; writes 4 B a label; two bits
// a vertex, in runs, and one bit for each leaf, at random. The last block ends after the search, so that no next one can
// begin before that.
//
// By programmatic dependent launch blocks may run before the search has ended. They read nothing that it writes before
// they have either seen that it is settled, by an acquiring load of what its blocks release, or waited for all of it.
__global__ void __launch_bounds__(kLabelThreads, kLabelBlocks)
relabel_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, Relabelling search) {
	G500_SHARED_MEMORY(memory);
	Settled &at = *reinterpret_cast<Settled *>(memory);
	u32 *parents = reinterpret_cast<u32 *>(memory + sizeof(Settled)); // kTile: of the tile's vertices, in hub order
	const u32 begin = g.tile_start[blockIdx.x], n = g.tile_start[blockIdx.x + 1] - begin;
	const u64 base = (u64)blockIdx.x * kTile;
	uint2 slots[kDeals];
#pragma unroll
	for (int i = 0; i < kDeals; i++)
		slots[i] = __ldcs((const uint2 *)(g.slot + base) + i * kLabelThreads + threadIdx.x);
	if (threadIdx.x == 0) {
		if (!is_settled(s, search.settled)) await_previous_kernel();
		at = {s.overlap->visited, s.overlap->searching};
	}
	__syncthreads();
	settle_tile(g, s, at, search.root, {begin, n}, parents);
	__syncthreads();
#pragma unroll
	for (int i = 0; i < kDeals; i++)
		deal_tile(slots[i], parents, (uint4 *)(s.result + base) + i * kLabelThreads + threadIdx.x);
	__syncthreads(); // a root without an edge is its own parent all the same
	if (threadIdx.x == 0 && search.owned_root != kNone && search.owned_root / kTile == blockIdx.x)
		s.result[search.owned_root] = search.root;
	if (!is_last_tile(s, at)) return;
	await_previous_kernel();
	settle_waiting(g, s, at, search);
	if (threadIdx.x == 0) record_relabelling(s);
}

constexpr u64 kRelabelShared = sizeof(Settled) + kTile * sizeof(u32);

} // namespace g500
