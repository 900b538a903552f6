// Segments of the vertices, and where the longest rows are cut at their bounds: what a segmented push reads beside the
// graph. Derived once, as part of kernel 1. Source: Zhang et al., Making Caches Work for Graph Analytics (IEEE Big Data
// 2017), who cut a graph into segments whose vertices fit the cache; here they fit a block's shared memory.
#pragma once

#include <vector>

#include "common/check.cuh"
#include "search/graph.cuh"

namespace g500 {

constexpr u32 kSegment = 48 << 10; // vertices of a segment at most: with a bit each they take 6 KB of shared memory
constexpr u32 kBucket = kPad;       // vertices from one possible bound to the next

static_assert(kSegment % kBucket == 0);

// Segments are ranges of hub ids, in order, up to the end of the core.
struct Segments {
	u32 hubs;         // the first vertices, as many, have their rows cut; 0 where no level pushes by segments
	u32 count;
	const u32 *begin; // count+1: the first hub id of each
	const u32 *cuts;  // count+1 rows of hubs: where in a row the part begins that leads to the segment
};

// SegmentStore owns them; view is what the kernels get.
class SegmentStore {
public:
	Segments view{};

	// Cuts the rows of so many vertices into segments from hub id pulled on. Makes that many segments at least, of about
	// as many edges each. Synchronous.
	int derive(const Graph &g, u32 hubs, u32 pulled, u32 least, cudaStream_t stream);

private:
	int count_edges(const Graph &g, std::vector<u64> &buckets, cudaStream_t stream) const;

	Array<u32> begin, cuts;
};

} // namespace g500
