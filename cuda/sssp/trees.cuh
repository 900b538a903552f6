// What hangs off the core in trees: the way from a root in a tree to the core, and the distances of all others.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Follows the way of a root of this rank, a position, with one thread. Two vertices that have only each other are no
// part of the core: there the way ends at the other one. On several ranks there is one level of trees.
__device__ inline void find_way(const Graph &g, u32 root, Way &way) {
	u32 v = root, from = root;
	float distance = 0;
	way.length = 0;
	while (v != kNone && !g.is_in_core(v)) {
		way.entries[way.length++] = {v, from, distance};
		const Column above = g.above(g.hub(v));
		distance += above.weight;
		if (!g.is_in_core(above.position) && (g.levels == 1 || g.above(above.position).position == v)) {
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

// The distance of the vertex on which another one hangs. Two that hang on each other are not reached from the core.
__device__ inline u32 word_above(const Context &k, u32 position, u32 level) {
	if (position == kNone) return 0;
	if (position < k.graph.in_core) return k.word(position);
	return level == 0 ? kInfinite : __ldcg(&k.state.tree[k.graph.in_trees(position)].x);
}

// Gives vertices of one level their distances and parents, all but one. Reads 12 B a vertex and a sector of distances;
// writes 8 B.
__device__ inline void reach_level(const Context &k, u32 level, u32 all_but) {
	const u32 begin = k.graph.level_begin[level], end = k.graph.level_begin[level + 1];
	const u32 threads = gridDim.x * kThreads;
	for (u64 first = begin + blockIdx.x * kThreads + threadIdx.x; first < end; first += (u64)threads * kTreesAtOnce) {
		Column above[kTreesAtOnce];
		u32 word[kTreesAtOnce], label[kTreesAtOnce];
#pragma unroll
		for (u32 j = 0; j < kTreesAtOnce; j++) {
			const u64 v = first + (u64)j * threads;
			above[j] = v < end ? k.graph.above((u32)v) : Column{kNone, 0};
			label[j] = v < end ? __ldcs(k.graph.label_above + k.graph.in_trees((u32)v)) : 0;
		}
#pragma unroll
		for (u32 j = 0; j < kTreesAtOnce; j++) word[j] = word_above(k, above[j].position, level);
#pragma unroll
		for (u32 j = 0; j < kTreesAtOnce; j++) {
			const u64 v = first + (u64)j * threads;
			const u32 distance = __float_as_uint(distance_in(word[j]) + above[j].weight);
			if (v < end && v != all_but) k.state.tree[k.graph.in_trees((u32)v)] = make_uint2(distance, label[j]);
		}
	}
}

// Gives the vertices of the trees their distances, level by level. Those on the way have theirs: one in each level, the
// root in the last of these. Where there is one level only, the relabelling does it.
__device__ __noinline__ inline void reach_trees(Context &k) {
	const Graph &g = k.graph;
	if (g.levels == 1) return;
	const Way &way = *k.state.way;
	const u32 length = *(volatile u32 *)&way.length;
	for (u32 level = 0; level < g.levels && !k.at.failed; level++) {
		const u32 known = level < length ? __ldcg(&way.entries[length - 1 - level].vertex) : kNone;
		reach_level(k, level, known);
		grid_barrier(k);
	}
}

} // namespace g500::sssp
