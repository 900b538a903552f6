// Columns that kernel 2 reads, derived from the graph once, as part of kernel 1.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "search/columns.cuh"

namespace g500 {

namespace {

constexpr int kBlock = 256;

// First neighbours and neighbours 2 to 5, kNone where there are fewer. One thread a vertex, padding included.
__global__ void lift_neighbours_kernel(const u64 *rows, const u32 *cols, u32 hubs, u32 padded, u32 *first, uint4 *next4, u32 *many) {
	const u32 v = blockIdx.x * kBlock + threadIdx.x;
	if (v >= padded) return;
	const u64 at = v < hubs ? rows[v] : 0, end = v < hubs ? rows[v + 1] : 0;
	u32 near[5];
#pragma unroll
	for (int k = 0; k < 5; k++) near[k] = at + k < end ? cols[at + k] : kNone;
	first[v] = near[0];
	next4[v] = make_uint4(near[1], near[2], near[3], near[4]);
	if (near[1] != kNone) atomicMax(many, v + 1);
}

// The tile of each vertex' label, in hub order. A rank's labels lie as far apart as there are ranks.
__global__ void find_tiles_kernel(const u32 *labels, u32 hubs, u32 ranks, u32 *tile, u32 *hub) {
	const u32 v = blockIdx.x * kBlock + threadIdx.x;
	if (v >= hubs) return;
	tile[v] = labels[v] / ranks / kTile;
	hub[v] = v;
}

// Where each tile begins in the sorted list: one thread for each place between two entries.
__global__ void mark_tiles_kernel(const u32 *tile, u32 hubs, u32 tiles, u32 *start) {
	const u32 i = blockIdx.x * kBlock + threadIdx.x;
	if (i > hubs) return;
	const u32 from = i == 0 ? 0 : tile[i - 1] + 1, to = i == hubs ? tiles : tile[i];
	for (u32 t = from; t <= to; t++) start[t] = i;
}

// The position of each vertex' first neighbour, and each label's slot in its tile.
__global__ void deal_slots_kernel(const u32 *hub, const u32 *tile, const u32 *start, const u32 *labels, u32 ranks, const u32 *first, u32 hubs,
                                  u32 *tile_first, uint16_t *slot) {
	const u32 i = blockIdx.x * kBlock + threadIdx.x;
	if (i >= hubs) return;
	tile_first[i] = first[hub[i]];
	slot[labels[hub[i]] / ranks] = (uint16_t)(i - start[tile[i]]);
}

// Marks the places at which a run of consecutive hub ids begins.
__global__ void mark_runs_kernel(const u32 *hub, u32 hubs, u32 *begins) {
	const u32 i = blockIdx.x * kBlock + threadIdx.x;
	if (i < hubs) begins[i] = i == 0 || hub[i] != hub[i - 1] + 1;
}

// Stores the runs, from the sum of their beginnings up to and including each place. A warp takes 32 places.
__global__ void store_runs_kernel(const u32 *hub, const u32 *upto, u32 hubs, uint2 *runs, u32 *offset) {
	const u32 i = blockIdx.x * kBlock + threadIdx.x;
	const bool begins = i < hubs && (i == 0 || upto[i] != upto[i - 1]);
	const u32 bits = __ballot_sync(~0u, begins);
	if (i >= hubs) return;
	if (i % 32 == 0) runs[i / 32] = make_uint2(bits, upto[i] - begins);
	if (begins) offset[upto[i] - 1] = hub[i] - i;
}

// Sorts the vertices by tile, stably: within a tile they stay in hub order.
int sort_by_tile(const g500_graph &g, u32 tiles, Array<u32> &tile, Array<u32> &hub, cudaStream_t stream) {
	Array<u32> unsorted_tile, unsorted_hub;
	Array<char> temp;
	G500_TRY(unsorted_tile.alloc(g.hubs));
	G500_TRY(unsorted_hub.alloc(g.hubs));
	G500_LAUNCH(find_tiles_kernel<<<blocks_for(g.hubs, kBlock), kBlock, 0, stream>>>(g.labels, g.hubs, g.ranks, unsorted_tile, unsorted_hub));
	int bits = 1;
	while (tiles >> bits) bits++;
	size_t bytes = 0;
	G500_TRY(cub::DeviceRadixSort::SortPairs(nullptr, bytes, unsorted_tile.get(), tile.get(), unsorted_hub.get(), hub.get(), g.hubs, 0, bits, stream));
	G500_TRY(temp.alloc(bytes));
	G500_LAUNCH_BY("sort_by_tile (CUB)", cub::DeviceRadixSort::SortPairs(temp.get(), bytes, unsorted_tile.get(), tile.get(), unsorted_hub.get(), hub.get(), g.hubs, 0, bits, stream));
	G500_TRY(cudaStreamSynchronize(stream)); // before the temporaries go
	return cudaSuccess;
}

} // namespace

int ColumnStore::neighbours(const g500_graph &g, cudaStream_t stream) {
	Array<u32> many;
	G500_TRY(many.alloc(1));
	G500_TRY(cudaMemsetAsync(many, 0, sizeof(u32), stream));
	G500_TRY(first.alloc(view.padded));
	G500_TRY(next4.alloc(view.padded));
	G500_LAUNCH(lift_neighbours_kernel<<<blocks_for(view.padded, kBlock), kBlock, 0, stream>>>(g.rows, g.cols, g.hubs, view.padded, first, next4, many));
	G500_TRY(cudaMemcpyAsync(&view.many, many, sizeof(u32), cudaMemcpyDeviceToHost, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

int ColumnStore::find_runs(u32 hubs, const u32 *hub, cudaStream_t stream) {
	Array<u32> upto;
	Array<char> temp;
	G500_TRY(upto.alloc(hubs));
	G500_LAUNCH(mark_runs_kernel<<<blocks_for(hubs, kBlock), kBlock, 0, stream>>>(hub, hubs, upto));
	size_t bytes = 0;
	G500_TRY(cub::DeviceScan::InclusiveSum(nullptr, bytes, upto.get(), upto.get(), hubs, stream));
	G500_TRY(temp.alloc(bytes));
	G500_LAUNCH_BY("sum_runs (CUB)", cub::DeviceScan::InclusiveSum(temp.get(), bytes, upto.get(), upto.get(), hubs, stream));
	u32 count = 0;
	G500_TRY(cudaMemcpyAsync(&count, upto + hubs - 1, sizeof count, cudaMemcpyDeviceToHost, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	G500_TRY(runs.alloc(blocks_for(hubs, 32)));
	G500_TRY(run_offset.alloc(count));
	G500_LAUNCH(store_runs_kernel<<<blocks_for(hubs, kBlock), kBlock, 0, stream>>>(hub, upto, hubs, runs, run_offset));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

int ColumnStore::tiles(const g500_graph &g, cudaStream_t stream) {
	const u32 tiles = (view.owned + kTile - 1) / kTile;
	Array<u32> tile, hub;
	G500_TRY(tile.alloc(g.hubs));
	G500_TRY(hub.alloc(g.hubs));
	G500_TRY(tile_first.alloc(g.hubs));
	G500_TRY(tile_start.alloc(tiles + 1));
	G500_TRY(slot.alloc((u64)tiles * kTile));
	G500_TRY(cudaMemsetAsync(slot, 0xff, (u64)tiles * kTile * sizeof(uint16_t), stream));
	G500_TRY(cudaMemsetAsync(tile_start, 0, (tiles + 1) * sizeof(u32), stream));
	if (g.hubs == 0) return cudaSuccess;
	if (const int code = sort_by_tile(g, tiles, tile, hub, stream)) return code;
	G500_LAUNCH(mark_tiles_kernel<<<blocks_for((u64)g.hubs + 1, kBlock), kBlock, 0, stream>>>(tile, g.hubs, tiles, tile_start));
	G500_LAUNCH(deal_slots_kernel<<<blocks_for(g.hubs, kBlock), kBlock, 0, stream>>>(hub, tile, tile_start, g.labels, g.ranks, first, g.hubs, tile_first, slot));
	return find_runs(g.hubs, hub, stream);
}

int ColumnStore::derive(const g500_graph &g, cudaStream_t stream) {
	view.hubs = g.hubs;
	view.padded = (g.hubs + kPad - 1) / kPad * kPad;
	view.edges = g.edges;
	view.owned = g.owned;
	view.rows = g.rows;
	view.cols = g.cols;
	view.labels = g.labels;
	view.hub_of = g.hub_of;
	if (g.hubs > 0)
		if (const int code = neighbours(g, stream)) return code;
	if (const int code = tiles(g, stream)) return code;
	view.first = first;
	view.next4 = next4;
	view.tile_start = tile_start;
	view.runs = runs;
	view.run_offset = run_offset;
	view.tile_first = tile_first;
	view.slot = slot;
	return cudaSuccess;
}

} // namespace g500
