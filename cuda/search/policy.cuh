// Which step comes next. The numbers are values of the policy; none of them changes the levels of a tree.
// Source: Beamer et al. (SC 2012, section 5) for the two directions; the steps' own rules rest on measurements
// (bfs/policy.toml).
#pragma once

#include "search/context.cuh"

namespace g500 {

// Whether pushing into a bitmap costs less than claiming vertices: both grow with the frontier's edges, but what a
// bitmap costs beside that grows with the vertices, and claims are dear where they do not stay in the cache, or are
// another rank's.
template <typename Form>
__device__ bool is_worth_a_bitmap(const Context<Form> &k) {
	const Policy &p = k.policy;
	if (!Form::kMany) return false;
	return k.at.edges * p.bitmap_share > k.ranks.non_leaf && k.at.edges > p.bitmap_edges * k.ranks.count;
}

// Whether a frontier is large enough for a segmented push, and too small for a sweep.
template <typename Form>
__device__ bool is_worth_segments(const Context<Form> &k) {
	const Policy &p = k.policy;
	const Progress &at = k.at;
	if (Form::kMany || k.state.segments.hubs == 0 || at.swept) return false;
	const bool many = at.edges > p.segment_edges && at.edges * p.segment_share > at.unexplored;
	return many && at.edges * p.segment_alpha <= at.unexplored;
}

// The step of a top-down level that every rank takes for its own part. Only peers can push into each other's bitmaps.
template <typename Form>
__device__ Step top_down_step(const Context<Form> &k) {
	if (k.some_remote() || k.exchanges(G500_EXCHANGE_BINS)) return kPush;
	return k.exchanges_bitmaps() || is_worth_a_bitmap(k) ? kPushBitmap : kPush;
}

// The step of a level after a top-down one, whose frontier has at.edges edges. Where ranks are remote, a level that
// must not send pairs is bottom-up. The root is pushed by all means: a leaf is in no other's row and in no bitmap.
template <typename Form>
__device__ Step step_after_push(const Context<Form> &k) {
	const Progress &at = k.at;
	if (at.level == 0) return kPush;
	if (k.exchanges_bitmaps() && k.some_remote()) return kPull;
	if (is_worth_segments(k)) return kPushSegments;
	const bool many_edges = at.edges * k.ranks.alpha > at.unexplored && at.edges > k.policy.few_edges;
	return many_edges && !k.exchanges(G500_EXCHANGE_BINS) ? kPull : top_down_step(k);
}

// The step of a level after one that swept. Only the residual vertices are searched when they are few and listed.
template <typename Form>
__device__ Step step_after_sweep(const Context<Form> &k) {
	const Policy &p = k.policy;
	const Progress &at = k.at;
	const u64 hubs = k.non_leaf();
	const bool few = at.unvisited * p.residual_share <= hubs && (!Form::kMany || at.unvisited <= k.ranks.round_pairs);
	if (lists_remaining(at.step) && k.exchanges(G500_EXCHANGE_AUTO) && few) return kPullRemaining;
	const u32 ranks = Form::kMany ? k.ranks.count : 1;
	const bool small_graph = hubs < p.pull_hubs * ranks; // listing the frontier costs more there
	const bool bitmap_only = k.exchanges_bitmaps();
	if ((bitmap_only && k.some_remote()) || at.frontier * p.beta > hubs || small_graph)
		return at.hubs_visited ? kPullHubs
		     : at.sweeps > 0 && at.frontier * p.listing_share > hubs ? kPullListing : kPull;
	return bitmap_only ? kPushBitmap : kPush;
}

// Whether the frontier has no edges but those to its parents, of which each vertex has one at least. On level 1 a
// vertex may have none: the root may be a leaf.
__device__ inline bool leads_nowhere(const Progress &at) {
	return at.level > 1 && at.edges == at.frontier && !at.estimated;
}

// Whether the next level is likely to be the first that pulls, so that all peers have to know what is visited. Levels
// that are too large for an estimate are followed by larger ones.
template <typename Form>
__device__ bool may_pull(const Context<Form> &k, bool estimates) {
	if (k.some_remote() || k.at.swept || !k.exchanges(G500_EXCHANGE_AUTO)) return false;
	return !estimates || 2 * k.at.estimate * k.ranks.alpha > k.at.unexplored;
}

} // namespace g500
