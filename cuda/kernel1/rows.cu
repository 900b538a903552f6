// Kernel 1, second half: the rows.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>

#include "kernel1/rows.cuh"

namespace g500 {

namespace {

constexpr uint32_t kWarp = 0xffffffff; // all lanes
constexpr uint64_t kRun = 512;         // sorted keys that a warp goes through

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
	*state = {{first, low, rows[low] - rows[first]}, 0};
}

// The keys of a piece, in device memory, as many as there are so far.
struct Collection {
	Piece piece;
	KeyForm form;
	uint64_t *keys;
	unsigned long long *count;

	__device__ bool wants(uint32_t row) const { return row - piece.first < piece.last - piece.first; }
};

// Reserves room for a warp's keys, and returns where it begins. All lanes give the same number.
__device__ inline uint64_t reserve(uint32_t keys, unsigned long long *count) {
	uint64_t at = 0;
	if (threadIdx.x % warpSize == 0 && keys > 0) at = atomicAdd(count, keys);
	return __shfl_sync(kWarp, at, 0);
}

// Appends the keys of the lanes that have one, side by side, and returns where the next may go. Keys past the piece's
// entries are counted and not written.
__device__ inline uint64_t append(bool has, uint32_t row, uint32_t position, uint64_t at, const Collection &to) {
	const uint32_t having = __ballot_sync(kWarp, has);
	const uint32_t before = (1u << threadIdx.x % warpSize) - 1;
	const uint64_t slot = at + __popc(having & before);
	if (has && slot < to.piece.entries) __stcs(&to.keys[slot], to.form.key(row - to.piece.first, position));
	return at + __popc(having);
}

// collect_entries: the keys of the entries in a piece's rows, in any order. One rank alone: hub ids are positions.
// Map:    one thread for kPerThread tuples; a warp reserves room for all its entries at once.
// Reads:  8 B a tuple, and two hub ids at random places. Writes: 8 B an entry, in runs.
// Races:  the reservation decides on the order of the keys, which the sort undoes.
__global__ void collect_entries_kernel(Tuples tuples, const uint32_t *__restrict__ hub_of, Collection to) {
	// Two ends of one hub id are a self-loop, or both past the end of the list. kNoHub lies in no piece.
	const auto in_piece = [=](uint32_t row, uint32_t column) { return row != column && to.wants(row); };
	uint32_t u[kPerThread], v[kPerThread];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		const uint64_t i = tile_index(k);
		u[k] = i < tuples.count ? hub_of[__ldcs(&tuples.edges[i].low_u)] : kNoHub;
		v[k] = i < tuples.count ? hub_of[__ldcs(&tuples.edges[i].low_v)] : kNoHub;
	}
	uint32_t entries = 0; // of the warp
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		entries += __popc(__ballot_sync(kWarp, in_piece(u[k], v[k]))) + __popc(__ballot_sync(kWarp, in_piece(v[k], u[k])));
	}
	uint64_t at = reserve(entries, to.count);
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		at = append(in_piece(u[k], v[k]), u[k], v[k], at, to);
		at = append(in_piece(v[k], u[k]), v[k], u[k], at, to);
	}
}

// collect_told: the same, from the neighbours' positions that other ranks told.
// Map:    one thread for kPerThread messages.
// Reads:  8 B a message, and a hub id at a random place. Writes: 8 B an entry, in runs.
// Races:  as above.
__global__ void collect_told_kernel(Messages neighbours, const uint32_t *__restrict__ hub_of, Collection to) {
	uint32_t row[kPerThread], position[kPerThread];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		const uint64_t i = tile_index(k);
		const uint64_t told = i < neighbours.count ? __ldcs(&neighbours.list[i]) : kNoMessage;
		row[k] = told != kNoMessage ? hub_of[message_place(told)] : kNoHub;
		position[k] = message_word(told);
	}
	uint32_t entries = 0; // of the warp
#pragma unroll
	for (int k = 0; k < kPerThread; k++) entries += __popc(__ballot_sync(kWarp, to.wants(row[k])));
	uint64_t at = reserve(entries, to.count);
#pragma unroll
	for (int k = 0; k < kPerThread; k++) at = append(to.wants(row[k]), row[k], position[k], at, to);
}

__device__ inline bool first_of_its_kind(const uint64_t *keys, uint64_t i) { return i == 0 || keys[i] != keys[i - 1]; }

