// One rank's way through the levels of a search, on its own or together with others.
#pragma once

#include "search.cuh"
#include "search_bottomup.cuh"
#include "search_hosted.cuh"
#include "search_marks.cuh"
#include "search_rest.cuh"
#include "search_topdown.cuh"
#include "search_world.cuh"

namespace g500 {

namespace cg = cooperative_groups;

constexpr u64 kFewEdges = 200000; // below this top-down is cheap whatever the rule says

union LevelShared {
	TopDownShared top_down;
	BottomUpShared bottom_up;
};

// Progress is what every block knows of the search; all blocks compute the same, and all ranks but for what is said to
// be the rank's own.
struct Progress {
	int level = 0;
	int current = 0;        // visited[current] is the newest bitmap
	int queue = 0;          // queue[queue] holds the rank's own frontier, top-down
	u32 turn = 0;           // barriers of all ranks, ever
	u32 round = 0;          // exchanges of pairs, ever
	u64 unexplored = 0;     // edges that no top-down level has looked at
	u64 frontier = 0;       // vertices
	u64 edges = 0;          // that leave it, top-down
	u32 queued = 0;         // the rank's own part of the frontier
	u64 laid = 0;           // edges that leave it
	u64 reached = 0;        // the rank's own vertices in all frontiers before the first bottom-up level
	u64 unvisited = 0;      // vertices that no frontier has had yet
	u64 outlook = 0;        // about as many edges leave the next frontier, which is told of later
	bool untold = false;    // the ranks do not know yet how large the frontier is
	bool small = false;     // the queue is laid out in shared memory
	bool bottom_up = false; // direction of the level
	bool marks = false;     // a top-down level that marks
	bool rest = false;      // a bottom-up level that looks only for the listed rest
	bool lists = false;     // a bottom-up level that lists the rest
	bool swept = false;     // there was a bottom-up level, or one that marked
	u32 sweeps = 0;         // bottom-up levels
	bool failed = false;    // a rank did not answer
};

// Clock times the parts of a level, in one thread.
struct Clock {
	u64 level; // when it began
	u64 exchange, wait;
	u64 words_sent, words_received, pairs_sent, pairs_received; // to and from peers
	u64 carried_words_sent, carried_words_received;             // to and from strangers, in bytes
	u64 carried_pairs_sent, carried_pairs_received;

	__device__ void begin(u64 now) { *this = {now}; }
};

__device__ inline bool is_first_thread() { return blockIdx.x == 0 && threadIdx.x == 0; }

// Search is one thread's view of one search. kMany is whether there are other ranks.
template <bool kMany>
struct Search {
	const Columns &g;
	const State &s;
	const World &w;
	const Bins bins;
	LevelShared &sh;
	News &news; // shared memory
	u32 &rest;  // shared memory: entries in the block's list of the rest
	cg::grid_group grid;
	Progress at;
	Clock clock;

	__device__ u32 *visited() const { return s.visited[at.current]; }
	__device__ u32 *own_part(u32 *bitmap) const { return kMany ? bitmap + w.base / 32 : bitmap; }
	__device__ Counters *counters(int level) const { return s.counters + level % kRing; }

