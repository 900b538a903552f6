// SPDX-License-Identifier: Apache-2.0

// The arrays that a search reads, derived from the graph once, as part of kernel 1.
#pragma once

#include <algorithm>
#include <vector>

#include "common/block.cuh"
#include "common/check.cuh"
#include "common/tiles.cuh"
#include "common/warp.cuh"
#include "search/graph.cuh"

namespace g500 {

// Stores neighbours 1 to 5, kNone for missing ones, and Graph.with_second. One thread per non-leaf vertex, including
// padding.
__global__ void lift_neighbours_kernel(const __grid_constant__ Graph g, u32 *with_second) {
	const u32 v = thread_number<kThreads>();
	if (v >= g.padded) return;
	const u64 at = v < g.non_leaf ? g.rows[v] : 0, n = v < g.non_leaf ? g.rows[v + 1] - at : 0;
	u32 first5[5];
#pragma unroll
	for (int k = 0; k < 5; k++) first5[k] = k < n ? neighbour(g, v, k) : kNone;
	g.first[v] = first5[0];
	g.next4[v] = make_uint4(first5[1], first5[2], first5[3], first5[4]);
	if (first5[1] != kNone) atomicMax(with_second, v + 1);
	if (!g.col_ranks) return;
	u16 rank[5];
#pragma unroll
	for (int k = 0; k < 5; k++) rank[k] = k < n ? g.col_ranks[at + k] : 0;
	g.first_ranks[v] = rank[0];
	g.next4_ranks[v] = make_ushort4(rank[1], rank[2], rank[3], rank[4]);
}

// Runs are the first local ids of the coded rising runs; kNone after the last one.
struct Runs {
	u32 begin[kRuns];

	__device__ u32 of(u32 v) const {
		u32 run = 0;
		for (u32 k = 1; k < kRuns; k++) run += v >= begin[k];
		return run;
	}
};

// Lists the beginnings of all runs except the first, in any order. One thread per non-leaf vertex.
__global__ void list_runs_kernel(const u32 *labels, u32 non_leaf, u32 *begins, u32 *count) {
	const u32 v = thread_number<kThreads>();
	if (v > 0 && v < non_leaf && labels[v] < labels[v - 1]) begins[atomicAdd(count, 1)] = v;
}

// Finds the last runs of the non-leaf subgraph. `memory` has one word per vertex.
inline int find_runs(const Graph &g, u32 *memory, Runs *runs, cudaStream_t stream) {
	std::fill_n(runs->begin, kRuns, kNone);
	runs->begin[0] = 0;
	if (g.non_leaf == 0) return cudaSuccess;
	Array<u32> count;
	u32 n;
	G500_TRY(count.alloc_zeroed(1, stream));
	G500_LAUNCH(list_runs_kernel, thread_for(g.non_leaf, stream), g.labels, g.non_leaf, memory, count.get());
	G500_TRY(read_back(&n, count, sizeof n, stream));
	std::vector<u32> begins(n);
	G500_TRY(read_back(begins.data(), memory, n * sizeof(u32), stream));
	begins.push_back(0);
	std::sort(begins.begin(), begins.end());
	const size_t kept = std::min(begins.size(), (size_t)kRuns);
	std::copy(begins.end() - kept, begins.end(), runs->begin);
	return cudaSuccess;
}

// Returns the number of a vertex's label among the owned ones.
__device__ inline u32 owned_label(const Graph &g, u32 v) {
	return g.labels64 ? g.labels[v] : g.labels[v] / g.ranks;
}

// Stores each vertex's part by local id: the tile of its label if it is coded, else that plus the number of tiles.
__global__ void find_parts_kernel(const __grid_constant__ Graph g, u32 first_coded, u32 tiles, u32 *part) {
	const u32 v = thread_number<kThreads>();
	if (v >= g.non_isolated) return;
	const bool is_coded = v >= first_coded && v < g.first_leaf;
	part[v] = owned_label(g, v) / kTile + (is_coded ? 0 : tiles);
}

// Parts are the vertices sorted by part, then by local id. In tile order the two parts of a tile are adjacent.
struct Parts {
	u32 tiles, first_leaf;
	const u32 *part, *local_id, *start;

