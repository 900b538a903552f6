#include "sssp/tile_order.cuh"

namespace g500::sssp {

namespace {

// find_tiles: the tile of each vertex' label.
// Map:    one thread a vertex. Reads: 4 B a vertex. Writes: 4 B a vertex.
__global__ void find_tiles_kernel(const __grid_constant__ Graph g, u32 ranks, u32 *tile) {
	const u32 v = blockIdx.x * kThreads + threadIdx.x;
	if (v < g.hubs) tile[v] = g.labels[g.base + v] / ranks / kTile;
}

// describe_tiles: where a tile's vertices begin, and where those of trees among them do.
// Map:    one thread a tile, and one for their end. Reads: 8 B and a binary search in 4 KB a tile. Writes: 8 B a tile.
__global__ void describe_tiles_kernel(u32 in_core, u32 tiles, const u32 *start, const u32 *hub, uint2 *described) {
	const u32 t = blockIdx.x * kThreads + threadIdx.x;
	if (t > tiles) return;
	u32 low = start[t], high = t < tiles ? start[t + 1] : low;
	while (low < high) {
		const u32 middle = low + (high - low) / 2;
		if (hub[middle] < in_core) low = middle + 1;
		else high = middle;
	}
	described[t] = make_uint2(start[t], low);
}

// Columns are what TileOrder has of each vertex.
struct Columns {
	u32 *vertex;
	float *weight;
	u32 *first_end;
	uint16_t *code;
};

// fill: what the result reads of each vertex, in the order by tile.
// Map:    one thread a vertex. Reads: 4 B a vertex, and 16 B at random. Writes: 14 B a vertex.
__global__ void fill_kernel(const __grid_constant__ Graph g, u32 ranks, const u32 *hub, Columns to) {
	const u32 place = blockIdx.x * kThreads + threadIdx.x;
	if (place >= g.hubs) return;
	const u32 v = hub[place];
	const bool in_core = v < g.in_core;
	const Column first = in_core ? FirstEdges(g, v).of[0] : g.above(v);
	to.vertex[place] = in_core ? v : first.position;
	to.weight[place] = first.weight;
	to.first_end[place] = first.position == kNone ? kNone : g.labels[first.position];
	to.code[place] = (uint16_t)(g.labels[g.base + v] / ranks % kTile);
}

} // namespace

int TileOrderStore::derive(const Graph &g, u32 ranks, cudaStream_t stream) {
	const u32 tiles = tiles_of(g.owned);
	const Launch by_vertex{blocks_for(g.hubs, kThreads), kThreads, stream};
	const Launch by_tile{blocks_for(tiles + 1, kThreads), kThreads, stream};
	SortedByPart sorted;
	Array<u32> tile;
	G500_TRY(tile.alloc(g.hubs));
	if (g.hubs > 0) G500_LAUNCH(find_tiles_kernel, by_vertex, g, ranks, tile.get());
	if (const int code = sorted.sort(tile, g.hubs, tiles, stream)) return code;
	tile.free();
	sorted.part.free();
	G500_TRY(start_.alloc(tiles + 1));
	G500_TRY(vertex_.alloc(g.hubs));
	G500_TRY(weight_.alloc(g.hubs));
	G500_TRY(first_end_.alloc(g.hubs));
	G500_TRY(code_.alloc(g.hubs));
	const u32 *const hub = sorted.hub;
	G500_LAUNCH(describe_tiles_kernel, by_tile, g.in_core, tiles, sorted.start.get(), hub, start_.get());
	if (g.hubs > 0) {
		const Columns columns{vertex_, weight_, first_end_, code_};
		G500_LAUNCH(fill_kernel, by_vertex, g, ranks, hub, columns);
	}
	return cudaStreamSynchronize(stream); // before what is sorted goes
}

} // namespace g500::sssp
