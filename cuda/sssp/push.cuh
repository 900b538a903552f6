// SPDX-License-Identifier: Apache-2.0

// Vertices relax their edges within reach. Vertices that become nearer are queued for the same push (work_queue.cuh).
#pragma once

#include <type_traits>

#include "sssp/graph.cuh"
#include "sssp/relax.cuh"
#include "sssp/work_queue.cuh"

namespace g500::sssp {

// Returns the current reach of a step's push. The nearest landmark may have become nearer since the round began.
template <typename Form>
__device__ inline Reach reach_of(const Context &k, int step) {
	if (step == G500_SSSP_PUSH_REST) return {0, k.at.farthest};
	const float nearest = fminf(k.at.nearest, __uint_as_float(k.batch.nearest));
	return {Form::kFar && k.policy.rows_later ? 0 : nearest, nearest + k.policy.window};
}

// Updates a round's nearest landmark by the lanes' values. A nearer value is also sent to all peers.
template <typename Form>
__device__ inline void keep_nearest(const Context &k, const RelaxEdges<Form> &visit, u32 round) {
	const u32 nearest = warp_min(visit.nearest);
	if (lane_of_thread() > 0 || nearest == kInfinite) return;
	u32 *const own = &k.counters(round)->nearest;
	const u32 before = Owner<Form::kPeers>::min(own, nearest);
	if (Form::kPeers && nearest < before)
		for (u32 i = 1; i < k.ranks.count; i++)
			Owner<Form::kPeers>::min(in_window_of(k.ranks, rank_after(k.ranks, i), own), nearest);
}

// Parts are the tickets of the parts of a row after the first one.
struct Parts {
	u32 first = 0, end = 0;
	bool fit = false; // the queue has space for all of them
};

// Takes tickets for the parts of a row after the first one, if the queue has space. The block that takes a part reads
// the vertex's distance, and sees at least this block's.
template <typename Form>
__device__ inline Parts split_row(const Context &k, u64 item, u64 length) {
	if (length <= k.policy.part) return {};
	const u64 parts = (length - 1) / k.policy.part;
	if (parts > capacity(k)) return {};
	const Owner<Form::kPeers> own{k.ranks, k.ranks.rank};
	const u32 first = take_tickets<Form::kPeers>(k, own.rank, (u32)parts);
	const u64 end = min(first + parts, (u64)capacity(k));
	if (!(word_of(item) & kIsPart)) own.min(k.state.distance + vertex_of(item), word_of(item)); // as the block that
	                                                                                            // queued it has done
	return {first, (u32)end, first + parts == end};
}

// Queues the parts of the lanes' rows. Called by a warp, because a hub's row has hundreds.
template <typename Form>
__device__ inline void queue_parts(const Context &k, u32 v, const Parts &parts) {
	const Owner<Form::kPeers> own{k.ranks, k.ranks.rank};
	u32 lanes = __ballot_sync(~0u, parts.first < parts.end);
	if (lanes) __syncwarp(), __threadfence(); // all lanes queue parts after the distance that another lane has stored
	for (; lanes; lanes &= lanes - 1) {
		const u32 by = __ffs(lanes) - 1, of = __shfl_sync(~0u, v, by);
		const u32 first = __shfl_sync(~0u, parts.first, by), end = __shfl_sync(~0u, parts.end, by);
		const bool fit = __shfl_sync(~0u, parts.fit, by);
		__syncwarp(); // the distance is visible before the parts
		for (u32 i = first + lane_of_thread(); i < end; i += 32)
			put(k, own, i, item_of(of, kIsPart | (fit ? i - first + 1 : kNoPart)));
	}
}

// Sends the distance of one of this rank's vertices to all peers, unless a peer has a lower one.
__device__ inline void send_nearer(const Context &k, u32 v, float distance) {
	for (u32 i = 1; i < k.ranks.count; i++)
		Owner<true>::min(k.state.peers.distance[rank_after(k.ranks, i)] + v, __float_as_uint(distance));
}

// Returns the edges that a push reads from a vertex.
template <typename Form>
__device__ inline Row<const Col *> row_of(const Graph &g, u32 v) {
	if (Form::kFar && g.light) {
		const u32 at = g.light[v];
		return {g.light_edges + at, at ? light_count(g.light_edges[at - 1]) : 0};
	}
	const u32 local_id = g.local_id(v);
	const u64 begin = g.rows[local_id];
	return {g.cols + begin, g.rows[local_id + 1] - begin};
}

// Load is the size of a batch.
struct Load {
	u64 edges;
	Reach reach; // of the vertices of these edges
};

// Makes a batch of the items that the threads have taken. Reads a sector of distances, 16 B of rows and one or two
// weights per item.
template <typename Form>
__device__ __noinline__ inline Load fill_batch(Context &k, int step, u64 item) {
	Batch &b = k.batch;
	const Reach reach = reach_of<Form>(k, step);
	const u32 v = vertex_of(item), word = word_of(item);
	u64 length = 0;
	float current = -1; // distance of a vertex to list
	Parts parts;
	if (item != kNothing) {
		const u64 before = word & kIsPart ? (u64)(word & ~kIsPart) * k.policy.part : 0; // edges of the row before the
		                                                                                // part
		if (before > 0) __threadfence(); // for the distance, see queue_parts
		const float now = distance_in(k.word(v)), distance = word & kIsPart ? now : __uint_as_float(word);
		const Row<const Col *> row = row_of<Form>(k.graph, v);
		if (before == 0) current = fminf(now, distance);
		if (Form::kPeers && step == G500_SSSP_PUSH_REST && before == 0) send_nearer(k, v, current);
		if (!(now < distance)) length = length_in_reach(k.graph, reach, row, distance); // else it is queued again with
		                                                                                // its new distance
		if (before > 0) length = min(length - min(length, before), (u64)k.policy.part);
		else parts = split_row<Form>(k, item, length);
		if (parts.fit) length = k.policy.part;
		b.vertex[threadIdx.x] = v;
		b.distance[threadIdx.x] = distance;
		b.edges[threadIdx.x] = row.cols + before;
	}
	queue_parts<Form>(k, v, parts);
	if (Form::kFar && step == G500_SSSP_PUSH_REST)
		append_words(k.state.list, current >= 0, k.graph.local_id(v), __float_as_uint(current));
	u64 before, edges;
	block_scan(b.scan, length, before, edges);
	b.before[threadIdx.x] = before;
	__syncthreads();
	return {edges, reach};
}

// ByBatch distributes the edges of a batch over the threads of the block. Reads 8 B per edge.
struct ByBatch {
	using Edge = sssp::Edge;

