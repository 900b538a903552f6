// Kernels of both kinds of rows: collecting entries from tuples or messages, and storing those that are kept after
// sorting. Each kind of rows has a Collection for unsorted entries, and a Sorted for sorted ones.
#pragma once

#include "common/warp.cuh"
#include "kernel1/rows.cuh"

namespace g500 {

constexpr u64 kRun = 512; // sorted entries per warp

inline u64 runs_of(u64 entries) { return (entries + kRun - 1) / kRun; }

// Entry is an end of a tuple: its row, the other end and, in addition, the bits of the weight or, with 64-bit ids, the
// other end's rank.
struct Entry {
	u32 row, global_id, extra;
};

__device__ inline u32 weight_at(const Tuples &tuples, u64 i) {
	return tuples.weights && i < tuples.count ? __float_as_uint(__ldcs(&tuples.weights[i])) : 0;
}

// Rows are the rows of a group.
struct Rows {
	u32 first, count;
};

struct CollectMemory {
	u32 first[kMostParts + 1]; // by group: its first row
	SplitMemory split;
};

// Returns the group of a row of the piece.
__device__ inline u32 group_of(const u32 *first, u32 row) {
	u32 group = 0;
#pragma unroll
	for (u32 step = kMostParts / 2; step > 0; step /= 2) group += first[group + step] <= row ? step : 0;
	return group;
}

// Stores a block's entries at the ends of their groups; at(k) returns entry k of a thread. An entry without a row of
// the piece has none. Entries beyond the end of a group are counted, but may overwrite others.
template <int kEntries, typename At, typename Collection>
__device__ inline void append_entries(PieceState *state, At at, const Collection &to) {
	G500_SHARED_MEMORY(memory);
	CollectMemory &block = *(CollectMemory *)memory;
	for (u32 g = threadIdx.x; g <= kMostParts; g += kBlock) block.first[g] = state->first[g];
	const auto part_of = [&](int k) {
		const u32 row = at(k).row;
		return row - to.piece.first < to.piece.last - to.piece.first ? group_of(block.first, row) : kNoPart;
	};
	split<kEntries>(block.split, state->end, part_of, [&](int k, u32 group, u64 slot) {
		const u32 first = block.first[group];
		if (slot < to.piece.entries) to.put(slot, Rows{first, block.first[group + 1] - first}, at(k));
	});
}

// Collects the entries of a piece's rows, in any order in a group, on one rank: local ids are global ids.
// Map:    one thread for kPerThread tuples; a block reserves space in each group.
// Reads:  8 B per tuple, 4 B of weight if any, and two random local ids. Writes: an entry, in runs.
// Races:  the order of the reservations is the order of the entries, which are sorted afterwards.
template <typename Collection>
__global__ void __launch_bounds__(kBlock)
collect_entries_kernel(Tuples tuples, const u32 *__restrict__ local_ids, PieceState *state, Collection to) {
	u32 ends[kPerThread][2], weight[kPerThread];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		const u64 i = tile_index(k);
		ends[k][0] = i < tuples.count ? local_ids[__ldcs(&tuples.edges[i].low_u)] : kNoLocalId;
		ends[k][1] = i < tuples.count ? local_ids[__ldcs(&tuples.edges[i].low_v)] : kNoLocalId;
		weight[k] = weight_at(tuples, i);
	}
	// Ends with equal local id are a self-loop, or beyond the end of the list. kNoLocalId is in no piece.
	append_entries<2 * kPerThread>(state, [&](int k) {
		const u32 row = ends[k / 2][k % 2], col = ends[k / 2][1 - k % 2];
		return Entry{row != col ? row : kNoLocalId, col, weight[k / 2]};
	}, to);
}

// The same from the messages of g500_bin_neighbours.
// Map:    one thread for kPerThread messages.
// Reads:  8 B per message, 16 B with a weight or a rank, and a random local id. Writes: an entry, in runs.
// Races:  as above.
template <typename Collection, typename Message>
__global__ void __launch_bounds__(kBlock) collect_received_kernel(
	MessageList<Message> neighbours, const u32 *__restrict__ local_ids, PieceState *state, Collection to) {
	Entry entry[kPerThread];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		const Message received = neighbours.at(tile_index(k));
		const u32 row = message_place(received) != kNoLocalId ? local_ids[message_place(received)] : kNoLocalId;
		entry[k] = {row, message_word(received), message_extra(received)};
	}
	append_entries<kPerThread>(state, [&](int k) { return entry[k]; }, to);
}

