// Kernel 1, second half: the rows of the adjacency structure, sorted and without duplicates (rows.cuh).
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include <algorithm>

#include "kernel1/rows.cuh"

namespace g500 {

namespace {

constexpr u32 kAllLanes = 0xffffffff;
constexpr u64 kRun = 512; // sorted keys that a warp goes through

// choose_piece: from row state->piece.last on, as many rows as have at most capacity entries.
// Map:    one thread; a binary search in the running sum of the degrees, which rows still hold from there on.
__global__ void choose_piece_kernel(const u64 *rows, u32 hubs, u64 capacity, PieceState *state) {
	const u32 first = state->piece.last;
	u32 low = first, high = hubs; // low fits; nothing above high does
	while (low < high) {
		const u32 middle = high - (high - low) / 2;
		if (rows[middle] - rows[first] <= capacity) low = middle;
		else high = middle - 1;
	}
	*state = {{first, low, rows[low] - rows[first]}, 0};
}

// Collection is where the keys of a piece go, in device memory, and the number of those that are there.
struct Collection {
	Piece piece;
	KeyForm form;
	u64 *keys;
	ull *count;

	__device__ bool holds(u32 row) const { return row - piece.first < piece.last - piece.first; }
};

// Reserves room for a warp's keys, and returns where it begins. All lanes give the same number.
__device__ inline u64 reserve(u32 keys, ull *count) {
	u64 at = 0;
	if (threadIdx.x % warpSize == 0 && keys > 0) at = atomicAdd(count, keys);
	return __shfl_sync(kAllLanes, at, 0);
}

// Appends the keys of the lanes that have one, side by side, and returns where the next may go. Keys past the piece's
// entries are counted and not written.
__device__ inline u64 append(bool has, u32 row, u32 position, u64 at, const Collection &to) {
	const u32 having = __ballot_sync(kAllLanes, has);
	const u32 before = (1u << threadIdx.x % warpSize) - 1;
	const u64 slot = at + __popc(having & before);
	if (has && slot < to.piece.entries) __stcs(&to.keys[slot], to.form.key(row - to.piece.first, position));
	return at + __popc(having);
}

// collect_entries: the keys of the entries in a piece's rows, in any order. One rank alone: hub ids are positions.
// Map:    one thread for kPerThread tuples; a warp reserves room for all its entries at once.
// Reads:  8 B a tuple, and two hub ids at random places. Writes: 8 B an entry, in runs.
// Races:  the order of the reservations is the order of the keys, which are sorted afterwards.
__global__ void collect_entries_kernel(Tuples tuples, const u32 *__restrict__ hub_of, Collection to) {
	// Ends of equal hub id are a self-loop, or both past the end of the list. kNoHub lies in no piece.
	const auto in_piece = [=](u32 row, u32 column) { return row != column && to.holds(row); };
	u32 u[kPerThread], v[kPerThread];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		const u64 i = tile_index(k);
		u[k] = i < tuples.count ? hub_of[__ldcs(&tuples.edges[i].low_u)] : kNoHub;
		v[k] = i < tuples.count ? hub_of[__ldcs(&tuples.edges[i].low_v)] : kNoHub;
	}
	u32 entries = 0; // of the warp
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		entries += __popc(__ballot_sync(kAllLanes, in_piece(u[k], v[k])));
		entries += __popc(__ballot_sync(kAllLanes, in_piece(v[k], u[k])));
	}
	u64 at = reserve(entries, to.count);
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		at = append(in_piece(u[k], v[k]), u[k], v[k], at, to);
		at = append(in_piece(v[k], u[k]), v[k], u[k], at, to);
	}
}

// collect_told: the same, from the messages of g500_bin_neighbours.
// Map:    one thread for kPerThread messages.
// Reads:  8 B a message, and a hub id at a random place. Writes: 8 B an entry, in runs.
// Races:  as above.
__global__ void collect_told_kernel(Messages neighbours, const u32 *__restrict__ hub_of, Collection to) {
	u32 row[kPerThread], position[kPerThread];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		const u64 i = tile_index(k);
		const u64 told = i < neighbours.count ? __ldcs(&neighbours.list[i]) : kNoMessage;
		row[k] = told != kNoMessage ? hub_of[message_place(told)] : kNoHub;
		position[k] = message_word(told);
	}
	u32 entries = 0; // of the warp
