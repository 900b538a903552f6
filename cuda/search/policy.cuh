// SPDX-License-Identifier: Apache-2.0

// The choice of the next step by the thresholds of the policy, by kernels or by the host. No choice changes the levels
// of a tree. Source: Beamer et al. (SC 2012, section 5) for the two directions; the rules of the single steps rest on
// measurements (policy/policy.toml).
#pragma once

#include <algorithm>

#include "search/far.cuh"
#include "search/search.h"

namespace g500 {

using Policy = g500_policy; // thresholds of the choice of steps

// Facts are all that a choice depends on. They are the same on all ranks.
struct Facts {
	const Policy &policy;
	const Shared &at;
	u64 vertices;    // of the non-leaf subgraph, of all ranks
	u64 most_listed; // limit of remaining vertices of all ranks, if only these are searched
	u32 ranks;
	int exchange;    // G500_EXCHANGE_*
	bool segments;   // top-down levels may be segmented pushes
	bool splits;     // bottom-up levels may be split
	bool decides;    // all ranks know the neighbours of hubs
	bool far;        // ranks are not peers

	__host__ __device__ bool exchanges(int form) const { return exchange == form; }
};

// Returns whether hubs and other vertices of the next level's frontier can be processed differently, after a top-down
// level: all ranks have the frontier, or exchange the hubs' bits.
__host__ __device__ inline bool can_separate_hubs(const Facts &f) {
	return !f.at.swept && (f.ranks == 1 || f.far || f.at.step == kPushReplicated);
}

// Returns whether a top-down level has enough edges for a segmented push. Segmented pushes divide the work among ranks,
// unlike other pushes of replicated frontiers.
__host__ __device__ inline bool is_worth_segments(const Facts &f) {
	const Policy &p = f.policy;
	return f.segments && f.at.edges > p.segment_edges && f.at.edges * f.ranks * p.segment_share > f.at.unexplored;
}

// Returns whether hubs have nearly all edges of a frontier that is large enough for a bottom-up level.
__host__ __device__ inline bool is_worth_splitting(const Facts &f) {
	return f.splits && f.at.edges * f.policy.split_alpha <= f.at.unexplored;
}

// Returns the step after a top-down level; at.edges is the number of the frontier's edges. A level that must not send
// pairs is bottom-up. The root is always pushed, because it may be a leaf, which is in no row of another vertex and in
// no bitmap.
__host__ __device__ inline Step step_after_push(const Facts &f) {
	const Shared &at = f.at;
	if (at.level == 0) return kPush;
	if (f.exchanges(G500_EXCHANGE_BITMAP)) return kPull;
	const bool many_edges = at.edges * f.policy.alpha > at.unexplored && at.edges > f.policy.few_edges;
	if (many_edges && !f.exchanges(G500_EXCHANGE_BINS))
		return can_separate_hubs(f) && is_worth_splitting(f) ? kSplit : kPull;
	return can_separate_hubs(f) && is_worth_segments(f) ? kPushSegments : kPush;
}

// The same on several ranks, if each has its part of the frontier: a long frontier is bottom-up, with any number of
// edges.
__host__ __device__ inline Step step_after_divided_push(const Facts &f) {
	const Shared &at = f.at;
	const bool is_long = at.level > 0 && at.frontier * f.policy.beta > f.vertices && at.frontier > f.policy.short_queue;
	return is_long && !f.exchanges(G500_EXCHANGE_BINS) ? kPull : step_after_push(f);
}

// Returns the most vertices of a frontier that is not long there.
inline u64 longest_queue(const Policy &p, u64 vertices) { return std::max<u64>(vertices / p.beta, p.short_queue); }

// Returns the step after a sweep. If few vertices remain unvisited and they are listed, only these are searched.
__host__ __device__ inline Step step_after_sweep(const Facts &f) {
	const Policy &p = f.policy;
	const Shared &at = f.at;
	const bool few = at.unvisited * p.remaining_share <= f.vertices && at.unvisited <= f.most_listed;
	if (lists_remaining(at.step) && f.exchanges(G500_EXCHANGE_AUTO) && few) return kPullRemaining;
	const bool small_graph = f.vertices < p.pull_hubs * f.ranks; // listing the frontier costs more there
	if (f.exchanges(G500_EXCHANGE_BITMAP) || at.frontier * p.beta > f.vertices || small_graph)
		return at.hubs_visited ? f.decides ? kDecide : kPullHubs
		     : at.sweeps > 0 && at.frontier * p.listing_share > f.vertices ? kPullListing : kPull;
	return kPush;
}

constexpr double kQueriesPerVertex = 0.25; // 0.04 to 0.6 before sweeps of official graphs, 0.08 for leaves

// Returns whether ranks that are no peers gather only the bits of hubs and query others, because this takes less time
// than to gather all bits, by the times of exchanges. The bytes are of each rank.
inline bool is_worth_queries(const FarTrial &exchanges, u32 ranks, u64 part_bytes, u64 hub_bytes) {
	const double queries = kQueriesPerVertex * 8 * (double)part_bytes / ranks; // to each rank, each of a pair's length
	const double replies = exchanges.all_to_all(queries * sizeof(u64)) + exchanges.all_to_all(queries / 8);
	return exchanges.gather((double)hub_bytes) + replies < exchanges.gather((double)part_bytes);
}

// Returns whether the frontier has only edges to its parents, at least one per vertex. A vertex of level 1 may have
// none, if the root is a leaf. `estimated` is set in a directed graph, because there it may have edges to others only.
__host__ __device__ inline bool leads_nowhere(const Shared &at) {
	return at.level > 1 && at.edges == at.frontier && !at.estimated;
}

// Returns whether the next level is likely to be the first bottom-up one, for which all peers need all visited bits.
// Without an estimate the level was too large for one, and larger levels follow.
__host__ __device__ inline bool may_pull(const Facts &f, bool estimates) {
	if (f.at.swept || !f.exchanges(G500_EXCHANGE_AUTO)) return false;
	return !estimates || 2 * f.at.estimate * f.policy.alpha > f.at.unexplored;
}

} // namespace g500