// RowOutput is the destination of a group's rows.
template <typename Cols>
struct RowOutput {
	u64 *rows; // from the group's first row on
	Cols cols;
};

template <typename Col>
__device__ inline void store_col(Col *cols, u64 slot, const Col &col) { cols[slot] = col; }

__device__ inline u64 warp_number() { return ((u64)blockIdx.x * kBlock + threadIdx.x) / warpSize; }

// Counts the kept entries in each run of sorted entries.
// Map:    one warp per run. Reads: an entry each. Writes: 8 B per run.
template <typename Sorted>
__global__ void count_staying_kernel(Sorted sorted, u64 *staying) {
	const u64 run = warp_number();
	if (run >= sorted.runs) return;
	u32 count = 0;
#pragma unroll 4
	for (u64 k = lane_of_thread(); k < kRun; k += warpSize) {
		const u64 i = run * kRun + k;
		count += __popc(__ballot_sync(~0u, sorted.stays(i)));
	}
	if (lane_of_thread() == 0) staying[run] = count;
}

// Writes the neighbours and row offsets of sorted entries. Every row of the group has an entry, whose first one sets
// the row's offset, even if no entry of the row is kept.
// Map:    one warp per run; before[run] edges are stored before it.
// Reads:  an entry each, 8 B per run. Writes: a neighbour per edge, 8 B per row.
template <typename Sorted>
__global__ void store_rows_kernel(Sorted sorted, const u64 *before, RowOutput<typename Sorted::Cols> to) {
	const u64 run = warp_number();
	if (run >= sorted.runs) return;
	const u32 lane = lane_of_thread();
	u64 at = before[run];
#pragma unroll 4
	for (u64 k = lane; k < kRun; k += warpSize) {
		const u64 i = run * kRun + k;
		const bool stays = sorted.stays(i);
		const u64 slot = append_in_warp(__ballot_sync(~0u, stays), at);
		if (i >= sorted.entries) continue;
		if (stays) store_col(to.cols, slot, sorted.col(i));
		if (sorted.begins_row(i)) to.rows[sorted.row(i)] = slot;
	}
}

// Launches collect_entries_kernel or collect_received_kernel.
template <typename Collection>
int collect_entries(const Tuples &tuples, const u32 *local_ids, PieceState *state, const Collection &to,
                    cudaStream_t stream) {
	const Launch how = {blocks_for(tuples.count, kListTile), kBlock, stream, sizeof(CollectMemory)};
	G500_LAUNCH(collect_entries_kernel<Collection>, how, tuples, local_ids, state, to);
	return cudaSuccess;
}

template <typename Collection, typename Message>
int collect_entries(const MessageList<Message> &neighbours, const u32 *local_ids, PieceState *state,
                    const Collection &to, cudaStream_t stream) {
	if (neighbours.count == 0 || to.piece.entries == 0) return cudaSuccess;
	const Launch how = {blocks_for(neighbours.count, kListTile), kBlock, stream, sizeof(CollectMemory)};
	const auto kernel = collect_received_kernel<Collection, Message>;
	G500_LAUNCH(kernel, how, neighbours, local_ids, state, to);
	return cudaSuccess;
}

template <typename Sorted>
int count_staying_entries(const Sorted &sorted, u64 *counts, cudaStream_t stream) {
	const Launch how = {blocks_for(sorted.runs * 32, kBlock), kBlock, stream};
	G500_LAUNCH(count_staying_kernel<Sorted>, how, sorted, counts);
	return cudaSuccess;
}

template <typename Sorted>
int store_rows(const Sorted &sorted, const u64 *before, const RowOutput<typename Sorted::Cols> &to,
               cudaStream_t stream) {
	const Launch how = {blocks_for(sorted.runs * 32, kBlock), kBlock, stream};
	G500_LAUNCH(store_rows_kernel<Sorted>, how, sorted, before, to);
	return cudaSuccess;
}

} // namespace g500
