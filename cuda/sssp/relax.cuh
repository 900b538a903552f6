// SPDX-License-Identifier: Apache-2.0

// Relaxing an edge: the distance of its end falls if the path over the edge is shorter.
#pragma once

#include "sssp/owner.cuh"

namespace g500::sssp {

struct Edge {
	u32 from, to; // to is kNone beyond the last edge
	float distance; // of from
	float path;     // length of the path over the edge
};

constexpr u64 kShortRow = 8; // edges; shorter rows are pushed completely, and edges out of reach are skipped one by one

// Returns an upper bound of the row's edges that reach below the threshold from a vertex at this distance. Rows are
// sorted by weight. The estimate assumes uniform weights, as in the official graph, and quadruples if that is wrong.
// Compares rounded sums. Reads one or two weights.
__device__ inline u64 length_in_reach(const Graph &g, const Reach &reach, Row<const Col *> row, float distance) {
	const float most = reach.threshold - distance;
	if (!(distance < reach.threshold)) return 0;
	if (row.n <= kShortRow || distance < reach.push_all || most >= g.heaviest) return row.n;
	const float even = most / g.heaviest * (float)row.n;
	u64 length = min(row.n, (u64)(even + 4 * sqrtf(even)) + 4);
	const auto reaches = [&](u64 i) { return distance + row.cols[i].weight < reach.threshold; };
	while (length < row.n && reaches(length - 1)) length = min(row.n, 4 * length);
	return length;
}

// The vertices that a thread has reached along a tile of edges.
struct Reached {
	u32 nearer[kEdgesPerThread]; // vertices to push further: this rank's, with peers any rank's; or kNone
	u32 bits[kEdgesPerThread];   // their distances
	u32 remote[kEdgesPerThread]; // between ranks that are not peers: other ranks' vertices to offer to their owners,
	                             // or kNone
};

// Sets a vertex's stamp. Returns whether it was different.
template <bool kPeers>
__device__ inline bool stamps(const Owner<kPeers> &owner, u32 *at, u32 stamp) {
	return (kPeers || __ldcg(at) != stamp) && owner.exchange(owner.its(at), stamp) != stamp;
}

// Lists a vertex that was reached from a vertex at the same distance. Its parent is found at the end (ties.cuh).
template <bool kPeers>
__device__ inline void list_tied(const Owner<kPeers> &owner, const Graph &g, const State &s, u32 v) {
	const u64 at = owner.add(&owner.its(s.totals)->tied, (ull)1);
	if (at < g.non_tree) owner.its(s.ties)[at] = v;
}

// RelaxEdges relaxes the edges of a tile. Vertices that have become nearer and are in reach are pushed further.
// Between ranks that are not peers, other ranks' vertices that have become nearer are listed once per exchange.
// Executes one atomic per edge; after a sweep it reads a sector of distances per edge, and executes an atomic per
// distance that falls. A hint takes one more atomic.
//
// With peers, this rank's copy of the distance of another rank's vertex is lowered first. Only if that falls, the
// owner's distance is lowered: otherwise a path at least as short has been sent there. No reply is awaited: the vertex
// is queued even if the owner has a shorter path, and the owner drops it. Only a path as long as the distance of its
// last edge's source must have lowered the owner's distance, because such parents must not form a cycle (ties.cuh).
template <typename Form>
struct RelaxEdges {
	const Graph &g;
	const State &s;
	const Policy &policy;
	const Ranks &ranks;
	const Reach reach;
	const bool has_final; // a sweep has made distances final
	const u32 exchange;   // the next one, between ranks that are not peers
	u32 nearest = kInfinite; // bits of a landmark's distance

	__device__ inline Reached operator()(const Edge (&tile)[kEdgesPerThread]) {
		bool falls[kEdgesPerThread];
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			falls[j] = tile[j].to != kNone && (tile[j].path < reach.threshold || tile[j].distance < reach.push_all);
			if (has_final) falls[j] = falls[j] && may_fall(tile[j].to, tile[j].path);
		}
		lower_all(tile, falls);
		Reached reached;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const Edge &e = tile[j];
			const bool own = Form::kPeers || (Form::kFar && g.light) || g.owns(e.to);
			if (falls[j]) keep(e.to, e.from, e.path, e.path == e.distance);
			reached.nearer[j] = falls[j] && own && e.path < reach.threshold ? e.to : kNone;
			reached.bits[j] = __float_as_uint(e.path);
			reached.remote[j] = falls[j] && !own && stamp(e.to, exchange) ? e.to : kNone;
		}
		return reached;
	}

	// Relaxes a path received from another rank. Returns whether the vertex enters the frontier of a round. It may be
	// tied with its parent if that is kNone.
	__device__ inline bool take(u32 v, u32 parent, float path, u32 round) {
		const u32 bits = __float_as_uint(path);
		if (!may_fall(v, path) || !(bits < Its::min(s.distance + v, bits))) return false;
		keep(v, parent, path, parent == kNone);
		return path < reach.threshold && stamp(v, round);
	}

	// Relaxes an edge, not on its end's rank only. Returns whether the end has no shorter path, for the first such edge
	// since the last exchange.
	__device__ inline bool relax(u32 v, u32 parent, float path, bool tied) {
		return lowers_or_has(v, parent, path, tied) && stamp(v, exchange);
	}

	// Relaxes a path that all ranks receive. Returns whether the vertex enters the frontier of a round: also if this rank
	// has found the path itself. Paths beyond the threshold are taken, too: pulls find no path from a vertex nearer than
	// the nearest landmark, and assume that all ranks know these.
	__device__ inline bool take_seed(u32 v, u32 parent, float path, u32 round) {
		return lowers_or_has(v, parent, path, parent == kNone) && path < reach.threshold && stamp(v, round);
	}

