// One rank's way through the levels of a search, on its own or together with others.
#pragma once

#include "search/hosted.cuh"
#include "search/labels.cuh"
#include "search/marks.cuh"
#include "search/progress.cuh"
#include "search/rest.cuh"
#include "search/rule.cuh"

namespace g500 {

union LevelShared {
	TopDownShared top_down;
	BottomUpShared bottom_up;
};

// Search is a block's part in one search. It lies in shared memory, and one thread writes what all know: kept by each
// thread it would take more registers than there are, and memory of each thread is slow. kMany is whether there are other
// ranks; then Bins follow, whose length is that of the number of ranks.
template <bool kMany>
struct Search {
	const Columns &g;
	const State &s;
	const World &w;
	LevelShared sh;
	Progress at;
	Clock clock;
	Report report; // for the barrier
	News news;     // of the last one
	Bins bins;

	static u64 bytes(u32 ranks) { return sizeof(Search) + (kMany ? ranks * (sizeof(u64) + 2 * sizeof(u32)) : 0); }

	__device__ Search(const Columns &g, const State &s, const World &w) : g(g), s(s), w(w) {
		bins.base = reinterpret_cast<u64 *>(this + 1);
		bins.count = reinterpret_cast<u32 *>(bins.base + w.ranks);
		bins.upto = bins.count + w.ranks;
	}

	__device__ u32 *visited() const { return s.visited[at.current]; }
	__device__ u32 *next_visited() const { return s.visited[at.current ^ 1]; }
	__device__ u32 *own_part(u32 *bitmap) const { return kMany ? bitmap + w.base / 32 : bitmap; }
	__device__ u32 *next_part() const { return kMany ? s.fresh : next_visited(); } // what a sweep makes
	__device__ const u64 *offsets() const { return at.small ? sh.top_down.offsets : s.offsets; }
	__device__ Counters *counters(int level) const { return s.counters + level % kRing; }
	__device__ bool is_apart() const { return kMany && w.apart; } // some rank of the job is no peer of another

	__device__ void start(u32 root_hub);
	__device__ void level();
	__device__ void end();
	__device__ bool is_over() const { return at.frontier == 0 || at.failed; }

	// search_whole.cuh
	__device__ void plan_whole();
	__device__ void level_whole(Counters *next);

	// search_handover.cuh
	__device__ bool hands_over() const;
	__device__ void hand_over();

	// search_plan.cuh
	__device__ void plan();
	__device__ bool leads_nowhere() const;

	// search_clock.cuh
	__device__ void begin_trace();
	__device__ void record();

private:
	__device__ u32 find_root(u32 root) const;
	__device__ void lay_root_out();
	__device__ void take_own_part();
	__device__ void come();
	__device__ void await_others();
	__device__ void await_blocks();
	__device__ void let_last_pass_start(u32 unreached);
	__device__ void settle_rest();

	template <typename Do>
	__device__ void for_groups(Do act) const;
	__device__ u32 send_visited() const;
	__device__ void to_bottom_up();
	__device__ void level_top_down(Counters *next);
	__device__ void level_top_down_together(Counters *next);
	__device__ void level_marked(Counters *next);
	__device__ void level_bottom_up(Counters *next);
	__device__ void level_rest(Counters *next);
	__device__ void finish_sweep(Counters *next);
	__device__ ull *open_round();
	__device__ void tell(const Report &told);
	__device__ void come_to_tell();
	__device__ void hear();
	__device__ void come_together(const Report &told);
	__device__ void prepare_rest();
	__device__ void add_up_pairs();
	__device__ void take_posted();
	__device__ void hear_of_frontier(const ull *outlook, bool first);

	__device__ u64 alpha() const;
	template <bool kWhole>
	__device__ void lay_out();
	__device__ void choose();
	__device__ bool is_worth_marking() const;
	__device__ void turn_bottom_up_or_not();
	__device__ bool may_go_on() const;
	__device__ bool may_turn(bool foreseen) const;
	__device__ void plan_after_top_down();
	__device__ void plan_together();
	__device__ void plan_after_bottom_up();
	__device__ void plan_rest();

	__device__ void count_words(const Counters *sent);
	__device__ void count_pairs(const ull *sent);
	__device__ void count_exchange(u64 began);
};

// A block comes to a barrier of its rank's blocks. Nobody waits for what it does between that and its own waiting.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::come() {
	__syncthreads();
	if (threadIdx.x != 0) return;
	at.arrivals += at.blocks;
	arrive(*w.meeting);
}

template <bool kMany>
__device__ __noinline__ void Search<kMany>::await_others() {
	if (threadIdx.x == 0 && !await_arrivals(*w.meeting, at.arrivals)) at.failed = true;
	__syncthreads();
}

template <bool kMany>
__device__ void Search<kMany>::await_blocks() {
	come();
	await_others();
}

// The same at a barrier of all ranks: the block speaks for its rank if it is the last to come.
template <bool kMany>
__device__ inline void Search<kMany>::tell(const Report &told) {
	if (threadIdx.x == 0) report = told;
	come_to_tell();
}

template <bool kMany>
__device__ __noinline__ void Search<kMany>::come_to_tell() {
	__syncthreads();
	if (threadIdx.x >= 32) return;
	if (threadIdx.x == 0) {
		at.arrivals += at.blocks;
		at.speaks = arrive(*w.meeting) == at.arrivals;
		if (at.speaks) w.meeting->last_arrival = now_ns();
	}
	__syncwarp();
	if (at.speaks) speak(w, report, at.turn + 1);
}

// Waits for what all ranks tell.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::hear() {
	if (threadIdx.x < 32) listen(w, news, at.turn + 1, report.of[kPairs] ? bins.upto : nullptr, at.speaks);
	alone([&] {
		at.turn++;
		at.failed |= news.failed;
	});
	if (is_first_thread()) clock.wait += now_ns() - *(volatile u64 *)&w.meeting->last_arrival;
}

