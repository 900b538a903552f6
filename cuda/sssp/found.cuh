// SPDX-License-Identifier: Apache-2.0

// The state of a vertex after a search.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Returns the parent of a vertex outside trees, by its distance: a nearer neighbour with a path of this length. If
// there is none, returns the vertex itself: it was listed (ties.cuh), or the search was given up.
__device__ __noinline__ inline u32 nearer_parent(const Graph &g, const State &s, u32 v, float distance) {
	const u32 local_id = g.local_id(v);
	for (u64 i = g.rows[local_id]; i < g.rows[local_id + 1]; i++) {
		const Col c = g.cols[i];
		const float from = distance_in(s.distance[c.global_id]);
		if (from + c.weight == distance && from < distance) return c.global_id;
	}
	return v;
}

// NonTreeEntry is the search's data of a vertex outside trees; of an inner vertex of a tree only its distance.
struct NonTreeEntry {
	u32 word;   // distance without kFinal; kInfinite if unreached
	u32 parent; // global id, kFirstEnd or kUnknown
	ull hint;

	NonTreeEntry() = default;
	__device__ inline NonTreeEntry(const Graph &g, const State &s, const Policy &policy, u32 v, bool is_non_tree)
		: word(g.is_leaf(v) ? kInfinite : s.distance[v] & ~kFinal), parent(is_non_tree ? s.parent[v] : kUnknown),
		  hint(is_non_tree && policy.has_hint(g, v) ? s.hint[policy.hint_at(g, v)] : ~0ull) {}

	// Returns the parent's global id, kFirstEnd, or kUnknown: a pushed vertex without a hint may have to search for its
	// parent.
	__device__ inline u32 known_parent() const { return (u32)(hint >> 32) == word ? (u32)hint : parent; }
	__device__ inline u32 find_parent(const Graph &g, const State &s, u32 v) const {
		const u32 known = known_parent();
		if (known == kFirstEnd) return FirstEdges(g, g.local_id(v)).of[0].global_id;
		return known < kFirstEnd ? known : nearer_parent(g, s, v, __uint_as_float(word));
	}
};

} // namespace g500::sssp
