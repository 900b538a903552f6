// SPDX-License-Identifier: Apache-2.0

// The light edges of all ranks (graph.cuh): a rank counts its entries and stores them, and after all ranks have
// exchanged them it stores the place of each vertex's first one.
#pragma once

#include "sssp/search.cuh"

namespace g500::sssp {

// Returns the number of light edges of one of this rank's vertices. Its row is sorted by weight.
__device__ inline u32 light_edges_of(const Graph &g, u32 local_id, float window) {
	const u64 begin = g.rows[local_id];
	return (u32)(first_not(begin, g.rows[local_id + 1], [&](u64 i) { return g.cols[i].weight < window; }) - begin);
}

// Counts this rank's entries.
// Map:    one thread per vertex outside trees. Reads: 16 B of rows and a few weights. Writes: an atomic per row.
__global__ void count_light_kernel(const __grid_constant__ Graph graph, float window, ull *count) {
	const u32 local_id = thread_number<kThreads>();
	if (local_id >= graph.own_non_tree) return;
	const u32 n = light_edges_of(graph, local_id, window);
	if (n > 0) atomicAdd(count, (ull)n + 1);
}

// Writes this rank's entries.
// Map:    one thread per vertex outside trees. Reads: as count_light_kernel, and 8 B per entry. Writes: 8 B per entry.
__global__ void store_light_kernel(const __grid_constant__ Graph graph, float window, ull *count, Col *entries) {
	const u32 local_id = thread_number<kThreads>();
	if (local_id >= graph.own_non_tree) return;
	const u32 n = light_edges_of(graph, local_id, window);
	if (n == 0) return;
	Col *const row = entries + atomicAdd(count, (ull)n + 1);
	row[0] = light_row(graph.base + local_id, n);
	for (u32 i = 0; i < n; i++) row[i + 1] = graph.cols[graph.rows[local_id] + i];
}

// Stores the place of the first light edge of each vertex.
// Map:    one thread per entry. Reads: 8 B. Writes: 4 random B per row.
__global__ void index_light_kernel(const Col *entries, u64 n, u32 *light) {
	const u64 i = thread_number<kThreads>();
	if (i < n && is_light_row(entries[i])) light[entries[i].global_id] = (u32)i + 1;
}

inline int count_light(const PathsMemory &search, u64 *count, cudaStream_t stream) {
	const Graph &g = search.graph;
	const Policy &policy = search.policy;
	Array<ull> sum;
	G500_TRY(sum.alloc_zeroed(1, stream));
	if (policy.landmarks > 0)
		G500_LAUNCH(count_light_kernel, thread_for(g.own_non_tree, stream), g, policy.window, sum.get());
	return read_back(count, sum, sizeof *count, stream);
}

inline int store_light(PathsMemory &search, Col *of_all, u64 most, cudaStream_t stream) {
	const Graph &g = search.graph;
	Col *const own = of_all + search.ranks.rank * most;
	Array<ull> sum;
	G500_TRY(sum.alloc_zeroed(1, stream));
	search.light_edges = of_all, search.light_entries = search.ranks.count * most;
	G500_TRY(cudaMemsetAsync(of_all, 0, search.light_entries * sizeof(Col), stream));
	G500_LAUNCH(store_light_kernel, thread_for(g.own_non_tree, stream), g, search.policy.window, sum.get(), own);
	return cudaStreamSynchronize(stream);
}

// Sets *light to the places, by global id, if ranks store light edges.
inline int index_light(PathsMemory &search, u32 *&light, cudaStream_t stream) {
	if (search.light_entries == 0) return cudaSuccess;
	G500_TRY(search.held.alloc_zeroed(stream, search.places(), light));
	return G500_START(index_light_kernel, thread_for(search.light_entries, stream), search.light_edges,
	                  search.light_entries, light);
}

} // namespace g500::sssp
