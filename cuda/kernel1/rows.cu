// Kernel 1, second half: the rows, piece by piece (rows.cuh).
#include "kernel1/rows.cuh"

#include <cub/device/device_scan.cuh>

#include <algorithm>

#include "kernel1/entries.cuh"

namespace g500 {

namespace {

// Returns the lowest row from first to last whose entries begin at `target` or later. rows is a prefix sum.
__device__ u32 row_at(const u64 *rows, u32 first, u32 last, u64 target) {
	while (first < last) {
		const u32 middle = first + (last - first) / 2;
		if (rows[middle] < target) first = middle + 1;
		else last = middle;
	}
	return first;
}

// Chooses a piece, from row state->piece.last on: as many rows as have at most `capacity` entries, at most `most` rows.
// Divides it into groups with about equally many entries.
// Map:    one thread per group, and one for the end; binary searches in the prefix sum of the degrees, which later rows
//         still contain.
__global__ void
choose_piece_kernel(const u64 *rows, u32 non_isolated, u64 capacity, u32 most, PieceState *state) {
	const u32 first = state->piece.last, end = non_isolated - first > most ? first + most : non_isolated;
	const u32 last = rows[end] - rows[first] <= capacity ? end : row_at(rows, first, end, rows[first] + capacity + 1) - 1;
	const u64 entries = rows[last] - rows[first];
	const u64 groups = min((u64)kMostParts, entries / kGroupEntries + 1);
	const u32 g = threadIdx.x;
	__syncthreads(); // all threads have read the last piece
	if (g > kMostParts) return;
	const u32 begin = g < groups ? row_at(rows, first, last, rows[first] + entries * g / groups) : last;
	state->first[g] = begin;
	state->begin[g] = rows[begin] - rows[first];
	if (g < kMostParts) state->end[g] = rows[begin] - rows[first];
	if (g == 0) state->piece = {first, last, entries};
}

} // namespace

int allocate_cols(bool weighted, bool ids64, g500_graph *graph, cudaStream_t stream) {
	u64 total = 0;
	if (const int code = sum_of_degrees(*graph, &total, stream)) return code;
	if (ids64)
		if (const int code = allocate(&graph->col_ranks, total)) return code;
	return weighted ? allocate(&graph->weighted_cols, total) : allocate(&graph->cols, total);
}

// Finds an upper bound of the entries of a group of `total`, if a piece and a group together have at most `both`: an
// equal share and a longest row, or a whole piece. The first row has the highest degree, except for up to 63
// (order.cu).
int RowFiller::largest_group(u64 total, u64 both, u64 *largest) {
	u64 longest = 0;
	if (graph_->non_isolated > 0)
		if (const int code = read_back(&longest, graph_->rows + 1, sizeof longest, stream_)) return code;
	const u64 share = std::max(kGroupEntries, std::min(total, both) / kMostParts);
	*largest = std::min({total, (both + 1) / 2, share + longest + 64});
	return cudaSuccess;
}

// The spare memory of a group and CUB's temporary memory are sized for an upper bound of the number of entries.
int RowFiller::prepare() {
	u64 total = 0, largest = 0;
	if (const int code = sum_of_degrees(*graph_, &total, stream_)) return code;
	G500_TRY(on_device_.alloc_zeroed(1, stream_));
	if (const int code = largest_group(total, budget_.left / entry_bytes(), &largest)) return code;
	if (const int code = staying_.take(runs_of(largest) + 1)) return code;
	G500_TRY(cudaMemsetAsync(staying_.get(), 0, sizeof(u64), stream_));
	size_t temp_bytes = 0;
	if (const int code = measure_temp(largest, &temp_bytes)) return code;
	if (const int code = temp_.take(temp_bytes)) return code;
	if (const int code = allocate_spare(largest)) return code;
	capacity_ = std::min(total, budget_.left / entry_bytes());
	return allocate_entries(capacity_);
}

int RowFiller::measure_temp(u64 entries, size_t *bytes) {
	size_t for_sort = 0, for_sum = 0;
	if (const int code = measure_sort(entries, &for_sort)) return code;
	u64 *const staying = staying_.get();
	G500_TRY(cub::DeviceScan::InclusiveSum(nullptr, for_sum, staying, staying, (int)runs_of(entries) + 1, stream_));
	*bytes = std::max(for_sort, for_sum);
	return cudaSuccess;
}

int RowFiller::read_state() {
	return read_back(&state_, on_device_.get(), sizeof state_, stream_);
}

int RowFiller::next() {
	const bool over = done();
	G500_LAUNCH(choose_piece_kernel, Launch{1, kMostParts + 32, stream_}, graph_->rows, graph_->non_isolated, capacity_,
	            most_rows(), on_device_.get());
	if (const int code = read_state()) return code;
	const bool row_fits = state_.piece.last > state_.piece.first;
	return row_fits || over ? cudaSuccess : cudaErrorMemoryAllocation;
}

// Sorts and stores a group. staying_ begins with the number of edges stored so far.
int RowFiller::store(const Group &group) {
	if (const int code = sort(group, temp_.bytes())) return code;
	u64 *const before = staying_.get();
	const u64 runs = runs_of(group.entries);
	if (const int code = count_staying(group, before + 1)) return code;
	size_t bytes = temp_.bytes();
	G500_LAUNCH_BY("sum_staying (CUB)",
	               cub::DeviceScan::InclusiveSum(temp_.get(), bytes, before, before, (int)runs + 1, stream_));
	if (const int code = store_staying(group, before)) return code;
	G500_TRY(cudaMemcpyAsync(before, before + runs, sizeof *before, cudaMemcpyDeviceToDevice, stream_));
	return cudaSuccess;
}

int RowFiller::store() {
	if (const int code = read_state()) return code;
	for (u32 g = 0; g < kMostParts; g++) {
		// The number of entries is the sum of the degrees, unless a 32-bit counter has wrapped: a vertex has more than
		// 2^32-1 tuples.
		if (state_.end[g] != state_.begin[g + 1]) return cudaErrorInvalidValue;
	}
	for (u32 g = 0; g < kMostParts; g++) {
		if (state_.group(g).entries == 0) continue;
		if (const int code = store(state_.group(g))) return code;
	}
	return cudaSuccess;
}

int RowFiller::finish() {
	if (const int code = read_back(&graph_->edges, staying_.get(), sizeof graph_->edges, stream_)) return code;
	u64 *const end = graph_->rows + graph_->non_isolated;
	G500_TRY(cudaMemcpyAsync(end, &graph_->edges, sizeof *end, cudaMemcpyHostToDevice, stream_));
	G500_TRY(cudaStreamSynchronize(stream_));
	return cudaSuccess;
}

} // namespace g500
