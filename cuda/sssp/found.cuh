// What a search has found of a vertex, when it has ended.
#pragma once

#include "sssp/graph.cuh"
#include "sssp/state.cuh"

namespace g500::sssp {

// Found is what is known of a vertex.
struct Found {
	u32 parent; // hub id, kNone if it was not reached
	float distance;
};

__device__ inline Found found_in_tree(const Graph &g, const State &s, u32 v) {
	const Column above = g.above(v);
	const float distance =
		g.levels == 1 ? distance_in(s.distance[above.position]) + above.weight : distance_in(s.distance[v]);
	return distance < infinity() ? Found{above.position, distance} : Found{kNone, -1};
}

// Nearly all vertices know their parents. One that was pushed and has no hint looks for it.
__device__ inline Found found_at(const Graph &g, const State &s, u32 hinted, u32 v) {
	if (!g.in_core(v)) return found_in_tree(g, s, v);
	const u32 word = s.distance[v] & ~kFinal;
	if (word == kInfinite) return {kNone, -1};
	const float distance = __uint_as_float(word);
	if (v < hinted && (u32)(s.hint[v] >> 32) == word) return {(u32)s.hint[v], distance};
	if (s.parent[v] != kUnknown) return {s.parent[v], distance};
	for (u64 i = g.rows[v]; i < g.rows[v + 1]; i++) { // there is one that is nearer: else it was listed (ties.cuh)
		const Column c = g.cols[i];
		const float from = distance_in(s.distance[c.position]);
		if (from + c.weight == distance && from < distance) return {c.position, distance};
	}
	return {kNone, -1};
}

} // namespace g500::sssp
