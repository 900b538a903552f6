#include "sssp/tile_order.cuh"

namespace g500::sssp {

namespace {

// find_tiles: the tile of each vertex' label.
// Map:    one thread a vertex. Reads: 4 B a vertex. Writes: 4 B a vertex.
__global__ void find_tiles_kernel(const __grid_constant__ Graph g, u32 ranks, u32 *tile) {
	const u32 v = blockIdx.x * kThreads + threadIdx.x;
	if (v < g.hubs) tile[v] = g.labels[g.base + v] / ranks / kTile;
}

// fill: what the result reads of each vertex, in the order by tile.
// Map:    one thread a vertex. Reads: 4 B a vertex, and 12 B at random. Writes: 6 B a vertex.
__global__ void fill_kernel(const __grid_constant__ Graph g, u32 ranks, const u32 *hub, u32 *first, uint16_t *code) {
	const u32 place = blockIdx.x * kThreads + threadIdx.x;
	if (place >= g.hubs) return;
	const u32 v = hub[place], end = v < g.in_core ? g.first[v].x : g.above(v).position;
	first[place] = end == kNone ? kNone : g.labels[end];
	code[place] = (uint16_t)(g.labels[g.base + v] / ranks % kTile);
}

} // namespace

int TileOrderStore::derive(const Graph &g, u32 ranks, cudaStream_t stream) {
	const Launch by_vertex{blocks_for(g.hubs, kThreads), kThreads, stream};
	Array<u32> tile;
	G500_TRY(tile.alloc(g.hubs));
	G500_TRY(first_.alloc(g.hubs));
	G500_TRY(code_.alloc(g.hubs));
	if (g.hubs > 0) G500_LAUNCH(find_tiles_kernel, by_vertex, g, ranks, tile.get());
	if (const int code = sorted_.sort(tile, g.hubs, tiles_of(g.owned), stream)) return code;
	if (g.hubs > 0) G500_LAUNCH(fill_kernel, by_vertex, g, ranks, sorted_.hub.get(), first_.get(), code_.get());
	sorted_.part.free();
	return cudaStreamSynchronize(stream);
}

} // namespace g500::sssp
