#include "search/segments.cuh"

#include <algorithm>

#include "common/block.cuh"

namespace g500 {

namespace {

constexpr int kBlock = kBucket;
constexpr u32 kCutBounds = 128;

// Returns the first place in cols[begin, end), which is sorted, that is not below local_id; relative to begin.
__device__ inline u32 place_of(const u32 *cols, u64 begin, u64 end, u32 local_id) {
	u64 low = begin, high = end;
	while (low < high) {
		const u64 middle = low + (high - low) / 2;
		if (cols[middle] < local_id) low = middle + 1;
		else high = middle;
	}
	return (u32)(low - begin);
}

// Counts the edges from the first `hubs` vertices to each bucket: by symmetry, the bucket's edges to them. One thread
// per non-leaf vertex.
__global__ void count_edges_kernel(const __grid_constant__ Graph g, u32 hubs, ull *buckets) {
	const u32 v = blockIdx.x * kBlock + threadIdx.x;
	const u32 edges = v < g.non_leaf ? place_of(g.cols, g.rows[v], g.rows[v + 1], hubs) : 0;
	add_up(edges, buckets + v / kBucket);
}

// Finds the cuts of all rows. A block finds the cuts of 32 rows at kCutBounds bounds. A warp searches one row for
// consecutive bounds, which are near each other; the cuts are written in their own order, through shared memory.
__global__ void find_cuts_kernel(const __grid_constant__ Graph g, Segments segments, u32 *cuts) {
	G500_SHARED_MEMORY(memory);
	u32(*const tile)[kCutBounds + 1] = (u32(*)[kCutBounds + 1]) memory; // by row
	const u32 groups = (segments.hubs + 31) / 32;
	const u32 first_row = blockIdx.x % groups * 32, first_bound = blockIdx.x / groups * kCutBounds;
	const u32 rows = min(32, segments.hubs - first_row), bounds = min(kCutBounds, segments.count + 1 - first_bound);
	for (u32 row = threadIdx.x / 32; row < rows; row += kBlock / 32) {
		const u64 begin = g.rows[first_row + row], end = g.rows[first_row + row + 1];
		for (u32 b = lane_of_thread(); b < bounds; b += 32)
			tile[row][b] = place_of(g.cols, begin, end, segments.begin[first_bound + b]);
	}
	__syncthreads();
	if (lane_of_thread() >= rows) return;
	for (u32 b = threadIdx.x / 32; b < bounds; b += kBlock / 32)
		cuts[(u64)(first_bound + b) * segments.hubs + first_row + lane_of_thread()] = tile[lane_of_thread()][b];
}

// Returns the bounds of segments from local id `first` to `end`. A segment ends before its edges exceed an equal share,
// or its vertices kSegment.
std::vector<u32> find_bounds(const std::vector<u64> &buckets, u32 first, u32 end, u32 least) {
	u64 all = 0, edges = 0;
	for (size_t b = first / kBucket; b < buckets.size(); b++) all += buckets[b];
	const u64 share = all / least + 1;
	std::vector<u32> bounds{first};
	for (size_t b = first / kBucket; b < buckets.size(); b++) {
		const u32 at = (u32)b * kBucket;
		if (at > bounds.back() && (edges + buckets[b] > share || at + kBucket - bounds.back() > kSegment)) {
			bounds.push_back(at);
			edges = 0;
		}
		edges += buckets[b];
	}
	if (bounds.back() < end) bounds.push_back(end);
	return bounds;
}

} // namespace

int SegmentStore::count_edges(const Graph &g, std::vector<u64> &buckets, cudaStream_t stream) const {
	Array<ull> counts;
	const u32 n = blocks_for(g.non_leaf, kBucket);
	buckets.resize(n);
	G500_TRY(counts.alloc_zeroed(n, stream));
	const Launch one_thread_each{blocks_for(g.non_leaf, kBlock), kBlock, stream};
	G500_LAUNCH(count_edges_kernel, one_thread_each, g, view.hubs, counts.get());
	return read_back(buckets.data(), counts, n * sizeof(u64), stream);
}

int SegmentStore::derive(const Graph &g, u32 hubs, u32 pulled, u32 least, cudaStream_t stream) {
	std::vector<u64> buckets;
	view.hubs = hubs < g.non_leaf ? hubs / kGroup * kGroup : g.non_leaf;
	if (view.hubs == 0) return cudaSuccess;
	if (const int code = count_edges(g, buckets, stream)) return code;
	const u32 first = std::min(pulled, g.non_leaf) / kBucket * kBucket;
	const std::vector<u32> bounds = find_bounds(buckets, first, g.padded, least);
	view.count = (u32)bounds.size() - 1;
	G500_TRY(begin.alloc(bounds.size()));
	G500_TRY(cuts.alloc((u64)view.hubs * bounds.size()));
	view.begin = begin;
	view.cuts = cuts;
	G500_TRY(cudaMemcpyAsync(begin, bounds.data(), bounds.size() * sizeof(u32), cudaMemcpyHostToDevice, stream));
	const u32 blocks = blocks_for(view.hubs, 32) * blocks_for(bounds.size(), kCutBounds);
	const Launch cutting{blocks, kBlock, stream, 32 * (kCutBounds + 1) * sizeof(u32)};
	G500_LAUNCH(find_cuts_kernel, cutting, g, view, cuts.get());
	return cudaStreamSynchronize(stream); // before the bounds are freed
}

} // namespace g500
