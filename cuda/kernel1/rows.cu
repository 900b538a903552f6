// SPDX-License-Identifier: Apache-2.0

// Kernel 1, second half: the rows, piece by piece (rows.cuh).
#include <algorithm>

#include "kernel1/entries.cuh"

namespace g500 {

namespace {

// Returns the lowest row from first to last whose entries begin at `target` or later. rows is a prefix sum.
__device__ u32 row_at(const u64 *rows, u32 first, u32 last, u64 target) {
	return first_not(first, last, [=](u32 row) { return rows[row] < target; });
}

// Chooses a piece, from row `first` on: as many rows as have at most `capacity` entries, at most `most` rows.
// Divides it into groups with about equally many entries.
// Map:    one thread per group, and one for the end; binary searches in the prefix sum of the degrees, which later rows
//         still contain.
__global__ void
choose_piece_kernel(const g500_graph graph, u32 first, u64 capacity, u32 most, PieceState *state) {
	const u64 *const rows = graph.rows;
	const u32 end = graph.non_isolated - first > most ? first + most : graph.non_isolated;
	const u32 last = rows[end] - rows[first] <= capacity ? end : row_at(rows, first, end, rows[first] + capacity + 1) - 1;
	const u64 entries = rows[last] - rows[first];
	const u64 groups = min((u64)kMostParts, entries / kGroupEntries + 1);
	const u32 g = threadIdx.x;
	if (g > kMostParts) return;
	const u32 begin = g < groups ? row_at(rows, first, last, rows[first] + entries * g / groups) : last;
	state->first[g] = begin;
	state->begin[g] = rows[begin] - rows[first];
	if (g < kMostParts) state->end[g] = rows[begin] - rows[first];
	if (g > 0) return;
	state->piece = {first, last, entries};
	state->omitted = 0;
}

} // namespace

// If memory is short, a piece may be a single group; then it has as many entries as can also be sorted. A group has at
// most an equal share and a longest row. The first row has the highest degree, except for up to 63 (order.cuh).
int RowFiller::prepare(bool in_one_piece) {
	u64 longest = 0;
	if (const int code = sum_of_degrees(*graph_, &total_, stream_)) return code;
	G500_TRY(on_device_.alloc_zeroed(1, stream_));
	if (graph_->non_isolated > 0) G500_TRY(read_back(&longest, graph_->rows + 1, sizeof longest, stream_));
	const u64 bound = std::min(total_, std::max(kGroupEntries, total_ / kMostParts) + longest + 64);
	if (collected_) {
		state_ = *collected_, capacity_ = total_;
		G500_TRY(cudaMemcpyAsync(on_device_, &state_, sizeof state_, cudaMemcpyHostToDevice, stream_));
		return prepare_sort(bound);
	}
	const u64 largest = std::min(bound, budget_.left / (sizes_.entry + sizes_.spare));
	if (const int code = prepare_sort(largest)) return code;
	most_sorted_ = largest < bound ? largest : total_;
	capacity_ = std::min(most_sorted_, budget_.left / sizes_.entry);
	if (in_one_piece && capacity_ < total_) return cudaErrorMemoryAllocation;
	return allocate_entries(capacity_);
}

int RowFiller::choose(u32 first, u64 capacity) {
	G500_LAUNCH(choose_piece_kernel, Launch{1, kMostParts + 32, stream_}, *graph_, first, capacity, most_rows_,
	            on_device_.get());
	return read_state();
}

int RowFiller::next(u64 bytes) {
	if (collected() && !began_) return began_ = true, cudaSuccess;
	const bool over = done();
	if (const int code = choose_piece(state_.piece.last, bytes)) return code;
	const bool row_fits = state_.piece.last > state_.piece.first;
	return row_fits || over ? cudaSuccess : cudaErrorMemoryAllocation;
}

// Each end is an entry or omitted, unless a 32-bit counter has wrapped: a vertex has more than 2^32-1 tuples. In a
// directed graph a row has no entry for an edge that ends at its vertex.
int RowFiller::check_entries() const {
	u64 found = state_.omitted;
	for (u32 g = 0; g < kMostParts; g++) {
		if (state_.end[g] > state_.begin[g + 1]) return cudaErrorInvalidValue;
		found += state_.end[g] - state_.begin[g];
	}
	const bool complete = graph_->directed ? found <= state_.piece.entries : found == state_.piece.entries;
	return complete ? cudaSuccess : cudaErrorInvalidValue;
}

int RowFiller::store() {
	if (const int code = read_state()) return code;
	if (const int code = check_entries()) return code;
	for (u32 g = 0; g < kMostParts; g++) {
		const Group group = state_.group(g);
		if (group.rows() == 0) continue;
		if (const int code = store(group)) return code;
	}
	return free_entries();
}

int RowFiller::finish() {
	if (const int code = count_edges(&graph_->edges)) return code;
	u64 *const end = graph_->rows + graph_->non_isolated;
	G500_TRY(cudaMemcpyAsync(end, &graph_->edges, sizeof *end, cudaMemcpyHostToDevice, stream_));
	return cudaStreamSynchronize(stream_);
}

} // namespace g500
