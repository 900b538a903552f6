// Hubs are the vertices of highest degree, the first ones of each rank. Most vertices have a hub as first neighbour,
// and all hubs are visited after the first large level of a search (ADR 72). An unvisited vertex with a visited first
// neighbour is found in the next level, with that parent. So a sweep then finds the neighbours of hubs by their bits,
// and tests only the first neighbours of the few other vertices.
#pragma once

#include "common/check.cuh"
#include "search/graph.cuh"

namespace g500 {

// Vertices that a warp sweeps at a time after all hubs are visited: two bitmap words per lane.
constexpr u32 kHubChunk = 2048;

// HubNeighbours is derived once, as part of kernel 1.
struct HubNeighbours {
	u32 limit;           // local ids below it are hubs, on every rank; 0 if no step uses them
	const u32 *bits;     // bitmap by local id: vertices whose first neighbour is a hub
	const uint2 *chunks; // by chunk: begin and end of its vertices in others
	const uint2 *others; // vertices whose first neighbour is not a hub: local id, first neighbour
	u32 count;              // of others
	const u16 *other_ranks; // rank fields of these first neighbours, with 64-bit ids
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

// HubNeighbourStore owns the arrays; view is the kernels' access to them.
class HubNeighbourStore {
public:
	HubNeighbours view{};

	// Derives the arrays, with the vertices below limit as hubs. Synchronous.
	int derive(const Graph &g, u32 limit, cudaStream_t stream);

private:
	Array<u32> bits;
	Array<uint2> chunks, others;
	Array<u16> other_ranks;
};

// Returns the bits of a bitmap word that belong to local ids below end.
__device__ inline u32 bits_below(u32 word, u32 end) {
	const u32 first = vertex_at(word, 0), n = first < end ? (end - first + 3) / 4 : 0;
	return n < 32 ? (1u << n) - 1 : ~0u;
}

} // namespace g500
