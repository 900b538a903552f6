// SPDX-License-Identifier: Apache-2.0

// The trace of a search: measured times and counted traffic of each level.
#pragma once

#include "search/context.cuh"

namespace g500 {

template <typename Form>
__device__ void begin_trace(Context<Form> &k) {
	if (threadIdx.x == 0) k.clock.begin(now_ns());
	if (!is_first_thread()) return;
	*k.state.trace_length = 0;
	*k.state.level_ended = k.clock.level;
}

template <typename Form>
__device__ void count_exchange(Context<Form> &k, u64 began) {
	if (is_first_thread()) k.clock.exchange += now_ns() - began;
}

__device__ inline void add(g500_traffic &sum, u64 sent, u64 received) {
	sum.sent += sent;
	sum.received += received;
}

// Counts the exchanged bitmap words, after the barrier at which they were published.
template <typename Form>
__device__ void count_words(Context<Form> &k) {
	const u64 each = k.sums.of[kOwnWords];
	if (is_first_thread()) add(k.clock.words, (k.ranks.count - 1) * each, k.sums.of[kWords] - each);
}

// Counts the edges of a replicated queue that ranks have read in each other's rows, after the barrier that ends it. All
// ranks queue the same rows, unless some have fewer hubs in segments.
template <typename Form>
__device__ __noinline__ void count_rows_read(Context<Form> &k, const Counters *c) {
	if (!Form::kMany || !is_first_thread()) return;
	const u64 own = read_now(&c->own_edges);
	add(k.clock.edges_read, own * (k.ranks.count - 1), k.at.queued_edges - own);
}

// Adds traffic after the last level to that level.
template <typename Form>
__device__ __noinline__ void record_traffic_after_levels(Context<Form> &k) {
	if (!is_first_thread() || *k.state.trace_length == 0) return;
	g500_level &last = k.state.trace[*k.state.trace_length - 1];
	add(last.words, k.clock.words.sent, k.clock.words.received);
}

// Adds a level to the trace and restarts the clock. Levels beyond kTraceLevels are not recorded.
template <typename Form>
__device__ __noinline__ void record_level(Context<Form> &k) {
	const Progress &at = k.at;
	if (!is_first_thread() || at.level >= kTraceLevels) return;
	const Clock &c = k.clock;
	const u64 now = now_ns();
	k.state.trace[at.level] = {(u32)at.step, at.frontier, is_bottom_up(at.step) ? 0 : at.edges, now - c.level,
	                           c.exchange, c.wait, c.words, c.pairs, c.edges_read,
	                           Form::kMany ? at.barriers - *(volatile u32 *)&k.state.epochs->barriers : 0};
	*k.state.trace_length = at.level + 1;
	k.clock.begin(now);
	*k.state.level_ended = now;
}

} // namespace g500
