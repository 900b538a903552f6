// Columns that a search reads, derived from the graph once, as part of kernel 1.
#include "search/columns.cuh"

#include <algorithm>

#include <cub/device/device_radix_sort.cuh>

namespace g500 {

namespace {

constexpr int kBlock = 256;

__device__ inline u32 thread_number() { return blockIdx.x * kBlock + threadIdx.x; }

Launch one_thread_each(u64 n, cudaStream_t stream) { return {blocks_for(n, kBlock), kBlock, stream}; }

// Neighbours are the columns of first neighbours and of neighbours 2 to 5, kNone where there are fewer.
struct Neighbours {
	u32 *first;
	uint4 *next4;
	u32 *with_second; // the highest hub id with a second neighbour, plus one
};

// One thread a vertex of the core, padding included.
__global__ void lift_neighbours_kernel(const __grid_constant__ Graph g, Neighbours columns) {
	const u32 v = thread_number();
	if (v >= g.padded) return;
	const u64 at = v < g.hubs ? g.rows[v] : 0, end = v < g.hubs ? g.rows[v + 1] : 0;
	u32 first5[5];
#pragma unroll
	for (int k = 0; k < 5; k++) first5[k] = at + k < end ? g.cols[at + k] : kNone;
	columns.first[v] = first5[0];
	columns.next4[v] = make_uint4(first5[1], first5[2], first5[3], first5[4]);
	if (first5[1] != kNone) atomicMax(columns.with_second, v + 1);
}

// The tile of each vertex' label, in hub order. A rank's labels lie as far apart as there are ranks.
__global__ void find_tiles_kernel(g500_graph g, u32 *tile, u32 *hub) {
	const u32 v = thread_number();
	if (v >= g.hubs) return;
	tile[v] = g.labels[v] / g.ranks / kTile;
	hub[v] = v;
}

// Where each tile begins in the sorted list: one thread for each place between two entries.
__global__ void mark_tiles_kernel(const u32 *tile, u32 hubs, u32 tiles, uint2 *start) {
	const u32 i = thread_number();
	if (i > hubs) return;
	const u32 from = i == 0 ? 0 : tile[i - 1] + 1, to = i == hubs ? tiles : tile[i];
	for (u32 t = from; t <= to; t++) start[t].x = i;
}

// Where the leaves of each tile begin: one thread a tile; a binary search among its hub ids.
__global__ void find_leaves_kernel(const u32 *hub, u32 core, u32 tiles, uint2 *start) {
	const u32 t = thread_number();
	if (t >= tiles) return;
	u32 low = start[t].x, high = start[t + 1].x;
	while (low < high) {
		const u32 middle = low + (high - low) / 2;
		if (hub[middle] < core) low = middle + 1;
		else high = middle;
	}
	start[t].y = low;
}

// ByTile is the vertices in the order by tile, and the columns in that order.
struct ByTile {
	const u32 *hub;
	u32 *vertex, *first;
	uint16_t *label;
};

// What the relabelling reads of each vertex, but for labels of first neighbours: in their places are positions.
__global__ void fill_tiles_kernel(g500_graph g, ByTile order) {
	const u32 i = thread_number();
	if (i >= g.hubs) return;
	const u32 v = order.hub[i];
	const u32 first = g.rows[v] < g.rows[v + 1] ? g.cols[g.rows[v]] : kNone;
	order.vertex[i] = v < g.core ? v : first;
	order.first[i] = first;
	order.label[i] = (uint16_t)(g.labels[v] / g.ranks % kTile);
}

// Sorts the vertices by tile, stably: within a tile they stay in hub order.
int sort_by_tile(const g500_graph &g, u32 tiles, Array<u32> &tile, Array<u32> &hub, cudaStream_t stream) {
	Array<u32> unsorted_tile, unsorted_hub;
	Array<char> temp;
	G500_TRY(unsorted_tile.alloc(g.hubs));
	G500_TRY(unsorted_hub.alloc(g.hubs));
	G500_LAUNCH(find_tiles_kernel, one_thread_each(g.hubs, stream), g, unsorted_tile.get(), unsorted_hub.get());
	int bits = 1;
	while (tiles >> bits) bits++;
	size_t bytes = 0;
	const auto sort = [&](void *room) {
		return cub::DeviceRadixSort::SortPairs(room, bytes, unsorted_tile.get(), tile.get(), unsorted_hub.get(),
		                                       hub.get(), g.hubs, 0, bits, stream);
	};
	G500_TRY(sort(nullptr));
	G500_TRY(temp.alloc(bytes));
	G500_LAUNCH_BY("sort_by_tile (CUB)", sort(temp.get()));
	G500_TRY(cudaStreamSynchronize(stream)); // before the temporaries go
	return cudaSuccess;
}

} // namespace

int ColumnStore::neighbours(cudaStream_t stream) {
	Array<u32> with_second;
	G500_TRY(with_second.alloc(1));
	G500_TRY(cudaMemsetAsync(with_second, 0, sizeof(u32), stream));
	G500_TRY(first.alloc(view.padded));
	G500_TRY(next4.alloc(view.padded));
	const Neighbours columns{first, next4, with_second};
	G500_LAUNCH(lift_neighbours_kernel, one_thread_each(view.padded, stream), view, columns);
	G500_TRY(cudaMemcpyAsync(&view.with_second, with_second, sizeof(u32), cudaMemcpyDeviceToHost, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

int ColumnStore::tiles(const g500_graph &g, cudaStream_t stream) {
	const u32 tiles = (view.owned + kTile - 1) / kTile;
	Array<u32> tile, hub;
	G500_TRY(tile.alloc(g.hubs));
	G500_TRY(hub.alloc(g.hubs));
	G500_TRY(tile_vertex.alloc(g.hubs));
	G500_TRY(tile_first.alloc(g.hubs));
	G500_TRY(tile_start.alloc(tiles + 1));
	G500_TRY(tile_label.alloc(g.hubs));
	G500_TRY(cudaMemsetAsync(tile_start, 0, (tiles + 1) * sizeof(uint2), stream));
	if (g.hubs == 0) return cudaSuccess;
	if (const int code = sort_by_tile(g, tiles, tile, hub, stream)) return code;
	const u32 *tile_of = tile, *hub_of = hub;
	uint2 *start = tile_start;
	G500_LAUNCH(mark_tiles_kernel, one_thread_each((u64)g.hubs + 1, stream), tile_of, g.hubs, tiles, start);
	G500_LAUNCH(find_leaves_kernel, one_thread_each(tiles, stream), hub_of, g.core, tiles, start);
	const ByTile order{hub, tile_vertex, tile_first, tile_label};
	G500_LAUNCH(fill_tiles_kernel, one_thread_each(g.hubs, stream), g, order);
	G500_TRY(cudaStreamSynchronize(stream)); // before the temporaries go
	return cudaSuccess;
}

int ColumnStore::derive(const g500_graph &g, cudaStream_t stream) {
	view.hubs = std::min(g.hubs, g.core);
	view.padded = (view.hubs + kPad - 1) / kPad * kPad;
	view.with_leaves = g.hubs;
	view.core = g.core;
	view.hub_mask = g.ranks > 1 ? (1u << g.shift) - 1 : ~0u;
	view.edges = g.edges - (g.hubs - view.hubs); // a leaf has one
	view.owned = g.owned;
	view.rows = g.rows;
	view.cols = g.cols;
	view.labels = g.labels;
	view.hub_of = g.hub_of;
	if (view.hubs > 0)
		if (const int code = neighbours(stream)) return code;
	if (const int code = tiles(g, stream)) return code;
	view.first = first;
	view.next4 = next4;
	view.tile_start = tile_start;
	view.tile_vertex = tile_vertex;
	view.tile_first = tile_first;
	view.tile_label = tile_label;
	return cudaSuccess;
}

} // namespace g500
