// What a block knows of the search that it has a part in.
#pragma once

#include "common/bitmap.cuh"
#include "search/step.cuh"

namespace g500 {

// Progress is the same in all blocks and on all ranks, but for what is said to be the rank's or the block's own.
struct Progress {
	Step step;        // what the level does, or the level before did
	int level;
	int current; // visited[current] is the newest bitmap
	u64 root;    // its position; kNone on other ranks than the root's, where they do not read each other's graphs
	u32 sweeps;  // kPull, kPullListing and kPullHubs levels so far
	bool hubs_visited; // after a sweep: all hubs of all ranks are visited
	u64 unexplored; // edges that no top-down level has looked at; levels after a sweep are not deducted
	u64 unvisited;  // vertices of the core that no frontier has had; one more if the root is in the core
	u64 frontier;   // vertices
	u64 edges;      // that leave it, or 0 if they are not counted
	u64 estimate;   // about as many edges leave the next frontier, while its vertices are pushed
	u32 barriers;   // of all ranks, ever
	u32 rounds;     // of pairs, ever

	bool estimated;   // edges are an estimate, the same on all ranks
	bool synchronized; // all ranks know of all visited vertices, as far as these are replicated
	bool queried;     // ranks know of all neighbours of residual vertices
	bool swept;       // visited was made by a sweep at least once
	bool overlapping; // the relabelling has begun
	bool failed;      // a rank did not answer

	// The rank's own.
	int queue;          // queue[queue] holds its part of the frontier, top-down
	u32 queued;         // vertices in it
	u64 queued_edges;   // edges that leave them
	u64 reached;        // vertices in all its frontiers before the first sweep
	const u64 *offsets; // edges that leave the vertices of the queue before each; may be in shared memory
	u32 arrivals;       // of blocks at grid barriers, ever, when all have arrived at the last one
	u32 blocks;         // that have a part in the search

	// The block's own.
	u32 place;           // among them
	bool stays;          // it goes on searching beside the relabelling
	u32 *remaining;      // list of its residual vertices
	u32 remaining_count; // entries in that list
	u32 first_unvisited; // of the vertices that it swept when it made the list; kNone if all were visited
};

} // namespace g500
