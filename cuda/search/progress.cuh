// What a block knows of the search that it has a part in.
#pragma once

#include "search/search.cuh"

namespace g500 {

// Progress is the same in all blocks and on all ranks, but for what is said to be the rank's or the block's own.
struct Progress {
	int level;
	int current;      // visited[current] is the newest bitmap
	int queue;        // queue[queue] holds the rank's own frontier, top-down
	u32 blocks;       // of the rank, that have a part in the search
	u32 place;        // the block's own among them
	u32 arrivals;     // of blocks at barriers, ever, when all have come to the last one
	u32 turn;         // barriers of all ranks, ever
	u32 round;        // exchanges of pairs, ever
	u32 sweeps;       // bottom-up levels so far, but for those for the rest
	u32 root;         // its position; kNone on other ranks than the root's, where levels are not searched whole
	u64 unexplored;   // edges that no top-down level has looked at, but for one that follows a bottom-up level
	u64 unvisited;    // vertices that no frontier has had
	u64 frontier;     // vertices
	u64 edges;        // that leave it, or 0 if they are not counted
	u64 outlook;      // about as many edges leave a frontier that has not been told of
	u64 laid;         // edges that leave the rank's own part of the frontier
	u64 reached;      // the rank's own vertices in all frontiers before the first bottom-up level
	u32 queued;       // the rank's own part of the frontier
	u32 *list;        // the block's own list of the rest
	u32 rest;         // entries in the block's own list
	bool small;       // the rank's own queue is laid out in shared memory
	bool untold;      // the ranks do not know yet how large the frontier is
	bool whole;       // the queue has the whole frontier, by position, the same on all ranks
	bool guessed;     // edges are a guess, the same on all ranks
	bool peers_know;  // all ranks know of all visited vertices
	bool bottom_up;   // direction of the level
	bool marks;       // a top-down level that marks
	bool lists;       // a bottom-up level that lists the rest
	bool looks_for_rest; // a bottom-up level that looks only for the listed rest
	bool swept;       // there was a bottom-up level, or one that marked
	bool handed_over; // the last pass has begun
	bool stays;       // the block itself has a part in the last levels nevertheless
	bool speaks;      // the block itself was the last to come to a barrier of all ranks
	bool failed;      // a rank did not answer
};

// Clock times the parts of a level; it runs in the first block of a rank.
struct Clock {
	u64 level; // when it began
	u64 exchange, wait;
	u64 words_sent, words_received, pairs_sent, pairs_received; // to and from peers
	u64 edges_sent, edges_received;                             // that peers read, and this rank in their rows
	u64 carried_words_sent, carried_words_received;             // to and from strangers, in bytes
	u64 carried_pairs_sent, carried_pairs_received;

	__device__ void begin(u64 now) { *this = {now}; }
};

__device__ inline bool is_first_thread() { return blockIdx.x == 0 && threadIdx.x == 0; }

// Lets one thread of the block change what all of them know.
template <typename Change>
__device__ inline void alone(Change change) {
	__syncthreads(); // nobody reads what was known before any more
	if (threadIdx.x == 0) change();
	__syncthreads();
}

} // namespace g500