#pragma unroll
	for (int k = 0; k < kPerThread; k++) entries += __popc(__ballot_sync(kAllLanes, to.holds(row[k])));
	u64 at = reserve(entries, to.count);
#pragma unroll
	for (int k = 0; k < kPerThread; k++) at = append(to.holds(row[k]), row[k], position[k], at, to);
}

// RowOutput is where the rows of a piece go.
struct RowOutput {
	u64 *rows;  // from the piece's first row on
	u64 offset; // of the first edge in cols
	u32 *cols;
};

__device__ inline u64 warp_number() { return ((u64)blockIdx.x * kBlock + threadIdx.x) / warpSize; }

// count_staying: for each run of sorted keys, the number of those that stay.
// Map:    one warp a run.
// Reads:  8 B an entry. Writes: 8 B a run.
// Races:  none.
__global__ void count_staying_kernel(SortedKeys sorted, u64 *staying) {
	const u64 run = warp_number();
	if (run >= sorted.runs) return;
	u32 count = 0;
#pragma unroll 4
	for (u64 k = threadIdx.x % warpSize; k < kRun; k += warpSize) {
		const u64 i = run * kRun + k;
		count += __popc(__ballot_sync(kAllLanes, sorted.stays(i)));
	}
	if (threadIdx.x % warpSize == 0) staying[run] = count;
}

// store_rows: writes the columns and the row offsets of sorted keys. Every hub has a neighbour, so every row of the
// piece has a first key, and that sets its offset, even if no key of the row stays. Map:    one warp a run;
// before[run] keys of the piece stay before it. Reads:  8 B an entry, 8 B a run. Writes: 4 B an edge, 8 B a row.
// Races:  none.
__global__ void store_rows_kernel(SortedKeys sorted, const u64 *before, RowOutput to) {
	const u64 run = warp_number();
	if (run >= sorted.runs) return;
	const u32 lane = threadIdx.x % warpSize;
	u64 at = to.offset + before[run];
#pragma unroll 4
	for (u64 k = lane; k < kRun; k += warpSize) {
		const u64 i = run * kRun + k;
		const bool stays = sorted.stays(i);
		const u32 bits = __ballot_sync(kAllLanes, stays);
		const u64 slot = at + __popc(bits & ((1u << lane) - 1));
		at += __popc(bits);
		if (i >= sorted.entries) continue;
		if (stays) to.cols[slot] = sorted.form.position(sorted[i]);
		if (sorted.begins_row(i)) to.rows[sorted.form.row(sorted[i])] = slot;
	}
}

u64 runs_of(u64 entries) { return (entries + kRun - 1) / kRun; }

} // namespace

int allocate_columns(g500_graph *graph, cudaStream_t stream) {
	u64 total = 0;
	if (const int code = sum_of_degrees(*graph, &total, stream)) return code;
	return allocate(&graph->cols, total);
}

RowFiller::RowFiller(Budget &budget, g500_graph *graph, cudaStream_t stream)
	: budget_(budget), graph_(graph), stream_(stream), form_(*graph), key_(budget), key_spare_(budget),
	  staying_(budget), on_device_(budget), temp_(budget) {}

// There are two arrays of keys: the sort moves them from one to the other and back. The temporary memory of CUB is that
// for an upper bound of the number of entries.
int RowFiller::prepare() {
	u64 total = 0;
	if (const int code = sum_of_degrees(*graph_, &total, stream_)) return code;
	if (const int code = on_device_.take(1)) return code;
	G500_TRY(cudaMemsetAsync(on_device_.get(), 0, sizeof(PieceState), stream_));

	const u64 per_entry = 2 * sizeof(u64);
	const u64 most = std::min(total, budget_.left / per_entry);
	if (const int code = staying_.take(runs_of(most) + 1)) return code;
	size_t temp_bytes = 0;
	if (const int code = measure_temp(most, &temp_bytes)) return code;
	if (const int code = temp_.take(temp_bytes)) return code;
	capacity_ = std::min(most, budget_.left / per_entry);
	if (const int code = key_.take(capacity_)) return code;
	return key_spare_.take(capacity_);
}

