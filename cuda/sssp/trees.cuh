// What hangs off the core in trees: the way from a root in a tree to the core, and the distances of all others.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Follows the way of a root, a hub id, with one thread. Two vertices that have only each other are no part of the core:
// there the way ends at the other one.
__device__ inline void find_way(const Graph &g, u32 root, Way &way) {
	u32 v = root, from = root;
	float distance = 0;
	way.length = 0;
	while (v != kNone && !g.in_core(v)) {
		way.entries[way.length++] = {v, from, distance};
		const Column above = g.above(v);
		distance += above.weight;
		if (!g.in_core(above.position) && g.above(above.position).position == v) {
			way.entries[way.length++] = {above.position, v, distance};
			from = v = kNone;
			break;
		}
		from = v;
		v = above.position;
	}
	way.start = v;
	way.parent = from;
	way.distance = distance;
}

// Gives the vertices of the trees their distances, level by level. Those on the way have theirs. Where there is one
// level only, the relabelling does it. Reads 8 B a vertex and a sector of distances; writes 4 B.
__device__ __noinline__ void reach_trees(Context &k) {
	const Graph &g = k.graph;
	const State &s = k.state;
	const u32 threads = gridDim.x * kThreads, thread = blockIdx.x * kThreads + threadIdx.x;
	const u32 length = *(volatile u32 *)&s.way->length;
	if (g.levels == 1) return;
	for (u32 level = 0; level < g.levels && !k.at.failed; level++) {
		for (u32 v = g.level_begin[level] + thread; v < g.level_begin[level + 1]; v += threads) {
			const Column above = g.above(v);
			s.distance[v] = __float_as_uint(distance_in(k.word(above.position)) + above.weight);
		}
		grid_barrier(k);
		if (length == 0) continue;
		if (is_first_thread()) // they are few: written once more, and before the next level reads them
			for (u32 i = 0; i < length; i++) s.distance[s.way->entries[i].vertex] = __float_as_uint(s.way->entries[i].distance);
		grid_barrier(k);
	}
}

} // namespace g500::sssp