	const Batch &b;
	const u64 edges;
	u64 begin; // of the next tile

	__device__ inline bool next(Edge (&tile)[kEdgesPerThread]) {
		if (begin >= edges) return false;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const u64 e = begin + j * kThreads + threadIdx.x;
			tile[j] = e < edges ? load(e) : Edge{0, kNone, 0, 0};
		}
		begin += kChunk;
		return true;
	}

private:
	__device__ inline Edge load(u64 e) const {
		u32 thread = 0; // the last one whose edges do not begin after e
#pragma unroll
		for (u32 step = kThreads / 2; step; step /= 2)
			if (b.before[thread + step] <= e) thread += step;
		const uint2 c = __ldg((const uint2 *)b.edges[thread] + (e - b.before[thread]));
		return {b.vertex[thread], c.x, b.distance[thread], b.distance[thread] + __uint_as_float(c.y)};
	}
};

// Queuer stores reached vertices: own ones in the queue, or in the next frontier if the queue is full; others in the
// list of remote vertices.
struct Queuer {
	Context &k;

	__device__ inline explicit Queuer(Context &k) : k(k) {
		by_one_thread([&] {
			k.batch.reached = 0;
			k.batch.ticket = 0;
		});
	}

	// Always returns true: there is memory for all vertices.
	__device__ inline bool operator()(const Reached &reached) const {
		Batch &b = k.batch;
		u32 place[kEdgesPerThread];
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++)
			place[j] = append_by_warp<u32>(__ballot_sync(~0u, reached.nearer[j] != kNone), &b.reached);
		__syncthreads();
		if (threadIdx.x == 0 && b.reached) {
			if (b.ticket < capacity(k)) b.ticket = take_tickets<false>(k, k.ranks.rank, b.reached);
			b.reached = 0; // for the next tile
		}
		__syncthreads();
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) queue(reached.nearer[j], reached.bits[j], b.ticket + place[j]);
		if (k.ranks.count == 1) return true;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) enqueue(reached.remote[j], k.state.remote, &k.state.totals->remote);
		return true;
	}

private:
	__device__ inline Owner<false> own() const { return {k.ranks, k.ranks.rank}; }

	__device__ inline void queue(u32 v, u32 bits, u32 ticket) const {
		u32 later = kNone;
		if (v != kNone && ticket < capacity(k)) put(k, own(), ticket, item_of(v, bits));
		else if (v != kNone && stamps(own(), k.state.stamp + v, k.at.rounds + 1)) later = v;
		enqueue(later, k.frontier(k.at.rounds + 1), &k.counters(k.at.rounds + 1)->queued);
	}
};

