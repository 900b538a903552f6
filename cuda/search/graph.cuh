// The graph as a search reads it: one rank's share in hub order, and columns derived from it.
#pragma once

#include "search/bitmap.cuh"
#include "search/search.h"

namespace g500 {

// Labels are brought to the result in tiles: a tile's vertices are stored in hub order, in which the bits that say how
// they were reached lie in runs, and each label knows its place among them.
constexpr u32 kTile = 4096;
constexpr uint16_t kNoSlot = 0xffff;

// Graph is derived once, as part of kernel 1, and never written by a search. Vertices of this rank go by hub id here,
// and neighbours, which may be another rank's, by position (g500_graph).
struct Graph {
	u32 hubs;           // vertices with an edge
	u32 padded;         // the same, rounded up to kPad
	u64 edges;          // directed edges
	u32 owned;          // labels of this rank
	const u64 *rows;    // hubs+1
	const u32 *cols;    // edges
	const u32 *labels;  // hub id -> label
	const u32 *hub_of;  // number of an owned label -> hub id or kNone
	const u32 *first;   // padded: first neighbour, or kNone
	const uint4 *next4; // padded: neighbours 2 to 5, kNone where there are fewer
	u32 with_second;    // vertices below this id may have a second neighbour, the others have one

	// Vertices by tile, then hub id. Their hub ids are runs of consecutive numbers: place k holds run_offset[r] + k, where
	// r is the run that k lies in.
	const u32 *tile_start; // tiles+1: where a tile's vertices begin
	const u32 *tile_first; // hubs: the label of the vertex' first neighbour
	const uint2 *runs;     // for each 32 places: bits of those that begin a run, number of runs before
	const u32 *run_offset;
	const uint16_t *slot;  // owned labels, padded to kTile: a label's place in its tile, or kNoSlot
};

} // namespace g500
