// Which edges lead to a vertex by its first neighbour. A level that marks leaves them out: the vertex's owner looks at its first
// neighbour anyway, and finds most of what such a level leads to by that alone. Derived once, as part of kernel 1.
#include "search/firsts.cuh"

namespace g500 {

namespace {

constexpr int kBlock = 256;
constexpr u32 kRunEdges = 1024; // that a warp looks at

// The first neighbours of a rank's vertices, by hub id. One thread a vertex.
__global__ void fetch_firsts_kernel(const u64 *rows, const u32 *cols, u32 hubs, u32 *first) {
	const u32 v = blockIdx.x * kBlock + threadIdx.x;
	if (v < hubs) first[v] = cols[rows[v]];
}

// Sets the bits of edges to a rank's vertices whose first neighbour is the vertex that the edge leaves: first has their first
// neighbours, by hub id. Reads 4 B column and a sector of first an edge.
__global__ void find_firsts_kernel(const __grid_constant__ Columns g, u32 base, u32 rank, u32 shift, u32 mask, const u32 *first, u32 *firsts) {
	const u32 lane = threadIdx.x & 31;
	const u64 begin = ((u64)blockIdx.x * kBlock + threadIdx.x) / 32 * kRunEdges, end = min(begin + kRunEdges, g.edges);
	if (begin >= end) return;
	u32 v = find_vertex(g.rows, g.hubs, begin);
	for (u64 e0 = begin; e0 < end; e0 += 32) {
		const u64 e = e0 + lane;
		while (v + 1 < g.hubs && g.rows[v + 1] <= e) v++;
		const u32 to = e < end ? g.cols[e] : kNone;
		const bool ours = to != kNone && (mask == ~0u || to >> shift == rank);
		const u32 bits = __ballot_sync(~0u, ours && first[to & mask] == base + v);
		if (lane == 0 && bits) firsts[e0 / 32] |= bits;
	}
}

} // namespace

int find_firsts(const Columns &g, const World &w, const g500_world &known, u32 *buffer, u32 *firsts, cudaStream_t stream) {
	const u32 mask = w.ranks > 1 ? (1u << w.shift) - 1 : ~0u;
	G500_TRY(cudaMemsetAsync(firsts, 0, (g.edges + 31) / 32 * sizeof(u32), stream));
	for (u32 r = 0; r < w.ranks; r++) {
		const u32 hubs = w.ranks > 1 ? known.vertices[r] : g.hubs;
		const u64 *rows = w.ranks > 1 ? (const u64 *)known.rows[r] : g.rows;
		const u32 *cols = w.ranks > 1 ? (const u32 *)known.cols[r] : g.cols;
		if (hubs == 0) continue;
		G500_LAUNCH(fetch_firsts_kernel<<<blocks_for(hubs, kBlock), kBlock, 0, stream>>>(rows, cols, hubs, buffer));
		const u32 blocks = blocks_for(blocks_for(g.edges, kRunEdges) * 32ull, kBlock);
		G500_LAUNCH(find_firsts_kernel<<<blocks, kBlock, 0, stream>>>(g, w.base, r, w.shift, mask, buffer, firsts));
	}
	return cudaSuccess;
}

} // namespace g500
