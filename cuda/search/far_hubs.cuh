// SPDX-License-Identifier: Apache-2.0

// Segmented pushes and split levels between ranks that are not peers (far.cuh). A first kernel finds the neighbours of
// the frontier's hubs among this rank's vertices, in this rank's memory. It needs only the bits of all ranks' hubs.
// Then each rank pushes its other vertices of the frontier, and sends pairs to the owners of their neighbours.
#pragma once

#include "search/far_progress.cuh"

namespace g500 {

// The vertices whose parents are hubs, in a split level.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_split_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	search_hubs(k, sweep_of(k), a.task.hubs);
	leave(k, [] {});
}

// The vertices whose parents are hubs, and those that find another one in the sweep, in a segmented push.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_segments_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	const Sweep sweep = sweep_of(k);
	sweep_and_list(k, sweep);
	grid_barrier(k);
	if (!k.at.failed) {
		const u32 found = pull_longest(k, sweep.now) + push_segments(k, sweep.now);
		add_up(found, &k.counters(k.at.level + 1)->found);
	}
	leave(k, [] {});
}

// Pushes the other vertices of this rank's queue, or continues in another round.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_tail_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	Counters *c = k.counters(k.at.level), *next = k.counters(k.at.level + 1);
	const u32 hubs = a.task.hubs;
	if (!a.task.again) {
		by_one_thread([&] {
			k.at.queue ^= 1;
			k.at.queued = (u32)read_now(&c->queued);
		});
	}
	if (!a.task.again || k.at.queued <= kSmallQueue) number_tail(k, hubs);
	ull *sent = open_round(k);
	const u64 chunk = a.task.again ? a.state.far.chunks[blockIdx.x] : first_chunk();
	using Rows = TailRows<Form>;
	ByBlock<Rows> advance(Rows(k, hubs), k.push.advance, k.edge_queue(), chunk);
	ClaimTail<Form> visit{{k, k.swept_part()}};
	const VertexQueue<true> pairs(k.push.emit, nullptr, nullptr, k.sender(sent, k.visited()));
	if (!k.at.failed && !push(advance, visit, pairs)) advance.repeat();
	add_up(visit.own.claimed, &next->found);
	if (threadIdx.x == 0) a.state.far.chunks[blockIdx.x] = advance.chunk;
	leave(k, [&] { report_round(k, sent, 0, 0, kNotListed); });
}

// Claims the vertices of received pairs, and reports the level as a sweep.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_take_tail_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	Counters *next = k.counters(k.at.level + 1);
	u32 *const now = k.swept_part(), found = 0;
	if (a.task.exchanged) count_received(k);
	if (is_first_thread()) next->open_hubs = 0; // of the round before
	const u32 all = a.task.exchanged ? k.bins.upto[k.ranks.count - 1] : 0;
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < all; i += gridDim.x * kThreads) {
		const PairAt at(k.ranks, k.bins, k.at.rounds, i);
		const u32 v = (u32)at.pair, bit = 1u << bit_of(v);
		if (test(now, v) || atomicOr(now + word_of(v), bit) & bit) continue;
		store_parent<Form>(k.state, v, (u32)(at.pair >> 32));
		found++;
	}
	add_up(found, &next->found);
	grid_barrier(k);
	count_open_hubs(k, now);
	leave(k, [&] { report_sweep(k); });
}

} // namespace g500
