// What a search for shortest paths keeps in device memory.
#pragma once

#include "common/doorbell.cuh"
#include "common/ranks.cuh"
#include "sssp/distance.cuh"
#include "sssp/sssp.h"

namespace g500::sssp {

constexpr int kRounds = 3; // counters of so many rounds exist at a time

// Parents that are no hub id.
constexpr u32 kUnknown = kNone;  // found in the end: the hint, or a nearer neighbour at just the right distance
constexpr u32 kTied = kNone - 1; // the only such neighbours are as far away: ties.cuh
constexpr u32 kFirstEnd = kNone - 2; // the end of the first edge of the row, which is nearer: that of most vertices

// RoundCounters are of one round of a push.
struct RoundCounters {
	ull queued;  // vertices in its frontier
	u32 nearest; // bits of the shortest distance of a landmark that the round before has found
	u32 over;    // among peers: all ranks have done all that there is in the round
	alignas(kCacheLine) ull progress; // tickets for its queue that are taken, and from bit 32 on how many vertices of the
	                                  // frontier and items of the queue are done
};

// Totals are of one search.
struct Totals {
	ull tied; // entries in the list of those that may be tied
	ull still_tied[kRounds]; // vertices, after a round
	ull remote;   // entries in the list of other ranks' vertices
	u32 farthest; // bits of the longest distance that is not final after the last sweep
};

using RootPath = g500_sssp_root_path;
static_assert(G500_SSSP_MOST_ROOT_PATH == kMostLevels + 1, "a way goes through each level of the trees at most");

struct Epochs {
	u32 arrivals; // of blocks at grid barriers, when the last search ended
	u32 rounds;   // of pushes, ever: a stamp of an earlier search is not one of this
	u32 barriers; // of ranks, ever
	u64 last_arrival; // when this rank's last block arrived at a barrier of ranks
	u64 ended;    // when the last task did, where hosts exchange
};

// Peers is where the arrays of all ranks lie, if all are peers: by rank, this one included. Null elsewhere.
struct Peers {
	u32 *const *distance, *const *parent;
};

// Arrays are by position unless it is said otherwise. Of other ranks' vertices a rank knows a distance that theirs is
// not larger than.
struct State {
	u32 *distance; // words
	u32 *parent;   // of the core, positions or one of the above

	// What peers see of each other. It lies in their windows.
	RootPath *root_path;
	RoundCounters *counters; // kRounds
	Totals *totals;
	u32 *farthest;  // Totals.farthest of each rank, twice: of the barriers with even and with odd numbers
	ull *hint;      // of the first hinted vertices, by hint_at: the shortest distance pushed so far, and below it who
	                // pushed it
	u32 *stamp;     // of the core, among peers by hub id: the last round in whose frontier the vertex was; of another
	                // rank's vertex, where hosts exchange, the exchange for which it was listed last
	u32 *frontiers; // two lists of vertices, of the rounds with even and with odd numbers: room for the core each.
	                // During the sweeps one of them has the warps' lists of open vertices (OpenLists)
	u32 *ties;      // list of those that may be tied, as long as there is room
	uint2 *open;    // by warp: how long its lists of open vertices are, between two sweeps (OpenLists)
	u64 *slots;     // of the queue, block by block,
	u32 depth;      // so many for each

	u32 *remote; // where hosts exchange: list of other ranks' vertices that have become nearer since the last exchange
	Epochs *epochs;
	g500_sssp_progress *progress;
	g500_sssp_step *trace;
	DoorbellWords doorbell; // which tells the root
	u32 *completed; // host memory: the number of the last search whose result is complete
	Peers peers;

	long long *parents; // the result, by owned label
	float *distances;
};

} // namespace g500::sssp
