// RowFiller sorts the tuples' ends into rows, by radix sort (CUB) of 64-bit keys, 32-bit keys with weights. Edges from
// non-leaf vertices to leaves are left out: a search does not visit leaves (ADR 17).
//
// An entry is an end of a tuple, seen from the other end: two for each tuple that is not a self-loop. Its key is the
// row, then the row's sort key: the neighbour, or the weight. The rows are processed in pieces whose entries fit into
// the budget, by the prefix sum of the degrees. For each piece all tuples are read, and the entries of its rows are
// collected. They are collected by group, a range of rows, and the groups are sorted one after the other: a key then
// has the number of its row in the group, which has fewer digits, and only a group needs space for two.
#pragma once

#include <cub/util_type.cuh>

#include <algorithm>
#include <memory>

#include "kernel1/split.cuh"

namespace g500 {

// Piece is a range of rows that are filled together.
struct Piece {
	u32 first, last; // rows first to last-1
	u64 entries;     // including duplicates
};

// Group is a range of a piece's rows that are sorted together.
struct Group : Piece {
	u64 begin; // index of its first entry in the piece
};

#ifdef G500_EMULATED
constexpr u64 kGroupEntries = 50;
#else
constexpr u64 kGroupEntries = 1 << 23; // of a group, or more if there are too many groups
#endif

// PieceState is the kernels' output about a piece. Groups beyond the last one are empty.
struct PieceState {
	Piece piece;
	u32 first[kMostParts + 1]; // by group: its first row
	u64 begin[kMostParts + 1]; // by group: the first of its entries
	ull end[kMostParts];       // by group: the end of its entries so far

	Group group(u32 g) const { return {{first[g], first[g + 1], begin[g + 1] - begin[g]}, begin[g]}; }
};

// RowFiller fills an ordered graph with allocated arrays: sets neighbours and edges, and turns rows from sums of
// degrees into offsets. Working memory: the entries of a piece, limited by the budget, and a little for the sort.
//
// The order of calls: prepare; until done(): next, collect for all tuples or messages, store; finish.
class RowFiller {
public:
	RowFiller(Budget &budget, g500_graph *graph, cudaStream_t stream)
		: budget_(budget), graph_(graph), stream_(stream), temp_(budget), staying_(budget) {}
	virtual ~RowFiller() = default;

	int prepare(); // allocates working memory; finds the size of a piece
	bool done() const { return state_.piece.last == graph_->non_isolated; }
	int next(); // chooses the next piece; an empty one after the last

	// Collect the entries of the piece, in any order, in any number of calls: from tuples on one rank, or from the
	// messages of g500_bin_neighbours and its variants.
	virtual int collect(const Tuples &) = 0;
	virtual int collect_received(const MessageList<u64> &) { return cudaErrorInvalidValue; }
	virtual int collect_received64(const MessageList<Message64> &) { return cudaErrorInvalidValue; }
	virtual int collect_received_weighted(const MessageList<WeightedMessage> &) { return cudaErrorInvalidValue; }

	int store();  // sorts the entries of the piece; writes those that are kept, and the rows' offsets
	int finish(); // stores the end of the last row
	const Piece &piece() const { return state_.piece; }

protected:
	virtual u64 entry_bytes() const = 0; // of working memory per entry
	virtual u32 most_rows() const { return ~0u; } // in a piece
	virtual int allocate_spare(u64 entries) = 0;  // for sorting a group
	virtual int allocate_entries(u64 capacity) = 0;
	virtual int measure_sort(u64 entries, size_t *bytes) = 0;
	virtual int sort(const Group &group, size_t temp_bytes) = 0;
	virtual int count_staying(const Group &group, u64 *counts) = 0; // kept entries of each run of sorted entries
	virtual int store_staying(const Group &group, const u64 *before) = 0; // given the kept edges before each run

	PieceState *on_device() const { return on_device_; }
	// Returns the number of a group's first leaf among its rows.
	u32 leaves_from(const Group &group) const {
		return std::clamp(graph_->first_leaf, group.first, group.last) - group.first;
	}

	Budget &budget_;
	g500_graph *const graph_;
	const cudaStream_t stream_;
	PieceState state_{};
	Scratch<char> temp_;

private:
	int largest_group(u64 total, u64 both, u64 *largest);
	int measure_temp(u64 entries, size_t *bytes);
	int read_state();
	int store(const Group &group);

	Array<PieceState> on_device_;
	Scratch<u64> staying_; // kept edges before each run of sorted entries, and after the last one
	u64 capacity_ = 0; // limit of the entries of a piece
};

// Returns a RowFiller for plain or weighted rows.
std::unique_ptr<RowFiller> make_row_filler(bool weighted, Budget &budget, g500_graph *graph, cudaStream_t stream);
std::unique_ptr<RowFiller> make_weighted_rows(Budget &budget, g500_graph *graph, cudaStream_t stream);

// Allocates the arrays of neighbours of a graph whose rows are the prefix sum of the degrees; with ids64 also rank
// fields.
int allocate_cols(bool weighted, bool ids64, g500_graph *graph, cudaStream_t stream);

} // namespace g500
