// SPDX-License-Identifier: Apache-2.0

// Segments of a rank's vertices, and for each segment lists of the edges from hubs to it, for segmented pushes. Derived
// once, as part of kernel 1. Source: Zhang et al., Making Caches Work for Graph Analytics (IEEE Big Data 2017), who cut
// a graph into segments that fit the cache; here a segment's bits fit a block's shared memory.
#pragma once

#include "common/block.cuh"
#include "search/graph.cuh"

namespace g500 {

constexpr u32 kSegment = 48 << 10; // limit of a segment's vertices: their bits take 6 KB of shared memory
constexpr u32 kBucket = kPad;      // distance of possible bounds, in vertices

static_assert(kSegment % kBucket == 0 && kSegment <= 1 << 16);

// Segments are consecutive ranges of a rank's local ids, up to the last non-leaf vertex. Hubs are the first vertices of
// each rank. A segment has a list for each hub of each rank: the hub's neighbours in the segment, except those with the
// hub as first neighbour.
struct Segments {
	bool on;          // levels may be segmented pushes; the same on all ranks
	u32 hubs;         // of each rank; a multiple of kGroup
	u32 lists;        // of a segment: hubs of all ranks
	u32 count;        // of segments
	u32 first;        // local id; the vertices before it are in no segment
	u32 *begin;       // count+1: the first local id of each segment
	u32 *cuts;        // count*lists+1: place of each list in ends, by segment and number of the hub
	u16 *ends;        // neighbours, as distance from the segment's first vertex

	// Returns the number of a hub, which is below `lists`.
	__host__ __device__ u32 number(u32 rank, u32 local_id) const { return rank * hubs + local_id; }

	// Returns the rank of a hub.
	__device__ u32 rank(u32 number) const { return number / hubs; }
};

// Hubs are the vertices of highest degree, the first ones of each rank. Most vertices have a hub as first neighbour,
// and all hubs are visited after the first large level of a search (ADR 72). An unvisited vertex with a visited first
// neighbour is found in the next level, with that parent. So a sweep then finds the neighbours of hubs by their bits,
// and tests only the first neighbours of the few other vertices.

// Vertices that a warp sweeps at a time after all hubs are visited: those that a block sweeps at a time before.
constexpr u32 kHubChunk = kWarps * kPad;
constexpr u32 kHubPairs = kHubChunk / 64; // of bitmap words, at most one per lane
static_assert(kHubPairs <= kLanes);

// HubNeighbours is derived once, as part of kernel 1.
struct HubNeighbours {
	u32 limit;           // local ids below it are hubs, on every rank; 0 if no step uses them
	u32 *bits;           // bitmap by local id: vertices whose first neighbour is a hub
	uint2 *chunks;       // by chunk: begin and end of its vertices in others
	uint2 *others;       // vertices whose first neighbour is not a hub: local id, first neighbour
	u32 count;           // of others
	u16 *other_ranks;    // rank fields of these first neighbours, with 64-bit ids
};

// OtherVertex is an entry of HubNeighbours.others.
template <typename Form>
struct OtherVertex {
	u32 v;
	typename Form::Id first;
};

template <typename Form>
__device__ inline OtherVertex<Form> other_vertex(const Graph &g, const HubNeighbours &hubs, u32 i) {
	const uint2 other = __ldcs(hubs.others + i);
	if constexpr (Form::kIds64) return {other.x, global_id64(other.y, __ldcs(hubs.other_ranks + i), g.parts64.bits)};
	else return {other.x, other.y};
}

// Returns the bits of a bitmap word that belong to local ids below end.
__device__ inline u32 bits_below(u32 word, u32 end) {
	const u32 first = vertex_at(word, 0), n = first < end ? (end - first + 3) / 4 : 0;
	return n < 32 ? (1u << n) - 1 : ~0u;
}

} // namespace g500
