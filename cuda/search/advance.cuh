// SPDX-License-Identifier: Apache-2.0

// Distribution of a frontier's edges over blocks. The vertices of the queue get a prefix sum of their degrees (Merrill
// et al., PPoPP 2012). Blocks then take chunks of equally many edges and find the edges' vertices by binary search.
#pragma once

#include "common/block.cuh"
#include "common/push.cuh"
#include "common/ranks.cuh"
#include "search/graph.cuh"

namespace g500 {

constexpr int kSmallQueue = 2 * kThreads; // of at most this many vertices, each block numbers the edges itself

// Shared memory of the block. It is small because shared memory reduces the L1 cache, which bottom-up levels need.
struct AdvanceShared {
	BlockSum scan;
	u64 base;
	u32 first;                // place in the queue of the chunk's first vertex
	uint16_t starts[kChunk];  // edges of the chunk before the edges of each vertex
	u64 offsets[kSmallQueue]; // of a small queue: edges of the vertices before each one
};

// EdgeQueue is a queue with numbered edges. A vertex is a local id, or in a replicated frontier a global id.
struct EdgeQueue {
	const u32 *vertices;
	const u64 *offsets; // edges of the vertices before each one
	u32 n;
	u64 edges;
};

// An edge of a tile: from a frontier vertex to a neighbour, kNone beyond the last edge.
template <typename Id, typename From = u32>
struct EdgeOf {
	From from;
	Id to;
};
using Edge = EdgeOf<u32>;

// RowsOf accesses the rows of a frontier's vertices. In a replicated frontier vertices have global ids, and a row may
// be in a peer's memory. The functions that distribute edges accept any type with Edge, length, begin, edge and none.
template <bool kReplicated, typename Form>
struct RowsOf {
	using Id = typename Form::Id;
	using Edge = EdgeOf<Id>;
	using Neighbours = typename Form::Neighbours;

	const Graph &g;
	const Ranks &ranks;

	__device__ inline u64 length(u32 v) const { return row(v).n; }
	__device__ inline Neighbours begin(u32 v) const { return row(v).cols; }
	__device__ inline Edge edge(u32 v, Neighbours col) const { return {v, load_global_id(col)}; }
	__device__ inline Edge none() const { return {0, kNoId<Id>}; }

