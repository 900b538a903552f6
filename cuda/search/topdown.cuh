// Top-down levels: each vertex of the queue claims its unvisited neighbours.
// Source: Merrill et al. (PPoPP 2012) for sharing work out by edges; Busato and Bombieri (2015) for a prefix sum
// whose order does not matter, so that one atomic a block reserves slots and edge numbers together.
#pragma once

#include <cub/block/block_scan.cuh>

#include "search/search.cuh"
#include "search/world.cuh"

namespace g500 {

constexpr int kEdgesPerThread = 2;
constexpr u32 kChunk = kThreads * kEdgesPerThread; // edges that a block expands at a time
constexpr int kSmallQueue = 2 * kThreads;          // vertices that each block lays out for itself
constexpr int kEdgeBits = 36;                      // of a rank's edges, more than memory holds; of a queue's vertices there are fewer than 2^28
constexpr u64 kEdgeMask = (1ull << kEdgeBits) - 1; // low part of a packed (vertices, edges) sum

using BlockSum = cub::BlockScan<u64, kThreads, cub::BLOCK_SCAN_WARP_SCANS>; // the form with the smallest storage

// Shared memory is taken from the cache that the bottom-up levels live on: it is kept small.
struct TopDownShared {
	BlockSum::TempStorage scan;
	u64 base;
	u32 first;               // queue place of the chunk's first vertex
	u32 claimed;             // vertices that the block claimed in this chunk
	uint16_t starts[kChunk]; // edges of the chunk before each vertex of its part of the queue
	u64 offsets[kSmallQueue]; // of a small queue: edges that leave the vertices before
};

// A vertex's neighbours. On a whole level (search_whole.cuh) vertices go by position, and the row may be in another rank's
// memory.
struct Row {
	const u32 *cols;
	u64 n;
};

template <bool kWhole>
__device__ inline Row row_of(const Columns &g, const World &w, u32 v) {
	const u64 *rows = g.rows;
	const u32 *cols = g.cols;
	if (kWhole) {
		const Neighbour &graph = w.graphs[rank_of_position(w, v)];
		rows = graph.rows;
		cols = graph.cols;
		v = hub_of_position(w, v);
	}
	const u64 begin = rows[v];
	return {cols + begin, rows[v + 1] - begin};
}

// Gives each vertex of the queue the number of its first edge. Reads 4 B queue and two 8 B row offsets a vertex,
// writes 12 B. The order of the queue changes from block to block.
template <bool kWhole>
__device__ __noinline__ void lay_out_queue(const Columns &g, const World &w, TopDownShared &sh, const u32 *from, u32 n, u32 *to, u64 *offsets, ull *laid) {
	for (u32 i0 = blockIdx.x * kThreads; i0 < n; i0 += gridDim.x * kThreads) {
		const u32 i = i0 + threadIdx.x;
		const u32 v = i < n ? from[i] : 0;
		const u64 degree = i < n ? row_of<kWhole>(g, w, v).n : 0;
		u64 before, sum;
		BlockSum(sh.scan).ExclusiveSum(i < n ? (1ull << kEdgeBits) + degree : 0, before, sum);
		if (threadIdx.x == 0) sh.base = atomicAdd(laid, (ull)sum);
		__syncthreads();
		if (i < n) {
			const u64 at = sh.base + before;
			to[at >> kEdgeBits] = v;
			offsets[at >> kEdgeBits] = at & kEdgeMask;
		}
		__syncthreads();
	}
}

// Lays a small queue out in shared memory, in every block alike: that costs less than a grid barrier. Returns the
// number of its edges.
template <bool kWhole>
__device__ __noinline__ u64 lay_out_small_queue(const Columns &g, const World &w, TopDownShared &sh, const u32 *queue, u32 n) {
	constexpr int kEach = kSmallQueue / kThreads;
	u64 degree[kEach], before[kEach], sum;
#pragma unroll
	for (int j = 0; j < kEach; j++) {
		const u32 i = threadIdx.x * kEach + j;
		const u32 v = i < n ? queue[i] : 0;
		degree[j] = i < n ? row_of<kWhole>(g, w, v).n : 0;
	}
	BlockSum(sh.scan).ExclusiveSum(degree, before, sum);
#pragma unroll
	for (int j = 0; j < kEach; j++) sh.offsets[threadIdx.x * kEach + j] = before[j];
	__syncthreads();
	return sum;
}

// One edge of the chunk: the frontier vertex that it leaves, and where it leads (kNone beyond the end).
struct FrontierEdge {
	u32 from, to;
};

// Loads this thread's edges of the chunk [e0, e1). A chunk inside one row needs no search; else the part of the
// queue that it covers is copied to shared memory, where each thread finds its edges' vertices.
template <bool kWhole>
__device__ void load_edges(const Columns &g, const World &w, TopDownShared &sh, const u32 *queue, const u64 *offsets, u32 n, u64 laid, u64 e0, u64 e1,
                           FrontierEdge (&edge)[kEdgesPerThread]) {
	if (threadIdx.x < 32) {
		const u32 at = find_vertex(offsets, n, e0);
		if (threadIdx.x == 0) sh.first = at;
	}
	__syncthreads();
	const u32 first = sh.first;
	const u32 count = min((u64)kChunk, (u64)(n - first));
	const u64 begin = offsets[first];
	if ((count > 1 ? offsets[first + 1] : laid) >= e1) {
		const u32 v = queue[first];
		const u32 *row = row_of<kWhole>(g, w, v).cols + (e0 - begin);
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const u32 k = j * kThreads + threadIdx.x;
			edge[j] = {v, e0 + k < e1 ? __ldg(row + k) : kNone};
		}
		return;
	}
	for (u32 i = threadIdx.x; i < count; i += kThreads) {
		const u64 start = offsets[first + i];
		sh.starts[i] = start <= e0 ? 0 : (uint16_t)min(start - e0, (u64)kChunk);
	}
	__syncthreads();
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++) {
		const u32 k = j * kThreads + threadIdx.x;
		edge[j] = {0, kNone};
		if (e0 + k < e1) {
			u32 low = 0, high = count;
			while (high - low > 1) {
				const u32 middle = (low + high) / 2;
				if (sh.starts[middle] <= k) low = middle;
				else high = middle;
			}
			const u32 v = queue[first + low];
			edge[j] = {v, __ldg(row_of<kWhole>(g, w, v).cols + (e0 + k - offsets[first + low]))};
		}
	}
}

