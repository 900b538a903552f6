// Top-down levels: each vertex of the queue claims its unvisited neighbours.
// Source: Merrill et al. (PPoPP 2012) for sharing work out by edges; Busato and Bombieri (2015) for a prefix sum
// whose order does not matter, so that one atomic a block reserves slots and edge numbers together.
#pragma once

#include <cub/block/block_scan.cuh>

#include "search.cuh"

namespace g500 {

constexpr int kEdgesPerThread = 2;
constexpr u32 kChunk = kThreads * kEdgesPerThread; // edges that a block expands at a time
constexpr int kSmallQueue = 2 * kThreads;          // vertices that each block lays out for itself
constexpr u64 kEdgeMask = (1ull << 40) - 1;        // low part of a packed (vertices, edges) sum

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

// Gives each vertex of the queue the number of its first edge. Reads 4 B queue and two 8 B row offsets a vertex,
// writes 12 B. The order of the queue changes from block to block.
__device__ __noinline__ void lay_out_queue(const Columns &g, TopDownShared &sh, const u32 *from, u32 n, u32 *to, u64 *offsets, ull *laid) {
	for (u32 i0 = blockIdx.x * kThreads; i0 < n; i0 += gridDim.x * kThreads) {
		const u32 i = i0 + threadIdx.x;
		const u32 v = i < n ? from[i] : 0;
		const u64 degree = i < n ? g.rows[v + 1] - g.rows[v] : 0;
		u64 before, sum;
		BlockSum(sh.scan).ExclusiveSum(i < n ? (1ull << 40) + degree : 0, before, sum);
		if (threadIdx.x == 0) sh.base = atomicAdd(laid, (ull)sum);
		__syncthreads();
		if (i < n) {
			const u64 at = sh.base + before;
			to[at >> 40] = v;
			offsets[at >> 40] = at & kEdgeMask;
		}
		__syncthreads();
	}
}

// Lays a small queue out in shared memory, in every block alike: that costs less than a grid barrier. Returns the
// number of its edges.
__device__ __noinline__ u64 lay_out_small_queue(const Columns &g, TopDownShared &sh, const u32 *queue, u32 n) {
	constexpr int kEach = kSmallQueue / kThreads;
	u64 degree[kEach], before[kEach], sum;
#pragma unroll
	for (int j = 0; j < kEach; j++) {
		const u32 i = threadIdx.x * kEach + j;
		const u32 v = i < n ? queue[i] : 0;
		degree[j] = i < n ? g.rows[v + 1] - g.rows[v] : 0;
	}
	BlockSum(sh.scan).ExclusiveSum(degree, before, sum);
#pragma unroll
	for (int j = 0; j < kEach; j++) sh.offsets[threadIdx.x * kEach + j] = before[j];
	__syncthreads();
	return sum;
}

// Finds the last place in offsets[0, n) that is not above edge, with one warp: 32 probes a round.
__device__ inline u32 find_vertex(const u64 *offsets, u32 n, u64 edge) {
	const u32 lane = threadIdx.x & 31;
	u32 low = 0, high = n;
	while (high - low > 1) {
		const u32 step = (high - low + 31) / 32;
		const u32 at = low + step * lane;
		const u32 below = __ballot_sync(~0u, at < high && offsets[at] <= edge);
		low += step * (31 - __clz(below));
		high = min(high, low + step);
	}
	return low;
}

// One edge of the chunk: the frontier vertex that it leaves, and where it leads (kNone beyond the end).
struct FrontierEdge {
	u32 from, to;
};

// Loads this thread's edges of the chunk [e0, e1). A chunk inside one row needs no search; else the part of the
// queue that it covers is copied to shared memory, where each thread finds its edges' vertices.
__device__ void load_edges(const Columns &g, TopDownShared &sh, const u32 *queue, const u64 *offsets, u32 n, u64 laid, u64 e0, u64 e1,
                           FrontierEdge (&edge)[kEdgesPerThread]) {
	if (threadIdx.x < 32) {
		const u32 at = find_vertex(offsets, n, e0);
		if (threadIdx.x == 0) sh.first = at;
	}
	if (threadIdx.x == 0) sh.claimed = 0;
	__syncthreads();
	const u32 first = sh.first;
	const u32 count = min((u64)kChunk, (u64)(n - first));
	const u64 begin = offsets[first];
	if ((count > 1 ? offsets[first + 1] : laid) >= e1) {
		const u32 v = queue[first];
		const u32 *row = g.cols + g.rows[v] + (e0 - begin);
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
			edge[j] = {v, __ldg(g.cols + g.rows[v] + (e0 + k - offsets[first + low]))};
		}
	}
}

// Adds each thread's claimed vertices (kNone where it has none) to the queue, in any order.
__device__ inline void push(TopDownShared &sh, const u32 (&claimed)[kEdgesPerThread], u32 *queue, ull *queued) {
	const u32 lane = threadIdx.x & 31;
	u32 slot[kEdgesPerThread];
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++) {
		const u32 won = __ballot_sync(~0u, claimed[j] != kNone);
		u32 base = 0;
		if (won && lane == 0) base = atomicAdd(&sh.claimed, __popc(won));
		slot[j] = __shfl_sync(~0u, base, 0) + __popc(won & ((1u << lane) - 1));
	}
	__syncthreads();
	if (threadIdx.x == 0 && sh.claimed) sh.base = atomicAdd(queued, (ull)sh.claimed);
	__syncthreads();
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++)
		if (claimed[j] != kNone) queue[sh.base + slot[j]] = claimed[j];
	__syncthreads();
}

// Claims this thread's unvisited edge ends and gives them their parents; claimed[j] is kNone for the others. Two
// parents of one level may compete: either is right. After a bottom-up level (tail) the claimed are marked as not
// reached by their first neighbour.
__device__ inline void claim(const Columns &g, const State &s, const FrontierEdge (&edge)[kEdgesPerThread], u32 *visited, bool tail,
                             u32 (&claimed)[kEdgesPerThread]) {
	bool open[kEdgesPerThread];
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++)
		open[j] = edge[j].to != kNone && !(__ldcg(visited + word_of(edge[j].to)) >> bit_of(edge[j].to) & 1);
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++) {
		const u32 bit = 1u << bit_of(edge[j].to);
		claimed[j] = open[j] && !(atomicOr(visited + word_of(edge[j].to), bit) & bit) ? edge[j].to : kNone;
	}
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++)
		if (claimed[j] != kNone) {
			s.parent[claimed[j]] = __ldg(g.labels + edge[j].from);
			if (tail) atomicOr(s.by_other + word_of(claimed[j]), 1u << bit_of(claimed[j]));
		}
}

// A top-down level over the queue numbered from, which is laid out; the claimed go to the other one. Reads per edge
// 4 B column and a sector of the bitmap; writes per claimed vertex one atomicOr, 4 B parent, 4 B queue.
__device__ __noinline__ void expand_queue(const Columns &g, const State &s, TopDownShared &sh, int from, const u64 *offsets, u32 n, u64 edges, u32 *visited, bool tail,
                                          ull *queued) {
	for (u64 e0 = (u64)blockIdx.x * kChunk; e0 < edges; e0 += (u64)gridDim.x * kChunk) {
		FrontierEdge edge[kEdgesPerThread];
		u32 claimed[kEdgesPerThread];
		load_edges(g, sh, s.queue[from], offsets, n, edges, e0, min(e0 + kChunk, edges), edge);
		claim(g, s, edge, visited, tail, claimed);
		push(sh, claimed, s.queue[from ^ 1], queued);
	}
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
