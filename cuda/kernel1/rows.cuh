// RowFiller sorts the tuples' ends into rows, by radix sort of 64-bit keys (CUB). Leaves stay out of the rows of
// others: a search does not visit them (ADR 17).
//
// An entry is an end of a tuple seen from the other end: two for each tuple that is no self-loop. As a key it is its
// row, then what rows are sorted by: the column, or the weight. The rows are cut into pieces whose keys fit into the
// budget, by the running sum of the degrees; for each piece all tuples are read, and the entries of its rows are kept.
#pragma once

#include <cub/util_type.cuh>

#include <memory>

#include "kernel1/build.cuh"

namespace g500 {

// Piece is a range of rows that are filled together.
struct Piece {
	u32 first, last; // rows first to last-1
	u64 entries;     // duplicates counted
};

// PieceState is what the kernels write about a piece.
struct PieceState {
	Piece piece;
	ull collected; // entries
};

// RowFiller fills a graph whose hubs are ordered and whose columns are allocated: sets the columns and edges, and turns
// rows from sums of degrees into offsets. Working memory: what the entries of a piece take, as many of them as the
// budget allows, and a little for the sort.
//
// The order of calls: prepare; until it is done, next, collect for all tuples or messages, store; finish.
class RowFiller {
public:
	RowFiller(Budget &budget, g500_graph *graph, cudaStream_t stream)
		: budget_(budget), graph_(graph), stream_(stream), staying_(budget), on_device_(budget), temp_(budget) {}
	virtual ~RowFiller() = default;

	int prepare(); // allocates working memory; finds the size of a piece
	bool done() const { return state_.piece.last == graph_->non_isolated; }
	int next(); // chooses the next piece; an empty one when all are done

	// Writes the entries of the piece, in any order: from the tuples on one rank alone, or from the messages of
	// g500_bin_neighbours, which have weights if the graph has, in any number of calls.
	virtual int collect(const Tuples &) = 0;
	virtual int collect_received(const MessageList<u64> &) { return cudaErrorInvalidValue; }
	virtual int collect_received64(const MessageList<Message64> &) { return cudaErrorInvalidValue; }
	virtual int collect_received_weighted(const MessageList<WeightedMessage> &) { return cudaErrorInvalidValue; }

	int store();  // sorts the entries of the piece, and writes those that stay, and the rows' offsets
	int finish(); // the end of the last row
	const Piece &piece() const { return state_.piece; }

protected:
	virtual u64 entry_bytes() const = 0; // of working memory
	virtual u32 most_rows() const { return ~0u; } // of a piece
	virtual int allocate_entries(u64 capacity) = 0;
	virtual int measure_sort(u64 entries, size_t *bytes) = 0;
	virtual int sort(size_t temp_bytes) = 0;
	virtual int count_staying(u64 *counts) = 0;       // of each run of sorted entries
	virtual int store_staying(const u64 *before) = 0; // given those that stay before each run

	Budget &budget_;
	g500_graph *const graph_;
	const cudaStream_t stream_;
	PieceState state_{};
	Scratch<u64> staying_; // entries that stay before each run of sorted ones
	Scratch<PieceState> on_device_;
	Scratch<char> temp_;

private:
	int measure_temp(u64 entries, size_t *bytes);
	int read_state();
	int sum_staying(u64 *staying);

	u64 capacity_ = 0; // entries a piece may have
};

// Makes what fills a graph: rows by rising position, or, where the graph has weights, by rising weight.
std::unique_ptr<RowFiller> make_row_filler(bool weighted, Budget &budget, g500_graph *graph, cudaStream_t stream);
std::unique_ptr<RowFiller> make_weighted_rows(Budget &budget, g500_graph *graph, cudaStream_t stream);

// Allocates the columns of a graph whose rows are the running sum of the degrees. A wide one has ranks beside them.
int allocate_cols(bool weighted, bool ids64, g500_graph *graph, cudaStream_t stream);

} // namespace g500
