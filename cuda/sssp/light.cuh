// SPDX-License-Identifier: Apache-2.0

// The light edges of all ranks (graph.cuh): a rank counts its entries and stores them, and after all ranks have
// exchanged them it stores the place of each vertex's first one.
#pragma once

#include "sssp/search.cuh"

namespace g500::sssp {

// Counts this rank's entries, and writes them unless `entries` is null. Rows are sorted by weight.
// Map:    one thread per vertex outside trees. Reads: 16 B of rows and a few weights, and 8 B per written entry.
//         Writes: an atomic per row, and 8 B per entry.
__global__ void list_light_kernel(const __grid_constant__ Graph g, float window, ull *count, Col *entries) {
	const u32 local_id = thread_number<kThreads>();
	if (local_id >= g.own_non_tree) return;
	const u64 begin = g.rows[local_id];
	const u64 end = first_not(begin, g.rows[local_id + 1], [&](u64 i) { return g.cols[i].weight < window; });
	if (begin == end) return;
	const u64 at = atomicAdd(count, (ull)(end - begin) + 1);
	if (!entries) return;
	entries[at] = light_row(g.base + local_id, (u32)(end - begin));
	for (u64 i = begin; i < end; i++) entries[at + 1 + i - begin] = g.cols[i];
}

// Stores the place of the first light edge of each vertex.
// Map:    one thread per entry. Reads: 8 B. Writes: 4 random B per row.
__global__ void index_light_kernel(const Col *entries, u64 n, u32 *light) {
	const u64 i = thread_number<kThreads>();
	if (i < n && is_light_row(entries[i])) light[entries[i].global_id] = (u32)i + 1;
}

// Sets *count to the number of this rank's entries, and writes them unless `entries` is null. Synchronous.
inline int list_light(const PathsMemory &search, Col *entries, u64 *count, cudaStream_t stream) {
	const Graph &g = search.graph;
	const Launch by_vertex = thread_for(g.own_non_tree, stream);
	const char *const name = entries ? "store_light_kernel" : "count_light_kernel";
	Array<ull> sum;
	G500_TRY(sum.alloc_zeroed(1, stream));
	if (search.policy.landmarks > 0)
		G500_LAUNCH_BY(name, launch(list_light_kernel, by_vertex, g, search.policy.window, sum.get(), entries));
	return read_back(count, sum, sizeof *count, stream);
}

inline int store_light(PathsMemory &search, Col *of_all, u64 most, cudaStream_t stream) {
	u64 count;
	search.light_edges = of_all, search.light_entries = search.ranks.count * most;
	G500_TRY(cudaMemsetAsync(of_all, 0, search.light_entries * sizeof(Col), stream));
	return list_light(search, of_all + search.ranks.rank * most, &count, stream);
}

// Sets *light to the places, by global id, if ranks store light edges.
inline int index_light(PathsMemory &search, u32 *&light, cudaStream_t stream) {
	if (search.light_entries == 0) return cudaSuccess;
	G500_TRY(search.held.alloc_zeroed(stream, search.places(), light));
	return G500_START(index_light_kernel, thread_for(search.light_entries, stream), search.light_edges,
	                  search.light_entries, light);
}

} // namespace g500::sssp
