// SPDX-License-Identifier: Apache-2.0

// The result in the official form: for each owned label the parent's label and the distance, -1 if unreached.
#pragma once

#include "common/host_poll.cuh"
#include "common/tiles.cuh"
#include "sssp/found.cuh"

namespace g500::sssp {

// The order in which the result reads a search's data.

// TileOrder has this rank's vertices by the tile of their label; in a tile first vertices outside trees, then vertices
// of trees, each in degree order.
struct TileOrder {
	uint2 *start;   // tiles+1: places of a tile's first vertex and first vertex of trees
	u32 *vertex;    // by place: a local id outside trees; of a vertex of a tree, the global id of the vertex above
	float *weight;  // of the edge to the vertex above; not read for vertices outside trees
	u32 *first_end; // the label of the first edge's end, or kNone
	uint16_t *code; // the number of the label in the tile
};

// Stores the tile of each vertex's label.
// Map:    one thread per vertex. Reads: 4 B per vertex. Writes: 4 B per vertex.
__global__ void find_tiles_kernel(const __grid_constant__ Graph g, u32 ranks, u32 *tile) {
	const u32 v = thread_number<kThreads>();
	if (v < g.non_isolated) tile[v] = g.labels[g.base + v] / ranks / kTile;
}

// Stores the places of each tile's first vertex and first vertex of trees.
// Map:    one thread per tile, and one for the end. Reads: 8 B and a binary search in 4 KB. Writes: 8 B.
__global__ void
describe_tiles_kernel(u32 own_non_tree, u32 tiles, const u32 *start, const u32 *local_id, uint2 *described) {
	const u32 t = thread_number<kThreads>();
	if (t > tiles) return;
	const u32 end = t < tiles ? start[t + 1] : start[t];
	described[t] = make_uint2(start[t], first_not(start[t], end, [=](u32 i) { return local_id[i] < own_non_tree; }));
}

// Fills the arrays in tile order.
// Map:    one thread per vertex. Reads: 4 B and 16 random B per vertex. Writes: 14 B per vertex.
__global__ void fill_kernel(const __grid_constant__ Graph g, u32 ranks, const u32 *local_id, TileOrder to) {
	const u32 place = thread_number<kThreads>();
	if (place >= g.non_isolated) return;
	const u32 v = local_id[place];
	const bool is_non_tree = v < g.own_non_tree;
	const Col first = is_non_tree ? FirstEdges(g, v).of[0] : g.above(v);
	to.vertex[place] = is_non_tree ? v : first.global_id;
	to.weight[place] = first.weight;
	to.first_end[place] = first.global_id == kNone ? kNone : g.labels[first.global_id];
	to.code[place] = (uint16_t)(g.labels[g.base + v] / ranks % kTile);
}

// Derives the order from the labels and first edges of a graph. Synchronous.
inline int derive_tile_order(const Graph &g, u32 ranks, Arrays &held, TileOrder *order, cudaStream_t stream) {
	const u32 tiles = tiles_of(g.owned);
	const Launch by_vertex = thread_for(g.non_isolated, stream);
	SortedByPart sorted;
	Array<u32> tile;
	G500_TRY(tile.alloc(g.non_isolated));
	G500_LAUNCH(find_tiles_kernel, by_vertex, g, ranks, tile.get());
	if (const int code = sorted.sort(tile, g.non_isolated, tiles, stream)) return code;
	tile.free();
	sorted.part.free();
	G500_TRY(held.alloc(tiles + 1, order->start));
	G500_TRY(held.alloc(g.non_isolated, order->vertex, order->weight, order->first_end, order->code));
	const u32 *const local_id = sorted.local_id;
	G500_LAUNCH(describe_tiles_kernel, thread_for(tiles + 1, stream), g.own_non_tree, tiles,
	            sorted.start.get(), local_id, order->start);
	G500_LAUNCH(fill_kernel, by_vertex, g, ranks, local_id, *order);
	return cudaStreamSynchronize(stream); // before the sorted arrays are freed
}

constexpr int kResultThreads = 256;
constexpr u32 kVerticesPerThread = 4;

// PlacesOfThread are a thread's places in tile order, kResultThreads apart; kNone beyond the end.
struct PlacesOfThread {
	Col from[kVerticesPerThread]; // a vertex outside trees, or the edge to the vertex above
	bool is_non_tree[kVerticesPerThread];
	u32 first_end[kVerticesPerThread], code[kVerticesPerThread];

	__device__ inline PlacesOfThread(const Graph &g, const TileOrder &order, u32 first, u32 trees, u32 end) {
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++) {
			const u32 place = first + j * kResultThreads;
			const bool is_there = place < end;
			is_non_tree[j] = place < trees;
			from[j].global_id = is_there ? __ldcs(order.vertex + place) | (is_non_tree[j] ? g.base : 0) : kNone;
			from[j].weight = is_there && !is_non_tree[j] ? __ldcs(order.weight + place) : 0;
			first_end[j] = is_there ? __ldcs(order.first_end + place) : kNone;
			code[j] = is_there ? __ldcs(order.code + place) : 0;
		}
	}
};

