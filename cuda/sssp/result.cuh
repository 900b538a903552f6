// The result in official form: for each owned label the parent's label and the distance, -1 where it was not reached.
#pragma once

#include "common/completion.cuh"
#include "sssp/found.cuh"

namespace g500::sssp {

constexpr int kResultThreads = 256;
constexpr u32 kLabelsPerThread = 4; // kResultThreads apart

// HubsOfThread are those of a thread's labels; kNone without an edge.
struct HubsOfThread {
	u32 of[kLabelsPerThread];

	__device__ inline HubsOfThread(const Graph &g, u32 first) {
#pragma unroll
		for (u32 j = 0; j < kLabelsPerThread; j++) {
			const u32 label = first + j * kResultThreads;
			of[j] = label < g.owned ? __ldcs(g.hub_of + label) : kNone;
		}
	}
};

// RowsOfThread are the rows of the result for a thread's labels. What all of them need is asked for together.
struct RowsOfThread {
	long long parent[kLabelsPerThread]; // label, or -1
	float distance[kLabelsPerThread];   // or -1

	__device__ inline RowsOfThread(const Graph &g, const State &s, const Policy &p, const HubsOfThread &hubs) {
		Column from[kLabelsPerThread]; // whose distance counts, and the weight of the edge from there
		u32 label[kLabelsPerThread];
		CoreEntry entry[kLabelsPerThread];
#pragma unroll
		for (u32 j = 0; j < kLabelsPerThread; j++) {
			const u32 hub = hubs.of[j];
			const bool in_tree = hub != kNone && hub >= g.in_core;
			from[j] = in_tree && g.is_leaf(hub) ? g.above(hub) : Column{hub == kNone ? kNone : g.base | hub, 0};
			label[j] = in_tree ? g.label_above[g.in_trees(hub)] : kNone;
		}
#pragma unroll
		for (u32 j = 0; j < kLabelsPerThread; j++)
			entry[j] = CoreEntry(g, s, p, from[j].position, hubs.of[j] < g.in_core);
#pragma unroll
		for (u32 j = 0; j < kLabelsPerThread; j++) {
			const u32 known = entry[j].known_parent(); // of a vertex of the core
			label[j] = known != kUnknown ? g.labels[known] : label[j];
		}
#pragma unroll
		for (u32 j = 0; j < kLabelsPerThread; j++) {
			const float sum = __uint_as_float(entry[j].word) + from[j].weight;
			const bool reached = sum < infinity();
			parent[j] = reached ? (long long)label[j] : -1;
			distance[j] = reached ? sum : -1;
		}
#pragma unroll
		for (u32 j = 0; j < kLabelsPerThread; j++) {
			if (label[j] != kNone || distance[j] < 0) continue;
			parent[j] = g.labels[nearer_parent(g, s, from[j].position, distance[j])];
		}
	}
};

// relabel: the result of four labels a thread.
// Reads:  4 B a label; 8 B a vertex of the core and the label of its parent; 8 B an inner vertex of a tree; 12 B a leaf
//         of one, and a sector of distances.
// Writes: 12 B a label.
__global__ void __launch_bounds__(kResultThreads)
relabel_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, const __grid_constant__ Policy p) {
	const u32 first = blockIdx.x * kResultThreads * kLabelsPerThread + threadIdx.x;
	const RowsOfThread row(g, s, p, HubsOfThread(g, first));
#pragma unroll
	for (u32 j = 0; j < kLabelsPerThread; j++) {
		const u32 label = first + j * kResultThreads;
		if (label >= g.owned) return;
		__stcs(s.parents + label, row.parent[j]);
		__stcs(s.distances + label, row.distance[j]);
	}
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
