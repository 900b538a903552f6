// A push of the frontier's vertices that are no hubs, whose rows are short, if all ranks have the frontier. Each rank
// reads all of these rows, from peers for their vertices, and claims its own vertices one by one.
#pragma once

#include "search/probe.cuh"
#include "search/push.cuh"

namespace g500 {

// TailRows are the rows of vertices that are no hubs; other rows count as empty.
template <typename Form>
struct TailRows : RowsOf<Form::kMany, Form> {
	u32 hubs; // of each rank: the vertices with lower local ids

	__device__ TailRows(const Context<Form> &k, u32 hubs) : RowsOf<Form::kMany, Form>{k.graph, k.ranks}, hubs(hubs) {}
	__device__ inline u64 length(u32 v) const {
		return (v & this->g.local_mask) < hubs ? 0 : RowsOf<Form::kMany, Form>::length(v);
	}
};

// Numbers the edges of frontier vertices that are no hubs. Afterwards only these are queued.
template <typename Form>
__device__ void number_tail(Context<Form> &k, u32 hubs) {
	number_queue(k, TailRows<Form>(k, hubs), &k.counters(k.at.level)->tail);
}

// ClaimOwn claims the ends of edges that are this rank's vertices.
template <typename Form>
struct ClaimOwn {
	const Context<Form> &k;
	u32 *now; // bitmap of this rank's vertices
	u32 claimed = 0;
	u32 own = 0; // edges of this rank's vertices; not counted on one rank

	__device__ inline void operator()(Edge (&tile)[kEdgesPerThread]) {
		bool won[kEdgesPerThread];
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			if (!Form::kMany || tile[j].to == kNone) continue;
			own += rank_of_id(k.ranks, tile[j].from) == k.ranks.rank;
			tile[j].to = rank_of_id(k.ranks, tile[j].to) == k.ranks.rank ? local_id_in(k.ranks, tile[j].to) : kNone;
		}
		claim(tile, now, won);
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			if (!won[j]) continue;
			store_parent<Form>(k.state, tile[j].to, label_of_parent(k, tile[j].from, tile[j].to));
			claimed++;
		}
	}
};

// Pushes the edges of vertices that are no hubs, one by one, and waits for all blocks. Returns the number of vertices
// that this thread has claimed.
template <typename Form>
__device__ __noinline__ u32 push_tail(Context<Form> &k, u32 hubs, u32 *now) {
	ByBlock<TailRows<Form>> advance(TailRows<Form>(k, hubs), k.push.advance, k.edge_queue());
	ClaimOwn<Form> visit{k, now};
	for (Edge tile[kEdgesPerThread]; advance.next(tile); __syncthreads()) visit(tile);
	Counters *c = k.counters(k.at.level);
	if (Form::kMany) add_up(visit.own, &c->own_edges);
	grid_barrier(k);
	count_rows_read(k, c);
	return visit.claimed;
}

} // namespace g500
