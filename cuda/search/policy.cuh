// The choice of the next step by the thresholds of the policy. No choice changes the levels of a tree. Source: Beamer
// et al. (SC 2012, section 5) for the two directions; the rules of the single steps rest on measurements
// (bfs/policy.toml).
#pragma once

#include "search/context.cuh"

namespace g500 {

// Returns whether pushing into a bitmap is cheaper than claiming vertices. Both grow with the frontier's edges, but a
// bitmap has an additional cost per vertex, and claims are expensive if they miss the cache or are another rank's.
template <typename Form>
__device__ bool is_worth_a_bitmap(const Context<Form> &k) {
	const Policy &p = k.policy;
	if (!Form::kMany) return false;
	return k.at.edges * p.bitmap_share > k.ranks.non_leaf && k.at.edges > p.bitmap_edges * k.ranks.count;
}

// Returns whether a frontier is large enough for a segmented push and too small for a sweep.
template <typename Form>
__device__ bool is_worth_segments(const Context<Form> &k) {
	const Policy &p = k.policy;
	const Progress &at = k.at;
	if (Form::kMany || k.state.segments.hubs == 0 || at.swept) return false;
	const bool many = at.edges > p.segment_edges && at.edges * p.segment_share > at.unexplored;
	return many && at.edges * p.segment_alpha <= at.unexplored;
}

// Returns the step of a top-down level in which each rank processes its own part. Only peers can push into each other's
// bitmaps.
template <typename Form>
__device__ Step top_down_step(const Context<Form> &k) {
	if (!Form::kPushesBitmaps || k.some_remote() || k.exchanges(G500_EXCHANGE_BINS)) return kPush;
	return k.exchanges_bitmaps() || is_worth_a_bitmap(k) ? kPushBitmap : kPush;
}

// Returns the step after a top-down level; at.edges is the number of the frontier's edges. With remote ranks, a level
// that must not send pairs is bottom-up. The root is always pushed, because it may be a leaf, which is in no row of
// another vertex and in no bitmap.
template <typename Form>
__device__ Step step_after_push(const Context<Form> &k) {
	const Progress &at = k.at;
	if (at.level == 0) return kPush;
	if (k.exchanges_bitmaps() && k.some_remote()) return kPull;
	if (is_worth_segments(k)) return kPushSegments;
	const bool many_edges = at.edges * k.ranks.alpha > at.unexplored && at.edges > k.policy.few_edges;
	return many_edges && !k.exchanges(G500_EXCHANGE_BINS) ? kPull : top_down_step(k);
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
	const bool bitmap_only = k.exchanges_bitmaps();
	if ((bitmap_only && k.some_remote()) || at.frontier * p.beta > vertices || small_graph)
		return at.hubs_visited ? kPullHubs
		     : at.sweeps > 0 && at.frontier * p.listing_share > vertices ? kPullListing : kPull;
	return Form::kPushesBitmaps && bitmap_only ? kPushBitmap : kPush;
}

// Returns whether the frontier has only edges to its parents, at least one per vertex. A vertex of level 1 may have
// none, if the root is a leaf.
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
