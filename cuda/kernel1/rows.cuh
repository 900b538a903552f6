// RowFiller sorts the tuples' ends into rows, by radix sort of 64-bit keys (CUB). Edges from non-leaf vertices to
// leaves are left out: a search does not visit leaves (ADR 17).
//
// An entry is an end of a tuple, seen from the other end: two for each tuple that is not a self-loop. Its key is the
// row, then the row's sort key: the neighbour, or the weight. The rows are processed in pieces whose keys fit into the
// budget, by the prefix sum of the degrees. For each piece all tuples are read, and the entries of its rows are
// collected.
#pragma once

#include <cub/util_type.cuh>

#include <memory>

#include "kernel1/build.cuh"

namespace g500 {

// Piece is a range of rows that are filled together.
struct Piece {
	u32 first, last; // rows first to last-1
	u64 entries;     // including duplicates
};

// PieceState is the kernels' output about a piece.
struct PieceState {
	Piece piece;
	ull collected; // entries
};

// RowFiller fills an ordered graph with allocated arrays: sets neighbours and edges, and turns rows from sums of
// degrees into offsets. Working memory: the entries of a piece, limited by the budget, and a little for the sort.
//
// The order of calls: prepare; until done(): next, collect for all tuples or messages, store; finish.
class RowFiller {
public:
	RowFiller(Budget &budget, g500_graph *graph, cudaStream_t stream)
		: budget_(budget), graph_(graph), stream_(stream), staying_(budget), on_device_(budget), temp_(budget) {}
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
	virtual int allocate_entries(u64 capacity) = 0;
	virtual int measure_sort(u64 entries, size_t *bytes) = 0;
	virtual int sort(size_t temp_bytes) = 0;
	virtual int count_staying(u64 *counts) = 0;       // kept entries of each run of sorted entries
	virtual int store_staying(const u64 *before) = 0; // given the kept entries before each run

	Budget &budget_;
	g500_graph *const graph_;
	const cudaStream_t stream_;
	PieceState state_{};
	Scratch<u64> staying_; // kept entries before each run of sorted ones
	Scratch<PieceState> on_device_;
	Scratch<char> temp_;

private:
	int measure_temp(u64 entries, size_t *bytes);
	int read_state();
	int sum_staying(u64 *staying);

	u64 capacity_ = 0; // limit of the entries of a piece
};

// Returns a RowFiller for plain or weighted rows.
std::unique_ptr<RowFiller> make_row_filler(bool weighted, Budget &budget, g500_graph *graph, cudaStream_t stream);
std::unique_ptr<RowFiller> make_weighted_rows(Budget &budget, g500_graph *graph, cudaStream_t stream);

// Allocates the arrays of neighbours of a graph whose rows are the prefix sum of the degrees; with ids64 also rank
// fields.
int allocate_cols(bool weighted, bool ids64, g500_graph *graph, cudaStream_t stream);

} // namespace g500
