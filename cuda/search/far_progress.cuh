// SPDX-License-Identifier: Apache-2.0

// How the kernels of a search between ranks that are not peers (far.cuh) begin, end and report.
#pragma once

#include <new>

#include "search/bfs.cuh"
#include "search/kernels.cuh"

namespace g500 {

// Begins a kernel: returns a context in the block's shared memory, which continues the rank's progress.
template <typename Form>
__device__ Context<Form> &enter(const FarArguments &a) {
	G500_SHARED_MEMORY(memory);
	Context<Form> &k = *reinterpret_cast<Context<Form> *>(memory);
	if (threadIdx.x == 0) {
		const State &s = a.state;
		const FarTask &task = a.task;
		const FarRank &rank = *s.far.rank;
		new (&k) Context<Form>(a.graph, s, a.ranks, a.policy);
		k.root = task.root;
		k.at = Progress{};
		static_cast<Shared &>(k.at) = task.at;
		k.at.blocks = gridDim.x;
		k.at.place = blockIdx.x;
		k.at.remaining = missed_lists(k.graph, s);
		k.at.arrivals = *(volatile u32 *)&s.epochs->arrivals;
		k.at.rounds = task.round;
		k.at.reports = task.reports;
		k.at.queue = rank.queue, k.at.queued = rank.queued, k.at.queued_edges = rank.queued_edges;
		k.at.offsets = s.offsets;
		k.clock.begin(now_ns());
		if (blockIdx.x == 0) *k.counters(k.at.level + 2) = {}; // which no kernel of this level needs
	}
	__syncthreads();
	return k;
}

// Ends a kernel: the rank's last block calls report(), with all its threads, after all blocks have ended their work,
// and stores the progress.
template <typename Form, typename Report>
__device__ void leave(Context<Form> &k, Report report) {
	by_one_thread([&] {
		k.at.arrivals += k.at.blocks;
		k.publishes = arrive(*k.ranks.barrier) == k.at.arrivals;
	});
	if (!k.publishes) return;
	report();
	__syncthreads();
	if (threadIdx.x != 0) return;
	FarRank &rank = *k.state.far.rank;
	rank.busy += now_ns() - k.clock.level; // all blocks start at about the same time
	rank.queue = k.at.queue, rank.queued = k.at.queued, rank.queued_edges = k.at.queued_edges;
	k.state.epochs->arrivals = k.at.arrivals;
}

// Returns FarBlock.sums[kFarEnds].
template <typename Form>
__device__ u64 ends(const Context<Form> &k) {
	return k.at.failed || has_failed(*k.ranks.barrier) ? kGaveUp : heed_host(k.ranks);
}

// Returns FarBlock.sums[kFarRoot].
template <typename Form>
__device__ u64 root_in_report(const Context<Form> &k) {
	const auto root = (typename Form::Id)k.at.root;
	return k.at.level > 0 || is_none(root) || k.graph.is_leaf(root) ? 0 : (u64)root + 1;
}

// Reports the pairs of a round, from counters by rank, null if there are none, the other claimed or found vertices, and
// how many of them are listed. By the rank's last block.
template <typename Form>
__device__ void report_round(Context<Form> &k, const ull *sent, u64 found, u64 edges, u64 listed) {
	const Ranks &ranks = k.ranks;
	const Far &far = k.state.far;
	FarBlock &block = *far.block(ranks.rank);
	u64 pairs = 0;
	u32 longest = 0;
	if (threadIdx.x >= kLanes) return;
	for (u32 r = threadIdx.x; r < ranks.count; r += kLanes) {
		const u32 n = sent ? (u32)read_now(sent + r) : 0;
		if (far.most_entries > 0) block.pairs()[r] = n;
		if (sent && r != ranks.rank) send_buffer(ranks, r, k.at.rounds)[-1] = n;
		pairs += n, longest = max(longest, n);
	}
	pairs = warp_sum(pairs), longest = warp_max(longest);
	if (threadIdx.x != 0) return;
	const Counters *c = k.counters(k.at.level);
	const u64 unsent = sent ? read_now(sent + ranks.count) : 0;
	block.sums[kFarFrontier] = read_now(&c->queued);
	block.sums[kFarEdges] = k.at.queued_edges;
	block.sums[kFarClaims] = found + pairs + unsent;
	block.sums[kFarEstimate] = edges;
	block.sums[kFarOpenHubs] = 0;
	block.sums[kFarSent] = pairs;
	block.sums[kFarUnsent] = unsent;
	block.sums[kFarLongest] = longest;
	block.sums[kFarQueued] = found;
	block.sums[kFarListed] = listed;
	block.sums[kFarRoot] = root_in_report(k);
	block.sums[kFarEnds] = ends(k);
}

// Reports a sweep, behind this rank's part of the new bitmap or, with queries, its hubs. By the rank's last block.
template <typename Form>
__device__ void report_sweep(Context<Form> &k) {
	if (threadIdx.x != 0) return;
	const Counters *c = k.counters(k.at.level), *next = k.counters(k.at.level + 1);
	const Far &far = k.state.far;
	unsigned char *part = far.queries ? far.parts + k.ranks.rank * far.part_bytes : (unsigned char *)k.state.next_part;
	FarBlock &block = *(FarBlock *)(part + far.bits_bytes());
	block = {};
	block.sums[kFarFrontier] = read_now(&c->queued);
	block.sums[kFarClaims] = read_now(&next->found);
	block.sums[kFarOpenHubs] = read_now(&next->open_hubs);
	block.sums[kFarEnds] = ends(k);
	far.rank->remaining = (u32)read_now(&next->remaining);
}

// Finds the numbers of received pairs, or of sent ones, of the ranks up to and including each.
template <typename Form>
__device__ void count_received(Context<Form> &k, bool sent = false) {
	const Ranks &ranks = k.ranks;
	for (u32 r = threadIdx.x; r < ranks.count; r += kThreads) {
		const u64 *const pairs = sent ? send_buffer(ranks, r, k.at.rounds) : receive_buffer(ranks, r, k.at.rounds);
		k.bins.upto[r] = r == ranks.rank ? 0 : (u32)pairs[-1];
	}
	add_up_received(k);
}

} // namespace g500
