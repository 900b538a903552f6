// Segments of a rank's vertices, and for each segment lists of the edges from hubs to it, for segmented pushes. Derived
// once, as part of kernel 1. Source: Zhang et al., Making Caches Work for Graph Analytics (IEEE Big Data 2017), who cut
// a graph into segments that fit the cache; here a segment's bits fit a block's shared memory.
#pragma once

#include <vector>

#include "common/check.cuh"
#include "common/warp.cuh"
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
	const u32 *begin; // count+1: the first local id of each segment
	const u32 *cuts;  // count*lists+1: place of each list in ends, by segment and number of the hub
	const u16 *ends;  // neighbours, as distance from the segment's first vertex

	// Returns the number of a hub, which is below `lists`.
	__host__ __device__ u32 number(u32 rank, u32 local_id) const { return rank * hubs + local_id; }
};

// SegmentStore owns the arrays; view is the kernels' access to them.
class SegmentStore {
public:
	Segments view{};

	// Divides the vertices from local id `first` on into about `count` segments with equally many edges to hubs, of
	// which each of `ranks` ranks has at most `hubs`; into at most one more for each kSegment vertices. Uses fewer hubs
	// if their lists would have more than 25% of the edges, or if there would be 2^31 lists. Synchronous.
	int derive(const Graph &g, u32 ranks, u32 hubs, u32 first, u32 count, cudaStream_t stream);

private:
	int count_edges(const Graph &g, cudaStream_t stream);
	int fill_lists(const Graph &g, cudaStream_t stream);

	std::vector<u64> buckets; // edges to hubs
	Array<u32> begin, cuts;
	Array<u16> ends;
};

} // namespace g500
