// Kernel 1, second half: the rows, piece by piece (rows.cuh).
#include "kernel1/rows.cuh"

#include <cub/device/device_scan.cuh>

#include <algorithm>

#include "kernel1/entries.cuh"

namespace g500 {

namespace {

// Chooses a piece, from row state->piece.last on: as many rows as have at most `capacity` entries, at most `most` rows.
// Map:    one thread; a binary search in the prefix sum of the degrees, which later rows still contain.
__global__ void choose_piece_kernel(const u64 *rows, u32 non_isolated, u64 capacity, u32 most, PieceState *state) {
	const u32 first = state->piece.last;
	u32 low = first, high = non_isolated - first > most ? first + most : non_isolated; // low rows fit, more than high
	                                                                                   // do not
	while (low < high) {
		const u32 middle = high - (high - low) / 2;
		if (rows[middle] - rows[first] <= capacity) low = middle;
		else high = middle - 1;
	}
	*state = {{first, low, rows[low] - rows[first]}, 0};
}

} // namespace

int allocate_cols(bool weighted, bool ids64, g500_graph *graph, cudaStream_t stream) {
	u64 total = 0;
	if (const int code = sum_of_degrees(*graph, &total, stream)) return code;
	if (ids64)
		if (const int code = allocate(&graph->col_ranks, total)) return code;
	return weighted ? allocate(&graph->weighted_cols, total) : allocate(&graph->cols, total);
}

// CUB's temporary memory is sized for an upper bound of the number of entries.
int RowFiller::prepare() {
	u64 total = 0;
	if (const int code = sum_of_degrees(*graph_, &total, stream_)) return code;
	if (const int code = on_device_.take(1)) return code;
	G500_TRY(cudaMemsetAsync(on_device_.get(), 0, sizeof(PieceState), stream_));

	const u64 most = std::min(total, budget_.left / entry_bytes());
	if (const int code = staying_.take(runs_of(most) + 1)) return code;
	size_t temp_bytes = 0;
	if (const int code = measure_temp(most, &temp_bytes)) return code;
	if (const int code = temp_.take(temp_bytes)) return code;
	capacity_ = std::min(most, budget_.left / entry_bytes());
	return allocate_entries(capacity_);
}

int RowFiller::measure_temp(u64 entries, size_t *bytes) {
	size_t for_sort = 0, for_sum = 0;
	if (const int code = measure_sort(entries, &for_sort)) return code;
	u64 *const staying = staying_.get();
	G500_TRY(cub::DeviceScan::ExclusiveSum(nullptr, for_sum, staying, staying, (int)runs_of(entries) + 1, stream_));
	*bytes = std::max(for_sort, for_sum);
	return cudaSuccess;
}

int RowFiller::read_state() {
	return read_back(&state_, on_device_.get(), sizeof state_, stream_);
}

int RowFiller::next() {
	const bool over = done();
	G500_LAUNCH(choose_piece_kernel, Launch{1, 1, stream_}, graph_->rows, graph_->non_isolated, capacity_, most_rows(),
	            on_device_.get());
	if (const int code = read_state()) return code;
	const bool row_fits = state_.piece.last > state_.piece.first;
	return row_fits || over ? cudaSuccess : cudaErrorMemoryAllocation;
}

// Sets staying_ to the number of kept entries before each run, and finds their total.
int RowFiller::sum_staying(u64 *staying) {
	const u64 runs = runs_of(state_.piece.entries);
	u64 *const counts = staying_.get();
	G500_TRY(cudaMemsetAsync(counts + runs, 0, sizeof(u64), stream_));
	if (const int code = count_staying(counts)) return code;
	size_t bytes = temp_.bytes();
	G500_LAUNCH_BY("sum_staying (CUB)",
	               cub::DeviceScan::ExclusiveSum(temp_.get(), bytes, counts, counts, (int)runs + 1, stream_));
	return read_back(staying, counts + runs, sizeof *staying, stream_);
}

int RowFiller::store() {
	if (const int code = read_state()) return code;
	// The number of entries is the sum of the degrees, unless a 32-bit counter has wrapped: a vertex has more than
	// 2^32-1 tuples.
	if (state_.collected != state_.piece.entries) return cudaErrorInvalidValue;
	if (state_.piece.entries == 0) return cudaSuccess;
	if (const int code = sort(temp_.bytes())) return code;
	u64 staying = 0;
	if (const int code = sum_staying(&staying)) return code;
	if (const int code = store_staying(staying_.get())) return code;
	graph_->edges += staying;
	return cudaSuccess;
}

int RowFiller::finish() {
	u64 *const end = graph_->rows + graph_->non_isolated;
	G500_TRY(cudaMemcpyAsync(end, &graph_->edges, sizeof *end, cudaMemcpyHostToDevice, stream_));
	G500_TRY(cudaStreamSynchronize(stream_));
	return cudaSuccess;
}

} // namespace g500
