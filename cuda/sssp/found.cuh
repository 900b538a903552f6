// What a search has found of a vertex, when it has ended.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Found is what is known of a vertex.
struct Found {
	u32 parent; // position, kNone if it was not reached
	float distance;
};

// Of a leaf: trees have one level.
__device__ inline Found found_of_leaf(const Graph &g, const State &s, u32 v) {
	const Column above = g.above(g.hub(v));
	const float distance = distance_in(s.distance[above.position]) + above.weight;
	return distance < infinity() ? Found{above.position, distance} : Found{kNone, -1};
}

// Nearly all vertices know their parents. One that was pushed and has no hint looks for it.
__device__ inline Found found_at(const Graph &g, const State &s, const Policy &policy, u32 v) {
	if (!g.is_in_core(v)) return found_of_leaf(g, s, v);
	const u32 word = s.distance[v] & ~kFinal;
	if (word == kInfinite) return {kNone, -1};
	const float distance = __uint_as_float(word);
	const ull hint = policy.has_hint(g, v) ? s.hint[policy.hint_at(g, v)] : ~0ull;
	if ((u32)(hint >> 32) == word) return {(u32)hint, distance};
	if (s.parent[v] != kUnknown) return {s.parent[v], distance};
	const u32 hub = g.hub(v);
	for (u64 i = g.rows[hub]; i < g.rows[hub + 1]; i++) { // there is one that is nearer: else it was listed (ties.cuh)
		const Column c = g.cols[i];
		const float from = distance_in(s.distance[c.position]);
		if (from + c.weight == distance && from < distance) return {c.position, distance};
	}
	return {kNone, -1};
}

} // namespace g500::sssp
