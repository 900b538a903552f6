// SPDX-License-Identifier: Apache-2.0

// Kernel 1, first half: the number of vertices, and their degree order. Vertices with an edge are sorted
// by descending degree class, vertices of one class by ascending label.
#pragma once

#include <algorithm>

#include "common/cub.cuh"
#include "kernel1/build.cuh"

namespace g500 {

// Finds the highest label plus one.
// Map:    one thread for kPerThread tuples; lane 0 writes for its warp.
// Reads:  12 B per tuple. Writes: 8 B in total.
// Races:  *vertices only increases. An old value is too low and costs one unnecessary atomicMax.
__global__ void find_vertices_kernel(Tuples tuples, ull *vertices) {
	u64 found = 0;
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		const u64 i = tile_index(k);
		if (i >= tuples.count) continue;
		const Labels<u64> labels = load_labels(tuples.edges + i);
		found = max(found, max(labels.u, labels.v) + 1);
	}
	for (u32 step = kLanes / 2; step > 0; step /= 2) found = max(found, __shfl_down_sync(~0u, found, step));
	if (lane_of_thread() == 0 && found > *vertices) atomicMax(vertices, found);
}

// Degree classes: one per degree up to 7; four per power of two below 256; then one per 64 degrees. A key has the class
// in its high bits and the place in the class in its low bits, so it determines the degree; its bits are complemented,
// so that ascending keys have descending degrees. It wraps if a degree is near 2^32.
constexpr int kPlaceBits = 6;
constexpr u32 kFine = 4, kCoarse = 256; // lower degrees have classes of their own; from kCoarse on a class has 64
                                        // degrees
constexpr u32 kCoarseClass = 28;        // the class of kCoarse
constexpr u32 kCoarseKeys = (kCoarseClass << kPlaceBits) - kCoarse; // difference between a degree and its key

__device__ inline u32 key_of(u32 degree) {
	if (degree >= kCoarse) return ~(degree + kCoarseKeys);
	if (degree < kFine) return ~(degree << kPlaceBits);
	const u32 power = 31 - __clz(degree), low = power - 2; // bits that differ within a class
	return ~((4 * (power - 1) + (degree >> low & 3)) << kPlaceBits | (degree & ((1u << low) - 1)));
}

__device__ inline u32 degree_of(u32 complement) {
	const u32 key = ~complement, number = key >> kPlaceBits, place = key & ((1u << kPlaceBits) - 1);
	if (number >= kCoarseClass) return key - kCoarseKeys;
	return number < kFine ? number : (4 + number % 4) << (number / 4 - 1) | place;
}

// Sets places[i] = i, and replaces each degree by its key.
// Map:    one thread per owned label. Reads: 4 B per label. Writes: 8 B per label.
__global__ void list_places_kernel(u32 *degrees, u32 *places, u32 owned) {
	const u32 i = thread_number<kBlock>();
	if (i >= owned) return;
	degrees[i] = key_of(degrees[i]);
	places[i] = i;
}

struct OrderCounts {
	u32 non_isolated, first_leaf; // as in g500_graph
};

// Stores the local ids of the owned labels, the number of vertices with an edge, and the first leaf.
// Map:    one thread per place in degree order, with vertices of degree 0 at the end.
// Reads:  8 B per label. Writes: 4 random B per label; *counts, which the caller has set to 0.
// Races:  none: one thread has the last degree above 0, and one the last above 1.
__global__ void number_vertices_kernel(const u32 *keys, const u32 *places, u32 owned, u32 *local_ids,
                                   OrderCounts *counts) {
	const u32 h = thread_number<kBlock>();
	if (h >= owned) return;
	const u32 degree = degree_of(keys[h]), next = h + 1 < owned ? degree_of(keys[h + 1]) : 0;
	local_ids[places[h]] = degree > 0 ? h : kNoLocalId;
	if (degree > 0 && next == 0) counts->non_isolated = h + 1;
	if (degree > 1 && next <= 1) counts->first_leaf = h + 1;
}

// Stores the label of each vertex, and its degree after the beginning of its row.
// Map:    one thread per vertex. Reads: 8 B per vertex. Writes: 12 B per vertex.
__global__ void label_vertices_kernel(const u32 *keys, const u32 *places, g500_graph graph) {
	const u32 h = thread_number<kBlock>();
	if (h >= graph.non_isolated) return;
	graph.labels[h] = places[h] * graph.ranks + graph.rank;
	graph.rows[h + 1] = degree_of(keys[h]);
}

// Replaces each vertex's label by its number.
// Map:    one thread per owned label. Reads: 4 B per label. Writes: 4 random B per vertex.
__global__ void number_labels_kernel(g500_graph graph) {
	const u32 i = thread_number<kBlock>();
	if (i < graph.owned && graph.local_ids[i] != kNoLocalId) graph.labels[graph.local_ids[i]] = i;
}

// Sets local_ids, non_isolated, first_leaf and labels of the graph, and rows to the degrees after a 0.
inline int number_vertices(const u32 *keys, const u32 *places, g500_graph *graph, cudaStream_t stream) {
	Array<OrderCounts> counts;
	G500_TRY(counts.alloc_zeroed(1, stream));
	G500_LAUNCH(number_vertices_kernel, thread_for(graph->owned, stream), keys, places, graph->owned,
	            graph->local_ids, counts.get());
	OrderCounts found;
	G500_TRY(read_back(&found, counts, sizeof found, stream));
	graph->non_isolated = found.non_isolated;
	graph->first_leaf = found.first_leaf;
	if (const int code = allocate(&graph->labels, graph->non_isolated)) return code;
	if (const int code = allocate(&graph->rows, (u64)graph->non_isolated + 1)) return code;
	G500_TRY(cudaMemsetAsync(graph->rows, 0, sizeof *graph->rows, stream));
	return G500_START(label_vertices_kernel, thread_for(graph->non_isolated, stream), keys, places, *graph);
}

// Numbers the vertices of a graph in degree order: sets non_isolated, first_leaf, labels and local_ids, and rows to the
// prefix sum of the degrees. Overwrites degrees. Working memory: 12 bytes per label, and a little for the sort.
inline int order_vertices(u32 *degree, Budget &budget, g500_graph *graph, cudaStream_t stream) {
	Scratch<u32> degree_spare(budget), place(budget), place_spare(budget);
	for (auto *array : {&degree_spare, &place, &place_spare}) G500_TRY(array->alloc(graph->owned));
	if (const int code = allocate(&graph->local_ids, graph->owned)) return code;
	Buffers<u32> degrees{degree, degree_spare.get()}, places{place.get(), place_spare.get()};
	if (graph->owned > 0) { // by descending degree class; the sort is stable: in a class the lower label stays first
		G500_LAUNCH(list_places_kernel, thread_for(graph->owned, stream), degrees.now, places.now, graph->owned);
		G500_TRY(with_memory(Scratch<char>(budget), "sort_by_degree (CUB)", stream, [&](void *temp, size_t &bytes) {
			return sort_arrays(temp, bytes, {graph->owned, kPlaceBits, 32}, stream, degrees, places);
		}));
	}
	if (const int code = number_vertices(degrees.now, places.now, graph, stream)) return code;
	return with_memory(Scratch<char>(budget), "sum_degrees (CUB)", stream, [&](void *temp, size_t &bytes) {
		return sum_up(temp, bytes, graph->rows + 1, graph->non_isolated, stream);
	});
}

} // namespace g500
