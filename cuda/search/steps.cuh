// The levels of a search by their direction and the form in which ranks exchange what they reach.
#pragma once

#include "search/levels.cuh"

namespace g500 {

template <bool kMany>
__device__ __noinline__ void Search<kMany>::level_top_down(Counters *next) {
	expand_queue<false>(g, s, w, bins, sh.top_down, at.queue, offsets(), at.queued, at.laid, 0, at.laid, visited(), at.swept, next, 0, nullptr, nullptr);
	alone([&] { at.queue ^= 1; });
	await_blocks();
}

// Begins an exchange of pairs. Returns where they are counted.
template <bool kMany>
__device__ ull *Search<kMany>::open_round() {
	alone([&] { at.round++; });
	ull *last = w.sent + (~at.round & 1) * w.ranks;
	if (blockIdx.x == 0)
		for (u32 r = threadIdx.x; r < w.ranks; r += kThreads) last[r] = 0;
	return w.sent + (at.round & 1) * w.ranks;
}

// A top-down level on several ranks: pairs go to their owners in rounds that the inboxes have room for. After the first
// barrier of a round the pairs have come, after the second all have been taken in. There is no second one if the next
// level goes top-down however much of what has come is new. If it is likely to go bottom-up, peers are sent this rank's
// visited vertices before the second, which spares them a third.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::level_top_down_together(Counters *next) {
	Counters *c = counters(at.level);
	const u64 step = w.room >= 1ull << w.shift ? at.laid : w.room; // a rank sends each vertex once at most
	ull *outlook = at.edges <= kFewEdges ? &c->outlook : nullptr;
	bool more = true;
	bool first = true;
	for (u64 begin = 0; more; begin += step, first = false) {
		ull *sent = open_round();
		begin = min(begin, at.laid);
		const u64 end = min(begin + step, at.laid);
		if (is_first_thread()) {
			c->level_edges = at.laid;
			c->remaining = at.laid - end;
		}
		expand_queue<true>(g, s, w, bins, sh.top_down, at.queue, offsets(), at.queued, at.laid, begin, end, visited(), at.swept, next, at.round, sent,
		                   outlook);
		come_together({{&c->queued, &c->level_edges, sent, nullptr, outlook, &c->remaining}});
		if (at.failed) return;
		const u64 began = now_ns();
		more = news.of[kMore] > 0;
		hear_of_frontier(outlook, first);
		count_pairs(sent);
		add_up_pairs();
		receive_pairs(g, s, w, bins, sh.top_down, visited(), at.swept, s.queue[at.queue ^ 1], next, at.round);
		const bool tells = !at.untold && !more && may_turn(outlook);
		if (at.untold || tells) await_blocks();
		if (tells) add_up(send_visited(), &c->words);
		count_exchange(began);
		if (at.untold) break;
		come_together({{&next->queued, &next->queued_edges, nullptr, tells ? &c->words : nullptr}});
		if (at.failed) return;
		if (tells) count_words(c);
		alone([&] { at.peers_know = tells; });
	}
	alone([&] { at.queue ^= 1; });
}

// Takes over what the ranks have told of the frontier of this level, and of the next one, of which no more may have to be
// told.
template <bool kMany>
__device__ void Search<kMany>::hear_of_frontier(const ull *outlook, bool first) {
	alone([&] {
		at.frontier = news.of[kVertices];
		at.edges = news.of[kEdges];
		at.outlook = news.of[kOutlook];
		if (at.untold) {
			at.unexplored -= at.edges;
			at.unvisited -= at.frontier;
		}
		at.untold = outlook && first && news.of[kMore] == 0 && may_go_on();
	});
}

// Sums the pairs that have come, of which the barrier has told, over the ranks up to each.
template <bool kMany>
__device__ void Search<kMany>::add_up_pairs() {
	alone([&] {
		for (u32 r = 1; r < w.ranks; r++) bins.upto[r] += bins.upto[r - 1];
	});
}

// A top-down level that marks what the frontier leads to, and lets the owners take it in.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::level_marked(Counters *next) {
	for_groups([&](u32 group) { ((uint4 *)s.marks)[group] = ((const uint4 *)visited())[group]; });
	await_blocks();
	mark_edges<kMany>(g, s, w, s.queue[at.queue], offsets(), at.queued, at.laid, &counters(at.level)->handed_out);
	await_blocks();
	if (kMany) {
		if (at.level == 0 && !at.peers_know) come_together({}); // nothing may come to a rank that has not cleared its bitmap
		if (at.failed) return;
		const u64 began = now_ns();
		Counters *c = counters(at.level);
		if (is_first_thread()) c->level_edges = at.laid;
		add_up((at.peers_know ? 0 : send_visited()) + send_marks(s, w), &c->words);
		count_exchange(began);
		come_together({{&c->queued, &c->level_edges, nullptr, &c->words}});
		if (at.failed) return;
		alone([&] { at.edges = news.of[kEdges]; });
		count_words(c);
	}
	take_marked<kMany>(g, s, w, sh.bottom_up, visited(), own_part(visited()), next_part(), !at.swept, &next->found);
	finish_sweep(next);
}

template <bool kMany>
__device__ __noinline__ void Search<kMany>::level_bottom_up(Counters *next) {
	bottom_up<kMany>(g, s, w, sh.bottom_up, visited(), own_part(visited()), next_part(), !at.swept, at.lists, &next->found);
	alone([&] { at.sweeps++; });
	finish_sweep(next);
}

// A bottom-up level for the rest. All ranks have looked when it is told, so that the bitmap may change then.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::level_rest(Counters *next) {
	ull *sent = kMany ? open_round() : nullptr;
	u32 *queue = s.queue[at.queue];
	const u32 left = look_for_rest<kMany>(g, s, w, bins, sh.bottom_up, visited(), at.list, at.rest, queue, next, at.round, sent, at.handed_over);
	alone([&] { at.rest = left; });
	if (kMany) come_together({{&next->queued, &next->queued_edges, sent}});
	else await_blocks();
	if (at.failed) return;
	const u64 began = now_ns();
	if (kMany) {
		count_pairs(sent);
		add_up_pairs();
	}
	take_found<kMany>(w, bins, visited(), queue, (u32)read_now(&next->queued), at.round, at.place, at.blocks);
	await_blocks();
	if (kMany) count_exchange(began);
}

// Ends a level that has made this rank's part of a new bitmap.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::finish_sweep(Counters *next) {
	if (kMany) {
		const u64 began = now_ns();
		send_fresh(g, s, w, w.at.visited[at.current ^ 1], &next->words);
		if (w.apart) post_fresh(g, s, w, at.turn + 1, own_part(visited()), !at.swept, &next->listed, &next->groups);
		count_exchange(began);
		tell({{&next->found, nullptr, nullptr, &next->words}, &next->listed, &next->groups});
	} else {
		come();
	}
	if (at.lists) prepare_rest();
	if (kMany) {
		hear();
		count_words(next);
		take_posted();
	} else {
		await_others();
	}
	alone([&] {
		at.swept = true;
		at.current ^= 1;
	});
}

// One level, as planned.
template <bool kMany>
__device__ void Search<kMany>::level() {
	if (is_first_thread()) *counters(at.level + 2) = {};
	Counters *next = counters(at.level + 1);
	if (kMany && at.whole) level_whole(next);
	else if (at.looks_for_rest) level_rest(next);
	else if (at.bottom_up) level_bottom_up(next);
	else if (at.marks) level_marked(next);
	else if (kMany) level_top_down_together(next);
	else level_top_down(next);
}

} // namespace g500