// Bins are a block's counts of the pairs in its chunk for each rank, in shared memory; all zero between chunks.
struct Bins {
	u64 *base;  // where the block's pairs go in a rank's inbox
	u32 *count;
	u32 *upto;  // pairs that have come from the ranks up to each
};

// What a thread has reached along its edges: own vertices, which it has claimed, and pairs for their owners.
struct Reached {
	u32 own[kEdgesPerThread];   // hub ids, or kNone
	u32 far[kEdgesPerThread];   // positions, or kNone; on several ranks
	u32 label[kEdgesPerThread]; // of the parent of those
};

// Takes places for the far ones in their owners' bins.
__device__ inline void count_far(const World &w, const Bins &bins, const Reached &reached, u32 (&slot)[kEdgesPerThread]) {
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++)
		if (reached.far[j] != kNone) slot[j] = atomicAdd(&bins.count[rank_of_position(w, reached.far[j])], 1);
}

// Reserves room for the block's pairs in the inboxes.
__device__ inline void reserve_far(const World &w, const Bins &bins, ull *sent) {
	for (u32 r = threadIdx.x; r < w.ranks; r += kThreads)
		if (bins.count[r]) {
			bins.base[r] = atomicAdd(sent + r, (ull)bins.count[r]);
			bins.count[r] = 0;
		}
}

// Writes the pairs into their owners' inboxes.
__device__ inline void send_far(const World &w, const Bins &bins, u32 round, const Reached &reached, const u32 (&slot)[kEdgesPerThread]) {
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++)
		if (reached.far[j] != kNone) {
			const u32 r = rank_of_position(w, reached.far[j]);
			outbox_of(w, r, round)[bins.base[r] + slot[j]] = (u64)reached.label[j] << 32 | hub_of_position(w, reached.far[j]);
		}
}

