// What is done at an edge's end: the distance falls if the path over the edge is shorter.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

struct Edge {
	u32 from, to; // to is kNone beyond the end
	float weight;
};

constexpr u64 kShortRow = 8; // edges; a shorter row is pushed whole, and what is too far is left out one by one

// ReachedRows are the rows of a frontier's vertices, each as far as the push reaches. Rows rise by weight.
struct ReachedRows {
	using Edge = sssp::Edge;

	const Graph &g;
	const State &s;
	const Reach reach;

	// At least so many edges as reach below the threshold. Weights that are drawn evenly, as the official ones are, lie
	// where their size says; the estimate doubles where they do not. Sums are compared, as they are rounded. Reads 16 B
	// of rows, 4 B distance and a weight or two.
	__device__ inline u64 length(u32 v) const {
		const float distance = distance_in(__ldcg(s.distance + v)), most = reach.threshold - distance;
		if (!(distance < reach.threshold) || !g.owns(v)) return 0;
		const u32 hub = g.hub(v);
		const u64 begin = g.rows[hub], n = g.rows[hub + 1] - begin;
		if (n <= kShortRow || distance < reach.whole || most >= g.heaviest) return n;
		const float even = most / g.heaviest * (float)n;
		u64 length = min(n, (u64)(even + 4 * sqrtf(even)) + 4);
		const auto reaches = [&](u64 i) { return distance + g.cols[begin + i].weight < reach.threshold; };
		while (length < n && reaches(length - 1)) length = min(n, 2 * length);
		return length;
	}
	__device__ inline const Column *begin(u32 v) const { return g.cols + g.rows[g.hub(v)]; }
	__device__ inline Edge edge(u32 v, const Column *col) const {
		const uint2 c = __ldg((const uint2 *)col);
		return {v, c.x, __uint_as_float(c.y)};
	}
	__device__ inline Edge none() const { return {0, kNone, 0}; }
};

// RelaxEdges relaxes the edges of a tile. What has become nearer and is in reach goes into the next frontier, once a
// round; and other ranks' vertices that have become nearer into their list, once an exchange. Reads a sector of
// distances for each end of an edge; one atomic for each distance that falls, and one more for its hint and for its
// stamp.
struct RelaxEdges {
	const Graph &g;
	const State &s;
	const Policy &policy;
	const Reach reach;
	const u32 round;    // the next one
	const u32 exchange; // the next one, on several ranks
	u32 nearest = kInfinite; // distance of a landmark, bits

	__device__ inline Reached operator()(const Edge (&tile)[kEdgesPerThread]) {
		float from[kEdgesPerThread], path[kEdgesPerThread];
		bool helps[kEdgesPerThread];
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const bool any = tile[j].to != kNone;
			from[j] = any ? distance_in(__ldcg(s.distance + tile[j].from)) : 0;
			path[j] = from[j] + tile[j].weight;
			helps[j] = any && (path[j] < reach.threshold || from[j] < reach.whole);
		}
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) { // final words are above all that are not: they are left alone
			const u32 word = helps[j] ? __ldcg(s.distance + tile[j].to) : 0;
			helps[j] = helps[j] && !is_final(word) && __float_as_uint(path[j]) < word;
		}
		Reached reached;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const bool any = helps[j] && relax(tile[j].to, tile[j].from, path[j], path[j] == from[j]);
			const bool own = g.owns(tile[j].to);
			reached.own[j] = any && own ? tile[j].to : kNone;
			reached.remote[j] = any && !own ? tile[j].to : kNone;
		}
		return reached;
	}

	// A path that comes from another rank: whether the vertex goes into the next frontier. Whether it is tied with its
	// parent is not known.
	__device__ inline bool take(u32 v, u32 parent, float path) {
		const u32 word = __ldcg(s.distance + v);
		return !is_final(word) && relax(v, parent, path, true);
	}

private:
	// A pull may have set the parent of a vertex without a hint. Which push has set its distance is found in the end,
	// but for one from a neighbour as far away.
	__device__ inline void forget_parent(u32 v, bool tied) const {
		s.parent[v] = kUnknown;
		if (!tied) return;
		const u64 at = atomicAdd(&s.totals->tied, 1);
		if (at < g.in_core) s.ties[at] = v;
	}

	// Whether the vertex goes into the next frontier or list.
	__device__ inline bool relax(u32 v, u32 parent, float path, bool tied) {
		const u32 bits = __float_as_uint(path);
		if (bits >= atomicMin(s.distance + v, bits)) return false;
		const bool own = g.owns(v);
		if (policy.has_hint(g, v)) atomicMin(s.hint + policy.hint_at(g, v), (ull)bits << 32 | parent);
		else if (own) forget_parent(v, tied);
		if (g.hub(v) < policy.landmarks) nearest = min(nearest, bits);
		if (own && !(path < reach.threshold)) return false;
		const u32 stamp = own ? round : exchange;
		return __ldcg(s.stamp + v) != stamp && atomicExch(s.stamp + v, stamp) != stamp;
	}
};

// Adds the lanes' vertices, those that are not kNone, to a list.
__device__ inline void enqueue(u32 v, u32 *queue, ull *queued) {
	const u32 having = __ballot_sync(~0u, v != kNone);
	if (having == 0) return;
	u32 at = 0;
	if (lane_of_thread() == 0) at = (u32)atomicAdd(queued, (ull)__popc(having));
	at = __shfl_sync(~0u, at, 0) + __popc(having & lanes_below());
	if (v != kNone) queue[at] = v;
}

} // namespace g500::sssp
