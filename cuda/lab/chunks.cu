// SPDX-License-Identifier: Apache-2.0

// The device-wide search of Busato and Bombieri (section 3.3): the edges of a frontier are numbered and cut into chunks
// of equal length. One kernel finds the beginnings of chunks, one gathers their edges, and one filters the ends of the
// edges and numbers the edges of the next frontier.
#include <algorithm>

#include "lab/runner.cuh"

namespace g500::lab {

// Edges of a chunk, so that their vertices fill the shared memory of a block: of 227 KiB of an H100's multiprocessor,
// each of eight blocks has 28 KiB.
constexpr u32 kMostChunk = 1536;

// Numbered is a queue with numbered edges.
struct Numbered {
	const u32 *vertices;
	const u64 *offsets; // number of the first edge of each vertex
	u32 n;
	u64 edges;
};

// ChunkShared has the vertices of a chunk.
struct ChunkShared {
	u32 start[kMostChunk + 1]; // first edge, relative to the chunk
	u32 vertex[kMostChunk + 1];
	u64 column[kMostChunk + 1]; // column of edge 0 of the chunk, extrapolated from the row of the vertex
};

// Returns the last of n indices whose value is at most x.
template <typename T>
__device__ inline u32 last_not_above(const T *values, u32 n, T x) {
	u32 low = 0, high = n;
	while (high - low > 1) {
		const u32 middle = low + (high - low) / 2;
		if (values[middle] <= x) low = middle;
		else high = middle;
	}
	return low;
}

// Returns the last lane whose value is at most x. Values of lanes ascend; lane 0 has at most x (Busato and Bombieri,
// algorithm 1: a uniform binary search, whose table are the steps).
__device__ inline u32 last_lane_not_above(u32 value, u32 x) {
	u32 low = 0;
#pragma unroll
	for (u32 step = 16; step; step /= 2)
		if (__shfl_sync(~0u, value, low + step) <= x) low += step;
	return low;
}

// Kernel A: one thread per chunk finds the vertex of its first edge. Reads log n 8 B offsets, writes 4 B per chunk.
__global__ void __launch_bounds__(kThreads) find_chunks_kernel(Numbered queue, u32 chunk, u32 *chunks) {
	const u64 count = (queue.edges + chunk - 1) / chunk;
	for (u64 c = thread_number<kThreads>(); c < count; c += (u64)gridDim.x * kThreads)
		chunks[c] = last_not_above(queue.offsets, queue.n, c * chunk);
}

// Chunk is a part of the numbered edges; e0 is the number of its first edge.
struct Chunk {
	u32 vertices, edges;
	u64 e0;
};

// Writes the edges of a chunk, in order. A warp takes 32 edges, which leave at most 32 vertices, because each has an
// edge: it finds the first vertex in shared memory, and each lane its own among the lanes.
__device__ inline void gather_chunk(const Level &k, const ChunkShared &sh, Chunk chunk, const Queue &out) {
	const u32 lane = lane_of_thread();
	for (u32 from = threadIdx.x - lane; from < chunk.edges; from += kThreads) {
		const u32 base = last_not_above(sh.start, chunk.vertices, from), e = from + lane;
		const u32 i = base + last_lane_not_above(base + lane < chunk.vertices ? sh.start[base + lane] : kNone, e);
		if (e >= chunk.edges) continue;
		out.vertices[chunk.e0 + e] = __ldg(k.g.cols + sh.column[i] + e);
		if (out.parents) out.parents[chunk.e0 + e] = sh.vertex[i];
	}
}

// Kernel B: one block per chunk gathers its edges into the queue of edges, in order. Reads 4 B of the queue, an offset
// and a row offset per vertex and a column per edge; writes 4 B per edge, 8 B with parents. No races.
__global__ void __launch_bounds__(kThreads) gather_chunks_kernel(Level k, Numbered queue, u32 chunk, const u32 *chunks,
                                                                 Queue out) {
	G500_SHARED_MEMORY(memory);
	ChunkShared &sh = *reinterpret_cast<ChunkShared *>(memory);
	const u64 count = (queue.edges + chunk - 1) / chunk;
	for (u64 c = blockIdx.x; c < count; c += gridDim.x) {
		const u64 e0 = c * chunk;
		const u32 first = chunks[c], last = c + 1 < count ? chunks[c + 1] : queue.n - 1;
		const u32 edges = min(queue.edges - e0, (u64)chunk);
		for (u32 i = threadIdx.x; i <= last - first; i += kThreads) {
			const u64 offset = queue.offsets[first + i];
			const u32 v = queue.vertices[first + i];
			sh.start[i] = offset > e0 ? (u32)(offset - e0) : 0;
			sh.vertex[i] = v;
			sh.column[i] = k.g.rows[v] + e0 - offset;
		}
		__syncthreads();
		gather_chunk(k, sh, {last - first + 1, edges, e0}, out);
		__syncthreads();
	}
}

// Kernel C: filters a queue of edges, and numbers the edges of new vertices. Reads 4 B of the queue and a status per
// edge, two row offsets per new vertex; writes 12 B and the status per new vertex. Races: filter.cuh.
__global__ void __launch_bounds__(kThreads) contract_numbered_kernel(Level k, Frontier in, Queue out) {
	G500_SHARED_MEMORY(memory);
	ExpandShared &sh = *reinterpret_cast<ExpandShared *>(memory);
	ClaimVertex visit(k, sh, out);
	for_tiles(in.size(), [&](u64 i, bool has) {
		visit(has && in.parents ? in.parents[i] : 0, has ? in.vertices[i] : kNone, 0);
	});
	visit.append.finish();
	if (is_first_thread()) k.counters->edges = in.n;
}

// Puts the root into the numbered queue. One thread.
__global__ void number_root_kernel(Level k, u32 *vertices, u64 *offsets) {
	if (threadIdx.x) return;
	offsets[0] = 0;
	const u64 degree = k.g.degree(vertices[0]);
	k.counters->queued[0] = degree ? (1ull << kEdgeBits) + degree : 0;
}

int search_by_chunks(g500_lab *lab) {
	Memory &m = lab->memory;
	const cudaStream_t stream = lab->search.stream;
	const u64 threads = (u64)lab->resident * kThreads;
	const Launch one = {1, 32, stream};
	lab->begin_level();
	LAB_LAUNCH(lab, "number_root_kernel", number_root_kernel, one, lab->level(0), m.vertices[0], m.offsets);
	if (const int code = lab->end_level(1, false)) return code;
	lab->search.levels.clear(); // it is part of the start
	for (u32 depth = 1; lab->seen->queued[0]; depth++) {
		const Numbered in = {m.vertices[0], m.offsets, (u32)(lab->seen->queued[0] >> kEdgeBits),
			lab->seen->queued[0] & kEdgeMask};
		if (in.n > lab->vertex_capacity() || in.edges > lab->edge_capacity()) {
			lab->search.outcome = G500_LAB_QUEUE_FULL;
			return cudaSuccess;
		}
		const u32 chunk = (u32)std::min<u64>((in.edges + threads - 1) / threads * kThreads, kMostChunk);
		const u64 count = (in.edges + chunk - 1) / chunk;
		lab->begin_level();
		LAB_LAUNCH(lab, "find_chunks_kernel", find_chunks_kernel, lab->over(count), in, chunk, m.chunks);
		Launch how = lab->over(count * kThreads);
		how.shared = sizeof(ChunkShared);
		const Queue edges = {m.edges[0], m.edge_parents[0], lab->edge_capacity(), nullptr};
		LAB_LAUNCH(lab, "gather_chunks_kernel", gather_chunks_kernel, how, lab->level(depth), in, chunk, m.chunks, edges);
		const Frontier ends = {m.edges[0], m.edge_parents[0], in.edges, nullptr};
		const Queue next = {m.vertices[0], nullptr, lab->vertex_capacity(), lab->counters.get()->queued, m.offsets};
		LAB_LAUNCH(lab, "contract_numbered_kernel", contract_numbered_kernel, lab->over(in.edges), lab->level(depth), ends,
		           next);
		if (const int code = lab->end_level(in.n, false)) return code;
	}
	return cudaSuccess;
}

} // namespace g500::lab
