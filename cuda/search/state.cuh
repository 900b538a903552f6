// SPDX-License-Identifier: Apache-2.0

// The state of a search on one rank, in device memory.
#pragma once

#include "common/doorbell.cuh"
#include "common/grid_barrier.cuh"
#include "search/far.cuh"
#include "search/form.cuh"
#include "search/search.h"
#include "search/hub_arrays.cuh"

namespace g500 {

constexpr int kTraceLevels = 1 << 10; // levels in the trace
constexpr int kRing = 4;              // levels whose counters are kept

// Counters of one level, in a ring: a level reads its own, fills the next one's, and clears the ones after that. Blocks
// or warps add their sums; `taken` distributes work.
struct Counters {
	ull queued;       // vertices in the queue that the level before has filled
	ull queued_edges; // their edges; not counted after a push on one rank; estimated in sixteenths for a replicated
	                  // frontier
	ull found;        // vertices that a sweep found
	ull open_hubs;    // blocks or warps that have left hubs unvisited in a sweep
	ull numbered;     // edges (low kEdgeBits) and vertices numbered so far in this level's queue
	ull words;        // bitmap words that this rank has sent to each peer in the level
	ull swept_words;  // the same for words that the last sweep has changed
	ull level_edges;  // edges of the rank's frontier; top-down, on several ranks
	ull estimate;     // estimated edges of the vertices that this rank's part of the frontier reaches; on several ranks
	ull taken;        // segments that blocks have taken
	ull hubs;         // visited hubs that a segmented push lists
	ull tail;         // like numbered, for vertices that are no hubs
	ull own;          // this rank's vertices in a replicated frontier
	ull own_edges;    // their edges
	ull remaining;    // remaining vertices that a sweep has listed (far_kernels.cuh)
	ull reported;     // vertices that the level has claimed, in the reports of all ranks
};

// ListedHub is a visited hub (hub_arrays.cuh).
struct alignas(8) ListedHub {
	u32 number, label; // with 64-bit labels the label's number on the hub's rank
};

// Overlap is shared by a search and the kernel that writes its result during the last levels (overlap.cuh).
struct Overlap {
	const u32 *visited; // the newest bitmap
	u32 all_visited; // all vertices with a lower local id are visited, on every rank
	bool searching; // remaining vertices are still searched: their results are written by the search
	u32 processor; // the multiprocessor of the first block
	u32 listed;    // remaining vertices of all blocks
	u32 staying;   // blocks that continue to search
	u32 settled;   // blocks that have called start_result, over all searches
	u32 waiting;   // leaves listed because their neighbour is not reached yet
	u32 next_tile; // next tile to be written
	u32 finished; // blocks that have written all their tiles

	__device__ void begin(u32 first) {
		processor = first, all_visited = kNone;
		listed = staying = waiting = next_tile = finished = 0;
	}
};

// Epochs pass counters from one search to the next, so that nothing must be cleared in between.
struct Epochs {
	u32 arrivals; // of blocks at grid barriers, up to the end of the last search
	u32 barriers; // of all ranks, up to then
	u32 rounds;   // of pairs, up to then: a new search must not overwrite pairs that are still being read
	u32 current;  // index of the next search's first bitmap
	alignas(kCacheLine) u64 last_arrival; // time of the last block's arrival at the last barrier of all ranks
};

// State is device memory of one rank. Bitmaps are indexed by global id; on one rank that is the local id.
struct State {
	u32 *visited[2]; // bitmaps: the current one, and the one before the last sweep
	u32 *next_part;  // a sweep's output for this rank's part of visited; on one rank the other bitmap
	u32 *parent;     // by local id: the parent's Form::Label, unless the parent is the first neighbour
	u32 *first_parent; // bitmap by local id: found by a sweep from the first neighbour; valid after the first sweep

	HubNeighbours hubs;
	Segments segments;
	u32 split_hubs; // of each rank, in a split level; 0 if there is none
	ListedHub *listed_hubs; // space for all hubs, in a segmented push

	u32 *queue[2];   // the frontier, top-down: local ids; global ids if it is replicated
	u64 *offsets;    // of the numbered queue: edges of the vertices before each one
	u32 queue_limit; // longer queues are never numbered
	u32 *missed;     // bottom-up: a list per warp of vertices whose first neighbour is not visited

	Counters *counters; // kRing
	Epochs *epochs;
	g500_level *trace;
	u32 *trace_length;
	u64 *level_ended; // end of the search's last level

	u32 *reached;    // how vertices were reached (result.cuh)
	unsigned char *result; // by owned label: the parent's label, or -1 (result.cuh)
	u32 result_bits; // per entry: 32 or 64
	u32 ranks;       // number of ranks
	Overlap *overlap;
	uint2 *waiting_leaves; // places in tile order, and numbers of owned labels: space for all leaves; null unless
	                       // overlaps
	DoorbellWords doorbell; // which delivers the root
	u32 *completed; // host memory: the number of the last search with a complete result
	Far far;        // memory of a search between ranks that are not peers
	bool overlaps;  // writing the result may start before the search has ended
	int exchange;   // G500_EXCHANGE_*
};

// Returns the array of parents.
template <typename Form>
__device__ inline typename Form::Label *parents(const State &s) {
	return reinterpret_cast<typename Form::Label *>(s.parent);
}

template <typename Form>
__device__ inline void store_parent(const State &s, u32 v, typename Form::Label label) {
	parents<Form>(s)[v] = label;
}

} // namespace g500
