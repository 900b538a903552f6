// The result in official form: for each owned label the parent's label and the distance, -1 where it was not reached.
#pragma once

#include "common/completion.cuh"
#include "sssp/found.cuh"
#include "sssp/tile_order.cuh"

namespace g500::sssp {

constexpr int kResultThreads = 256;
constexpr u32 kVerticesPerThread = 2;

// HubsOfThread are vertices that a thread looks at, kResultThreads apart in the order by tile; kNone past the end.
struct HubsOfThread {
	u32 of[kVerticesPerThread], code[kVerticesPerThread];
	u32 first_end[kVerticesPerThread]; // the label of the end of the first edge

	__device__ inline HubsOfThread(const TileOrder &order, u32 first, u32 end) {
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++) {
			const u32 place = first + j * kResultThreads;
			of[j] = place < end ? __ldcs(order.hub + place) : kNone;
			code[j] = place < end ? __ldcs(order.code + place) : 0;
			first_end[j] = place < end ? __ldcs(order.first + place) : kNone;
		}
	}
};

// RowsOfThread are the rows of the result for a thread's vertices. What all of them need is asked for together.
struct RowsOfThread {
	u32 parent[kVerticesPerThread];     // label, or kNone
	float distance[kVerticesPerThread]; // or -1

	__device__ inline RowsOfThread(const Graph &g, const State &s, const Policy &p, const HubsOfThread &hubs) {
		Column from[kVerticesPerThread]; // whose distance counts, and the weight of the edge from there
		u32 label[kVerticesPerThread];
		CoreEntry entry[kVerticesPerThread];
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++) {
			const u32 hub = hubs.of[j];
			const bool in_tree = hub != kNone && hub >= g.in_core;
			from[j] = in_tree && g.is_leaf(hub) ? g.above(hub) : Column{hub == kNone ? kNone : g.base | hub, 0};
			label[j] = in_tree ? hubs.first_end[j] : kNone;
		}
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++)
			entry[j] = CoreEntry(g, s, p, from[j].position, hubs.of[j] < g.in_core);
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++) {
			const u32 known = entry[j].known_parent(); // of a vertex of the core
			if (known == kFirstEnd) label[j] = hubs.first_end[j];
			else if (known != kUnknown && entry[j].word < kInfinite) label[j] = g.labels[known];
		}
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++) {
			const float sum = __uint_as_float(entry[j].word) + from[j].weight;
			const bool reached = sum < infinity();
			parent[j] = reached ? label[j] : kNone;
			distance[j] = reached ? sum : -1;
		}
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++) {
			if (label[j] != kNone || distance[j] < 0) continue;
			parent[j] = g.labels[nearer_parent(g, s, from[j].position, distance[j])];
		}
	}
};

// TileOfResult is what a block has of a tile's result, by the number of the label in the tile.
struct TileOfResult {
	u32 parent[kTile]; // label, or kNone
	float distance[kTile];

	__device__ inline void clear() {
		for (u32 i = threadIdx.x; i < kTile; i += kResultThreads) parent[i] = kNone, distance[i] = -1;
	}
	__device__ inline void take(const HubsOfThread &hubs, const RowsOfThread &row) {
#pragma unroll
		for (u32 j = 0; j < kVerticesPerThread; j++) {
			if (hubs.of[j] == kNone) continue;
			parent[hubs.code[j]] = row.parent[j];
			distance[hubs.code[j]] = row.distance[j];
		}
	}

	// Writes it, 16 bytes a thread at a time.
	__device__ inline void write(const State &s, u64 first_label) const {
		uint4 *const parents = (uint4 *)(s.parents + first_label), *const distances = (uint4 *)(s.distances + first_label);
		for (u32 i = threadIdx.x; i < kTile / 2; i += kResultThreads) {
			const u32 a = parent[2 * i], b = parent[2 * i + 1];
			__stcs(parents + i, make_uint4(a, a == kNone ? kNone : 0, b, b == kNone ? kNone : 0));
		}
		for (u32 i = threadIdx.x; i < kTile / 4; i += kResultThreads) __stcs(distances + i, ((const uint4 *)distance)[i]);
	}
};

// relabel: the result of a tile of labels a block.
// Reads:  10 B a vertex; 8 B a vertex of the core, in runs, and the label of a parent that is not the end of its first
//         edge; 8 B a vertex of a tree, and a sector of distances.
// Writes: 12 B a label.
__global__ void __launch_bounds__(kResultThreads)
relabel_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, const __grid_constant__ Policy p,
               const __grid_constant__ TileOrder order) {
	G500_SHARED_MEMORY(memory);
	TileOfResult &tile = *reinterpret_cast<TileOfResult *>(memory);
	const u32 end = order.start[blockIdx.x + 1];
	tile.clear();
	__syncthreads();
	for (u32 i = order.start[blockIdx.x] + threadIdx.x; i < end; i += kResultThreads * kVerticesPerThread) {
		const HubsOfThread hubs(order, i, end);
		tile.take(hubs, RowsOfThread(g, s, p, hubs));
	}
	__syncthreads();
	tile.write(s, (u64)blockIdx.x * kTile);
}

constexpr int kWayThreads = 64;

// settle_way: the vertices on the way from a root in a tree have their parents on the other side; and a root is its own
// parent, even without an edge. Then the search with that number is complete. One block.
__global__ void settle_way_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, u32 root, u32 ranks,
                                  u32 number) {
	const Way &way = *s.way;
	for (u32 i = threadIdx.x; i < way.length; i += kWayThreads) {
		const auto &entry = way.entries[i];
		if (!g.owns(entry.vertex)) continue;
		const u32 owned = g.labels[entry.vertex] / ranks; // its number among the owned labels
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
