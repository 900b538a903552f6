// How the next level of a search is to go: its direction, and the form in which ranks exchange what they reach.
#pragma once

#include "search/levels.cuh"
#include "search/rule.cuh"

namespace g500 {

// Chooses the direction of a level whose frontier has so many edges, and the form if it is top-down. Marks are for peers
// only: where some ranks are none, a level that must not send pairs is bottom-up.
template <bool kMany>
__device__ void Search<kMany>::choose() {
	at.bottom_up = (s.exchange == G500_EXCHANGE_BITMAP && is_apart()) ||
	               (s.exchange != G500_EXCHANGE_BINS && at.edges * alpha() > at.unexplored && at.edges > kFewEdges);
	at.marks = !is_apart() && (s.exchange == G500_EXCHANGE_BITMAP || (s.exchange == G500_EXCHANGE_AUTO && is_worth_marking()));
}

// Whether marking a level costs less than claiming its vertices: both grow with its edges, but what marks cost beside that
// grows with the vertices, and claims are dear where they do not stay in the cache, or are another rank's.
template <bool kMany>
__device__ bool Search<kMany>::is_worth_marking() const {
	if (!kMany) return at.edges > g.hubs && g.hubs > kMarkVertices;
	return at.edges * kMarkShare > w.hubs && at.edges > kMarkEdges * w.ranks;
}

template <bool kMany>
__device__ u64 Search<kMany>::alpha() const {
	return kMany ? w.alpha : kAlpha;
}

// Whether the frontier has no edges but those to its parents, of which each vertex but the root has one at least, or there
// is nothing left to find.
template <bool kMany>
__device__ bool Search<kMany>::leads_nowhere() const {
	return (at.level > 0 && at.edges == at.frontier && !at.guessed) || at.unvisited == 0;
}

// Whether the next level goes top-down, and its queue can be laid out, with as many edges as the outlook says and as many
// again.
template <bool kMany>
__device__ bool Search<kMany>::may_go_on() const {
	const u64 edges = 2 * at.outlook;
	return edges <= max(w.hubs / kBeta, kShortQueue) && (edges <= kFewEdges || edges * alpha() <= at.unexplored || s.exchange == G500_EXCHANGE_BINS);
}

// Whether the next level is likely to go bottom-up, for the first time, and all peers have to be told of what is visited.
// The outlook may have been foreseen; levels that are too large for that are followed by larger ones.
template <bool kMany>
__device__ bool Search<kMany>::may_turn(bool foreseen) const {
	if (is_apart() || at.swept || s.exchange != G500_EXCHANGE_AUTO) return false;
	return !foreseen || 2 * at.outlook * alpha() > at.unexplored;
}

// Gives the queue the numbers of its edges. The root has got them from the start.
template <bool kMany>
template <bool kWhole>
__device__ __noinline__ void Search<kMany>::lay_out() {
	if (at.level == 0) return;
	if (at.queued <= kSmallQueue) {
		const u64 laid = lay_out_small_queue<kWhole>(g, w, sh.top_down, s.queue[at.queue], at.queued);
		alone([&] {
			at.small = true;
			at.laid = laid;
		});
		return;
	}
	ull *laid = &counters(at.level)->laid;
	lay_out_queue<kWhole>(g, w, sh.top_down, s.queue[at.queue], at.queued, s.queue[at.queue ^ 1], s.offsets, laid);
	await_blocks();
	alone([&] {
		at.small = false;
		at.queue ^= 1;
		at.laid = read_now(laid) & kEdgeMask;
	});
}

// Decides the direction of a level after a top-down one. On one rank the queue is laid out to know its edges; on several
// they were counted as it was filled, and told at the barrier.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::plan_after_top_down() {
	alone([&] {
		at.frontier = at.queued = (u32)read_now(&counters(at.level)->queued);
		at.edges = 0;
		at.unvisited -= at.frontier;
		at.bottom_up = at.frontier > s.queue_limit;
	});
	if (at.frontier == 0 || at.bottom_up) return;
	lay_out<false>();
	alone([&] {
		at.edges = at.laid;
		at.unexplored -= at.edges;
		choose();
	});
}

// The same on several ranks, after a barrier that has told of the frontier, or not yet: then it goes top-down. The first
// level has the root alone.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::plan_together() {
	alone([&] {
		at.queued = (u32)read_now(&counters(at.level)->queued);
		at.reached += at.queued;
		at.frontier = at.untold ? at.outlook > 0 && at.unvisited > 0 : at.level ? news.of[kVertices] : 1;
		at.edges = at.untold || at.level == 0 ? 0 : news.of[kEdges];
		if (at.untold) return;
		at.unexplored -= at.edges;
		at.unvisited -= at.frontier;
		choose();
		if (s.exchange != G500_EXCHANGE_BINS && at.frontier * kBeta > w.hubs && at.frontier > kShortQueue) at.bottom_up = true;
	});
	if (at.frontier == 0 || leads_nowhere()) return;
	if (!at.bottom_up) lay_out<false>();
	else if (!at.peers_know) to_bottom_up();
}

// Decides the direction of a level after a bottom-up one.
template <bool kMany>
__device__ void Search<kMany>::turn_bottom_up_or_not() {
	const u64 hubs = kMany ? w.hubs : g.hubs;
	const bool listed = at.lists;
	at.frontier = kMany ? news.of[kVertices] : read_now(&counters(at.level)->found);
	at.edges = 0;
	at.unvisited -= at.frontier;
	at.looks_for_rest = listed && s.exchange == G500_EXCHANGE_AUTO && at.unvisited * kRestShare <= hubs && (!kMany || at.unvisited <= w.room);
	const bool bitmap = s.exchange == G500_EXCHANGE_BITMAP;
	at.marks = bitmap && !is_apart();
	at.bottom_up = at.looks_for_rest || (bitmap && is_apart()) || at.frontier * kBeta > hubs || hubs < (u64)kCheapSweep * (kMany ? w.ranks : 1);
	at.lists = at.bottom_up && at.sweeps > 0 && at.frontier * kListsShare > hubs;
}

// Plans a level after a bottom-up one, and lists the frontier if it is to be top-down.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::plan_after_bottom_up() {
	alone([&] { turn_bottom_up_or_not(); });
	if (at.frontier == 0 || at.bottom_up) return;
	ull *queued = &counters(at.level)->queued;
	rebuild_queue(g, sh.top_down, own_part(visited()), own_part(next_visited()), s.queue[at.queue], queued);
	await_blocks();
	alone([&] { at.queued = (u32)read_now(queued); });
	lay_out<false>();
	if (!kMany) alone([&] { at.edges = at.laid; }); // of all ranks they are told in the level
}

// After a level for the rest come others.
template <bool kMany>
__device__ void Search<kMany>::plan_rest() {
	alone([&] {
		Counters *c = counters(at.level);
		at.frontier = kMany ? news.of[kVertices] : read_now(&c->queued);
		at.edges = kMany ? news.of[kEdges] : read_now(&c->queued_edges);
		at.unvisited -= at.frontier;
	});
}

// Plans the next level.
template <bool kMany>
__device__ void Search<kMany>::plan() {
	if (kMany && at.whole) plan_whole();
	else if (at.looks_for_rest) plan_rest();
	else if (at.bottom_up || at.marks) plan_after_bottom_up();
	else if (kMany) plan_together();
	else plan_after_top_down();
}

} // namespace g500
