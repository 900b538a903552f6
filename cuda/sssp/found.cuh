// What a search has found of a vertex, when it has ended.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Looks for the parent of a vertex of the core at that distance. There is a neighbour that is nearer: else the vertex
// was listed (ties.cuh), or the search was given up, and the vertex itself stands there.
__device__ __noinline__ inline u32 nearer_parent(const Graph &g, const State &s, u32 v, float distance) {
	const u32 local_id = g.local_id(v);
	for (u64 i = g.rows[local_id]; i < g.rows[local_id + 1]; i++) {
		const Col c = g.cols[i];
		const float from = distance_in(s.distance[c.global_id]);
		if (from + c.weight == distance && from < distance) return c.global_id;
	}
	return v;
}

// NonTreeEntry is what a search has left of a vertex of the core; of an inner vertex of a tree, its distance alone.
struct NonTreeEntry {
	u32 word;   // distance, without kFinal; kInfinite if it was not reached
	u32 parent; // position, kFirstEnd or kUnknown
	ull hint;

	NonTreeEntry() = default;
	__device__ inline NonTreeEntry(const Graph &g, const State &s, const Policy &policy, u32 v, bool is_non_tree)
		: word(g.is_leaf(v) ? kInfinite : s.distance[v] & ~kFinal), parent(is_non_tree ? s.parent[v] : kUnknown),
		  hint(is_non_tree && policy.has_hint(g, v) ? s.hint[policy.hint_at(g, v)] : ~0ull) {}

	// The parent: a position, kFirstEnd, or kUnknown: a vertex that was pushed and has no hint may have to look for it.
	__device__ inline u32 known_parent() const { return (u32)(hint >> 32) == word ? (u32)hint : parent; }
	__device__ inline u32 find_parent(const Graph &g, const State &s, u32 v) const {
		const u32 known = known_parent();
		if (known == kFirstEnd) return FirstEdges(g, g.local_id(v)).of[0].global_id;
		return known < kFirstEnd ? known : nearer_parent(g, s, v, __uint_as_float(word));
	}
};

} // namespace g500::sssp
