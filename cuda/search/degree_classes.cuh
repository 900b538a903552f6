// Degrees by class of hub ids. Hub ids go about by degree on every rank, so the mean of a class says about how many
// edges leave a vertex whose row lies in another GPU's memory.
#pragma once

#include "search/graph.cuh"

namespace g500 {

// Returns the class of a hub id (G500_DEGREE_CLASSES).
__device__ inline u32 degree_class(u32 local_id) {
	if (local_id < 16) return local_id;
	const int power = 31 - __clz(local_id);
	return (u32)(power - 3) * 16 + (local_id >> (power - 4) & 15);
}

// Counts the vertices of each class, and the edges that leave them. Synchronous.
int count_degrees(const Graph &g, u64 *vertices, u64 *edges, cudaStream_t stream);

} // namespace g500