// Adds each thread's claimed vertices to the queue, in any order, and on several ranks sends the pairs for others.
template <bool kFar>
__device__ inline void push(const World &w, const Bins &bins, TopDownShared &sh, const Reached &reached, u32 *queue, ull *queued, u32 round, ull *sent) {
	const u32 lane = threadIdx.x & 31;
	u32 slot[kEdgesPerThread], far_slot[kEdgesPerThread];
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++) {
		const u32 won = __ballot_sync(~0u, reached.own[j] != kNone);
		u32 base = 0;
		if (won && lane == 0) base = atomicAdd(&sh.claimed, __popc(won));
		slot[j] = __shfl_sync(~0u, base, 0) + __popc(won & ((1u << lane) - 1));
	}
	if (kFar) count_far(w, bins, reached, far_slot);
	__syncthreads();
	if (threadIdx.x == 0 && sh.claimed) {
		sh.base = atomicAdd(queued, (ull)sh.claimed);
		sh.claimed = 0; // for the next chunk
	}
	if (kFar) reserve_far(w, bins, sent);
	__syncthreads();
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++)
		if (reached.own[j] != kNone) queue[sh.base + slot[j]] = reached.own[j];
	if (kFar) send_far(w, bins, round, reached, far_slot);
	__syncthreads();
}

// Claims the vertices at these positions that are not visited: bit by bit, since two edges may lead to the same one. On
// several ranks the bit of another rank's vertex is a record that its owner knows, or is being told.
__device__ inline void claim(const u32 (&to)[kEdgesPerThread], u32 *visited, bool (&won)[kEdgesPerThread]) {
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++) won[j] = to[j] != kNone && !(__ldcg(visited + word_of(to[j])) >> bit_of(to[j]) & 1);
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++) {
		const u32 bit = 1u << bit_of(to[j]);
		won[j] = won[j] && !(atomicOr(visited + word_of(to[j]), bit) & bit);
	}
}

// Gives an own vertex its parent. After a bottom-up level (tail) it is marked as not reached by its first neighbour.
__device__ inline void give_parent(const State &s, u32 v, u32 label, bool tail) {
	s.parent[v] = label;
	if (tail) atomicOr(s.by_other + word_of(v), 1u << bit_of(v));
}

// Tells own vertices from others among those that the thread has claimed. Two parents of one level may compete: either
// is right.
template <bool kMany>
__device__ inline Reached sort_out(const Columns &g, const State &s, const World &w, const FrontierEdge (&edge)[kEdgesPerThread],
                                   const bool (&won)[kEdgesPerThread], bool tail) {
	Reached reached;
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++) {
		reached.own[j] = reached.far[j] = kNone;
		if (!won[j]) continue;
		const u32 label = __ldg(g.labels + edge[j].from);
		if (!kMany || rank_of_position(w, edge[j].to) == w.rank) {
			reached.own[j] = kMany ? edge[j].to - w.base : edge[j].to;
			give_parent(s, reached.own[j], label, tail);
		} else {
			reached.far[j] = edge[j].to;
			reached.label[j] = label;
		}
	}
	return reached;
}

// The edges that leave the thread's own vertices.
__device__ inline u64 degrees(const Columns &g, const u32 (&own)[kEdgesPerThread]) {
	u64 sum = 0;
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++)
		if (own[j] != kNone) sum += g.rows[own[j] + 1] - g.rows[own[j]];
	return sum;
}

// A guess at the edges that leave other ranks' vertices: hub ids go by degree on every rank, so that this rank's vertex of
// the same id has about as many.
__device__ inline u64 degrees_afar(const Columns &g, const World &w, const u32 (&far)[kEdgesPerThread]) {
	u64 sum = 0;
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++)
		if (far[j] != kNone) {
			const u32 hub = hub_of_position(w, far[j]);
			sum += hub < g.hubs ? g.rows[hub + 1] - g.rows[hub] : 1;
		}
	return sum;
}

__device__ inline void add_up(u64 sum, ull *to) {
	for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
	if ((threadIdx.x & 31) == 0 && sum) atomicAdd(to, (ull)sum);
}

