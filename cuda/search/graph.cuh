// The graph as a search reads it: one rank's share in hub order, and columns derived from it.
#pragma once

#include "common/tiles.cuh"
#include "search/form.cuh"
#include "search/search.h"

namespace g500 {

// A rising run is a run of hub ids whose labels rise, as those of an order class do. Its vertices in one tile have
// consecutive hub ids. The vertices of the core's last kRuns rising runs are coded: a few bits tell the run, and a
// table of each tile tells its first hub id there. Those before, the vertices of highest degrees, have too many runs:
// their hub ids are listed.
constexpr u32 kRuns = 32;

// Graph is derived once, as part of kernel 1, and never written by a search. Vertices of this rank go by hub id here,
// and neighbours, which may be another rank's, by position (g500_graph).
//
// A search goes through the core: leaves, which have one neighbour and lead nowhere, are in no row but their own, in no
// bitmap and in no level. Their parents are found by the relabelling (ADR 17).
struct Graph {
	u32 non_leaf;             // vertices of the core
	u32 padded;           // the same, rounded up to kPad
	u32 with_leaves;      // vertices with an edge: those of the core, and leaves
	u32 first_leaf;       // hub ids from here on are leaves, on every rank
	u32 local_mask;       // of the hub id in a position
	u32 rank;             // of this graph
	u64 edges;            // directed edges of the core
	u32 owned;            // labels of this rank
	u32 shift;            // of the rank in a position
	const u64 *rows;      // with_leaves+1
	const u32 *cols;      // edges, and one for each leaf
	const u32 *labels;    // hub id -> label; in the wide form its number among the owned ones
	const u32 *local_ids; // number of an owned label -> hub id or kNone
	const u32 *first;     // padded: first neighbour, or kNone: all neighbours may be leaves
	const uint4 *next4;   // padded: neighbours 2 to 5, kNone where there are fewer
	u32 with_second;      // vertices below this id may have a second neighbour, the others have one

	// Vertices in the order by tile: a tile's coded vertices, its listed ones, its leaves; each in hub order.
	const uint4 *tile_start;   // tiles+1: where a tile's vertices begin, where the listed ones and the leaves among them
	                           // do, and the number of coded vertices up to the tile's end
	const u32 *tile_run;       // kRuns a tile: the first hub id of a run in the tile, less its place in the order
	const u32 *tile_vertex;    // those that are not coded: the vertex' hub id; of a leaf its neighbour
	const u32 *tile_first;     // with_leaves: the label of the vertex' first neighbour, or kNone
	const uint16_t *tile_code; // with_leaves: the number of the vertex' label in the tile; above it the run, if coded

	// In the wide form: the ranks beside the words of cols, first, next4, tile_vertex and tile_first. Else null.
	const u16 *col_ranks, *first_ranks;
	const ushort4 *next4_ranks;
	const u16 *tile_vertex_ranks, *tile_first_ranks;

	template <typename Id>
	__device__ bool is_leaf(Id global_id) const { return (global_id & local_mask) >= first_leaf; }
};

// All rows, one after the other. These readers of the graph have specializations for the 64-bit form (ids64.cuh).
template <typename Form>
__device__ inline typename Form::Neighbours neighbours(const Graph &g) {
	return g.cols;
}

// The first neighbours of vertices 4i to 4i+3, which nobody reads again soon.
template <typename Form>
__device__ inline typename Form::Four first_neighbours(const Graph &g, u64 i) {
	return __ldcs((const uint4 *)g.first + i);
}

// Neighbours 2 to 5 of a vertex; of kNone there are none.
template <typename Form>
__device__ inline typename Form::Four next_neighbours(const Graph &g, u32 v) {
	return v != kNone ? __ldg(g.next4 + v) : make_uint4(kNone, kNone, kNone, kNone);
}

// What the order by tile has in a place: of a leaf its neighbour's position, else a hub id; and the label of the first
// neighbour. Nobody reads it again.
template <typename Form>
__device__ inline typename Form::Id tile_vertex(const Graph &g, u32 place) {
	return __ldcs(g.tile_vertex + place);
}
template <typename Form>
__device__ inline typename Form::Id tile_first(const Graph &g, u32 place) {
	return __ldcs(g.tile_first + place);
}

// The label of a vertex of this rank.
template <typename Form>
__device__ inline typename Form::Id own_label(const Graph &g, u32 v) {
	return label_from<typename Form::Id>(__ldg(g.labels + v), g.rank);
}

} // namespace g500
