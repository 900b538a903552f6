// SPDX-License-Identifier: Apache-2.0

// Device data of strategies, and arguments of their kernels.
#pragma once

#include "common/bitmap.cuh"
#include "common/block.cuh"
#include "lab/adjacency.cuh"
#include "lab/lab.h"

namespace g500::lab {

constexpr int kClasses = 4; // of vertices, by degree: for a thread, a warp, a block, all blocks

// Visited is the result. It also marks visited vertices: the others have kNone. Searches that can turn bottom-up always
// have distances.
struct Visited {
	u32 *distance; // n, or null
	u32 *parent;   // n, or null
	u8 *mask;      // a bit per vertex, or null. A bit can be missing, but is never wrong
	u8 *status;    // n, or null: distances modulo 255, and kUnseen

	static constexpr u8 kUnseen = 255;
	__device__ static u8 byte_of(u32 depth) { return depth % kUnseen; }

	__device__ u32 *label() const { return distance ? distance : parent; }

	// Two edges of one level may reach a vertex at the same time: the distance is equal, and either parent is right.
	__device__ void reach(u32 v, u32 depth, u32 from) const {
		if (status) status[v] = byte_of(depth);
		if (distance) distance[v] = depth;
		if (parent) parent[v] = from;
	}

	// Three tests of a vertex, by its byte if there are bytes. They read the L2 cache: other blocks write meanwhile.
	__device__ bool is_unseen(u32 v) const {
		return status ? __ldcg(status + v) == kUnseen : __ldcg(distance + v) == kNone;
	}
	// A byte is also equal at a distance that is smaller by 255; then the distance decides.
	__device__ bool is_at(u32 v, u32 depth) const {
		if (status && __ldcg(status + v) != byte_of(depth)) return false;
		return (status && depth < kUnseen) || __ldcg(distance + v) == depth;
	}
	// Whether a neighbour of an unseen vertex was visited before the level of this depth. It is not 255 levels nearer.
	__device__ bool is_before(u32 v, u32 depth) const {
		if (!status) return __ldcg(distance + v) < depth;
		const u8 own = __ldcg(status + v);
		return own != kUnseen && own != byte_of(depth);
	}
};

// Queue is a queue that is written. Vertices beyond its capacity are counted, but not written.
struct Queue {
	u32 *vertices;
	u32 *parents; // start vertices, for a queue of edges that keeps them; otherwise null
	u64 capacity;
	ull *queued;            // one counter, or one per class
	u64 *offsets = nullptr; // number of the first edge of each vertex, if edges are numbered
	bool sorted = false;    // a queue per class, in sequence, of equal capacity
};

// Frontier is a queue that is read. If an earlier kernel filled it and the host does not know its length, the length is
// in device memory.
struct Frontier {
	const u32 *vertices, *parents;
	u64 n; // at most
	const ull *counted;

	__device__ u64 size() const { return counted ? min((u64)*counted, n) : n; }
};

// Classes are the vertices of the frontier by class.
struct Classes {
	Frontier of[kClasses];

	// The frontier of a class. Constant indices keep kernel arguments out of local memory.
	__device__ Frontier at(u32 own) const {
		Frontier found = of[0];
#pragma unroll
		for (u32 c = 1; c < kClasses; c++)
			if (own == c) found = of[c];
		return found;
	}
};

// Counters of one level; the host reads them, and clears them before the next level.
struct Counters {
	ull queued[kClasses]; // by class; without classes only the first
	ull edges;            // inspected
	ull scanned;          // vertices expanded without a queue
	ull frontier_edges;   // that leave the vertices found, if they determine the direction
	ull hubs;             // among the vertices found
	ull cache_hits;       // neighbours found in the hub cache
	ull children;         // kernels launched for rows
};

// Limits are degrees from which vertices are treated differently; 0: never.
struct Limits {
	u32 warp, block;       // from which a warp or a block gathers a row of a tile
	u32 from[kClasses];    // least degree of each class; the first is not used
	u32 threads[kClasses]; // threads per vertex of each class, at most all threads
	u32 least;             // smallest class in use
	u32 drop;              // vertices of at most this degree are not queued
	u32 child;             // from which a thread launches a kernel for a row

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

// Level has the arguments of the kernels of a level.
struct Level {
	Adjacency g;
	Visited visited;
	Counters *counters;
	u32 depth; // of the vertices that it reaches
	u32 lookup, cull, history, group;
	Limits limits;
	u32 slots_at; // of the slots of warp scans in the shared memory of a block

	// Whether a new vertex is expanded. Reads two row offsets if vertices of low degree are dropped.
	__device__ bool keeps(u32 v) const { return !limits.drop || g.degree(v) > limits.drop; }
};

} // namespace g500::lab