private:
	using Its = Owner<Form::kPeers>;

	// Lowers the distance that this rank has. Returns whether it is no shorter than the path now.
	__device__ inline bool lowers_or_has(u32 v, u32 parent, float path, bool tied) {
		const u32 bits = __float_as_uint(path), before = Its::min(s.distance + v, bits);
		if (bits < before) keep(v, parent, path, tied);
		return bits <= before;
	}

	// Returns whether the distance may fall. Final words are greater than all others and must not change. Before any
	// word is final this test would only add latency.
	__device__ inline bool may_fall(u32 v, float path) const {
		const u32 word = __ldcg(s.distance + v);
		return !is_final(word) && __float_as_uint(path) < word;
	}

	__device__ inline bool stamp(u32 v, u32 number) const {
		return stamps(owner_of<Form::kPeers>(ranks, v), s.stamp + v, number);
	}

	// Lowers the distances of the ends of edges. Clears falls[j] if the distance was not longer than edge j's path.
	__device__ inline void lower_all(const Edge (&tile)[kEdgesPerThread], bool (&falls)[kEdgesPerThread]) const {
		u32 before[kEdgesPerThread];
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const u32 bits = __float_as_uint(tile[j].path);
			before[j] = falls[j] ? Its::min(s.distance + tile[j].to, bits) : bits;
		}
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const u32 v = tile[j].to, bits = __float_as_uint(tile[j].path);
			falls[j] = bits < before[j];
			if (!Form::kPeers || !falls[j] || g.owns(v)) continue;
			u32 *const owners = owner_of<Form::kPeers>(ranks, v).distances(s) + v;
			if (tile[j].path == tile[j].distance) before[j] = Its::min(owners, bits);
			else Its::min(owners, bits);
		}
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) falls[j] = falls[j] && __float_as_uint(tile[j].path) < before[j];
	}

	// Returns whether a hint may lead to a vertex at the same distance. Between ranks that are not peers it may not: they
	// may reach tied vertices in different orders, and then hints could form a cycle. But in directed graphs, with hints
	// of all vertices and without landmarks, each rank pushes only its own vertices.
	__device__ inline bool may_tie() const {
		return !Form::kFar || (policy.landmarks == 0 && policy.hinted >= g.non_tree);
	}

	// Stores the data that belong to a fallen distance, on the vertex's owner. A pull may have set the parent of a vertex
	// without a hint: the pushing vertex is found at the end of the search, except if it is at the same distance.
	__device__ inline void keep(u32 v, u32 parent, float path, bool tied) {
		const u32 bits = __float_as_uint(path);
		const Its owner = owner_of<Form::kPeers>(ranks, v);
		const bool keeps = Form::kPeers || g.owns(v);
		if (policy.has_hint(g, v) && (!tied || may_tie()) && (keeps || !Form::kFar || !g.light))
			owner.min(owner.its(s.hint) + policy.hint_at(g, v), (ull)bits << 32 | parent);
		else if (keeps) {
			owner.parents(s)[v] = kUnknown;
			if (tied) list_tied(owner, g, s, v);
		}
		if (g.local_id(v) < policy.landmarks) nearest = min(nearest, bits);
	}
};

// Appends some lanes' vertices and words to a list.
__device__ inline void append_words(const WordList &list, bool appends, u32 local_id, u32 word) {
	const u32 having = __ballot_sync(~0u, appends);
	if (having == 0) return;
	const u32 at = append_by_warp<u32>(having, list.count);
	if (appends && at < list.space) list.at[at] = make_uint2(local_id, word);
}

// Appends the lanes' vertices, except kNone, to a list.
__device__ inline void enqueue(u32 v, u32 *queue, ull *queued) {
	const u32 having = __ballot_sync(~0u, v != kNone);
	if (having == 0) return;
	const u32 at = append_by_warp<u32>(having, queued);
	if (v != kNone) queue[at] = v;
}

} // namespace g500::sssp