	__device__ u32 coded() const { return start[tiles]; }
	// Return the place in tile order of entry i, which is in one of the parts of tile t.
	__device__ u32 coded_place(u32 t, u32 i) const { return i + start[tiles + t] - coded(); }
	__device__ u32 other_place(u32 t, u32 i) const { return i - coded() + start[t + 1]; }
};

// Describes each tile (Graph.tile_start). One thread per tile, and one for the end.
__global__ void describe_tiles_kernel(Parts sorted, uint4 *tile_start) {
	const u32 t = thread_number<kThreads>();
	if (t > sorted.tiles) return;
	const u32 begin = sorted.coded_place(t, sorted.start[t]);
	if (t == sorted.tiles) {
		tile_start[t] = make_uint4(begin, begin, begin, sorted.coded());
		return;
	}
	const u32 low = first_not(sorted.start[sorted.tiles + t], sorted.start[sorted.tiles + t + 1],
	                          [&](u32 i) { return sorted.local_id[i] < sorted.first_leaf; });
	const u32 end = sorted.start[t + 1];
	tile_start[t] = make_uint4(begin, sorted.coded_place(t, end), sorted.other_place(t, low), end);
}

// Fills the arrays in tile order. The labels of first neighbours are global ids at first.
__global__ void fill_tiles_kernel(const __grid_constant__ Graph g, Parts sorted, Runs runs, u16 *first_ranks) {
	const u32 i = thread_number<kThreads>();
	if (i >= g.non_isolated) return;
	const bool is_coded = i < sorted.coded();
	const u32 v = sorted.local_id[i], t = sorted.part[i] - (is_coded ? 0 : sorted.tiles);
	const u32 place = is_coded ? sorted.coded_place(t, i) : sorted.other_place(t, i);
	const u32 *const row = g.packed ? words_at(g.packed[v]) : g.cols + g.rows[v];
	const u32 first = g.rows[v] < g.rows[v + 1] ? row[0] : kNone, run = is_coded ? runs.of(v) : 0;
	g.tile_first[place] = first;
	const u32 code = run << kTileBits | owned_label(g, v) % kTile;
	const u32 rank = first == kNone ? 0 : g.col_ranks ? g.col_ranks[g.rows[v]] : first >> g.shift;
	if (g.labels64) g.tile_code64[place] = rank << kCodeBits | code;
	else g.tile_code[place] = (u16)code;
	if (!is_coded) g.tile_vertex[i - sorted.coded()] = v < g.first_leaf ? v : first;
	else if (i == sorted.start[t] || runs.of(sorted.local_id[i - 1]) != run) g.tile_run[t * kRuns + run] = v - place;
	if (!g.col_ranks) return;
	first_ranks[place] = (u16)rank;
	if (!is_coded) g.tile_vertex_ranks[i - sorted.coded()] = v < g.first_leaf ? 0 : (u16)rank;
}

// Returns the first local id of a degree class.
__device__ inline u64 first_of_class(u32 number) {
	return number < 16 ? number : (u64)(16 + number % 16) << (number / 16 - 1);
}

// Counts vertices and edges by degree class, in one block with one thread per class.
__global__ void __launch_bounds__(G500_DEGREE_CLASSES)
count_degrees_kernel(const u64 *rows, u32 non_leaf, u64 *vertices, u64 *edges) {
	const u64 begin = min(first_of_class(threadIdx.x), (u64)non_leaf);
	const u64 end = min(first_of_class(threadIdx.x + 1), (u64)non_leaf);
	vertices[threadIdx.x] = end - begin;
	edges[threadIdx.x] = rows[end] - rows[begin];
}

inline int derive_neighbours(Graph &g, Arrays &held, cudaStream_t stream) {
	Array<u32> with_second;
	G500_TRY(with_second.alloc_zeroed(1, stream));
	G500_TRY(held.alloc(g.padded, g.first, g.next4));
	if (g.col_ranks) G500_TRY(held.alloc(g.padded, g.first_ranks, g.next4_ranks));
	G500_LAUNCH(lift_neighbours_kernel, thread_for(g.padded, stream), g, with_second.get());
	return read_back(&g.with_second, with_second, sizeof(u32), stream);
}

inline int derive_tiles(Graph &g, Array<u16> &first_ranks, Arrays &held, cudaStream_t stream) {
	const u32 tiles = tiles_of(g.owned);
	Array<u32> part_of;
	SortedByPart by_part;
	Runs runs;
	G500_TRY(part_of.alloc(g.non_isolated));
	if (const int code = find_runs(g, part_of, &runs, stream)) return code;
	G500_LAUNCH(find_parts_kernel, thread_for(g.non_isolated, stream), g, runs.begin[0], tiles, part_of.get());
	if (const int code = by_part.sort(part_of, g.non_isolated, 2 * tiles, stream)) return code;
	const u32 coded = g.non_leaf - runs.begin[0];
	G500_TRY(held.alloc(tiles + 1, g.tile_start));
	G500_TRY(held.alloc_zeroed(stream, tiles * kRuns, g.tile_run)); // most tiles lack some runs
	G500_TRY(held.alloc(g.non_isolated - coded, g.tile_vertex));
	G500_TRY(held.alloc(g.non_isolated, g.tile_first));
	if (g.labels64) G500_TRY(held.alloc(g.non_isolated, g.tile_code64));
	else G500_TRY(held.alloc(g.non_isolated, g.tile_code));
	if (g.col_ranks) {
		G500_TRY(held.alloc(g.non_isolated - coded, g.tile_vertex_ranks));
		G500_TRY(first_ranks.alloc(g.non_isolated));
	}
	const Parts sorted{tiles, g.first_leaf, by_part.part, by_part.local_id, by_part.start};
	G500_LAUNCH(describe_tiles_kernel, thread_for(tiles + 1, stream), sorted, g.tile_start);
	G500_LAUNCH(fill_tiles_kernel, thread_for(g.non_isolated, stream), g, sorted, runs, first_ranks.get());
	return cudaStreamSynchronize(stream); // before the temporary arrays are freed
}

// Derives the arrays, in held memory, from a graph, which must outlive them. The labels of first neighbours are global
// ids until the caller replaces them; first_ranks has the rank fields of 64-bit ones. Synchronous.
inline int derive_arrays(const g500_graph &of, Graph &g, Array<u16> &first_ranks, Arrays &held, cudaStream_t stream) {
	static_cast<g500_graph &>(g) = of;
	g.non_leaf = std::min(g.non_isolated, g.first_leaf);
	g.padded = (g.non_leaf + kPad - 1) / kPad * kPad;
	g.rank_bits = g.ranks > 1 ? bits_for(g.ranks - 1) : 0;
	g.parts64 = Parts64::of(g.part64, g.first_leaf);
	g.local_mask = g.ranks > 1 ? (1u << g.shift) - 1 : ~0u;
	g.non_leaf_edges = g.edges - (g.non_isolated - g.non_leaf); // a leaf has one edge
	if (g.non_leaf > 0) G500_TRY(derive_neighbours(g, held, stream));
	return derive_tiles(g, first_ranks, held, stream);
}

// Counts the vertices of each class and their edges. Synchronous.
inline int count_degrees(const Graph &g, u64 *vertices, u64 *edges, cudaStream_t stream) {
	constexpr u32 n = G500_DEGREE_CLASSES;
	Array<u64> counts;
	G500_TRY(counts.alloc(2 * n));
	G500_LAUNCH(count_degrees_kernel, (Launch{1, n, stream}), g.rows, g.non_leaf, counts.get(), counts.get() + n);
	G500_TRY(cudaMemcpyAsync(vertices, counts, n * sizeof(u64), cudaMemcpyDeviceToHost, stream));
	return read_back(edges, counts.get() + n, n * sizeof(u64), stream);
}

} // namespace g500
