// Degree classes of local ids. Local ids are approximately in degree order on every rank, so the mean degree of a class
// estimates the degree of a vertex whose row is in another GPU's memory.
#pragma once

#include "search/graph.cuh"

namespace g500 {

// Returns the degree class of a local id (G500_DEGREE_CLASSES).
__device__ inline u32 degree_class(u32 local_id) {
	if (local_id < 16) return local_id;
	const int power = 31 - __clz(local_id);
	return (u32)(power - 3) * 16 + (local_id >> (power - 4) & 15);
}

// Counts the vertices of each class and their edges. Synchronous.
int count_degrees(const Graph &g, u64 *vertices, u64 *edges, cudaStream_t stream);

} // namespace g500
