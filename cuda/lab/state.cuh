// What a strategy reads and writes on the device, and what its kernels are handed.
#pragma once

#include "common/bitmap.cuh"
#include "common/block.cuh"
#include "lab/adjacency.cuh"
#include "lab/lab.h"
#include "lab/parts.h"

namespace g500::lab {

constexpr int kClasses = 4; // of vertices, by degree: for a thread, a warp, a block, all blocks

// Visited is the result, which also says what has been visited: kNone stands for what has not. Where levels may go
// bottom-up there are distances in any case.
struct Visited {
	u32 *distance; // n, or null
	u32 *parent;   // n, or null
	u8 *mask;      // a bit a vertex, or null: set late or never, never wrong

	__device__ u32 *label() const { return distance ? distance : parent; }

	// Two edges of one level may reach a vertex at once: the distance is the same, and either parent is right.
	__device__ void reach(u32 v, u32 depth, u32 from) const {
		if (distance) distance[v] = depth;
		if (parent) parent[v] = from;
	}
};

// Queue is where vertices are added. What finds no room is counted, and not written.
struct Queue {
	u32 *vertices;
	u32 *parents; // of a queue of edges that keeps where they leave; else null
	u64 room;
	ull *queued;            // one counter, or one for each class
	u64 *offsets = nullptr; // edges that leave the vertices before, where they are numbered
	bool sorted = false;    // a queue for each class, one after the other, with equal room
};

// Frontier is a queue that is read. Where a kernel before has filled it, and the host has not looked, its length is in
// device memory.
struct Frontier {
	const u32 *vertices, *parents;
	u64 n; // at most
	const ull *counted;

	__device__ u64 size() const { return counted ? min((u64)*counted, n) : n; }
};

// Classes are the frontier's vertices by class.
struct Classes {
	Frontier of[kClasses];

	// That of a class. Constant indices keep arguments of kernels out of local memory.
	__device__ Frontier at(u32 own) const {
		Frontier found = of[0];
#pragma unroll
		for (u32 c = 1; c < kClasses; c++)
			if (own == c) found = of[c];
		return found;
	}
};

// Counters are of one level; the host reads them, and clears them before the next.
struct Counters {
	ull queued[kClasses]; // by class; without classes the first
	ull edges;            // inspected
	ull scanned;          // vertices expanded without a queue
	ull frontier_edges;   // that leave the vertices found; where a direction is chosen by them
	ull hubs;             // among them
	ull cache_hits;       // neighbours found in the cache of hubs
};

// Limits are the degrees from which vertices are treated otherwise; 0: never.
struct Limits {
	u32 warp, block;       // gather the row, when a tile is gathered
	u32 from[kClasses];    // where a class begins; that of the first is not looked at
	u32 threads[kClasses]; // share a vertex of the class; more than there are stand for all
	u32 least;             // class
	u32 drop;              // vertices with so few edges are not queued

	__device__ u32 threads_of(u32 own) const {
		u32 found = threads[0];
#pragma unroll
		for (u32 c = 1; c < kClasses; c++)
			if (own == c) found = threads[c];
		return found;
	}

	__device__ u32 class_of(u64 degree) const {
		u32 own = least;
#pragma unroll
		for (u32 c = 1; c < kClasses; c++)
			if (from[c] && degree >= from[c]) own = max(own, c);
		return own;
	}
};

// Level is what the kernels of a level are handed.
struct Level {
	Adjacency g;
	Visited visited;
	Counters *counters;
	u32 depth; // of the vertices that it reaches
	u32 lookup, cull, history, group;
	Limits limits;
};

} // namespace g500::lab