// The part [begin, end) of the edges of the queue numbered from, which is laid out; the claimed go to the other one.
// Reads per edge 4 B column and a sector of the bitmap; writes per claimed vertex one atomicOr, 4 B parent, 4 B queue,
// or, if it is another rank's, 8 B to its owner. On several ranks it may look ahead to the edges of the next level.
template <bool kMany>
__device__ __noinline__ void expand_queue(const Columns &g, const State &s, const World &w, const Bins &bins, TopDownShared &sh, int from, const u64 *offsets,
                                          u32 n, u64 laid, u64 begin, u64 end, u32 *visited, bool tail, Counters *next, u32 round, ull *sent, ull *outlook) {
	u64 edges = 0, ahead = 0;
	if (threadIdx.x == 0) sh.claimed = 0;
	for (u64 e0 = begin + (u64)blockIdx.x * kChunk; e0 < end; e0 += (u64)gridDim.x * kChunk) {
		FrontierEdge edge[kEdgesPerThread];
		bool won[kEdgesPerThread];
		u32 to[kEdgesPerThread];
		load_edges<false>(g, w, sh, s.queue[from], offsets, n, laid, e0, min(e0 + kChunk, end), edge);
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) to[j] = edge[j].to;
		claim(to, visited, won);
		const Reached reached = sort_out<kMany>(g, s, w, edge, won, tail);
		const u64 more = kMany ? degrees(g, reached.own) : 0, afar = kMany && outlook ? degrees_afar(g, w, reached.far) : 0;
		push<kMany>(w, bins, sh, reached, s.queue[from ^ 1], &next->queued, round, sent);
		edges += more;
		ahead += more + afar;
	}
	if (kMany) add_up(edges, &next->queued_edges);
	if (kMany && outlook) add_up(ahead, outlook);
}

// Finds the rank whose pairs number i is among, given the number of pairs up to and including each rank's.
__device__ inline u32 sender_of(const u32 *upto, u32 ranks, u32 i) {
	u32 low = 0, high = ranks - 1;
	while (low < high) {
		const u32 middle = (low + high) / 2;
		if (upto[middle] > i) high = middle;
		else low = middle + 1;
	}
	return low;
}

// The pair with this number among all that have come in a round.
__device__ inline u64 pair_at(const World &w, const Bins &bins, u32 round, u32 i) {
	const u32 from = sender_of(bins.upto, w.ranks, i);
	return __ldcv((const ull *)inbox_of(w, from, round) + (i - (from ? bins.upto[from - 1] : 0)));
}

// Claims the vertices of the pairs that have come from other ranks.
// Reads 8 B a pair.
__device__ __noinline__ void receive_pairs(const Columns &g, const State &s, const World &w, const Bins &bins, TopDownShared &sh, u32 *visited, bool tail,
                                           u32 *queue, Counters *next, u32 round) {
	const u32 total = bins.upto[w.ranks - 1];
	u64 edges = 0;
	if (threadIdx.x == 0) sh.claimed = 0;
	__syncthreads();
	for (u64 i0 = (u64)blockIdx.x * kChunk; i0 < total; i0 += (u64)gridDim.x * kChunk) {
		u32 to[kEdgesPerThread];
		Reached reached;
		bool won[kEdgesPerThread];
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const u64 i = i0 + j * kThreads + threadIdx.x;
			to[j] = kNone;
			if (i >= total) continue;
			const u64 pair = pair_at(w, bins, round, (u32)i);
			to[j] = w.base + (u32)pair;
			reached.label[j] = pair >> 32;
		}
		claim(to, visited, won);
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			reached.own[j] = won[j] ? to[j] - w.base : kNone;
			if (won[j]) give_parent(s, reached.own[j], reached.label[j], tail);
		}
		const u64 more = degrees(g, reached.own);
		push<false>(w, bins, sh, reached, queue, &next->queued, 0, nullptr);
		edges += more;
	}
	add_up(edges, &next->queued_edges);
}

// Lists the vertices that the last bottom-up level found, for a top-down level that follows it.
__device__ __noinline__ void rebuild_queue(const Columns &g, TopDownShared &sh, const u32 *visited, const u32 *before, u32 *queue, ull *queued) {
	const u32 words = g.padded / 32;
	for (u32 i0 = blockIdx.x * kThreads; i0 < words; i0 += gridDim.x * kThreads) {
		const u32 i = i0 + threadIdx.x;
		u32 fresh = i < words ? visited[i] & ~before[i] : 0;
		u64 at, sum;
		BlockSum(sh.scan).ExclusiveSum(__popc(fresh), at, sum);
		if (threadIdx.x == 0 && sum) sh.base = atomicAdd(queued, (ull)sum);
		__syncthreads();
		for (at += sh.base; fresh; fresh &= fresh - 1) queue[at++] = vertex_at(i, __ffs(fresh) - 1);
		__syncthreads();
	}
}

} // namespace g500
