// The choice of the next step by the thresholds of the policy. No choice changes the levels of a tree. Source: Beamer
// et al. (SC 2012, section 5) for the two directions; the rules of the single steps rest on measurements
// (gpu/policy/policy.toml).
#pragma once

#include "search/context.cuh"

namespace g500 {

// Returns whether all ranks have the next level's frontier, after a top-down level.
template <typename Form>
__device__ bool all_have_frontier(const Context<Form> &k) {
	return !k.at.swept && (!Form::kMany || k.at.step == kPushReplicated);
}

// Returns whether a top-down level has enough edges for a segmented push. Segmented pushes divide the work among ranks,
// unlike other pushes of replicated frontiers.
template <typename Form>
__device__ bool is_worth_segments(const Context<Form> &k) {
	const Policy &p = k.policy;
	const u64 times = Form::kMany ? k.at.edges * k.ranks.count : k.at.edges;
	return k.state.segments.on && k.at.edges > p.segment_edges && times * p.segment_share > k.at.unexplored;
}

// Returns whether hubs have nearly all edges of a frontier that is large enough for a bottom-up level.
template <typename Form>
__device__ bool is_worth_splitting(const Context<Form> &k) {
	return k.state.split_hubs > 0 && k.at.edges * k.policy.split_alpha <= k.at.unexplored;
}

// Returns the step after a top-down level; at.edges is the number of the frontier's edges. A level that must not send
// pairs is bottom-up. The root is always pushed, because it may be a leaf, which is in no row of another vertex and in
// no bitmap.
template <typename Form>
__device__ Step step_after_push(const Context<Form> &k) {
	const Progress &at = k.at;
	if (at.level == 0) return kPush;
	if (k.exchanges_bitmaps()) return kPull;
	const bool many_edges = at.edges * k.ranks.alpha > at.unexplored && at.edges > k.policy.few_edges;
	if (many_edges && !k.exchanges(G500_EXCHANGE_BINS))
		return all_have_frontier(k) && is_worth_splitting(k) ? kSplit : kPull;
	return all_have_frontier(k) && is_worth_segments(k) ? kPushSegments : kPush;
}

// Returns the step after a sweep. If few vertices remain unvisited and they are listed, only these are searched.
template <typename Form>
__device__ Step step_after_sweep(const Context<Form> &k) {
	const Policy &p = k.policy;
	const Progress &at = k.at;
	const u64 vertices = k.non_leaf();
	const bool few = at.unvisited * p.remaining_share <= vertices && (!Form::kMany || at.unvisited <= k.ranks.round_pairs);
	if (lists_remaining(at.step) && k.exchanges(G500_EXCHANGE_AUTO) && few) return kPullRemaining;
	const u32 ranks = Form::kMany ? k.ranks.count : 1;
	const bool small_graph = vertices < p.pull_hubs * ranks; // listing the frontier costs more there
	if (k.exchanges_bitmaps() || at.frontier * p.beta > vertices || small_graph)
		return at.hubs_visited ? kPullHubs
		     : at.sweeps > 0 && at.frontier * p.listing_share > vertices ? kPullListing : kPull;
	return kPush;
}

// Returns whether the frontier has only edges to its parents, at least one per vertex. A vertex of level 1 may have
// none, if the root is a leaf. `estimated` is set in a directed graph, because there it may have edges to others only.
__device__ inline bool leads_nowhere(const Progress &at) {
	return at.level > 1 && at.edges == at.frontier && !at.estimated;
}

// Returns whether the next level is likely to be the first bottom-up one, for which all peers need all visited bits.
// Without an estimate the level was too large for one, and larger levels follow.
template <typename Form>
__device__ bool may_pull(const Context<Form> &k, bool estimates) {
	if (k.some_remote() || k.at.swept || !k.exchanges(G500_EXCHANGE_AUTO)) return false;
	return !estimates || 2 * k.at.estimate * k.ranks.alpha > k.at.unexplored;
}

} // namespace g500
