// RowFiller sorts the tuples' ends into rows.
//
// An entry is an end of a tuple seen from the other end: two for each tuple that is no self-loop. As a key it is its
// row, then its column, so that sorted keys are sorted rows. The rows are cut into pieces whose keys fit into the
// budget, by the running sum of the degrees; each piece reads all tuples and keeps the entries of its rows.
#pragma once

#include <cub/util_type.cuh>

#include "build.cuh"

namespace g500 {

// Piece is a range of rows that are filled together.
struct Piece {
	uint32_t first, last; // rows first to last-1
	uint64_t entries;     // duplicates counted
};

// PieceState is what the device finds out about a piece.
struct PieceState {
	Piece piece;
	unsigned long long collected, distinct; // entries
};

// RowFiller is used so: prepare, then, until it is done, the four steps of a piece in their order, then finish.
class RowFiller {
public:
	RowFiller(const Tuples &tuples, Budget &budget, g500_graph *graph, cudaStream_t stream);

	int prepare();               // allocates the columns and working memory; finds the size of a piece
	bool done() const { return state_.piece.last == graph_->hubs; }
	int next();                  // chooses the next piece
	int collect();               // its keys, in any order
	int sort();                  // the keys
	int drop_duplicates();       // equal keys
	int store();                 // keys to columns, and the rows' offsets
	int finish();                // the end of the last row
	const Piece &piece() const { return state_.piece; }

private:
	int measure_temp(uint64_t entries, size_t *bytes);
	int read_state();
	int key_bits() const;

	const Tuples tuples_;
	Budget &budget_;
	g500_graph *const graph_;
	const cudaStream_t stream_;
	const int column_bits_;
	PieceState state_{};
	uint64_t capacity_ = 0; // entries a piece may have
	Scratch<uint64_t> key_, key_spare_;
	Scratch<PieceState> on_device_;
	Scratch<char> temp_;
	cub::DoubleBuffer<uint64_t> keys_;
};

} // namespace g500
