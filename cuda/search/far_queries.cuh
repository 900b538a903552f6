// SPDX-License-Identifier: Apache-2.0

// Queries of bits, in a search between ranks that are not peers (far.cuh) and whose bitmaps are long (ADR 73). All
// ranks have the bits of all ranks' hubs. Before a level, and before the result, a rank lists its open vertices: those
// that search for a visited neighbour, and have none among the bits that the rank knows. It sends the local ids of
// their other neighbours to the owners, as pairs without a label, and receives one bit for each. It stores these bits
// in its bitmap, where levels then search as if it had all bits.
#pragma once

#include "search/far_progress.cuh"

namespace g500 {

// NonLeaves selects the neighbours that have bits.
struct NonLeaves {
	const Graph &g;

	__device__ bool has(u32 word) const { return word != kNone && (word & g.local_mask) < g.first_leaf; }
};

// Returns the list of open vertices: it is in the memory of the result, which has space for all labels and is written
// after the last query.
__device__ inline u32 *open_vertices(const State &s) { return (u32 *)s.result; }

// Candidates are the vertices that may be open: leaves, those that are searched after all hubs are visited, or all.
struct Candidates {
	const u32 *remaining; // list with gaps, or null
	const uint2 *others;  // HubNeighbours.others, or null
	u32 first, n;

	__device__ explicit Candidates(const FarArguments &a) : remaining(nullptr), others(nullptr), first(0) {
		const State &s = a.state;
		if (a.task.leaves) first = a.graph.non_leaf;
		else if (a.task.at.step == kPullRemaining) remaining = s.queue[s.far.rank->queue ^ 1];
		else if (a.task.at.step == kDecide) others = s.hubs.others;
		n = remaining ? s.far.rank->remaining : others ? s.hubs.count : a.graph.non_leaf;
		if (a.task.leaves) n = a.graph.non_isolated - first;
	}

	__device__ u32 operator[](u32 i) const { return remaining ? remaining[i] : others ? others[i].x : first + i; }
};

// Lists the open vertices. Reads 4 B and a random bit per edge of each candidate, up to the first hit.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_open_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	const Graph &g = k.graph;
	const u32 *visited = k.visited(), *mine = k.own_part(k.visited());
	const Candidates candidates(a);
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i - threadIdx.x < candidates.n; i += gridDim.x * kThreads) {
		const u32 v = i < candidates.n ? candidates[i] : kNone;
		const bool searches = v != kNone && (a.task.leaves || !test(mine, v));
		const bool hit = !is_none(probe_row<Form>(g, visited, searches ? v : kNone, 0, NonLeaves{g}));
		const bool open = searches && g.rows[v] < g.rows[v + 1] && !hit;
		const u32 place = append_by_warp<u32>(__ballot_sync(~0u, open), &a.state.far.rank->open);
		if (open) open_vertices(a.state)[place] = v;
	}
	leave(k, [] {});
}

// Unknown visits the edges of open vertices, and returns the neighbours whose bits must be queried.
template <typename Form>
struct Unknown {
	using Id = typename Form::Id;

	const Context<Form> &k;

	__device__ inline ReachedAs<Id> operator()(const EdgeOf<Id> (&tile)[kEdgesPerThread]) const {
		const Ranks &ranks = k.ranks;
		ReachedAs<Id> reached;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const Id to = tile[j].to;
			const bool has_bit = !is_none(to) && !k.graph.is_leaf(to);
			const bool other = has_bit && rank_of_id(ranks, to) != ranks.rank;
			const bool unknown = other && local_id_in(ranks, to) >= k.state.hubs.limit && !test(k.visited(), to);
			reached.own[j] = kNone;
			reached.remote[j] = unknown ? to : kNoId<Id>;
			reached.label[j] = 0;
		}
		return reached;
	}
};

// Queries the neighbours of the block's open vertices, kSmallQueue vertices at a time, until a buffer is full. `at` is
// the number of the first vertices' edge, above it the number of the batch. Returns where the block must continue.
template <typename Form>
__device__ __noinline__ u64 query_neighbours(Context<Form> &k, u64 at, ull *sent) {
	using Rows = RowsOf<false, Form>;
	const u64 open = read_now(&k.state.far.rank->open);
	const Rows rows{k.graph, k.ranks};
	Unknown<Form> visit{k};
	const VertexQueue<true> queries(k.push.emit, nullptr, nullptr, k.sender(sent, k.visited()));
	u64 batch = at >> kEdgeBits, chunk = at & kEdgeMask;
	for (; batch * kSmallQueue < open; batch += gridDim.x, chunk = 0) {
		const u32 *vertices = open_vertices(k.state) + batch * kSmallQueue;
		const u32 n = (u32)min((u64)kSmallQueue, open - batch * kSmallQueue);
		const u64 edges = number_few_edges(rows, k.push.advance, vertices, n);
		ByBlock<Rows, true> advance(rows, k.push.advance, {vertices, k.push.advance.offsets, n, edges}, chunk);
		if (!push(advance, visit, queries)) {
			advance.repeat();
			return batch << kEdgeBits | advance.chunk;
		}
		__syncthreads(); // the offsets are read
	}
	return batch << kEdgeBits;
}

// Sends queries, as many as fit, and reports their numbers.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_query_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	u64 &next = a.state.far.chunks[blockIdx.x];
	ull *sent = open_round(k);
	const u64 at = query_neighbours(k, a.task.again ? next : (u64)blockIdx.x << kEdgeBits, sent);
	if (threadIdx.x == 0) next = at;
	leave(k, [&] { report_round(k, sent, 0, 0, kNotListed); });
}

// Writes the replies to received queries. They are all zero before.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_reply_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	const Far &far = a.state.far;
	const u32 *mine = k.own_part(k.visited());
	count_received(k);
	const u32 all = k.bins.upto[k.ranks.count - 1];
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < all; i += gridDim.x * kThreads) {
		const PairAt at(k.ranks, k.bins, k.at.rounds, i);
		u32 *replies = far.replies + at.from * far.reply_bytes / sizeof(u32);
		if (test(mine, (u32)at.pair)) atomicOr(replies + at.place / 32, 1u << at.place % 32);
	}
	leave(k, [] {});
}

// Stores the received replies in the bitmap, in the order of the sent queries.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_take_replies_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	using Id = typename Form::Id;
	const Far &far = a.state.far;
	const Ranks &ranks = k.ranks;
	count_received(k, true);
	const u32 all = k.bins.upto[ranks.count - 1];
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < all; i += gridDim.x * kThreads) {
		const u32 to = sender_of(k.bins.upto, ranks.count, i), place = i - (to ? k.bins.upto[to - 1] : 0);
		const u32 *replies = far.replies + (ranks.count + to) * far.reply_bytes / sizeof(u32);
		const u32 local_id = (u32)send_buffer(ranks, to, k.at.rounds)[place];
		if (replies[place / 32] >> place % 32 & 1) set(k.visited(), (Id)(to * ranks.part) + local_id);
	}
	leave(k, [] {});
}

} // namespace g500
