// RowFiller sorts the tuples' ends into rows.
//
// An entry is an end of a tuple seen from the other end: two for each tuple that is no self-loop. As a key it is its
// row, then its column, so that sorted keys are sorted rows. The rows are cut into pieces whose keys fit into the
// budget, by the running sum of the degrees; each piece goes through all tuples and keeps the entries of its rows.
#pragma once

#include <cub/util_type.cuh>

#include "kernel1/build.cuh"

namespace g500 {

// Piece is a range of rows that are filled together.
struct Piece {
	uint32_t first, last; // rows first to last-1
	uint64_t entries;     // duplicates counted
};

// PieceState is what the device finds out about a piece.
struct PieceState {
	Piece piece;
	unsigned long long collected; // entries
};

// KeyForm says which bits of a key are what: the row, the column's hub id, the column's rank.
struct KeyForm {
	int hub_bits, rank_bits;

	explicit KeyForm(const g500_graph &graph)
		: hub_bits((int)graph.shift), rank_bits(graph.ranks > 1 ? bits_for(graph.ranks - 1) : 0) {}

	__device__ uint64_t key(uint32_t row, uint32_t position) const {
		const uint64_t hub = position & ((1ull << hub_bits) - 1), rank = (uint64_t)position >> hub_bits;
		return ((uint64_t)row << hub_bits | hub) << rank_bits | rank;
	}
	__device__ uint64_t row(uint64_t key) const { return key >> hub_bits >> rank_bits; }
	__device__ uint32_t position(uint64_t key) const {
		const uint64_t rank = key & ((1ull << rank_bits) - 1), hub = key >> rank_bits & ((1ull << hub_bits) - 1);
		return (uint32_t)(rank << hub_bits | hub);
	}
};

// Allocates cols for a graph whose rows are the running sum of the degrees.
int allocate_columns(g500_graph *graph, cudaStream_t stream);

// RowFiller fills a graph whose hubs are ordered and whose columns are allocated: sets cols and edges, and turns rows
// from sums of degrees into offsets. Working memory: 16 bytes an entry of a piece, as many entries as the budget allows.
//
// It is used so: prepare; until it is done, next, collect for all tuples or messages, store; finish.
class RowFiller {
public:
	RowFiller(Budget &budget, g500_graph *graph, cudaStream_t stream);

	int prepare();                      // allocates working memory; finds the size of a piece
	bool done() const { return state_.piece.last == graph_->hubs; }
	int next();                         // chooses the next piece; an empty one when all are done
	int collect(const Tuples &);        // the keys of the piece, in any order: on one rank alone,
	int collect(const Messages &);      // or from the neighbours that this rank was told, in any number of calls
	int store();                        // sorts the keys and drops duplicates: columns, and the rows' offsets
	int finish();                       // the end of the last row
	const Piece &piece() const { return state_.piece; }

private:
	int measure_temp(uint64_t entries, size_t *bytes);
	int read_state();
	int sort();
	int count_distinct(uint64_t *distinct);
	int key_bits() const;

	Budget &budget_;
	g500_graph *const graph_;
	const cudaStream_t stream_;
	const KeyForm form_;
	PieceState state_{};
	uint64_t capacity_ = 0; // entries a piece may have
	Scratch<uint64_t> key_, key_spare_;
	Scratch<uint64_t> distinct_; // before each run of sorted keys
	Scratch<PieceState> on_device_;
	Scratch<char> temp_;
	cub::DoubleBuffer<uint64_t> keys_;
};

} // namespace g500
