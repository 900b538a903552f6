// The trace of a search: what each level took, and what it sent and received.
#pragma once

#include "search/levels.cuh"

namespace g500 {

template <bool kMany>
__device__ void Search<kMany>::begin_trace() {
	if (threadIdx.x == 0) clock.begin(now_ns());
	if (!is_first_thread()) return;
	*s.trace_length = 0;
	*s.clock = clock.level;
}

template <bool kMany>
__device__ void Search<kMany>::count_exchange(u64 began) {
	if (is_first_thread()) clock.exchange += now_ns() - began;
}

// Adds to the clock what went to and came from peers, at the barrier that has told of it. Other blocks wait for the first
// one, which does this: it looks at nothing far away unless hosts have a part.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::count_words(const Counters *sent) {
	if (!is_first_thread()) return;
	const u64 each = news.of[kOwnWords];
	clock.words_received += news.of[kWords] - each;
	if (!w.apart) {
		clock.words_sent += (w.ranks - 1) * each;
		return;
	}
	for (u32 r = 0; r < w.ranks; r++) clock.words_sent += is_peer(w, r) ? each : 0;
	clock.carried_words_sent += bytes_to_strangers(w, &sent->groups);
	clock.carried_words_received += bytes_from_strangers(w);
}

template <bool kMany>
__device__ __noinline__ void Search<kMany>::count_pairs(const ull *sent) {
	if (!is_first_thread()) return;
	if (!w.apart) {
		clock.pairs_sent += news.of[kOwnPairs];
		clock.pairs_received += news.of[kPairs];
		return;
	}
	for (u32 r = 0; r < w.ranks; r++) {
		const bool carried = is_stranger(w, r);
		(carried ? clock.carried_pairs_sent : clock.pairs_sent) += read_now(sent + r);
		(carried ? clock.carried_pairs_received : clock.pairs_received) += bins.upto[r];
	}
}

// Adds a level to the trace, and sets the clock to its end. Levels beyond the trace's length are not recorded.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::record() {
	if (!is_first_thread() || at.level >= kTraceLevels) return;
	const u64 t = now_ns();
	s.trace[at.level] = {at.bottom_up, at.frontier, at.bottom_up ? 0 : at.edges, t - clock.level, clock.exchange, clock.wait,
	                     clock.words_sent, clock.words_received, clock.pairs_sent, clock.pairs_received, clock.edges_sent, clock.edges_received,
	                     clock.carried_words_sent, clock.carried_words_received, clock.carried_pairs_sent, clock.carried_pairs_received};
	*s.trace_length = at.level + 1;
	clock.begin(t);
	*s.clock = t;
}

} // namespace g500
