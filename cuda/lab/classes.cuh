// SPDX-License-Identifier: Apache-2.0

// Degree classes with a number of threads per vertex: one, a warp, a block, all blocks (Liu and Huang, SC 2015, section
// 4.2; Toedling, Winter, Steinberger, 2019, section III-B), or the powers of two of supplementary queues (Busato and
// Bombieri, Euro-Par 2018, section 3.4). One kernel processes all classes without a barrier, or one kernel per class.
#pragma once

#include <type_traits>

#include "lab/gather.cuh"

namespace g500::lab {

// Distributes vertices over groups of threads, a power of two or a multiple of a warp. All lanes of a warp call
// act(i, has, own, threads) together: vertex i, and the number of this thread in its group.
template <typename Act>
__device__ inline void share_vertices(u64 n, u32 threads, Act act) {
	if (threads == 1) return for_tiles(n, [&](u64 i, bool has) { act(i, has, 0u, 1u); });
	threads = min(threads, gridDim.x * kThreads);
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, groups = gridDim.x * kThreads / threads;
	if (thread >= groups * threads) return;
	u64 of_warp = (thread & ~31u) / threads; // the vertex of the first lane
	for (u64 i = thread / threads; of_warp < n; i += groups, of_warp += groups) act(i, i < n, thread % threads, threads);
}

// Expands all classes, the largest degrees first. The first class is gathered by tiles.
template <typename Mapping, typename Visit>
__device__ inline void expand_classes(const Level &k, GatherShared &sh, const Classes &in, Visit &visit) {
	u64 edges = 0;
#pragma unroll 1
	for (int c = kClasses - 1; c > 0; c--) {
		const Frontier frontier = in.at(c);
		share_vertices(frontier.size(), k.limits.threads_of(c), [&](u64 i, bool, u32 own, u32 threads) {
			const TileRow row = row_at(k.g, frontier.vertices[i]);
			if (own == 0) edges += row.n;
			share_row(k.g, row, own, threads, visit);
		});
	}
	const Frontier tiled = in.of[0];
	if (std::is_same<Mapping, Direct>::value) {
		share_vertices(tiled.size(), k.group, [&](u64 i, bool has, u32 own, u32 threads) {
			const TileRow row = row_at(k.g, has ? tiled.vertices[i] : kNone);
			if (own == 0) edges += row.n;
			share_row(k.g, row, own, threads, visit);
		});
		return add_up(edges, &k.counters->edges);
	}
	for_tiles(tiled.size(), [&](u64 i, bool has) {
		const TileRow row = row_at(k.g, has ? tiled.vertices[i] : kNone);
		edges += row.n;
		gather_tile<Mapping>(k, sh, row, visit);
	});
	add_up(edges, &k.counters->edges);
}

} // namespace g500::lab