__device__ inline uint64_t warp_number() { return ((uint64_t)blockIdx.x * kBlock + threadIdx.x) / warpSize; }

// count_distinct: in each run of sorted keys, those that differ from the key before.
// Map:    one warp a run.
// Reads:  8 B an entry. Writes: 8 B a run.
// Races:  none.
__global__ void count_distinct_kernel(const uint64_t *keys, uint64_t entries, uint64_t runs, uint64_t *distinct) {
	const uint64_t run = warp_number();
	if (run >= runs) return;
	uint32_t count = 0;
#pragma unroll 4
	for (uint64_t k = threadIdx.x % warpSize; k < kRun; k += warpSize) {
		const uint64_t i = run * kRun + k;
		count += __popc(__ballot_sync(kWarp, i < entries && first_of_its_kind(keys, i)));
	}
	if (threadIdx.x % warpSize == 0) distinct[run] = count;
}

// store_rows: sorted keys without duplicates to columns and row offsets. Every hub has a neighbour, so every row of
// the piece has a first key, and that sets its offset.
// Map:    one warp a run; before says how many distinct keys come before it in the piece.
// Reads:  8 B an entry, 8 B a run. Writes: 4 B an edge, 8 B a row.
// Races:  none.
__global__ void store_rows_kernel(const uint64_t *keys, uint64_t entries, uint64_t runs, const uint64_t *before,
                                  KeyForm form, uint64_t *rows, uint64_t offset, uint32_t *cols) {
	const uint64_t run = warp_number();
	if (run >= runs) return;
	const uint32_t lane = threadIdx.x % warpSize;
	uint64_t at = offset + before[run];
#pragma unroll 4
	for (uint64_t k = lane; k < kRun; k += warpSize) {
		const uint64_t i = run * kRun + k;
		const bool distinct = i < entries && first_of_its_kind(keys, i);
		const uint32_t bits = __ballot_sync(kWarp, distinct);
		const uint64_t slot = at + __popc(bits & ((1u << lane) - 1));
		at += __popc(bits);
		if (!distinct) continue;
		cols[slot] = form.position(keys[i]);
		if (i == 0 || form.row(keys[i - 1]) != form.row(keys[i])) rows[form.row(keys[i])] = slot;
	}
}

uint64_t runs_of(uint64_t entries) { return (entries + kRun - 1) / kRun; }

} // namespace

int allocate_columns(g500_graph *graph, cudaStream_t stream) {
	uint64_t total = 0;
	if (const int code = sum_of_degrees(*graph, &total, stream)) return code;
	return allocate(&graph->cols, total);
}

RowFiller::RowFiller(Budget &budget, g500_graph *graph, cudaStream_t stream)
	: budget_(budget), graph_(graph), stream_(stream), form_(*graph), key_(budget), key_spare_(budget),
	  distinct_(budget), on_device_(budget), temp_(budget) {}

// Keys come in two arrays, between which the sort goes back and forth. What is needed beside them is measured for more
// entries than there will be.
int RowFiller::prepare() {
	uint64_t total = 0;
	if (const int code = sum_of_degrees(*graph_, &total, stream_)) return code;
	if (const int code = on_device_.take(1)) return code;
	G500_TRY(cudaMemsetAsync(on_device_.get(), 0, sizeof(PieceState), stream_));

	const uint64_t per_entry = 2 * sizeof(uint64_t);
	const uint64_t most = std::min(total, budget_.left / per_entry);
	if (const int code = distinct_.take(runs_of(most) + 1)) return code;
	size_t temp_bytes = 0;
	if (const int code = measure_temp(most, &temp_bytes)) return code;
	if (const int code = temp_.take(temp_bytes)) return code;
	capacity_ = std::min(most, budget_.left / per_entry);
	if (const int code = key_.take(capacity_)) return code;
	return key_spare_.take(capacity_);
}

int RowFiller::measure_temp(uint64_t entries, size_t *bytes) {
	size_t for_sort = 0, for_sum = 0;
	cub::DoubleBuffer<uint64_t> keys;
	G500_TRY(cub::DeviceRadixSort::SortKeys(nullptr, for_sort, keys, entries, 0, 64, stream_));
	G500_TRY(cub::DeviceScan::ExclusiveSum(nullptr, for_sum, distinct_.get(), distinct_.get(), (int)runs_of(entries) + 1, stream_));
	*bytes = std::max(for_sort, for_sum);
	return cudaSuccess;
}