	__device__ void start(u32 root_hub);
	__device__ void lay_out(Counters *c);
	__device__ void plan_after_top_down();
	__device__ void plan_after_bottom_up();
	__device__ void plan_together();
	__device__ void plan_rest();
	__device__ bool may_go_on() const;
	__device__ void hear_of_frontier(bool first);
	__device__ void choose(u64 edges);
	__device__ bool leads_nowhere() const;
	__device__ u32 send_visited() const;
	__device__ void to_bottom_up();
	__device__ void level();
	__device__ void level_top_down(Counters *next);
	__device__ void level_top_down_together(Counters *next);
	__device__ void level_marked(Counters *next);
	__device__ void level_bottom_up(Counters *next);
	__device__ void level_rest(Counters *next);
	__device__ ull *open_round();
	__device__ void finish_sweep(Counters *next);
	__device__ void come_together(const Report &report);
	__device__ void add_up_pairs();
	__device__ void count_words(const Counters *sent);
	__device__ void count_pairs(const ull *sent);
	__device__ bool is_apart() const { return kMany && w.apart; } // some rank of the job is no peer of another
	__device__ u64 alpha() const;
	__device__ void take_posted();
	__device__ void record();
};

// The barrier between two steps of a search on several ranks.
template <bool kMany>
__device__ void Search<kMany>::come_together(const Report &report) {
	meet(w, news, at.turn, report);
	at.failed = news.failed;
	if (is_first_thread()) clock.wait += now_ns() - *(volatile u64 *)&w.meeting->last_arrival;
}

// Adds to the clock what went to and came from peers, at the barrier that has told of it.
template <bool kMany>
__device__ void Search<kMany>::count_words(const Counters *sent) {
	if (!is_first_thread()) return;
	const u64 each = read_now(&sent->words);
	for (u32 r = 0; r < w.ranks; r++) clock.words_sent += is_peer(w, r) ? each : 0;
	clock.words_received += news.of[kWords] - each;
	if (!w.apart) return;
	clock.carried_words_sent += bytes_to_strangers(w, &sent->groups);
	clock.carried_words_received += bytes_from_strangers(w);
}

template <bool kMany>
__device__ void Search<kMany>::count_pairs(const ull *sent) {
	if (!is_first_thread()) return;
	const volatile u32 *received = w.pairs + (at.turn & 1) * w.ranks;
	for (u32 r = 0; r < w.ranks; r++) {
		const bool carried = is_stranger(w, r);
		(carried ? clock.carried_pairs_sent : clock.pairs_sent) += read_now(sent + r);
		(carried ? clock.carried_pairs_received : clock.pairs_received) += received[r];
	}
}

// Clears the state and puts the root into the frontier of its rank. A root without an edge has no hub id: nothing
// follows from it.
template <bool kMany>
__device__ void Search<kMany>::start(u32 root_hub) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	const uint4 zero = make_uint4(0, 0, 0, 0);
	at.unexplored = kMany ? w.edges : g.edges;
	at.unvisited = kMany ? w.hubs : g.hubs;
	at.untold = kMany && s.exchange != G500_EXCHANGE_BITMAP;
	at.outlook = 1;
	if (kMany) {
		at.turn = *(volatile u32 *)&w.meeting->turn;
		at.round = *(volatile u32 *)&w.meeting->round;
		at.current = *(volatile u32 *)&w.meeting->first;
	}
	const u32 groups = kMany ? (u32)(((u64)w.ranks << w.shift) / kGroup) : g.padded / kGroup;
	const u32 root = kMany && root_hub != kNone ? w.base + root_hub : root_hub;
	for (u32 i = thread; i < groups; i += threads) {
		((uint4 *)visited())[i] = zero;
		if (root / kGroup == i && root != kNone) visited()[word_of(root)] = 1u << bit_of(root);
	}
	if (kMany && w.apart) clear_strangers(w, s.visited[at.current ^ 1]);
	if (kMany && w.apart)
		for (u32 i = thread; i < g.padded / 32; i += threads) w.unresolved[i] = 0;
	if (kMany)
		for (u32 i = thread; i < 2 * w.ranks; i += threads) w.sent[i] = 0;
	if (thread < kRing) s.counters[thread] = {thread == 0 && root_hub != kNone};
	if (thread == 0 && root_hub != kNone) {
		s.parent[root_hub] = g.labels[root_hub];
		s.queue[0][0] = root_hub;
	}
	if (kMany)
		for (u32 r = threadIdx.x; r < w.ranks; r += kThreads) bins.count[r] = 0;
	grid.sync();
}

// Tells the peers of this rank's visited vertices, of which they know no more than what they have sent here: all words
// but those that were empty all along. Returns the words that this thread has sent, to one peer.
template <bool kMany>
__device__ u32 Search<kMany>::send_visited() const {
	const uint4 *part = (const uint4 *)own_part(visited());
	u32 sent = 0;
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < g.padded / kGroup; i += gridDim.x * kThreads) {
		const uint4 words = __ldcg(part + i);
		if (!at.swept && !any_set(words)) continue;
		for (u32 r = 0; r < w.ranks; r++)
			if (is_peer(w, r)) in_window<uint4>(w, r, w.at.visited[at.current])[w.base / kGroup + i] = words;
		sent += sizeof(uint4) / sizeof(u32);
	}
	return sent;
}

// Before a bottom-up level that follows a top-down one all ranks must know of all vertices visited so far.
template <bool kMany>
__device__ void Search<kMany>::to_bottom_up() {
	Counters *c = counters(at.level);
	if (at.level == 0) come_together({}); // nothing may come to a rank that has not cleared its bitmap
	if (at.failed) return;
	add_up(send_visited(), &c->words);
	ull *listed = at.swept || at.reached > w.carried.list_room ? nullptr : &c->listed;
	if (w.apart) post_visited(g, w, at.turn + 1, own_part(visited()), listed, &c->groups);
	come_together({nullptr, nullptr, nullptr, &c->words, listed, &c->groups});
	count_words(c);
	take_posted();
}

