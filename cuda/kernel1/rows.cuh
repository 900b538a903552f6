// SPDX-License-Identifier: Apache-2.0

// RowFiller sorts the tuples' ends into rows, by radix sort (CUB) of 64-bit keys, or of shorter ones with weights.
// Edges from non-leaf vertices to leaves are left out: a search does not visit leaves (ADR 17).
//
// An entry is an end of a tuple, seen from the other end: two for each tuple that is not a self-loop; in a directed
// graph only the second end. Its key is the
// row, then the row's sort key: the neighbour, or the weight. The rows are processed in pieces whose entries fit into
// the budget, by the prefix sum of the degrees. For each piece all tuples are read, and the entries of its rows are
// collected. They are collected by group, a range of rows, and the groups are sorted one after the other: a key then
// has the number of its row in the group, which has fewer digits, and only a group needs space for two.
#pragma once

#include <algorithm>
#include <memory>

#include "common/cub.cuh"
#include "kernel1/split.cuh"

namespace g500 {

// Piece is a range of rows that are filled together.
struct Piece {
	u32 first, last; // rows first to last-1
	u64 entries;     // at most, including duplicates
};

// Group is a range of a piece's rows that are sorted together.
struct Group : Piece {
	u64 begin; // index of its first entry in the piece

	__host__ __device__ u32 rows() const { return last - first; }
};

constexpr u64 kGroupEntries = G500_SIZE(50, 1 << 23); // of a group, or more if there are too many groups

// PieceState is the kernels' output about a piece. Groups beyond the last one are empty.
struct PieceState {
	Piece piece;
	u32 first[kMostParts + 1]; // by group: its first row
	u64 begin[kMostParts + 1]; // by group: the first of its entries
	ull end[kMostParts];       // by group: the end of its entries so far
	ull omitted;               // edges from non-leaf vertices to leaves so far

	Group group(u32 g) const { return {{first[g], first[g + 1], end[g] - begin[g]}, begin[g]}; }
};

struct WeightedEntries;

// RowFiller fills an ordered graph with allocated arrays: sets neighbours and edges, and turns rows from sums of
// degrees into offsets. Working memory: the entries of a piece, limited by the budget, and a little for the sort.
//
// The order of calls: prepare; until done(): next, collect for all tuples or messages, store; finish.
class RowFiller {
public:
	// Sizes is working memory in bytes per entry, and in addition per entry of a group that is sorted.
	struct Sizes {
		u64 entry, spare;
	};

	RowFiller(Budget &budget, g500_graph *graph, cudaStream_t stream, Sizes sizes)
		: budget_(budget), graph_(graph), stream_(stream), sizes_(sizes) {}
	virtual ~RowFiller() = default;

	// Finds the size of a piece and allocates working memory; an error if the entries must be in one piece and the budget
	// is too small.
	int prepare(bool in_one_piece = false);
	// Returns the state of entries that another filler has collected, in one piece; null if this one collects them.
	const PieceState *collected() const { return collected_; }
	bool done() const { return state_.piece.last == graph_->non_isolated; }
	// Chooses the next piece; an empty one after the last. `bytes` of memory are for its entries and its packed rows;
	// prepare has allocated the memory of plain ones.
	int next(u64 bytes);

	// Collect the entries of the piece, in any order, in any number of calls: from tuples on one rank, or from messages,
	// as g500_builder_collect.
	virtual int collect(const Tuples &) = 0;
	virtual int collect_received(const void *messages, u64 count) = 0;

	int store();  // sorts the entries of the piece; writes those that are kept, and the rows' offsets
	int finish(); // stores the end of the last row
	const Piece &piece() const { return state_.piece; }

protected:
	virtual int allocate_entries(u64 capacity) = 0;
	virtual int prepare_sort(u64 largest) = 0;       // allocates the memory for sorting groups of up to that many entries
	virtual int store(const Group &group) = 0;       // appends the group's rows
	virtual int free_entries() { return cudaSuccess; } // of a stored piece
	// Chooses a piece from a row on, for next.
	virtual int choose_piece(u32 first, u64) { return choose(first, capacity_); }
	int choose(u32 first, u64 capacity); // with at most that many entries; synchronous
	virtual int count_edges(u64 *edges) const = 0;   // in stored rows; synchronous

	Budget &budget_;
	g500_graph *const graph_;
	const cudaStream_t stream_;
	const Sizes sizes_;
	u32 most_rows_ = ~0u; // in a piece
	const PieceState *collected_ = nullptr;
	PieceState state_{};
	Array<PieceState> on_device_;
	u64 most_sorted_ = 0; // limit of the entries of a piece, which may be one group

private:
	int read_state() { return read_back(&state_, on_device_.get(), sizeof state_, stream_); }
	int check_entries() const;

	u64 total_ = 0;    // entries of all rows, at most
	u64 capacity_ = 0; // entries for which prepare has allocated memory
	bool began_ = false;
};

// Sets the offsets of a group's rows that begin at edge `slot`, seen from sorted entry i: its own, unless the previous
// entry has the same row, and those of rows without entries. row_of returns the row of an entry in the group. `rows`
// are the group's offsets, `count` their number. Entry 0 is required even if there are no entries.
template <typename RowOf>
__device__ inline void set_offsets(u64 i, u64 entries, RowOf row_of, u64 slot, u64 *rows, u32 count) {
	const u32 first = i > 0 ? row_of(i - 1) + 1 : 0, end = i < entries ? row_of(i) + 1 : count;
	for (u32 row = first; row < end; row++) rows[row] = slot;
}

// Return a RowFiller for rows without weights, packed ones (packed_rows.cuh) if the graph has their array; for plain
// rows from entries that will also make weighted rows; or for weighted rows, from entries that plain rows have
// collected if they are for both. The entries must exist as long as the filler.
std::unique_ptr<RowFiller> make_rows(Budget &budget, g500_graph *graph, cudaStream_t stream);
std::unique_ptr<RowFiller> make_plain_rows_for_both(WeightedEntries &entries, Budget &budget, g500_graph *graph,
                                                    cudaStream_t stream);
std::unique_ptr<RowFiller> make_weighted_rows(WeightedEntries &entries, Budget &budget, g500_graph *graph,
                                              cudaStream_t stream);

} // namespace g500
