// SPDX-License-Identifier: Apache-2.0

// The graph as a search reads it: one rank's share in degree order, and derived arrays.
#pragma once

#include "common/push.cuh"
#include "common/tiles.cuh"
#include "search/form.cuh"
#include "search/search.h"

namespace g500 {

// A rising run is a run of local ids with rising labels, such as a degree class. Its vertices in one tile have
// consecutive local ids. The vertices of the last kRuns rising runs of the non-leaf subgraph are coded: a few bits
// select the run, and a table per tile has the run's first local id in the tile. The vertices before them, with the
// highest degrees, have too many runs; their local ids are listed.
constexpr u32 kRuns = 32;

// Graph is derived once, as part of kernel 1, and searches only read it. Vertices of this rank are identified by local
// id (the degree rank on this rank), neighbours by packed global id (g500_graph).
//
// A search processes the non-leaf subgraph. Leaves have one neighbour, so they lead nowhere: they are in no row except
// their own, in no bitmap and in no level. Their parents are found when the result is written (ADR 17).
struct Graph : g500_graph {
	u32 non_leaf;         // vertices that are not leaves
	u32 padded;           // the same, rounded up to kPad
	u32 local_mask;       // of the local id in a global id
	u64 non_leaf_edges;   // directed edges of the non-leaf subgraph
	u32 rank_bits;        // of a rank
	Parts64 parts64;      // with 64-bit ids
	u32 *first;           // padded: first neighbour, or kNone: all neighbours may be leaves
	uint4 *next4;         // padded: neighbours 2 to 5, or kNone
	u32 with_second;      // only vertices below this local id may have a second neighbour

	// Vertices in tile order: a tile's coded vertices, its listed ones, its leaves; each in degree order.
	uint4 *tile_start;         // tiles+1: places of a tile's first vertex, first listed vertex and first leaf, and the
	                           // number of coded vertices up to the tile's end
	u32 *tile_run;             // kRuns per tile: the first local id of a run in the tile, minus its place in tile order
	u32 *tile_vertex;          // of vertices that are not coded: the local id; of a leaf its neighbour
	u32 *tile_first;           // non_isolated: the label of the first neighbour as in `labels`, or kNone
	uint16_t *tile_code;       // non_isolated: the number of the label in the tile; above it the run, if coded
	u32 *tile_code64;          // instead with 64-bit labels: the same, and above it the rank of the first neighbour

	// With 64-bit ids: the rank fields of first, next4 and tile_vertex. Else null.
	u16 *first_ranks;
	ushort4 *next4_ranks;
	u16 *tile_vertex_ranks;

	__device__ u64 address(u32 v) const { return packed[v]; } // of a packed row
	__device__ u32 local_id(u32 global_id) const { return global_id & local_mask; }
	__device__ u32 local_id(u64 global_id) const { return parts64.local_id(global_id); }
	template <typename Id>
	__device__ bool is_leaf(Id global_id) const { return local_id(global_id) >= first_leaf; }
};

// Returns a row of this rank's graph or of a peer's. `own` is this rank's.
template <typename Form, typename AnyGraph>
__device__ inline Row<typename Form::Neighbours> row_in(const Graph &own, const AnyGraph &g, u32 v) {
	const u64 begin = g.rows[v], n = g.rows[v + 1] - begin;
	if constexpr (Form::kPacked && Form::kMany) return {{g.address(v), 0, {own.shift, own.rank_bits}}, n};
	else if constexpr (Form::kPacked) return {{g.address(v), 0, {}}, n};
	else if constexpr (Form::kIds64) return {{g.cols + begin, g.col_ranks + begin, own.parts64.bits}, n};
	else return {g.cols + begin, n};
}

// Returns the row of a vertex of this rank.
template <typename Form>
__device__ inline Row<typename Form::Neighbours> row_of(const Graph &g, u32 v) {
	return row_in<Form>(g, g, v);
}

// Returns an entry of a row in either form, with 64-bit ids its word: for kernel 1.
__device__ inline u32 neighbour(const Graph &g, u32 v, u64 place) {
	if (!g.packed) return g.cols[g.rows[v] + place];
	return load_global_id(PackedNeighbours<IdForm>{g.packed[v], place, {g.shift, g.rank_bits}});
}

// Loads the first neighbours of vertices 4i to 4i+3, which are not read again soon.
template <typename Form>
__device__ inline typename Form::Four first_neighbours(const Graph &g, u64 i) {
	const uint4 four = __ldcs((const uint4 *)g.first + i);
	if constexpr (Form::kIds64) return {four, __ldcs((const ushort4 *)g.first_ranks + i), g.parts64.bits};
	else return four;
}

// Loads neighbours 2 to 5 of a vertex; none for kNone.
template <typename Form>
__device__ inline typename Form::Four next_neighbours(const Graph &g, u32 v) {
	const uint4 four = v != kNone ? __ldg(g.next4 + v) : make_uint4(kNone, kNone, kNone, kNone);
	if constexpr (Form::kIds64) return {four, v != kNone ? __ldg(g.next4_ranks + v) : ushort4{}, g.parts64.bits};
	else return four;
}

constexpr u32 kCodeBits = 16; // of a tile_code

// TileEntry is an entry in tile order: the local id, or of a leaf its neighbour's global id; its code; and the label of
// the first neighbour. With 64-bit labels the code and a rank are in one register. Entries are read once.
template <typename Form>
struct TileEntry {
	using Label = typename Form::Label;
	u32 vertex = kNone, first = kNone;
	u32 code = 0;        // Graph.tile_code, or tile_code64
	u32 vertex_rank = 0; // with 64-bit ids

	// Loads the label of the first neighbour and the code if there is a vertex at the place and, if the vertex is listed,
	// the vertex from its place in the list. No load is after a branch, so that loads overlap.
	__device__ inline void load(const Graph &g, u32 place, bool is_there, u32 listed, bool is_listed) {
		vertex = is_listed ? __ldcs(g.tile_vertex + listed) : kNone;
		first = is_there ? __ldcs(g.tile_first + place) : kNone;
		if constexpr (Form::kLabels64) code = is_there ? __ldcs(g.tile_code64 + place) : 0;
		else code = is_there ? __ldcs(g.tile_code + place) : 0;
		if constexpr (Form::kIds64) vertex_rank = is_listed ? __ldcs(g.tile_vertex_ranks + listed) : 0;
	}

	__device__ inline u32 label_in_tile() const { return code % kTile; }
	__device__ inline u32 run() const { return (code & ((1u << kCodeBits) - 1)) >> kTileBits; }
	__device__ inline Label first_label() const { return label_from<Label>(first, code >> kCodeBits); }
	// Replaces the label of the first neighbour.
	__device__ inline void set_first(Label label) {
		first = (u32)label;
		if constexpr (Form::kLabels64) code = (u32)(label >> 32) << kCodeBits | (code & ((1u << kCodeBits) - 1));
	}
	// Returns the global id of a leaf's neighbour; with 64-bit ids only if that is no leaf.
	__device__ inline typename Form::Id neighbour(const Graph &g) const {
		if constexpr (Form::kIds64) return global_id64(vertex, vertex_rank, g.parts64.bits);
		else return vertex;
	}
};

// Returns the label of a vertex of this rank.
template <typename Form>
__device__ inline typename Form::Label own_label(const Graph &g, u32 v) {
	return label_from<typename Form::Label>(__ldg(g.labels + v), g.rank);
}

} // namespace g500
