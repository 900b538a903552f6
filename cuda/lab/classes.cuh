// Vertices in classes by degree, each with as many threads a vertex as suits it: one, a warp, a block, all blocks
// (Liu and Huang, SC 2015, section 4.2; Toedling, Winter, Steinberger, 2019, section III-B). The papers run a kernel
// for each class at the same time; here the blocks of one kernel go through all classes, without a barrier between.
#pragma once

#include "lab/expand.cuh"

namespace g500::lab {

// Classes are the frontier's vertices by class.
struct Classes {
	Frontier of[kClasses];
};

// Shares vertices out: act(i, has, own, threads) is called by all lanes of a warp together, for vertex i and this
// thread's number among those that share it.
template <typename Act>
__device__ inline void share_vertices(u64 n, int kind, Act act) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	switch (kind) {
	case 0: return for_tiles(n, [&](u64 i, bool has) { act(i, has, 0u, 1u); });
	case 1:
		for (u64 i = thread / 32; i < n; i += threads / 32) act(i, true, lane_of_thread(), 32u);
		return;
	case 2:
		for (u64 i = blockIdx.x; i < n; i += gridDim.x) act(i, true, threadIdx.x, (u32)kThreads);
		return;
	default:
		for (u64 i = 0; i < n; i++) act(i, true, thread, threads);
	}
}

// Expands all classes, the largest rows first.
template <typename Visit>
__device__ inline void expand_classes(const Level &k, const Classes &in, Visit &visit) {
	u64 edges = 0;
	for (int kind = kClasses - 1; kind >= 0; kind--) {
		const Frontier &frontier = in.of[kind];
		share_vertices(frontier.size(), kind, [&](u64 i, bool has, u32 own, u32 threads) {
			const TileRow row = row_at(k.g, has ? frontier.vertices[i] : kNone);
			if (own == 0) edges += row.n;
			share_row(k.g, row, own, threads, visit);
		});
	}
	add_up(edges, &k.counters->edges);
}

template <Order kOrder>
__device__ inline void expand_classes_to(const Level &k, ExpandShared &sh, const Classes &in, const Queue &out) {
	ClaimVertex<kOrder> visit(k, sh, out);
	expand_classes(k, in, visit);
	visit.append.finish();
}

} // namespace g500::lab