int RowFiller::read_state() {
	G500_TRY(cudaMemcpyAsync(&state_, on_device_.get(), sizeof state_, cudaMemcpyDeviceToHost, stream_));
	G500_TRY(cudaStreamSynchronize(stream_));
	return cudaSuccess;
}

int RowFiller::next() {
	const bool over = done();
	G500_LAUNCH(choose_piece_kernel<<<1, 1, 0, stream_>>>(graph_->rows, graph_->hubs, capacity_, on_device_.get()));
	if (const int code = read_state()) return code;
	const bool row_fits = state_.piece.last > state_.piece.first;
	return row_fits || over ? cudaSuccess : cudaErrorMemoryAllocation;
}

int RowFiller::collect(const Tuples &tuples) {
	const Collection to = {state_.piece, form_, key_.get(), &on_device_.get()->collected};
	G500_LAUNCH(collect_entries_kernel<<<blocks_for(tuples.count, kTile), kBlock, 0, stream_>>>(tuples, graph_->hub_of, to));
	return cudaSuccess;
}

int RowFiller::collect(const Messages &neighbours) {
	if (neighbours.count == 0 || state_.piece.entries == 0) return cudaSuccess;
	const Collection to = {state_.piece, form_, key_.get(), &on_device_.get()->collected};
	G500_LAUNCH(collect_told_kernel<<<blocks_for(neighbours.count, kTile), kBlock, 0, stream_>>>(neighbours, graph_->hub_of, to));
	return cudaSuccess;
}

int RowFiller::key_bits() const {
	return form_.rank_bits + form_.hub_bits + bits_for(state_.piece.last - state_.piece.first - 1);
}

int RowFiller::sort() {
	keys_ = cub::DoubleBuffer<uint64_t>(key_.get(), key_spare_.get());
	size_t bytes = temp_.bytes();
	G500_LAUNCH_BY("sort_entries (CUB)", cub::DeviceRadixSort::SortKeys(temp_.get(), bytes, keys_, state_.piece.entries,
	                                                                    0, key_bits(), stream_));
	return cudaSuccess;
}

// Sets distinct_ to the number of distinct keys before each run, and finds the number of all.
int RowFiller::count_distinct(uint64_t *distinct) {
	const uint64_t entries = state_.piece.entries, runs = runs_of(entries);
	G500_TRY(cudaMemsetAsync(distinct_.get() + runs, 0, sizeof(uint64_t), stream_));
	G500_LAUNCH(count_distinct_kernel<<<blocks_for(runs * 32, kBlock), kBlock, 0, stream_>>>(keys_.Current(), entries, runs,
	                                                                                       distinct_.get()));
	size_t bytes = temp_.bytes();
	G500_LAUNCH_BY("sum_distinct (CUB)", cub::DeviceScan::ExclusiveSum(temp_.get(), bytes, distinct_.get(), distinct_.get(),
	                                                                   (int)runs + 1, stream_));
	G500_TRY(cudaMemcpyAsync(distinct, distinct_.get() + runs, sizeof *distinct, cudaMemcpyDeviceToHost, stream_));
	G500_TRY(cudaStreamSynchronize(stream_));
	return cudaSuccess;
}

int RowFiller::store() {
	if (const int code = read_state()) return code;
	// The degrees foretold the number of entries. If they are wrong, then a vertex has over 2^32-1 tuples.
	if (state_.collected != state_.piece.entries) return cudaErrorInvalidValue;
	if (state_.piece.entries == 0) return cudaSuccess;
	if (const int code = sort()) return code;
	uint64_t distinct = 0;
	if (const int code = count_distinct(&distinct)) return code;
	const uint64_t runs = runs_of(state_.piece.entries);
	G500_LAUNCH(store_rows_kernel<<<blocks_for(runs * 32, kBlock), kBlock, 0, stream_>>>(
		keys_.Current(), state_.piece.entries, runs, distinct_.get(), form_, graph_->rows + state_.piece.first, graph_->edges,
		graph_->cols));
	graph_->edges += distinct;
	return cudaSuccess;
}

int RowFiller::finish() {
	G500_TRY(cudaMemcpyAsync(graph_->rows + graph_->hubs, &graph_->edges, sizeof graph_->edges, cudaMemcpyHostToDevice, stream_));
	G500_TRY(cudaStreamSynchronize(stream_));
	return cudaSuccess;
}

} // namespace g500
