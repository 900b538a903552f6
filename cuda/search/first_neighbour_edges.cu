// Edges to vertices by their first neighbour. A level that pushes into a bitmap skips them: a vertex's owner tests its
// first neighbour in any case, which finds most of the new vertices. Derived once, as part of kernel 1 (ADR 13).
#include "search/first_neighbour_edges.cuh"

#include <algorithm>

#include "common/check.cuh"
#include "search/advance.cuh"

namespace g500 {

namespace {

constexpr int kBlock = 256;
constexpr u32 kRunEdges = 1024; // edges per warp

// Copies the first neighbours of a rank's vertices, by local id; kNone if there is none. One thread per vertex.
__global__ void fetch_first_neighbours_kernel(const u64 *rows, const u32 *cols, u32 vertices, u32 *first) {
	const u32 v = blockIdx.x * kBlock + threadIdx.x;
	if (v < vertices) first[v] = rows[v] < rows[v + 1] ? cols[rows[v]] : kNone;
}

// FirstNeighbours are the first neighbours of one rank's vertices, by local id.
struct FirstNeighbours {
	const u32 *first;
	u32 rank, shift;
	u32 mask; // of the local id in a global id
	u32 base; // global id of local id 0 of the rank whose edges are tested
};

// Sets the bits of edges whose end has the edge's source as first neighbour. Reads 4 B of neighbour and a sector of
// `first` per edge.
__global__ void find_edges_kernel(const __grid_constant__ Graph g, FirstNeighbours ends, u32 *bits) {
	const u32 lane = lane_of_thread();
	const u64 begin = ((u64)blockIdx.x * kBlock + threadIdx.x) / 32 * kRunEdges, end = min(begin + kRunEdges, g.edges);
	if (begin >= end) return;
	u32 v = find_vertex(g.rows, g.non_leaf, begin);
	for (u64 e0 = begin; e0 < end; e0 += 32) {
		const u64 e = e0 + lane;
		while (v + 1 < g.non_leaf && g.rows[v + 1] <= e) v++;
		const u32 to = e < end ? g.cols[e] : kNone;
		const bool there = to != kNone && to >> ends.shift == ends.rank;
		const u32 found = __ballot_sync(~0u, there && ends.first[to & ends.mask] == ends.base + v);
		if (lane == 0 && found) bits[e0 / 32] |= found;
	}
}

} // namespace

int find_first_neighbour_edges(const Graph &g, const Ranks &ranks, const g500_ranks &known, u32 *buffer, u32 *bits,
                               cudaStream_t stream) {
	const u32 mask = (1u << ranks.shift) - 1;
	const u32 blocks = blocks_for(blocks_for(g.edges, kRunEdges) * 32ull, kBlock);
	G500_TRY(cudaMemsetAsync(bits, 0, (g.edges + 31) / 32 * sizeof(u32), stream));
	for (u32 r = 0; r < ranks.count; r++) {
		const u32 vertices = std::min(known.non_isolated_of[r], g.first_leaf);
		const u64 *rows = (const u64 *)known.rows[r];
		const u32 *cols = (const u32 *)known.cols[r];
		if (vertices == 0) continue;
		const Launch by_vertex{blocks_for(vertices, kBlock), kBlock, stream}, by_run{blocks, kBlock, stream};
		G500_LAUNCH(fetch_first_neighbours_kernel, by_vertex, rows, cols, vertices, buffer);
		const FirstNeighbours ends{buffer, r, ranks.shift, mask, (u32)ranks.base};
		G500_LAUNCH(find_edges_kernel, by_run, g, ends, bits);
	}
	return cudaSuccess;
}

} // namespace g500