int RowFiller::measure_temp(u64 entries, size_t *bytes) {
	size_t for_sort = 0, for_sum = 0;
	cub::DoubleBuffer<u64> keys;
	G500_TRY(cub::DeviceRadixSort::SortKeys(nullptr, for_sort, keys, entries, 0, 64, stream_));
	u64 *const staying = staying_.get();
	G500_TRY(cub::DeviceScan::ExclusiveSum(nullptr, for_sum, staying, staying, (int)runs_of(entries) + 1, stream_));
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
	G500_LAUNCH(choose_piece_kernel, Launch{1, 1, stream_}, graph_->rows, graph_->hubs, capacity_, on_device_.get());
	if (const int code = read_state()) return code;
	const bool row_fits = state_.piece.last > state_.piece.first;
	return row_fits || over ? cudaSuccess : cudaErrorMemoryAllocation;
}

int RowFiller::collect(const Tuples &tuples) {
	const Collection to = {state_.piece, form_, key_.get(), &on_device_.get()->collected};
	const Launch how = {blocks_for(tuples.count, kTile), kBlock, stream_};
	G500_LAUNCH(collect_entries_kernel, how, tuples, graph_->hub_of, to);
	return cudaSuccess;
}

int RowFiller::collect(const Messages &neighbours) {
	if (neighbours.count == 0 || state_.piece.entries == 0) return cudaSuccess;
	const Collection to = {state_.piece, form_, key_.get(), &on_device_.get()->collected};
	const Launch how = {blocks_for(neighbours.count, kTile), kBlock, stream_};
	G500_LAUNCH(collect_told_kernel, how, neighbours, graph_->hub_of, to);
	return cudaSuccess;
}

int RowFiller::key_bits() const {
	return form_.rank_bits + form_.hub_bits + bits_for(state_.piece.last - state_.piece.first - 1);
}

int RowFiller::sort() {
	keys_ = cub::DoubleBuffer<u64>(key_.get(), key_spare_.get());
	size_t bytes = temp_.bytes();
	const u64 entries = state_.piece.entries;
	G500_LAUNCH_BY("sort_entries (CUB)",
	               cub::DeviceRadixSort::SortKeys(temp_.get(), bytes, keys_, entries, 0, key_bits(), stream_));
	return cudaSuccess;
}

SortedKeys RowFiller::sorted_keys() {
	const Piece &piece = state_.piece;
	const u32 core = std::clamp(graph_->core, piece.first, piece.last) - piece.first;
	return {keys_.Current(), piece.entries, runs_of(piece.entries), form_, core};
}

// Sets staying_ to the number of keys that stay before each run, and finds the number of all.
int RowFiller::count_staying(u64 *staying) {
	const SortedKeys sorted = sorted_keys();
	const u64 runs = sorted.runs;
	u64 *const counts = staying_.get();
	G500_TRY(cudaMemsetAsync(counts + runs, 0, sizeof(u64), stream_));
	G500_LAUNCH(count_staying_kernel, Launch{blocks_for(runs * 32, kBlock), kBlock, stream_}, sorted, counts);
	size_t bytes = temp_.bytes();
	G500_LAUNCH_BY("sum_staying (CUB)",
	               cub::DeviceScan::ExclusiveSum(temp_.get(), bytes, counts, counts, (int)runs + 1, stream_));
	G500_TRY(cudaMemcpyAsync(staying, counts + runs, sizeof *staying, cudaMemcpyDeviceToHost, stream_));
	G500_TRY(cudaStreamSynchronize(stream_));
	return cudaSuccess;
}

int RowFiller::store() {
	if (const int code = read_state()) return code;
	// The number of entries is the sum of the degrees. If it is not, a counter of 32 bits has wrapped: a vertex has
	// more than 2^32-1 tuples.
	if (state_.collected != state_.piece.entries) return cudaErrorInvalidValue;
	if (state_.piece.entries == 0) return cudaSuccess;
	if (const int code = sort()) return code;
	u64 staying = 0;
	if (const int code = count_staying(&staying)) return code;
	const SortedKeys sorted = sorted_keys();
	const RowOutput to = {graph_->rows + state_.piece.first, graph_->edges, graph_->cols};
	const Launch how = {blocks_for(sorted.runs * 32, kBlock), kBlock, stream_};
	G500_LAUNCH(store_rows_kernel, how, sorted, staying_.get(), to);
	graph_->edges += staying;
	return cudaSuccess;
}

int RowFiller::finish() {
	u64 *const end = graph_->rows + graph_->hubs;
	G500_TRY(cudaMemcpyAsync(end, &graph_->edges, sizeof *end, cudaMemcpyHostToDevice, stream_));
	G500_TRY(cudaStreamSynchronize(stream_));
	return cudaSuccess;
}

} // namespace g500
