// SPDX-License-Identifier: Apache-2.0

// Top-down levels: the vertices of the queue claim their unvisited neighbours.
#pragma once

#include "search/emit.cuh"
#include "search/exchange.cuh"
#include "search/state.cuh"
#include "search/visit.cuh"

namespace g500 {

// Claimed vertices in a rank's report (far.cuh): few enough of them need no other exchange.

// ReportedQueue lists the claimed vertices of all ranks in this rank's report, as many as fit, and emits them to
// `emit`. Afterwards *listed is their number, or more than fit.
template <typename Emit, typename Id>
struct ReportedQueue {
	const Emit &emit;
	FarEntry<Id> *entries; // of this rank's report; null if it lists none
	u32 most;
	Id base; // global id of this rank's local id 0
	ull *listed;
	mutable bool full = false;

	__device__ inline bool operator()(const ReachedAs<Id> &reached) const {
		if (entries && !full) {
#pragma unroll
			for (int j = 0; j < kEdgesPerThread; j++) {
				const bool own = reached.own[j] != kNone;
				list(own ? base + reached.own[j] : reached.remote[j], own ? 0 : reached.label[j]);
			}
		}
		return emit(reached);
	}

private:
	__device__ inline void list(Id vertex, u32 label) const {
		const u64 place = append_by_warp<u64>(__ballot_sync(~0u, !is_none(vertex)), listed);
		if (!is_none(vertex) && place < most) entries[place] = {vertex, label};
		full = full || __any_sync(~0u, place > most);
	}
};

// Gives the search up because the queue is longer than a packed sum can count.
template <typename Form>
__device__ __noinline__ void refuse_queue(Context<Form> &k) {
	by_one_thread([&] {
		if (give_up(k.ranks, {G500_QUEUE_TOO_LONG, 0, k.at.queued, kMostNumbered})) say_where(k);
		k.at.failed = true;
	});
}

// Numbers the edges of the queue that are in `rows`, with a counter of the level. The root's are already numbered.
template <typename Form, typename Rows>
__device__ __noinline__ void number_queue(Context<Form> &k, const Rows rows, ull *numbered) {
	if (k.at.level == 0) return;
	if (k.at.queued > kMostNumbered) return refuse_queue(k);
	if (k.at.queued <= kSmallQueue) {
		const u64 edges = number_few_edges(rows, k.push.advance, k.queue(), k.at.queued);
		by_one_thread([&] {
			k.at.offsets = k.push.advance.offsets;
			k.at.queued_edges = edges;
		});
		return;
	}
	u32 *const from = k.queue(), *const to = k.next_queue();
	number_edges(rows, k.push.advance, {from, k.at.queued, to, k.state.offsets, numbered});
	grid_barrier(k);
	if (k.at.failed) return;
	by_one_thread([&] {
		k.at.offsets = k.state.offsets;
		k.at.queue ^= 1;
		const u64 sum = read_now(numbered);
		k.at.queued = (u32)(sum >> kEdgeBits);
		k.at.queued_edges = sum & kEdgeMask;
	});
}

template <bool kReplicated, typename Form>
__device__ inline void number_queue(Context<Form> &k) {
	number_queue(k, RowsOf<kReplicated, Form>{k.graph, k.ranks}, &k.counters(k.at.level)->numbered);
}

// Processes the edges of the queue, beginning with the block's given chunk, until a buffer of pairs is full. Claimed
// vertices are appended to the other queue or sent to their owners. Adds an estimate of the next frontier's edges to
// *estimate, unless that is null. Returns the chunk with which the block must continue: all claims of the last
// processed chunk were stored or given up.
template <typename Form>
__device__ __noinline__ u64 push_edges(Context<Form> &k, u64 chunk, ull *sent, ull *estimate) {
	Counters *next = k.counters(k.at.level + 1);
	const RowsOf<false, Form> rows{k.graph, k.ranks};
	ByBlock<RowsOf<false, Form>> advance(rows, k.push.advance, k.edge_queue(), chunk);
	ClaimEdges<Form> visit{k.graph, k.state, k.ranks, k.visited(), estimate != nullptr};
	const PairSender sender = k.sender(sent, k.visited());
	const VertexQueue<Form::kMany> queue(k.push.emit, k.next_queue(), &next->queued, sender);
	bool full;
	if constexpr (Form::kFar) {
		const Far &far = k.state.far;
		using Id = typename Form::Id;
		const ReportedQueue<VertexQueue<true>, Id> reports{
			queue, k.at.reports ? far.entries<Id>(k.ranks.rank) : nullptr, far.most_entries, (Id)k.ranks.base,
			&k.counters(k.at.level)->reported};
		full = !push(advance, visit, reports);
	} else {
		full = !push(advance, visit, queue);
	}
	if (full) advance.repeat();
	if (Form::kMany) add_up(visit.edges, &next->queued_edges);
	if (Form::kMany && estimate) add_up(visit.estimate, estimate);
	return advance.chunk;
}

template <typename Form>
__device__ __noinline__ void level_push_one_rank(Context<Form> &k) {
	push_edges(k, first_chunk(), nullptr, nullptr);
	by_one_thread([&] { k.at.queue ^= 1; });
	grid_barrier(k);
}

// Claims the vertices of received pairs.
template <typename Form>
__device__ __noinline__ void take_pairs(Context<Form> &k) {
	Counters *next = k.counters(k.at.level + 1);
	ByPair<Form> advance(k.ranks, k.bins, k.at.rounds);
	ClaimPairs<Form> visit{k.graph, k.state, (typename Form::Id)k.ranks.base, k.visited()};
	push(advance, visit, VertexQueue<false>(k.push.emit, k.next_queue(), &next->queued, k.sender(nullptr, nullptr)));
	add_up(visit.edges, &next->queued_edges);
}

// Stores the published sums of this level's frontier, and the estimate of the next one.
template <typename Form>
__device__ void collect_frontier(Context<Form> &k) {
	by_one_thread([&] {
		Progress &at = k.at;
		at.frontier = k.sums.of[kVertices];
		at.edges = k.sums.of[kEdges];
		at.estimate = k.sums.of[kEstimate];
		if (at.level == 0) at.unexplored = k.ranks.edges - at.edges;
	});
}

// A level on several ranks: pairs are sent to their owners in rounds. A round ends when each block has processed all
// its edges or met a full buffer. Another round follows if pairs of any rank did not fit, which means that a buffer was
// full. The first barrier of a round makes the pairs visible, the second one ends their processing. If the next level
// is likely to be bottom-up, this rank's visited vertices are sent to its peers before the second barrier, which saves
// a third one. Rounds after the first are not part of the estimate.
template <typename Form>
__device__ __noinline__ void level_push_many_ranks(Context<Form> &k) {
	Counters *c = k.counters(k.at.level), *next = k.counters(k.at.level + 1);
	ull *estimate = k.at.edges <= k.policy.few_edges ? &c->estimate : nullptr;
	u64 chunk = first_chunk();
	bool more = true;
	by_one_thread([&] { k.at.synchronized = false; });
	if (is_first_thread()) c->level_edges = k.at.queued_edges;
	for (; more; estimate = nullptr) {
		ull *sent = open_round(k);
		chunk = push_edges(k, chunk, sent, estimate);
		rank_barrier(k, {{&c->queued, &c->level_edges, sent, nullptr, estimate, sent + k.ranks.count}});
		if (k.at.failed) return;
		const u64 began = now_ns();
		more = k.sums.of[kUnsent] > 0;
		collect_frontier(k);
		close_round(k);
		take_pairs(k);
		const bool synchronizes = !more && may_pull(k.facts(), estimate != nullptr);
		if (synchronizes) {
			grid_barrier(k);
			add_up(send_visited(k), &c->words);
		}
		count_exchange(k, began);
		rank_barrier(k, {{&next->queued, &next->queued_edges, nullptr, synchronizes ? &c->words : nullptr}});
		if (k.at.failed) return;
		if (synchronizes) count_words(k);
		by_one_thread([&] { k.at.synchronized = synchronizes; });
	}
	by_one_thread([&] { k.at.queue ^= 1; });
}

template <typename Form>
__device__ void level_push(Context<Form> &k) {
	if constexpr (Form::kMany) level_push_many_ranks(k);
	else level_push_one_rank(k);
}

} // namespace g500