// Takes in the words of ranks that are no peers.
template <bool kMany>
__device__ void Search<kMany>::take_posted() {
	if (!w.apart || at.failed) return;
	const u64 began = now_ns();
	if (w.readers) take_groups(w, at.turn, s.visited);
	if (w.carried.ranks) take_words(w, s.visited);
	grid.sync();
	if (is_first_thread()) clock.exchange += now_ns() - began;
}

template <bool kMany>
__device__ void Search<kMany>::level_top_down(Counters *next) {
	expand_queue<false>(g, s, w, bins, sh.top_down, at.queue, at.small ? sh.top_down.offsets : s.offsets, at.queued, at.laid, 0, at.laid, visited(), at.swept,
	                    next, 0, nullptr, nullptr);
	at.queue ^= 1;
	grid.sync();
}

// Begins an exchange of pairs. Returns where they are counted.
template <bool kMany>
__device__ ull *Search<kMany>::open_round() {
	at.round++;
	ull *last = w.sent + (~at.round & 1) * w.ranks;
	if (blockIdx.x == 0)
		for (u32 r = threadIdx.x; r < w.ranks; r += kThreads) last[r] = 0;
	return w.sent + (at.round & 1) * w.ranks;
}

// A top-down level on several ranks: pairs go to their owners in rounds that the inboxes have room for. After the first
// barrier of a round the pairs have come, after the second all have been taken in. There is no second one if the next
// level goes top-down however much of what has come is new.
template <bool kMany>
__device__ void Search<kMany>::level_top_down_together(Counters *next) {
	Counters *c = counters(at.level);
	const u64 step = w.room >= 1ull << w.shift ? at.laid : w.room; // a rank sends each vertex once at most
	ull *outlook = at.edges <= kFewEdges ? &c->outlook : nullptr;
	bool more = true;
	for (u64 begin = 0; more && !at.failed; begin += step) {
		ull *sent = open_round();
		begin = min(begin, at.laid);
		const u64 end = min(begin + step, at.laid);
		if (is_first_thread()) {
			c->level_edges = at.laid;
			c->remaining = at.laid - end;
		}
		expand_queue<true>(g, s, w, bins, sh.top_down, at.queue, at.small ? sh.top_down.offsets : s.offsets, at.queued, at.laid, begin, end, visited(), at.swept,
		                   next, at.round, sent, outlook);
		come_together({&c->queued, &c->level_edges, sent, nullptr, nullptr, nullptr, outlook, &c->remaining});
		if (at.failed) return;
		const u64 began = now_ns();
		hear_of_frontier(begin == 0);
		more = news.of[kMore] > 0;
		at.untold = outlook && begin == 0 && !more && may_go_on();
		count_pairs(sent);
		add_up_pairs();
		receive_pairs(g, s, w, bins, sh.top_down, visited(), at.swept, s.queue[at.queue ^ 1], next, at.round);
		if (at.untold) grid.sync();
		if (is_first_thread()) clock.exchange += now_ns() - began;
		if (at.untold) break;
		come_together({&next->queued, &next->queued_edges});
	}
	at.queue ^= 1;
}

// Sums the pairs that have come over the ranks up to each.
template <bool kMany>
__device__ void Search<kMany>::add_up_pairs() {
	const volatile u32 *pairs = w.pairs + (at.turn & 1) * w.ranks;
	for (u32 r = threadIdx.x; r < w.ranks; r += kThreads) bins.upto[r] = pairs[r];
	__syncthreads();
	if (threadIdx.x == 0)
		for (u32 r = 1; r < w.ranks; r++) bins.upto[r] += bins.upto[r - 1];
	__syncthreads();
}

// Takes over what the ranks have told of the frontier of this level, if they did not know it.
template <bool kMany>
__device__ void Search<kMany>::hear_of_frontier(bool first) {
	at.frontier = news.of[kVertices];
	at.edges = news.of[kEdges];
	at.outlook = news.of[kOutlook];
	if (!at.untold || !first) return;
	at.unexplored -= at.edges;
	at.unvisited -= at.frontier;
}