// The barrier between two steps of a search on several ranks.
template <bool kMany>
__device__ inline void Search<kMany>::come_together(const Report &told) {
	tell(told);
	hear();
}

// Does something with each group of all ranks' vertices in a bitmap; the threads share them out.
template <bool kMany>
template <typename Do>
__device__ inline void Search<kMany>::for_groups(Do act) const {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	const u32 groups = kMany ? w.groups : g.padded / kGroup;
	for (u32 r = 0; r < (kMany ? w.ranks : 1); r++)
		for (u32 i = thread; i < groups; i += threads) act((u32)(((u64)r << w.shift) / kGroup) + i);
}

// The position of a label, or kNone: without an edge it has no hub id. Where ranks do not read each other's graphs it is
// known on its own rank alone.
template <bool kMany>
__device__ u32 Search<kMany>::find_root(u32 root) const {
	if (!kMany) return g.hub_of[root];
	const u32 rank = root % w.ranks;
	if (rank != w.rank && !w.graphs) return kNone;
	const u32 hub = (rank == w.rank ? g.hub_of : w.graphs[rank].hub_of)[root / w.ranks];
	return hub == kNone ? kNone : (rank << w.shift | hub);
}

// Numbers the edges of the root, with one thread: its row may be in another rank's memory, to which all blocks look.
template <bool kMany>
__device__ void Search<kMany>::lay_root_out() {
	at.small = true;
	sh.top_down.offsets[0] = 0;
	if (at.root == kNone) return;
	at.laid = kMany && at.whole ? row_of<true>(g, w, at.root).n : row_of<false>(g, w, kMany ? hub_of_position(w, at.root) : at.root).n;
}

// Clears the state and puts the root, a label, into the frontier: of its rank, or of all if they search it as a whole.
// Nothing follows from a root without an edge.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::start(u32 root) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	const uint4 zero = make_uint4(0, 0, 0, 0);
	alone([&] {
		at = {};
		at.blocks = gridDim.x;
		at.place = blockIdx.x;
		at.list = missed_lists(g, s);
		at.arrivals = *(volatile u32 *)&w.meeting->arrivals;
		at.unexplored = kMany ? w.edges : g.edges;
		at.unvisited = kMany ? w.hubs : g.hubs;
		at.untold = kMany && s.exchange != G500_EXCHANGE_BITMAP;
		at.outlook = 1;
		if (!kMany) return;
		at.whole = at.peers_know = w.graphs != nullptr;
		at.untold &= !at.whole;
		at.turn = *(volatile u32 *)&w.meeting->turn;
		at.round = *(volatile u32 *)&w.meeting->round;
		at.current = *(volatile u32 *)&w.meeting->first;
	});
	if (threadIdx.x == 0) at.root = find_root(root); // while others clear
	for_groups([&](u32 group) { ((uint4 *)visited())[group] = zero; });
	__syncthreads();
	const u32 position = at.root;
	const bool any = position != kNone, own = any && (!kMany || rank_of_position(w, position) == w.rank);
	const u32 in_part = any && kMany ? hub_of_position(w, position) : position;
	if (any && in_part / kGroup % threads == thread) visited()[word_of(position)] = 1u << bit_of(position); // it has cleared the word
	if (is_apart()) {
		clear_strangers(w, next_visited());
		for (u32 i = thread; i < g.padded / 32; i += threads) w.unresolved[i] = 0;
	}
	if (kMany)
		for (u32 i = thread; i < 2 * w.ranks; i += threads) w.sent[i] = 0;
	if (thread < kRing) s.counters[thread] = {thread == 0 && any};
	if (thread == 0) s.handover->begin(processor());
	if (thread == 0 && any) s.queue[0][0] = at.whole || !kMany ? position : hub_of_position(w, position);
	if (thread == 0 && own) s.parent[kMany ? hub_of_position(w, position) : position] = root;
	if (kMany)
		for (u32 r = threadIdx.x; r < w.ranks; r += kThreads) bins.count[r] = 0;
	come();
	if (threadIdx.x == 0) lay_root_out();
	await_others();
}

// Settles what no last pass may find, and leaves what the next search must know.
template <bool kMany>
__device__ void Search<kMany>::end() {
	if (at.handed_over) {
		settle_rest();
	} else {
		lay_side_by_side(g, s, own_part(visited()), at.swept ? s.by_other : own_part(visited()));
		let_last_pass_start(kNone);
	}
	if (!is_first_thread()) return;
	w.meeting->arrivals = at.arrivals;
	if (!kMany) return;
	w.meeting->turn = at.turn;
	w.meeting->round = at.round;
	w.meeting->first = at.current; // the one bitmap in which ranks may differ about each other's vertices
	end_post(w);
}

// Tells the peers of this rank's visited vertices, of which they know no more than what they have sent here: all words
// but those that were empty all along. Returns the words that this thread has sent, to one peer.
template <bool kMany>
__device__ __noinline__ u32 Search<kMany>::send_visited() const {
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
__device__ __noinline__ void Search<kMany>::to_bottom_up() {
	Counters *c = counters(at.level);
	if (at.level == 0) come_together({}); // nothing may come to a rank that has not cleared its bitmap
	if (at.failed) return;
	add_up(send_visited(), &c->words);
	ull *listed = at.swept || at.reached > w.carried.list_room ? nullptr : &c->listed;
	if (w.apart) post_visited(g, w, at.turn + 1, own_part(visited()), listed, &c->groups);
	come_together({{nullptr, nullptr, nullptr, &c->words}, listed, &c->groups});
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
	await_blocks();
	count_exchange(began);
}

} // namespace g500
