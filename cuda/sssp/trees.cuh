// What hangs off the core in trees: the way from a root in a tree to the core, and the distances of all others.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Follows the way of a root of this rank, a position, with one thread. In a graph of kernel 1, two vertices that have
// only each other are both leaves: there the way ends at the other one.
__device__ inline void find_way(const Graph &g, u32 root, Way &way) {
	u32 v = root, from = root;
	float distance = 0;
	way.length = 0;
	while (v != kNone && !g.is_in_core(v)) {
		way.entries[way.length++] = {v, from, distance};
		const Column above = g.above(g.hub(v));
		distance += above.weight;
		if (g.is_leaf(above.position)) {
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

constexpr u32 kTreesAtOnce = 4; // vertices of a tree that a thread waits for together

// Gives inner vertices of one level their distances, all but one. Reads 8 B a vertex and a sector of distances; writes
// 4 B.
__device__ inline void reach_level(const Context &k, u32 level, u32 all_but) {
	const u32 begin = k.graph.level_begin[level], end = k.graph.level_begin[level + 1];
	const u32 threads = gridDim.x * kThreads;
	for (u64 first = begin + blockIdx.x * kThreads + threadIdx.x; first < end; first += (u64)threads * kTreesAtOnce) {
		Column above[kTreesAtOnce];
		u32 word[kTreesAtOnce];
#pragma unroll
		for (u32 j = 0; j < kTreesAtOnce; j++) {
			const u64 v = first + (u64)j * threads;
			above[j] = v < end ? k.graph.above((u32)v) : Column{kNone, 0};
		}
#pragma unroll
		for (u32 j = 0; j < kTreesAtOnce; j++) word[j] = above[j].position == kNone ? 0 : k.word(above[j].position);
#pragma unroll
		for (u32 j = 0; j < kTreesAtOnce; j++) {
			const u64 v = first + (u64)j * threads;
			const float distance = distance_in(word[j]) + above[j].weight;
			if (v < end && v != all_but) k.state.distance[v] = __float_as_uint(distance);
		}
	}
}

// Gives the inner vertices of the trees their distances, level by level. Those on the way have theirs: one in each
// level. The leaves of the trees get theirs with the result.
__device__ __noinline__ inline void reach_trees(Context &k) {
	const Graph &g = k.graph;
	const Way &way = *k.state.way;
	const u32 length = *(volatile u32 *)&way.length;
	for (u32 level = 0; level < g.levels && !k.at.failed; level++) {
		const u32 known = level < length ? __ldcg(&way.entries[length - 1 - level].vertex) : kNone;
		reach_level(k, level, known);
		grid_barrier(k);
	}
}

} // namespace g500::sssp
