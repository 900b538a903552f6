// SPDX-License-Identifier: Apache-2.0

// A push of the frontier's vertices that are no hubs, whose rows are short. If all ranks have the frontier, each rank
// reads all of these rows, from peers for their vertices, and claims its own vertices one by one. If ranks are not
// peers (far_hubs.cuh), each rank pushes its own part of the frontier.
#pragma once

#include "search/probe.cuh"
#include "search/push.cuh"

namespace g500 {

// TailRows are the rows of vertices that are no hubs; other rows count as empty.
template <typename Form>
struct TailRows : RowsOf<Form::kReplicates, Form> {
	using All = RowsOf<Form::kReplicates, Form>;
	u32 hubs; // of each rank: the vertices with lower local ids

	__device__ TailRows(const Context<Form> &k, u32 hubs) : All{k.graph, k.ranks}, hubs(hubs) {}
	__device__ inline u64 length(u32 v) const { return this->g.local_id(v) < hubs ? 0 : All::length(v); }
};

// Numbers the edges of frontier vertices that are no hubs. Afterwards only these are queued.
template <typename Form>
__device__ void number_tail(Context<Form> &k, u32 hubs) {
	number_queue(k, TailRows<Form>(k, hubs), &k.counters(k.at.level)->tail);
}

// ClaimOwn claims the ends of edges that are this rank's vertices.
template <typename Form>
struct ClaimOwn {
	using Id = typename Form::Id;
	using Edge = EdgeOf<Id>;

	const Context<Form> &k;
	u32 *now; // bitmap of this rank's vertices
	u32 claimed = 0;

	__device__ inline void operator()(Edge (&tile)[kEdgesPerThread]) {
		bool won[kEdgesPerThread];
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++)
			if (Form::kMany && !is_none(tile[j].to)) tile[j].to = own_id(tile[j].to);
		claim(tile, now, won);
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			if (!won[j]) continue;
			store_parent<Form>(k.state, (u32)tile[j].to, label(tile[j]));
			claimed++;
		}
	}

private:
	// Returns the local id of this rank's vertex, or none.
	__device__ inline Id own_id(Id global_id) const {
		return rank_of_id(k.ranks, global_id) == k.ranks.rank ? local_id_in(k.ranks, global_id) : kNoId<Id>;
	}

	// In a replicated frontier vertices have global ids.
	__device__ inline typename Form::Label label(const Edge &edge) const {
		if constexpr (Form::kReplicates) return label_of_parent(k, edge.from, (u32)edge.to);
		else return own_label<Form>(k.graph, edge.from);
	}
};

// ClaimTail also claims the ends that are other ranks' vertices, in the bitmap of all ranks, and returns them for their
// owners. No block may search in that bitmap any more.
template <typename Form>
struct ClaimTail {
	ClaimOwn<Form> own;

	__device__ inline Reached operator()(const Edge (&tile)[kEdgesPerThread]) {
		const Context<Form> &k = own.k;
		Edge mine[kEdgesPerThread], others[kEdgesPerThread];
		bool won[kEdgesPerThread];
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const Edge &edge = mine[j] = others[j] = tile[j];
			if (edge.to != kNone && rank_of_id(k.ranks, edge.to) == k.ranks.rank) others[j].to = kNone;
		}
		own(mine);
		claim(others, k.visited(), won);
		Reached reached;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			reached.own[j] = kNone;
			reached.remote[j] = won[j] ? others[j].to : kNone;
			if (won[j]) reached.label[j] = own_label<Form>(k.graph, others[j].from);
		}
		return reached;
	}
};

// Counts the edges of this rank's vertices in the numbered queue. Reads 12 B per vertex.
template <typename Form>
__device__ __noinline__ void count_own_edges(const Context<Form> &k) {
	const u64 *const offsets = k.at.offsets;
	const u32 *const queue = k.queue();
	u64 own = 0;
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < k.at.queued; i += gridDim.x * kThreads)
		if (rank_of_id(k.ranks, queue[i]) == k.ranks.rank)
			own += (i + 1 < k.at.queued ? offsets[i + 1] : k.at.queued_edges) - offsets[i];
	add_up(own, &k.counters(k.at.level)->own_edges);
}

// Pushes the edges of vertices that are no hubs, one by one, and waits for all blocks. Returns the number of vertices
// that this thread has claimed.
template <typename Form>
__device__ __noinline__ u32 push_tail(Context<Form> &k, u32 hubs, u32 *now) {
	if constexpr (Form::kMany) count_own_edges(k);
	using Rows = TailRows<Form>;
	ByBlock<Rows> advance(Rows(k, hubs), k.push.advance, k.edge_queue());
	ClaimOwn<Form> visit{k, now};
	for (typename Rows::Edge tile[kEdgesPerThread]; advance.next(tile); __syncthreads()) visit(tile);
	grid_barrier(k);
	count_rows_read(k, k.counters(k.at.level));
	return visit.claimed;
}

} // namespace g500
