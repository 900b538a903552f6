// Segments of the vertices, and the cuts of the longest rows at their bounds, for segmented pushes. Derived once, as
// part of kernel 1. Source: Zhang et al., Making Caches Work for Graph Analytics (IEEE Big Data 2017), who cut a graph
// into segments that fit the cache; here a segment's bits fit a block's shared memory.
#pragma once

#include <vector>

#include "common/check.cuh"
#include "search/graph.cuh"

namespace g500 {

constexpr u32 kSegment = 48 << 10; // limit of a segment's vertices: their bits take 6 KB of shared memory
constexpr u32 kBucket = kPad;       // distance of possible bounds, in vertices

static_assert(kSegment % kBucket == 0);

// Segments are consecutive ranges of local ids, up to the last non-leaf vertex.
struct Segments {
	u32 hubs;         // the number of vertices, from the first on, with cut rows; 0 if no level is a segmented push
	u32 count;
	const u32 *begin; // count+1: the first local id of each segment
	const u32 *cuts;  // (count+1) x hubs: beginning of the part of each row that leads to the segment, relative to the
	                  // row
};

// SegmentStore owns the arrays; view is the kernels' access to them.
class SegmentStore {
public:
	Segments view{};

	// Cuts the rows of the first `hubs` vertices into at least `least` segments with about equally many edges. Segments
	// begin at local id `pulled`. Synchronous.
	int derive(const Graph &g, u32 hubs, u32 pulled, u32 least, cudaStream_t stream);

private:
	int count_edges(const Graph &g, std::vector<u64> &buckets, cudaStream_t stream) const;

	Array<u32> begin, cuts;
};

} // namespace g500