	__device__ inline Row<Neighbours> row(u32 v) const {
		if constexpr (kReplicated)
			return row_in<Form>(g, ranks.graphs[rank_of_id(ranks, v)], local_id_in(ranks, v));
		else return row_of<Form>(g, v);
	}
};

// Numbering is the input and output of number_edges.
struct Numbering {
	const u32 *from;
	u32 n;
	u32 *to;
	u64 *offsets;
	ull *numbered; // (vertices, edges) numbered so far by all blocks
};

// Stores the number of each vertex's first edge. Vertices without edges are left out, because a chunk of edges must not
// have more vertices than edges. Reads 4 B of queue and two 8 B row offsets per vertex, writes 12 B. The prefix sum is
// unordered (Busato and Bombieri, 2015): one atomic per block reserves places and edge numbers, so the order of the
// blocks' vertices varies.
template <typename Rows>
__device__ __noinline__ void number_edges(const Rows rows, AdvanceShared &sh, const Numbering queue) {
	for (u32 i0 = blockIdx.x * kThreads; i0 < queue.n; i0 += gridDim.x * kThreads) {
		const u32 i = i0 + threadIdx.x;
		const u32 v = i < queue.n ? queue.from[i] : 0;
		const u64 degree = i < queue.n ? rows.length(v) : 0;
		u64 before, sum;
		block_scan(sh.scan, degree > 0 ? (1ull << kEdgeBits) + degree : 0, before, sum);
		if (threadIdx.x == 0) sh.base = atomicAdd(queue.numbered, (ull)sum);
		__syncthreads();
		if (degree > 0) {
			const u64 at = sh.base + before;
			queue.to[at >> kEdgeBits] = v;
			queue.offsets[at >> kEdgeBits] = at & kEdgeMask;
		}
		__syncthreads();
	}
}

// Numbers the edges of a small queue in the shared memory of every block, which costs less than a grid barrier. Returns
// the number of edges.
template <typename Rows>
__device__ __noinline__ u64 number_few_edges(const Rows rows, AdvanceShared &sh, const u32 *queue, u32 n) {
	constexpr int kEach = kSmallQueue / kThreads;
	u64 degree[kEach], own = 0, before, sum;
#pragma unroll
	for (int j = 0; j < kEach; j++) {
		const u32 i = threadIdx.x * kEach + j;
		const u32 v = i < n ? queue[i] : 0;
		own += degree[j] = i < n ? rows.length(v) : 0;
	}
	block_scan(sh.scan, own, before, sum);
#pragma unroll
	for (int j = 0; j < kEach; before += degree[j++]) sh.offsets[threadIdx.x * kEach + j] = before;
	__syncthreads();
	return sum;
}

// Returns the last place in offsets[0, n) whose value is at most edge. A warp makes 32 probes per step.
__device__ inline u32 find_vertex(const u64 *offsets, u32 n, u64 edge) {
	const u32 lane = lane_of_thread();
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

// Returns the beginning of the block's first chunk. Its other chunks follow at a distance of one chunk of every block.
__device__ inline u64 first_chunk() { return (u64)blockIdx.x * kChunk; }

// ByBlock distributes the edges of a queue over blocks by chunks, and over their threads by tiles of kEdgesPerThread.
// If kAlone, the block has the queue alone. Reads 4 B of neighbour per edge.
template <typename Rows, bool kAlone = false>
struct ByBlock {
	using Edge = typename Rows::Edge;

	const Rows rows;
	AdvanceShared &sh;
	const EdgeQueue queue;
	u64 chunk; // beginning of the block's next chunk

	__device__ ByBlock(const Rows &rows, AdvanceShared &sh, const EdgeQueue &queue, u64 chunk = first_chunk())
		: rows(rows), sh(sh), queue(queue), chunk(chunk) {}

	// Loads this thread's tile of the block's next chunk. Returns false, in all threads of the block, if there is none.
	// If the chunk is inside one row, no search is necessary. Otherwise its part of the prefix sum is copied to shared
	// memory, where each thread searches for the vertices of its edges.
	__device__ inline bool next(Edge (&tile)[kEdgesPerThread]) {
		const u64 e0 = chunk, e1 = min(e0 + kChunk, queue.edges);
		if (e0 >= queue.edges) return false;
		chunk += stride();
		if (threadIdx.x < 32) {
			const u32 at = find_vertex(queue.offsets, queue.n, e0);
			if (threadIdx.x == 0) sh.first = at;
		}
		__syncthreads();
		const u32 first = sh.first;
		const u32 count = min((u64)kChunk, (u64)(queue.n - first));
		const u64 begin = queue.offsets[first];
		const u64 row_end = count > 1 ? queue.offsets[first + 1] : queue.edges;
		if (row_end >= e1) load_from_row(first, e0 - begin, (u32)(e1 - e0), tile);
		else load_from_rows(first, count, e0, e1, tile);
		return true;
	}

	// Makes the block process its last chunk again.
	__device__ inline void repeat() { chunk -= stride(); }

private:
	__device__ static inline u64 stride() { return kAlone ? kChunk : (u64)gridDim.x * kChunk; }

	// Loads n edges of one vertex, from place `at` of its row.
	__device__ inline void load_from_row(u32 first, u64 at, u32 n, Edge (&tile)[kEdgesPerThread]) {
		const auto v = queue.vertices[first];
		const auto row = rows.begin(v) + at;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const u32 k = j * kThreads + threadIdx.x;
			tile[j] = k < n ? rows.edge(v, row + k) : rows.none();
		}
	}

	// Loads edges [e0, e1), which belong to places [first, first + count) of the queue.
	__device__ inline void load_from_rows(u32 first, u32 count, u64 e0, u64 e1, Edge (&tile)[kEdgesPerThread]) {
		for (u32 i = threadIdx.x; i < count; i += kThreads) {
			const u64 start = queue.offsets[first + i];
			sh.starts[i] = start <= e0 ? 0 : (uint16_t)min(start - e0, (u64)kChunk);
		}
		__syncthreads();
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const u32 k = j * kThreads + threadIdx.x;
			tile[j] = rows.none();
			if (e0 + k < e1) {
				u32 low = 0, high = count;
				while (high - low > 1) {
					const u32 middle = (low + high) / 2;
					if (sh.starts[middle] <= k) low = middle;
					else high = middle;
				}
				const auto v = queue.vertices[first + low];
				const u64 at = e0 + k - queue.offsets[first + low];
				tile[j] = rows.edge(v, rows.begin(v) + at);
			}
		}
	}
};

} // namespace g500
