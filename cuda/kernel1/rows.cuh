// RowFiller sorts the tuples' ends into rows, by radix sort of 64-bit keys (CUB). Leaves stay out of the rows of
// others: a search does not visit them (ADR 17).
//
// An entry is an end of a tuple seen from the other end: two for each tuple that is no self-loop. As a key it is its
// row, then its column, so that sorted keys are sorted rows. The rows are cut into pieces whose keys fit into the
// budget, by the running sum of the degrees; for each piece all tuples are read, and the entries of its rows are kept.
#pragma once

#include <cub/util_type.cuh>

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

// KeyForm says which bits of a key are what: the row, the column's hub id, the column's rank.
struct KeyForm {
	int hub_bits, rank_bits;
	u32 core; // hub ids from here on are leaves

	explicit KeyForm(const g500_graph &graph)
		: hub_bits((int)graph.shift), rank_bits(graph.ranks > 1 ? bits_for(graph.ranks - 1) : 0), core(graph.core) {}

	__device__ u64 key(u32 row, u32 position) const {
		const u64 hub = position & ((1ull << hub_bits) - 1), rank = (u64)position >> hub_bits;
		return ((u64)row << hub_bits | hub) << rank_bits | rank;
	}
	__device__ u64 row(u64 key) const { return key >> hub_bits >> rank_bits; }
	__device__ bool is_leaf(u64 key) const { return (key >> rank_bits & ((1ull << hub_bits) - 1)) >= core; }
	__device__ u32 position(u64 key) const {
		const u64 rank = key & ((1ull << rank_bits) - 1), hub = key >> rank_bits & ((1ull << hub_bits) - 1);
		return (u32)(rank << hub_bits | hub);
	}
};

// SortedKeys are the keys of a piece in rising order, in runs, of which a warp takes one.
struct SortedKeys {
	const u64 *keys;
	u64 entries, runs;
	KeyForm form;
	u32 core; // rows of the piece below this one are of the core, and have no leaves (g500_graph)

	__device__ u64 operator[](u64 i) const { return keys[i]; }
	__device__ bool begins_row(u64 i) const { return i == 0 || form.row(keys[i]) != form.row(keys[i - 1]); }

	// Whether a key stays: a duplicate does not, nor a leaf in a row of the core.
	__device__ bool stays(u64 i) const {
		return i < entries && (i == 0 || keys[i] != keys[i - 1]) && !(form.row(keys[i]) < core && form.is_leaf(keys[i]));
	}
};

// Allocates cols for a graph whose rows are the running sum of the degrees.
int allocate_columns(g500_graph *graph, cudaStream_t stream);

// RowFiller fills a graph whose hubs are ordered and whose columns are allocated: sets cols and edges, and turns rows
// from sums of degrees into offsets. Working memory: 16 bytes an entry of a piece, as many entries as the budget
// allows.
//
// The order of calls: prepare; until it is done, next, collect for all tuples or messages, store; finish.
class RowFiller {
public:
	RowFiller(Budget &budget, g500_graph *graph, cudaStream_t stream);

	int prepare(); // allocates working memory; finds the size of a piece
	bool done() const { return state_.piece.last == graph_->hubs; }
	int next(); // chooses the next piece; an empty one when all are done

	// Writes the keys of the piece, in any order: from the tuples on one rank alone, or from the messages of
	// g500_bin_neighbours, in any number of calls.
	int collect(const Tuples &);
	int collect(const Messages &);

	int store();  // sorts the keys and drops duplicates: columns, and the rows' offsets
	int finish(); // the end of the last row
	const Piece &piece() const { return state_.piece; }

private:
	int measure_temp(u64 entries, size_t *bytes);
	int read_state();
	int sort();
	int count_staying(u64 *staying);
	int key_bits() const;
	SortedKeys sorted_keys();

	Budget &budget_;
	g500_graph *const graph_;
	const cudaStream_t stream_;
	const KeyForm form_;
	PieceState state_{};
	u64 capacity_ = 0; // entries a piece may have
	Scratch<u64> key_, key_spare_;
	Scratch<u64> staying_; // keys that stay before each run of sorted keys
	Scratch<PieceState> on_device_;
	Scratch<char> temp_;
	cub::DoubleBuffer<u64> keys_;
};

} // namespace g500
