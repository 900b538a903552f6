// The state of a search on one rank: what it writes in device memory.
#pragma once

#include "common/doorbell.cuh"
#include "common/grid_barrier.cuh"
#include "search/form.cuh"
#include "search/hub_neighbours.cuh"
#include "search/search.h"
#include "search/segments.cuh"

namespace g500 {

constexpr int kTraceLevels = 1 << 10; // levels that the trace keeps
constexpr int kRing = 4;              // levels whose counters are kept

// Counters of one level, in a ring: a level reads its own, fills the next one's and clears those after. Blocks or warps
// add their sums to them, but for taken.
struct Counters {
	ull queued;       // vertices in the queue that the level before filled
	ull queued_edges; // that leave them; not after a push on one rank, and in sixteenths in a replicated frontier
	ull found;        // vertices that a sweep found
	ull open_hubs;    // blocks of which a sweep has left hubs unvisited
	ull numbered;     // edges (low kEdgeBits) and vertices so far, while the edges of this level's queue are numbered
	ull words;        // of the bitmap, visited or pushed, that this rank has sent to each peer in the level
	ull swept_words;  // the same for words that the sweep before has changed
	ull level_edges;  // of the rank's frontier, top-down; on several ranks
	ull estimate;     // about as many edges leave what this rank's part of the frontier reaches; on several ranks
	ull taken;        // edges that warps have taken to push into a bitmap; segments that blocks have taken
	ull cut_rows;     // rows in the list for a segmented push
	ull tail;         // as numbered, for the edges of rows that are not cut
	ull own;          // vertices of a replicated frontier that are this rank's
	ull own_edges;    // edges that leave them
	ull listed;       // changed words for messages
	ull groups;       // changed groups in this rank's shared-memory window
	ull open;         // open vertices of a bottom-up level
	ull queries;      // of this rank in it
	ull listed_all;   // words in a list of all bits of this rank
	ull unlisted;     // whether such a list has no room for them
};

// CutRow is the row of a visited vertex among those whose rows are cut (segments.cuh).
struct alignas(16) CutRow {
	u64 begin;
	u32 v, label;
};

// Overlap is what a search and the relabelling beside its last levels know of each other (overlap.cuh).
struct Overlap {
	const u32 *visited; // the newest bitmap
	u32 all_visited; // below this hub id all vertices are visited, on every rank
	bool searching; // residual vertices are still searched: the relabelling leaves those out that are not reached
	u32 processor; // the multiprocessor of the first block
	u32 listed;    // residual vertices of all blocks
	u32 staying;   // blocks that go on searching
	u32 settled;   // counts blocks, over all searches, whose vertices are settled but for the residual ones
	u32 waiting;   // leaves in the list of those whose neighbour is not reached yet
	u32 next_tile; // that a block of the relabelling takes
	u32 finished; // blocks of the relabelling that have no more tiles

	__device__ void begin(u32 first) {
		processor = first, all_visited = kNone;
		listed = staying = waiting = next_tile = finished = 0;
	}
};

// Epochs count on from one search to the next, so that nothing has to be cleared between two of them.
struct Epochs {
	u32 arrivals; // blocks that had arrived at grid barriers when the last search ended
	u32 barriers; // of all ranks until then
	u32 rounds;   // of pairs until then: a new search must not overwrite pairs that are still being read
	u32 current;  // which bitmap the next search begins with
	alignas(kCacheLine) u64 last_arrival; // when the last block arrived at the last barrier of all ranks
};

// State is device memory of one rank. Bitmaps are by position; on one rank a position is a hub id.
struct State {
	u32 *visited[2]; // bitmaps: one is current, the other as it was before the last sweep
	u32 *pushed;     // bitmap: vertices that a level has pushed into it (push_bitmap.cuh)
	u32 *next_part;  // what a sweep makes of this rank's part of visited; on one rank the other bitmap itself
	u32 *parent;     // by hub id: the parent's label, where that is not the first neighbour's
	u16 *parent_ranks; // the ranks beside these words, in the wide form
	u32 *first_parent; // bitmap by hub id: found by a sweep from the first neighbour; from the first sweep on
	const u32 *first_neighbour_edges; // bitmap of edges, or null where no level pushes into a bitmap
	u32 hinted_own;    // own vertices below this hub id get parent hints; a multiple of kGroup
	u32 hinted_remote; // the same for other ranks' vertices: fewer, since their hints have to be fetched

	HubNeighbours hubs;
	Segments segments; // on one rank
	CutRow *cut_rows;  // segments.hubs: of those, the visited vertices' rows, in a segmented push

	u32 *queue[2];   // the frontier, top-down
	u64 *offsets;    // of the queue whose edges are numbered: edges that leave the vertices before
	u32 queue_limit; // longer queues are never numbered
	u32 *missed;     // bottom-up: vertices that the first neighbour did not settle, a list for each warp

	Counters *counters; // kRing
	Epochs *epochs;
	g500_level *trace;
	u32 *trace_length;
	u64 *level_ended; // when the last level of the search ended

	u32 *reached;    // how vertices were reached, for the relabelling (reached.cuh)
	void *result;    // owned labels: the parent's label, or -1 (result.cuh)
	u32 result_bits; // of each: 32 or 64
	u32 ranks;       // how many there are: in the wide form a label is its number x ranks + its rank
	Overlap *overlap;
	uint2 *waiting_leaves; // places in the order by tile, and numbers of owned labels: with room for all leaves, but null
	                       // where the relabelling never begins before the end
	DoorbellWords doorbell; // which tells the root
	u32 *completed; // host memory: the number of the last search whose result is complete
	bool overlaps;  // the relabelling may begin before the search has ended
	int exchange;   // G500_EXCHANGE_*
};

// ParentArray is State.parent with the ranks beside it.
template <typename Form>
struct ParentArray {
	u32 *words;

	__device__ void store(u32 v, u32 label) const { words[v] = label; }
	__device__ u32 load(u32 v) const { return words[v]; }
};

template <typename Form>
__device__ inline ParentArray<Form> parents(const State &s) {
	return {s.parent};
}

template <typename Form>
__device__ inline void store_parent(const State &s, u32 v, typename Form::Id label) {
	parents<Form>(s).store(v, label);
}

} // namespace g500
