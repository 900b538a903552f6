// Hubs are the vertices with the longest rows, the first of each rank. Most vertices have a hub as first neighbour, and
// after the first large level of a search all hubs are visited (ADR 32). An unvisited vertex whose first neighbour is
// visited is found in the next level, with that parent. So a sweep then finds the neighbours of hubs by their bits, and
// looks at the first neighbours of the few others only.
#pragma once

#include "common/check.cuh"
#include "search/graph.cuh"

namespace g500 {

// A warp sweeps so many vertices at a time where hubs are visited: two words of a bitmap with each lane.
constexpr u32 kHubChunk = 2048;

// HubNeighbours is derived once, as part of kernel 1.
struct HubNeighbours {
	u32 limit;           // vertices below this hub id are hubs, on every rank; 0 where no step looks at them
	const u32 *bits;     // bitmap by hub id: vertices whose first neighbour is a hub
	const uint2 *chunks; // of each chunk: where its other vertices begin, and end
	const uint2 *others; // hub id, and first neighbour; none without one
	const u16 *other_ranks; // of the first neighbours, in the wide form
};

// OtherVertex is one of those whose first neighbour is no hub.
template <typename Form>
struct OtherVertex {
	u32 v;
	typename Form::Id first;
};

template <typename Form>
__device__ inline OtherVertex<Form> other_vertex(const Graph &g, const HubNeighbours &hubs, u32 i) {
	const uint2 other = __ldcs(hubs.others + i);
	return {other.x, other.y};
}

// HubNeighbourStore owns them; view is what the kernels get.
class HubNeighbourStore {
public:
	HubNeighbours view{};

	// Finds them, with the vertices below limit as hubs. Synchronous.
	int derive(const Graph &g, u32 limit, cudaStream_t stream);

private:
	Array<u32> bits;
	Array<uint2> chunks, others;
	Array<u16> other_ranks;
};

// The bits of a word of a bitmap whose vertices have a hub id below end.
__device__ inline u32 bits_below(u32 word, u32 end) {
	const u32 first = vertex_at(word, 0), n = first < end ? (end - first + 3) / 4 : 0;
	return n < 32 ? (1u << n) - 1 : ~0u;
}

} // namespace g500