// PeerQueuer stores each reached vertex in its owner's queue or next frontier.
struct PeerQueuer {
	Context &k;

	__device__ inline explicit PeerQueuer(Context &k) : k(k) {
		__syncthreads();
		for (u32 r = threadIdx.x; r < k.ranks.count; r += kThreads) k.bins.base[r] = k.bins.count[r] = 0;
		__syncthreads();
	}

	__device__ inline bool operator()(const Reached &reached) const {
		const PairBins &bins = k.bins; // by rank: vertices in the tile, and the ticket of the first one
		u32 place[kEdgesPerThread];
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++)
			if (reached.nearer[j] != kNone)
				place[j] = atomicAdd(&bins.count[rank_of_id(k.ranks, reached.nearer[j])], 1);
		__syncthreads();
		for (u32 r = threadIdx.x; r < k.ranks.count; r += kThreads)
			if (bins.count[r]) {
				if (bins.base[r] < capacity(k)) bins.base[r] = take_tickets<true>(k, r, bins.count[r]);
				bins.count[r] = 0; // for the next tile
			}
		__syncthreads();
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++)
			if (reached.nearer[j] != kNone) queue(reached.nearer[j], reached.bits[j], place[j]);
		return true;
	}

private:
	__device__ inline void queue(u32 v, u32 bits, u32 place) const {
		const Owner<true> owner = owner_of<true>(k.ranks, v);
		const u32 ticket = k.bins.base[owner.rank] + place;
		if (ticket < capacity(k)) put(k, owner, ticket, item_of(v, bits));
		else if (stamps(owner, k.state.stamp + k.graph.local_id(v), k.at.rounds + 1)) leave(owner, v);
	}

	// Appends a vertex to its owner's next frontier.
	__device__ inline void leave(const Owner<true> &owner, u32 v) const {
		const u64 at = owner.add(&owner.its(k.counters(k.at.rounds + 1))->queued, (ull)1);
		owner.its(k.frontier(k.at.rounds + 1))[at] = v;
	}
};

// Waits for all blocks, and reads the counters for the next round.
template <typename Form>
__device__ inline void end_round(Context &k) {
	RoundCounters *const next = k.counters(k.at.rounds + 1);
	sum_at_barrier<Form>(k, &next->queued);
	by_one_thread([&] {
		k.at.rounds++;
		if (k.at.rounds % kLevelsPerLook == 0) look_around(k);
		k.at.queued = (u32)read_now(&next->queued);
		if (Form::kPeers) k.at.all_queued = k.sums.of[kVertices];
		k.at.nearest = fminf(k.at.nearest, __uint_as_float(*(volatile u32 *)&next->nearest));
	});
}

// One round: pushes the frontier and all vertices that become nearer, until nothing in reach changes on this rank (with
// peers, on any rank) or queues are full. Vertices that did not fit form the next frontier.
template <typename Form>
__device__ __noinline__ inline void push_round(Context &k, int step) {
	if (is_first_thread()) {
		reset_round(k, k.at.rounds + 2); // all blocks have left the round before
		k.state.trace[step].rounds++;
	}
	const std::conditional_t<Form::kPeers, PeerQueuer, Queuer> emit(k);
	Worker<Form> worker(k);
	u64 vertices = 0, edges = 0, item;
	while (const u32 n = worker.take(k, item)) {
		const Load load = fill_batch<Form>(k, step, item);
		ByBatch advance{k.batch, load.edges, 0};
		const bool has_final = step == G500_SSSP_PUSH_REST;
		RelaxEdges<Form> visit{k.graph, k.state, k.policy, k.ranks, load.reach, has_final, k.at.exchange};
		push(advance, visit, emit);
		keep_nearest(k, visit, k.at.rounds + 1);
		if (threadIdx.x == 0) worker.finish(k, n);
		vertices += n;
		edges += load.edges;
	}
	if (threadIdx.x == 0 && vertices > 0) {
		atomicAdd((ull *)&k.state.trace[step].vertices, (ull)vertices);
		atomicAdd((ull *)&k.state.trace[step].edges, (ull)edges);
	}
	end_round<Form>(k);
}

// Pushes until nothing in reach changes on this rank (with peers, on any rank). The first push reaches one window
// beyond the nearest landmark; until a landmark is reached, complete rows are pushed. The push after the sweeps starts
// from the vertices changed in the last sweep; only distances up to the farthest one that is not final can fall.
template <typename Form>
__device__ __noinline__ inline void push_all(Context &k, int step) {
	begin_step(k, (u32)step);
	while ((Form::kPeers ? k.at.all_queued : k.at.queued) > 0 && !k.at.failed) push_round<Form>(k, step);
	record(k, step);
}

} // namespace g500::sssp
