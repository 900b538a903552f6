// Kernel 1, second half: the rows.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <climits>

#include "build_rows.cuh"

namespace g500 {

namespace {

constexpr uint32_t kWarp = 0xffffffff; // all lanes

// The number of bits that a value up to highest needs, at least one.
int bits_for(uint32_t highest) {
	int bits = 1;
	while (bits < 32 && highest >> bits) bits++;
	return bits;
}

// choose_piece: from row state->piece.last on, as many rows as have at most capacity entries.
// Map:    one thread; a search in the running sum of the degrees, which rows still hold from there on.
__global__ void choose_piece_kernel(const uint64_t *rows, uint32_t hubs, uint64_t capacity, PieceState *state) {
	const uint32_t first = state->piece.last;
	uint32_t low = first, high = hubs; // low fits; nothing above high does
	while (low < high) {
		const uint32_t middle = high - (high - low) / 2;
		if (rows[middle] - rows[first] <= capacity) low = middle;
		else high = middle - 1;
	}
	*state = {{first, low, rows[low] - rows[first]}, 0, 0};
}

// Appends the keys of the lanes that have one, side by side, and returns where the next may go. Keys past the limit
// are counted and not written.
__device__ inline uint64_t append(bool has, uint64_t key, uint64_t at, uint64_t limit, uint64_t *keys) {
	const uint32_t having = __ballot_sync(kWarp, has);
	const uint32_t before = (1u << threadIdx.x % warpSize) - 1;
	const uint64_t slot = at + __popc(having & before);
	if (has && slot < limit) __stcs(&keys[slot], key);
	return at + __popc(having);
}

// collect_entries: the keys of the entries in a piece's rows, in any order.
// Map:    one thread for kPerThread tuples; a warp reserves room for all its entries at once.
// Reads:  8 B a tuple, and two hub ids at random places. Writes: 8 B an entry, in runs.
// Races:  the reservation decides on the order of the keys, which the sort undoes.
__global__ void collect_entries_kernel(Tuples tuples, const uint32_t *__restrict__ hub_of, Piece piece, int column_bits,
                                       uint64_t *keys, unsigned long long *collected) {
	const uint32_t rows = piece.last - piece.first;
	// Two ends of one hub id are a self-loop, or both past the end of the list. kNoHub lies in no piece.
	const auto in_piece = [=](uint32_t row, uint32_t column) { return row != column && row - piece.first < rows; };
	const auto key = [=](uint32_t row, uint32_t column) { return (uint64_t)(row - piece.first) << column_bits | column; };
	uint32_t u[kPerThread], v[kPerThread];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		const uint64_t i = tuple_index(k);
		u[k] = i < tuples.count ? hub_of[__ldcs(&tuples.edges[i].low_u)] : kNoHub;
		v[k] = i < tuples.count ? hub_of[__ldcs(&tuples.edges[i].low_v)] : kNoHub;
	}
	uint32_t entries = 0; // of the warp
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		entries += __popc(__ballot_sync(kWarp, in_piece(u[k], v[k]))) + __popc(__ballot_sync(kWarp, in_piece(v[k], u[k])));
	}
	uint64_t at = 0;
	if (threadIdx.x % warpSize == 0 && entries > 0) at = atomicAdd(collected, entries);
	at = __shfl_sync(kWarp, at, 0);
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		at = append(in_piece(u[k], v[k]), key(u[k], v[k]), at, piece.entries, keys);
		at = append(in_piece(v[k], u[k]), key(v[k], u[k]), at, piece.entries, keys);
	}
}

// store_rows: sorted keys without duplicates to columns and row offsets. Every hub has a neighbour, so every row of
// the piece has a first key, and that sets its offset.
// Map:    one thread a key.
// Reads:  8 B an entry. Writes: 4 B an entry, 8 B a row.
// Races:  none.
__global__ void store_rows_kernel(const uint64_t *keys, uint64_t entries, int column_bits, uint32_t first_row,
                                  uint64_t offset, uint64_t *rows, uint32_t *cols) {
	const uint64_t i = (uint64_t)blockIdx.x * kBlock + threadIdx.x;
	if (i >= entries) return;
	const uint64_t row = keys[i] >> column_bits;
	cols[offset + i] = (uint32_t)(keys[i] & ((1ull << column_bits) - 1));
	if (i == 0 || keys[i - 1] >> column_bits != row) rows[first_row + row] = offset + i;
}

} // namespace

RowFiller::RowFiller(const Tuples &tuples, Budget &budget, g500_graph *graph, cudaStream_t stream)
	: tuples_(tuples), budget_(budget), graph_(graph), stream_(stream), column_bits_(bits_for(graph->hubs - 1)),
	  key_(budget), key_spare_(budget), on_device_(budget), temp_(budget) {}

