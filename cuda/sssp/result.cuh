// The result in official form: for each owned label the parent's label and the distance, -1 where it was not reached.
#pragma once

#include "sssp/found.cuh"

namespace g500::sssp {

constexpr int kResultThreads = 256;
constexpr u32 kLabelsPerThread = 4; // 16 bytes of each table at a time

// Row is a vertex's in the result.
struct Row {
	long long parent; // label, or -1
	float distance;   // or -1
};

__device__ inline Row row_of(const Graph &g, const State &s, const Policy &p, u32 hub) {
	if (hub == kNone) return {-1, -1};
	if (hub >= g.in_core && g.levels > 1) {
		const uint2 found = s.tree[g.in_trees(hub)];
		return found.x == kInfinite ? Row{-1, -1} : Row{(long long)found.y, __uint_as_float(found.x)};
	}
	const Found found = found_at(g, s, p, g.base | hub);
	return {found.parent == kNone ? -1 : (long long)g.labels[found.parent], found.distance};
}

// relabel: the result of four labels a thread.
// Reads:  4 B a label; 8 B a vertex of the core and the label of its parent; 8 B a vertex of a tree, of a leaf 12 B and
//         the label of its parent.
// Writes: 12 B a label.
__global__ void __launch_bounds__(kResultThreads)
relabel_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, const __grid_constant__ Policy p) {
	const u32 first = (blockIdx.x * kResultThreads + threadIdx.x) * kLabelsPerThread;
	if (first >= g.owned) return;
	const uint4 hubs = __ldcs((const uint4 *)(g.hub_of + first)); // allocated in whole pieces: it can be read past its end
	const u32 hub[kLabelsPerThread] = {hubs.x, hubs.y, hubs.z, hubs.w};
	Row row[kLabelsPerThread];
#pragma unroll
	for (u32 j = 0; j < kLabelsPerThread; j++) row[j] = row_of(g, s, p, first + j < g.owned ? hub[j] : kNone);
	longlong2 *const parents = (longlong2 *)(s.parents + first);
	__stcs(parents, make_longlong2(row[0].parent, row[1].parent));
	__stcs(parents + 1, make_longlong2(row[2].parent, row[3].parent));
	__stcs((float4 *)(s.distances + first),
	       make_float4(row[0].distance, row[1].distance, row[2].distance, row[3].distance));
}

constexpr int kWayThreads = 64;

// settle_way: the vertices on the way from a root in a tree have their parents on the other side; and a root is its own
// parent, even without an edge. One block.
__global__ void
settle_way_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, u32 root, u32 ranks) {
	const Way &way = *s.way;
	for (u32 i = threadIdx.x; i < way.length; i += kWayThreads) {
		const auto &entry = way.entries[i];
		if (!g.owns(entry.vertex)) continue;
		const u32 number = g.labels[entry.vertex] / ranks; // among the owned labels
		s.parents[number] = g.labels[entry.parent];
		s.distances[number] = entry.distance;
	}
	__syncthreads();
	if (threadIdx.x != 0) return;
	if (root % ranks == g.rank) {
		s.parents[root / ranks] = root;
		s.distances[root / ranks] = 0;
	}
	s.trace[G500_SSSP_RESULT].nanoseconds = now_ns() - s.trace[G500_SSSP_RESULT].nanoseconds;
}

} // namespace g500::sssp
