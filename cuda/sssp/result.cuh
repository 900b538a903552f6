// The result in official form: for each owned label the parent's label and the distance, -1 where it was not reached.
#pragma once

#include "sssp/ties.cuh"

namespace g500::sssp {

constexpr int kResultThreads = 256;
constexpr u32 kLabelsPerThread = 4; // 16 bytes of each table at a time

// Found is what is known of a vertex.
struct Found {
	u32 parent; // hub id, kNone if it was not reached
	float distance;
};

__device__ inline Found found_in_tree(const Graph &g, const State &s, u32 v) {
	const Column above = g.above(v);
	const float distance =
		g.levels == 1 ? distance_in(s.distance[above.position]) + above.weight : distance_in(s.distance[v]);
	return distance < infinity() ? Found{above.position, distance} : Found{kNone, -1};
}

// Nearly all vertices know their parents. One that was pushed and has no hint looks for it.
__device__ inline Found found_at(const Graph &g, const State &s, u32 hinted, u32 v) {
	if (!g.in_core(v)) return found_in_tree(g, s, v);
	const u32 word = s.distance[v] & ~kFinal;
	if (word == kInfinite) return {kNone, -1};
	const float distance = __uint_as_float(word);
	if (v < hinted && (u32)(s.hint[v] >> 32) == word) return {(u32)s.hint[v], distance};
	if (s.parent[v] != kUnknown) return {s.parent[v], distance};
	for (u64 i = g.rows[v]; i < g.rows[v + 1]; i++) { // there is one that is nearer: else it was listed (ties.cuh)
		const Column c = g.cols[i];
		const float from = distance_in(s.distance[c.position]);
		if (from + c.weight == distance && from < distance) return {c.position, distance};
	}
	return {kNone, -1};
}

// relabel: the result of four labels a thread.
// Reads:  4 B a label; 8 B a vertex of the core, 12 B one of a tree, and the label of its parent.
// Writes: 12 B a label.
__global__ void __launch_bounds__(kResultThreads)
relabel_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, u32 hinted) {
	const u32 first = (blockIdx.x * kResultThreads + threadIdx.x) * kLabelsPerThread;
	if (first >= g.owned) return;
	const uint4 hubs = __ldcs((const uint4 *)(g.hub_of + first)); // allocated in whole pieces: it can be read past its end
	const u32 hub[kLabelsPerThread] = {hubs.x, hubs.y, hubs.z, hubs.w};
	Found found[kLabelsPerThread];
#pragma unroll
	for (u32 j = 0; j < kLabelsPerThread; j++)
		found[j] = first + j < g.owned && hub[j] != kNone ? found_at(g, s, hinted, hub[j]) : Found{kNone, -1};
	long long parent[kLabelsPerThread];
#pragma unroll
	for (u32 j = 0; j < kLabelsPerThread; j++)
		parent[j] = found[j].parent == kNone ? -1 : (long long)g.labels[found[j].parent];
	longlong2 *const parents = (longlong2 *)(s.parents + first);
	__stcs(parents, make_longlong2(parent[0], parent[1]));
	__stcs(parents + 1, make_longlong2(parent[2], parent[3]));
	__stcs((float4 *)(s.distances + first),
	       make_float4(found[0].distance, found[1].distance, found[2].distance, found[3].distance));
}

constexpr int kWayThreads = 64;

// settle_way: the vertices on the way from a root in a tree have their parents on the other side; and a root is its own
// parent, even without an edge. One block. owned_root is the root's number among the owned labels.
__global__ void settle_way_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, u32 owned_root) {
	const Way &way = *s.way;
	for (u32 i = threadIdx.x; i < way.length; i += kWayThreads) {
		const PathEntry &entry = way.entries[i];
		const u32 label = g.labels[entry.vertex];
		s.parents[label] = g.labels[entry.parent];
		s.distances[label] = entry.distance;
	}
	__syncthreads();
	if (threadIdx.x != 0) return;
	s.parents[owned_root] = owned_root;
	s.distances[owned_root] = 0;
	s.trace[G500_SSSP_RESULT].nanoseconds = now_ns() - s.trace[G500_SSSP_RESULT].nanoseconds;
}

} // namespace g500::sssp
