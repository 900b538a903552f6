// SPDX-License-Identifier: Apache-2.0

// The device memory of a search for shortest paths.
#pragma once

#include "common/doorbell.cuh"
#include "common/ranks.cuh"
#include "sssp/graph.cuh"
#include "sssp/sssp.h"

namespace g500::sssp {

constexpr int kRounds = 3; // number of rounds whose counters are kept

// Values of parent that are not global ids.
constexpr u32 kUnknown = kNone;  // found at the end: by the hint, or a nearer neighbour with a path of the right length
constexpr u32 kTied = kNone - 1; // only neighbours at the same distance have such a path: ties.cuh
constexpr u32 kFirstEnd = kNone - 2; // the end of the row's first edge, which is nearer: most vertices

// RoundCounters are the counters of one round of a push.
struct RoundCounters {
	ull queued;  // vertices in its frontier
	u32 nearest; // bits of the shortest distance of a landmark found in the round before
	u32 over;    // all ranks have finished the round
	alignas(kCacheLine) ull done; // processed vertices of the frontier and items of the queue
};

// Totals are the counters of one search.
struct Totals {
	ull tied; // length of the list of vertices that may be tied
	ull still_tied[kRounds]; // vertices after a round
	ull remote;   // length of the list of other ranks' vertices
	u32 farthest; // bits of the longest distance that is not final after the last sweep
};

// RootPath is the path from a root in a tree to the first vertex outside trees, where the search starts.
struct RootPath {
	u32 start, parent; // that vertex, or kNone if the path leads nowhere; its parent: itself if it is the root
	float distance;
	u32 length; // entries
	struct Entry {
		u32 vertex, parent; // global ids
		float distance;
	} entries[kMostLevels + 1];
};

struct Epochs {
	u32 arrivals; // of blocks at grid barriers, up to the end of the last search
	u32 rounds;   // of pushes, over all searches: stamps of searches differ
	u32 barriers; // of ranks, over all searches
	u64 last_arrival; // of this rank's last block, at a barrier of ranks
	u64 ended;    // end of the last kernel, between ranks that are not peers
};

// Peers has the addresses of all ranks' arrays, by rank, including this one. Null unless all are peers.
struct Peers {
	u32 *const *distance, *const *parent;
};

// WordList is a list of local ids and words of this rank's vertices that the other ranks do not have, or of tied ones.
// `count` may be greater than its space; then it lacks entries.
struct WordList {
	uint2 *at;
	ull *count;
	u64 space;
};

// Arrays are by global id unless stated otherwise. A rank's distances of other ranks' vertices are upper bounds.
struct State {
	u32 *distance; // words
	u32 *parent;   // of vertices outside trees: global ids, or one of the values above

	// Arrays that peers access, in their windows.
	RootPath *root_path;
	RoundCounters *counters; // kRounds
	Totals *totals;
	u32 *farthest;  // Totals.farthest of each rank, for even and for odd barriers
	ull *hint;      // of the hinted vertices, by hint_at: the shortest pushed distance, and in the low half the pushing
	                // vertex
	u32 *stamp;     // of vertices outside trees, with peers by local id: the last round in whose frontier the vertex
	                // was; of other ranks' vertices the last exchange for which it was listed, or after which it was tied
	u32 *frontiers; // two lists of vertices, for even and for odd rounds, each with space for all vertices outside
	                // trees. During the sweeps one has the warps' lists of open vertices (OpenLists)
	u64 frontier_space; // of each list
	u32 *ties;      // list of vertices that may be tied, up to its capacity
	uint2 *reach;   // of listed open vertices: distances, and bounds of paths (OpenVertex)
	uint2 *open;    // by warp: lengths of its lists of open vertices between two sweeps (OpenLists)
	u32 *tickets;   // for each of kRounds rounds: by rank, the tickets that this rank took of that rank's queue
	u64 *slots;     // of the queue, sorted by the rank that fills them, then by block
	u32 depth;      // slots per block and rank

	WordList list; // between ranks that are not peers
	u32 *remote; // between ranks that are not peers: list of other ranks' vertices that have become nearer since the
	             // last exchange
	Epochs *epochs;
	g500_sssp_step *trace;
	DoorbellWords doorbell; // which delivers the root
	u32 *completed; // host memory: the number of the last search with a complete result
	Peers peers;

	long long *parents; // the result, by owned label
	float *distances;
};

} // namespace g500::sssp
