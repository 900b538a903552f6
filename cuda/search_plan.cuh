// How the next level of a search is to go: its direction, and the form in which ranks exchange what they reach.
#pragma once

#include "search_levels.cuh"

namespace g500 {

// The direction rule, the same for every search key (Beamer et al., SC 2012, section 5).
constexpr u64 kAlpha = 24;     // to bottom-up when the frontier has more than 1/kAlpha of the edges not yet looked at
constexpr u64 kAlphaFar = 30;  // the same on several ranks, where an edge may cost a pair that is sent
constexpr u64 kAlphaShared = 300;   // the same where pairs go through memory of the host
constexpr u64 kAlphaCarried = 1000; // the same where hosts carry pairs: more of them than this would weigh more than bitmaps
constexpr u64 kBeta = 64;      // back when the frontier has fewer than 1/kBeta of the vertices
constexpr u32 kCheapSweep = 6000000; // with fewer vertices a sweep costs less than listing the frontier for top-down
constexpr u64 kShortQueue = 1 << 10; // queues up to this may be searched top-down however small the graph
constexpr u64 kListsShare = 4;  // a sweep after one that has found more than 1/kListsShare of the vertices lists the rest
constexpr u64 kRestShare = 16;  // only the rest is looked for when it is at most 1/kRestShare of the vertices
constexpr u64 kMarkEdges = 2000000; // of a rank: with more, a top-down level marks

// Gives the rank's queue the numbers of its edges.
template <bool kMany>
__device__ void Search<kMany>::lay_out(Counters *c) {
	at.small = at.queued <= kSmallQueue;
	if (at.small) {
		at.laid = lay_out_small_queue(g, sh.top_down, s.queue[at.queue], at.queued);
		return;
	}
	lay_out_queue(g, sh.top_down, s.queue[at.queue], at.queued, s.queue[at.queue ^ 1], s.offsets, &c->laid);
	grid.sync();
	at.queue ^= 1;
	at.laid = read_now(&c->laid) & kEdgeMask;
}

template <bool kMany>
__device__ u64 Search<kMany>::alpha() const {
	return kMany ? w.alpha : kAlpha;
}

// Chooses the direction of a level whose frontier has so many edges, and the form of a top-down one. Marks are for peers
// only: where some ranks are none, a level that must not send pairs is bottom-up.
template <bool kMany>
__device__ void Search<kMany>::choose(u64 edges) {
	at.bottom_up = (s.exchange == G500_EXCHANGE_BITMAP && is_apart()) ||
	               (s.exchange != G500_EXCHANGE_BINS && edges * alpha() > at.unexplored && edges > kFewEdges);
	at.marks = !is_apart() && (s.exchange == G500_EXCHANGE_BITMAP || (s.exchange == G500_EXCHANGE_AUTO && edges > kMarkEdges * w.ranks));
}

// Whether the frontier has no edges but those to its parents, of which each vertex but the root has one at least, or there
// is nothing left to find.
template <bool kMany>
__device__ bool Search<kMany>::leads_nowhere() const {
	return (at.level > 0 && at.edges == at.frontier) || at.unvisited == 0;
}

// Whether the next level goes top-down, and its queue can be laid out, with as many edges as the outlook says and as many
// again.
template <bool kMany>
__device__ bool Search<kMany>::may_go_on() const {
	const u64 edges = 2 * at.outlook;
	return edges <= max(w.hubs / kBeta, kShortQueue) && (edges <= kFewEdges || edges * alpha() <= at.unexplored || s.exchange == G500_EXCHANGE_BINS);
}

// Decides the direction of a level after a top-down one. On one rank the queue is laid out to know its edges; on several
// they were counted as it was filled, and told at the barrier.
template <bool kMany>
__device__ void Search<kMany>::plan_after_top_down() {
	Counters *c = counters(at.level);
	at.queued = (u32)read_now(&c->queued);
	at.frontier = at.queued;
	at.unvisited -= at.frontier;
	at.bottom_up = at.frontier > s.queue_limit;
	if (at.frontier == 0 || at.bottom_up) return;
	lay_out(c);
	at.edges = at.laid;
	at.unexplored -= at.edges;
	choose(at.edges);
}

// The same on several ranks, after a barrier that has told of the frontier, or not yet: then it goes top-down. The first
// level has the root alone.
template <bool kMany>
__device__ void Search<kMany>::plan_together() {
	Counters *c = counters(at.level);
	at.queued = (u32)read_now(&c->queued);
	at.reached += at.queued;
	if (at.untold) {
		at.frontier = at.outlook > 0;
		at.edges = 0;
		if (at.frontier) lay_out(c);
		return;
	}
	at.frontier = at.level ? news.of[kVertices] : 1;
	at.edges = at.level ? news.of[kEdges] : 0;
	at.unexplored -= at.edges;
	at.unvisited -= at.frontier;
	choose(at.edges);
	if (s.exchange != G500_EXCHANGE_BINS && at.frontier * kBeta > w.hubs && at.frontier > kShortQueue) at.bottom_up = true;
	if (at.frontier == 0 || leads_nowhere()) return;
	if (at.bottom_up) to_bottom_up();
	else lay_out(c);
}

// Decides the direction of a level after a bottom-up one, and lists the frontier if it is to be top-down.
template <bool kMany>
__device__ void Search<kMany>::plan_after_bottom_up() {
	Counters *c = counters(at.level);
	const u64 hubs = kMany ? w.hubs : g.hubs;
	at.frontier = kMany ? news.of[kVertices] : read_now(&c->found);
	at.edges = 0; // not counted
	at.unvisited -= at.frontier;
	at.rest = at.lists && s.exchange == G500_EXCHANGE_AUTO && at.unvisited * kRestShare <= hubs && (!kMany || at.unvisited <= w.room);
	if (at.rest) return;
	const bool bitmap = s.exchange == G500_EXCHANGE_BITMAP;
	at.marks = bitmap && !is_apart();
	at.bottom_up = at.frontier && ((bitmap && is_apart()) || at.frontier * kBeta > hubs || hubs < (u64)kCheapSweep * (kMany ? w.ranks : 1));
	at.lists = at.bottom_up && at.sweeps > 0 && at.frontier * kListsShare > hubs;
	if (at.frontier == 0 || at.bottom_up) return;
	rebuild_queue(g, sh.top_down, own_part(visited()), own_part(s.visited[at.current ^ 1]), s.queue[at.queue], &c->queued);
	grid.sync();
	at.queued = (u32)read_now(&c->queued);
	lay_out(c);
	if (!kMany) at.edges = at.laid; // of all ranks they are told in the level
}

// After a bottom-up level for the rest come others.
template <bool kMany>
__device__ void Search<kMany>::plan_rest() {
	Counters *c = counters(at.level);
	at.frontier = kMany ? news.of[kVertices] : read_now(&c->queued);
	at.edges = kMany ? news.of[kEdges] : read_now(&c->queued_edges);
	at.unvisited -= at.frontier;
}

} // namespace g500