// RowsOfThread are the results of a thread's vertices.
struct RowsOfThread {
	u32 parent[kVerticesPerThread];     // label, or kNone
	float distance[kVerticesPerThread]; // or -1

	__device__ inline RowsOfThread(const Graph &g, const State &s, const Policy &p, const PlacesOfThread &at) {
		NonTreeEntry entry[kVerticesPerThread];
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++)
			entry[j] = NonTreeEntry(g, s, p, at.from[j].global_id, at.is_non_tree[j]);
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++) {
			const float sum = __uint_as_float(entry[j].word) + at.from[j].weight;
			const bool reached = sum < infinity();
			distance[j] = reached ? sum : -1;
			parent[j] = reached ? at.first_end[j] : kNone;
		}
		u32 other[kVerticesPerThread]; // a parent that is not the end of the first edge
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++) {
			other[j] = at.is_non_tree[j] && distance[j] >= 0 ? entry[j].known_parent() : kFirstEnd;
			if (other[j] < kFirstEnd) parent[j] = g.labels[other[j]];
		}
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++)
			if (other[j] > kFirstEnd) parent[j] = g.labels[nearer_parent(g, s, at.from[j].global_id, distance[j])];
	}
};

// TileOfResult is the result of a tile, by the label's number in the tile.
struct TileOfResult {
	u32 parent[kTile]; // label, or kNone
	float distance[kTile];

	__device__ inline void clear() {
		for (u32 i = threadIdx.x; i < kTile; i += kResultThreads) parent[i] = kNone, distance[i] = -1;
	}
	__device__ inline void take(const PlacesOfThread &at, const RowsOfThread &row) {
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++) {
			if (at.from[j].global_id == kNone) continue;
			parent[at.code[j]] = row.parent[j];
			distance[at.code[j]] = row.distance[j];
		}
	}

	// Writes the tile, 16 bytes per thread at a time.
	__device__ inline void write(const State &s, u64 first_label) const {
		uint4 *const parents = (uint4 *)(s.parents + first_label), *const distances = (uint4 *)(s.distances + first_label);
		for (u32 i = threadIdx.x; i < kTile / 2; i += kResultThreads) {
			const u32 a = parent[2 * i], b = parent[2 * i + 1];
			__stcs(parents + i, make_uint4(a, a == kNone ? kNone : 0, b, b == kNone ? kNone : 0));
		}
		for (u32 i = threadIdx.x; i < kTile / 4; i += kResultThreads) __stcs(distances + i, ((const uint4 *)distance)[i]);
	}
};

// Writes the result of one tile of labels per block.
// Reads:  10 B per vertex; 8 B per vertex outside trees, in runs, and the parent's label unless the parent is the end
//         of the first edge; 4 B and a sector of distances per vertex of a tree.
// Writes: 12 B per label.
__global__ void __launch_bounds__(kResultThreads)
write_result_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, const __grid_constant__ Policy p,
                    const __grid_constant__ TileOrder order) {
	G500_SHARED_MEMORY(memory);
	TileOfResult &tile = *reinterpret_cast<TileOfResult *>(memory);
	const uint2 begin = order.start[blockIdx.x]; // of the tile, and of trees in it
	const u32 end = order.start[blockIdx.x + 1].x;
	tile.clear();
	__syncthreads();
	for (u32 i = begin.x + threadIdx.x; i < end; i += kResultThreads * kVerticesPerThread) {
		const PlacesOfThread at(g, order, i, begin.y, end);
		tile.take(at, RowsOfThread(g, s, p, at));
	}
	__syncthreads();
	tile.write(s, (u64)blockIdx.x * kTile);
}

constexpr int kRootPathThreads = 64;

// Stores the parents along the root path, which lead toward the root, and the root as its own parent, even without an
// edge. Then publishes that this search is complete. One block.
__global__ void store_root_path_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, u32 root,
                                       u32 ranks, u32 number) {
	const RootPath &root_path = *s.root_path;
	for (u32 i = threadIdx.x; i < root_path.length; i += kRootPathThreads) {
		const auto &entry = root_path.entries[i];
		if (!g.owns(entry.vertex)) continue;
		const u32 owned = g.labels[entry.vertex] / ranks; // number among the owned labels
		const bool reached = entry.distance < infinity(); // else the sum has overflowed
		s.parents[owned] = reached ? (long long)g.labels[entry.parent] : -1;
		s.distances[owned] = reached ? entry.distance : -1;
	}
	__syncthreads();
	if (threadIdx.x != 0) return;
	if (root % ranks == g.rank) {
		s.parents[root / ranks] = root;
		s.distances[root / ranks] = 0;
	}
	s.trace[G500_SSSP_RESULT].nanoseconds = now_ns() - s.trace[G500_SSSP_RESULT].nanoseconds;
	complete(s.completed, number);
}

} // namespace g500::sssp