// A top-down level that marks what the frontier leads to, and lets the owners take it in.
template <bool kMany>
__device__ void Search<kMany>::level_marked(Counters *next) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	const u32 groups = kMany ? (u32)(((u64)w.ranks << w.shift) / kGroup) : g.padded / kGroup;
	for (u32 i = thread; i < groups; i += threads) ((uint4 *)s.marks)[i] = make_uint4(0, 0, 0, 0);
	ull *sent = kMany ? open_round() : nullptr;
	grid.sync();
	if (kMany && at.level == 0) come_together({}); // nothing may come to a rank that has not cleared its bitmap
	mark_edges<kMany>(g, s, w, bins, sh.top_down, s.queue[at.queue], at.small ? sh.top_down.offsets : s.offsets, at.queued, at.laid, visited(), at.round, sent);
	grid.sync();
	if (kMany) {
		const u64 began = now_ns();
		Counters *c = counters(at.level);
		add_up(send_visited() + send_marks(s, w), &c->words);
		if (is_first_thread()) clock.exchange += now_ns() - began;
		come_together({nullptr, nullptr, sent, &c->words});
		if (at.failed) return;
		count_words(c);
		count_pairs(sent);
		add_up_pairs();
		take_parents(s, w, bins, own_part(visited()), at.round);
	}
	const int then = at.current ^ 1;
	take_marked<kMany>(g, s, w, sh.bottom_up, visited(), own_part(visited()), kMany ? s.fresh : s.visited[then], !at.swept, &next->found);
	finish_sweep(next);
}

template <bool kMany>
__device__ void Search<kMany>::level_bottom_up(Counters *next) {
	const int then = at.current ^ 1;
	bottom_up<kMany>(g, s, w, sh.bottom_up, visited(), own_part(visited()), kMany ? s.fresh : s.visited[then], !at.swept, at.lists, &next->found);
	if (threadIdx.x == 0) rest = sh.bottom_up.kept;
	at.sweeps++;
	finish_sweep(next);
}

// A bottom-up level for the rest. All ranks have looked when it is told, so that the bitmap may change then.
template <bool kMany>
__device__ void Search<kMany>::level_rest(Counters *next) {
	ull *sent = kMany ? open_round() : nullptr;
	u32 *queue = s.queue[at.queue];
	const u32 left = look_for_rest<kMany>(g, s, w, bins, sh.bottom_up, visited(), missed_list(g, s), rest, queue, next, at.round, sent);
	if (threadIdx.x == 0) rest = left;
	if (kMany) come_together({&next->queued, &next->queued_edges, sent});
	else grid.sync();
	if (at.failed) return;
	const u64 began = now_ns();
	if (kMany) {
		count_pairs(sent);
		add_up_pairs();
	}
	take_found<kMany>(w, bins, visited(), queue, (u32)read_now(&next->queued), at.round);
	grid.sync();
	if (kMany && is_first_thread()) clock.exchange += now_ns() - began;
}

// Ends a level that has made this rank's part of a new bitmap.
template <bool kMany>
__device__ void Search<kMany>::finish_sweep(Counters *next) {
	const int then = at.current ^ 1;
	if (kMany) {
		const u64 began = now_ns();
		send_fresh(g, s, w, w.at.visited[then], &next->words);
		if (w.apart) post_fresh(g, s, w, at.turn + 1, own_part(visited()), !at.swept, &next->listed, &next->groups);
		if (is_first_thread()) clock.exchange += now_ns() - began;
		come_together({&next->found, nullptr, nullptr, &next->words, &next->listed, &next->groups});
		count_words(next);
		take_posted();
	} else {
		grid.sync();
	}
	at.swept = true;
	at.current = then;
}

template <bool kMany>
__device__ void Search<kMany>::level() {
	if (is_first_thread()) *counters(at.level + 2) = {};
	Counters *next = counters(at.level + 1);
	if (at.rest) level_rest(next);
	else if (at.bottom_up) level_bottom_up(next);
	else if (at.marks) level_marked(next);
	else if (kMany) level_top_down_together(next);
	else level_top_down(next);
}

// Adds a level to the trace, and sets the clock to its end.
template <bool kMany>
__device__ void Search<kMany>::record() {
	if (!is_first_thread() || at.level >= kTraceLevels) return;
	const u64 t = now_ns();
	g500_level &l = s.trace[at.level];
	l = {at.bottom_up, at.frontier, at.bottom_up ? 0 : at.edges, t - clock.level, clock.exchange, clock.wait,
	     clock.words_sent, clock.words_received, clock.pairs_sent, clock.pairs_received,
	     clock.carried_words_sent, clock.carried_words_received, clock.carried_pairs_sent, clock.carried_pairs_received};
	*s.trace_length = at.level + 1;
	clock.begin(t);
}

} // namespace g500