// Keys come in two arrays, between which the sort goes back and forth. What CUB needs beside them is measured for more
// entries than there will be.
int RowFiller::prepare() {
	uint64_t total = 0;
	G500_TRY(cudaMemcpyAsync(&total, graph_->rows + graph_->hubs, sizeof total, cudaMemcpyDeviceToHost, stream_));
	G500_TRY(cudaStreamSynchronize(stream_));
	if (const int code = allocate(&graph_->cols, total)) return code;
	if (const int code = on_device_.take(1)) return code;
	G500_TRY(cudaMemsetAsync(on_device_.get(), 0, sizeof(PieceState), stream_));

	const uint64_t per_entry = 2 * sizeof(uint64_t);
	const uint64_t most = std::min({total, budget_.left / per_entry, (uint64_t)INT_MAX}); // CUB before 13 takes an int
	size_t temp_bytes = 0;
	if (const int code = measure_temp(most, &temp_bytes)) return code;
	if (const int code = temp_.take(temp_bytes)) return code;
	capacity_ = std::min(most, budget_.left / per_entry);
	if (const int code = key_.take(capacity_)) return code;
	return key_spare_.take(capacity_);
}

int RowFiller::measure_temp(uint64_t entries, size_t *bytes) {
	size_t for_sort = 0, for_unique = 0;
	cub::DoubleBuffer<uint64_t> keys;
	G500_TRY(cub::DeviceRadixSort::SortKeys(nullptr, for_sort, keys, (uint32_t)entries, 0, 64, stream_));
	G500_TRY(cub::DeviceSelect::Unique(nullptr, for_unique, keys.Current(), keys.Alternate(), &on_device_.get()->distinct,
	                                   (int)entries, stream_));
	*bytes = std::max(for_sort, for_unique);
	return cudaSuccess;
}

int RowFiller::read_state() {
	G500_TRY(cudaMemcpyAsync(&state_, on_device_.get(), sizeof state_, cudaMemcpyDeviceToHost, stream_));
	G500_TRY(cudaStreamSynchronize(stream_));
	return cudaSuccess;
}

int RowFiller::next() {
	G500_LAUNCH(choose_piece_kernel<<<1, 1, 0, stream_>>>(graph_->rows, graph_->hubs, capacity_, on_device_.get()));
	if (const int code = read_state()) return code;
	const bool row_fits = state_.piece.last > state_.piece.first;
	return row_fits ? cudaSuccess : cudaErrorMemoryAllocation;
}

int RowFiller::collect() {
	G500_LAUNCH(collect_entries_kernel<<<blocks_for(tuples_.count, kTile), kBlock, 0, stream_>>>(
		tuples_, graph_->hub_of, state_.piece, column_bits_, key_.get(), &on_device_.get()->collected));
	return cudaSuccess;
}

int RowFiller::key_bits() const { return column_bits_ + bits_for(state_.piece.last - state_.piece.first - 1); }

int RowFiller::sort() {
	keys_ = cub::DoubleBuffer<uint64_t>(key_.get(), key_spare_.get());
	size_t bytes = temp_.bytes();
	G500_LAUNCH_BY("sort_entries (CUB)", cub::DeviceRadixSort::SortKeys(temp_.get(), bytes, keys_, (uint32_t)state_.piece.entries,
	                                                                    0, key_bits(), stream_));
	return cudaSuccess;
}

int RowFiller::drop_duplicates() {
	size_t bytes = temp_.bytes();
	G500_LAUNCH_BY("drop_duplicates (CUB)", cub::DeviceSelect::Unique(temp_.get(), bytes, keys_.Current(), keys_.Alternate(),
	                                                                  &on_device_.get()->distinct, (int)state_.piece.entries,
	                                                                  stream_));
	if (const int code = read_state()) return code;
	// The degrees foretold the number of entries. If they are wrong, then a vertex has over 2^32-1 tuples.
	return state_.collected == state_.piece.entries ? cudaSuccess : cudaErrorInvalidValue;
}

int RowFiller::store() {
	G500_LAUNCH(store_rows_kernel<<<blocks_for(state_.distinct, kBlock), kBlock, 0, stream_>>>(
		keys_.Alternate(), state_.distinct, column_bits_, state_.piece.first, graph_->edges, graph_->rows, graph_->cols));
	graph_->edges += state_.distinct;
	return cudaSuccess;
}

int RowFiller::finish() {
	G500_TRY(cudaMemcpyAsync(graph_->rows + graph_->hubs, &graph_->edges, sizeof graph_->edges, cudaMemcpyHostToDevice, stream_));
	G500_TRY(cudaStreamSynchronize(stream_));
	return cudaSuccess;
}

int fill_rows(const Tuples &tuples, Budget &budget, g500_graph *graph, cudaStream_t stream) {
	RowFiller filler(tuples, budget, graph, stream);
	if (const int code = filler.prepare()) return code;
	while (!filler.done()) {
		if (const int code = filler.next()) return code;
		if (const int code = filler.collect()) return code;
		if (const int code = filler.sort()) return code;
		if (const int code = filler.drop_duplicates()) return code;
		if (const int code = filler.store()) return code;
	}
	return filler.finish();
}

} // namespace g500
