// What a search has found of a vertex, when it has ended.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Looks for the parent of a vertex of the core at that distance. There is a neighbour that is nearer: else the vertex
// was listed (ties.cuh), or the search was given up, and the vertex itself stands there.
__device__ __noinline__ inline u32 nearer_parent(const Graph &g, const State &s, u32 v, float distance) {
	const u32 hub = g.hub(v);
	for (u64 i = g.rows[hub]; i < g.rows[hub + 1]; i++) {
		const Column c = g.cols[i];
		const float from = distance_in(s.distance[c.position]);
		if (from + c.weight == distance && from < distance) return c.position;
	}
	return v;
}

// CoreEntry is what a search has left of a vertex of the core; of an inner vertex of a tree, its distance alone.
struct CoreEntry {
	u32 word;   // distance, without kFinal; kInfinite if it was not reached
	u32 parent; // position, kFirstEnd or kUnknown
	ull hint;

	CoreEntry() = default;
	__device__ inline CoreEntry(const Graph &g, const State &s, const Policy &policy, u32 v, bool in_core)
		: word(g.is_leaf(v) ? kInfinite : s.distance[v] & ~kFinal), parent(in_core ? s.parent[v] : kUnknown),
		  hint(in_core && policy.has_hint(g, v) ? s.hint[policy.hint_at(g, v)] : ~0ull) {}

	// The parent: a position, kFirstEnd, or kUnknown: a vertex that was pushed and has no hint may have to look for it.
	__device__ inline u32 known_parent() const { return (u32)(hint >> 32) == word ? (u32)hint : parent; }
	__device__ inline u32 find_parent(const Graph &g, const State &s, u32 v) const {
		const u32 known = known_parent();
		if (known == kFirstEnd) return FirstEdges(g, g.hub(v)).of[0].position;
		return known < kFirstEnd ? known : nearer_parent(g, s, v, __uint_as_float(word));
	}
};

} // namespace g500::sssp
