// What is done at an edge's end: the distance falls if the path over the edge is shorter.
#pragma once

#include "sssp/owner.cuh"

namespace g500::sssp {

struct Edge {
	u32 from, to; // to is kNone beyond the end
	float distance; // of from
	float path;     // over the edge
};

constexpr u64 kShortRow = 8; // edges; a shorter row is pushed whole, and what is too far is left out one by one

// At least so many edges of a row as reach below the threshold from a vertex at that distance. Rows rise by weight.
// Weights that are drawn evenly, as the official ones are, lie where their size says; the estimate doubles where they
// do not. Sums are compared, as they are rounded. Reads a weight or two.
__device__ inline u64 length_in_reach(const Graph &g, const Reach &reach, Row<const Col *> row, float distance) {
	const float most = reach.threshold - distance;
	if (!(distance < reach.threshold)) return 0;
	if (row.n <= kShortRow || distance < reach.push_all || most >= g.heaviest) return row.n;
	const float even = most / g.heaviest * (float)row.n;
	u64 length = min(row.n, (u64)(even + 4 * sqrtf(even)) + 4);
	const auto reaches = [&](u64 i) { return distance + row.cols[i].weight < reach.threshold; };
	while (length < row.n && reaches(length - 1)) length = min(row.n, 2 * length);
	return length;
}

// What a thread has reached along a tile of edges.
struct Reached {
	u32 nearer[kEdgesPerThread]; // vertices that are pushed on, of this rank, among peers of any, or kNone,
	u32 bits[kEdgesPerThread];   // at this distance
	u32 remote[kEdgesPerThread]; // where hosts exchange: other ranks' vertices that have to be told, or kNone
};

// Whether a vertex has not been given the stamp before.
template <bool kPeers>
__device__ inline bool stamps(const Owner<kPeers> &owner, u32 *at, u32 stamp) {
	return (kPeers || __ldcg(at) != stamp) && owner.exchange(owner.its(at), stamp) != stamp;
}

// RelaxEdges relaxes the edges of a tile. What has become nearer and is in reach is pushed on; where hosts exchange,
// other ranks' vertices that have become nearer go into their list, once an exchange. One atomic for each edge; after a
// sweep a sector of distances for each, and an atomic for each distance that falls. One atomic more for its hint.
//
// Among peers what this rank knows of another's vertex falls first: where it does not, a path as short is there, or on
// its way. Only where it does the owner is asked.
template <bool kPeers>
struct RelaxEdges {
	const Graph &g;
	const State &s;
	const Policy &policy;
	const Ranks &ranks;
	const Reach reach;
	const bool has_final; // a sweep has made distances final
	const u32 exchange;   // the next one, where hosts exchange
	u32 nearest = kInfinite; // distance of a landmark, bits

	__device__ inline Reached operator()(const Edge (&tile)[kEdgesPerThread]) {
		bool falls[kEdgesPerThread];
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			falls[j] = tile[j].to != kNone && (tile[j].path < reach.threshold || tile[j].distance < reach.push_all);
			if (has_final) falls[j] = falls[j] && may_fall(tile[j].to, tile[j].path);
		}
		if constexpr (kPeers) lower_with_owners(tile, falls);
		Reached reached;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const Edge &e = tile[j];
			const bool own = kPeers || g.owns(e.to);
			if constexpr (!kPeers) falls[j] = falls[j] && lower(e.to, e.path);
			if (falls[j]) keep(e.to, e.from, e.path, e.path == e.distance);
			reached.nearer[j] = falls[j] && own && e.path < reach.threshold ? e.to : kNone;
			reached.bits[j] = __float_as_uint(e.path);
			reached.remote[j] = falls[j] && !own && stamp(e.to, exchange) ? e.to : kNone;
		}
		return reached;
	}

	// A path that comes from another rank: whether the vertex goes into the frontier of a round. Whether it is tied with
	// its parent is not known.
	__device__ inline bool take(u32 v, u32 parent, float path, u32 round) {
		if (!may_fall(v, path) || !lower(v, path)) return false;
		keep(v, parent, path, true);
		return path < reach.threshold && stamp(v, round);
	}

private:
	using Its = Owner<kPeers>;

	// Final words are above all that are not: they must be left alone. Where there are none, who asks first only waits
	// longer.
	__device__ inline bool may_fall(u32 v, float path) const {
		const u32 word = __ldcg(s.distance + v);
		return !is_final(word) && __float_as_uint(path) < word;
	}

	__device__ inline bool stamp(u32 v, u32 number) const {
		return stamps(owner_of<kPeers>(ranks, v), s.stamp + v, number);
	}

	// Whether the distance that this rank knows falls.
	__device__ inline bool lower(u32 v, float path) const {
		const u32 bits = __float_as_uint(path);
		return bits < Its::min(s.distance + v, bits);
	}

	// Keeps those edges whose ends' distances fall, with their owners too. The owners of all are asked together.
	__device__ inline void lower_with_owners(const Edge (&tile)[kEdgesPerThread], bool (&falls)[kEdgesPerThread]) const {
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
			if (falls[j] && !g.owns(v)) before[j] = Its::min(owner_of<kPeers>(ranks, v).distances(s) + v, bits);
		}
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) falls[j] = falls[j] && __float_as_uint(tile[j].path) < before[j];
	}

	// A pull may have set the parent of a vertex without a hint. Which push has set its distance is found in the end,
	// but for one from a neighbour as far away.
	__device__ inline void forget_parent(const Its &owner, u32 v, bool tied) const {
		owner.parents(s)[v] = kUnknown;
		if (!tied) return;
		const u64 at = owner.add(&owner.its(s.totals)->tied, (ull)1);
		if (at < g.non_tree) owner.its(s.ties)[at] = v;
	}

	// Keeps what goes with a distance that has fallen, with the owner of the vertex.
	__device__ inline void keep(u32 v, u32 parent, float path, bool tied) {
		const u32 bits = __float_as_uint(path);
		const Its owner = owner_of<kPeers>(ranks, v);
		if (policy.has_hint(g, v))
			owner.min(owner.its(s.hint) + policy.hint_at(g, v), (ull)bits << 32 | parent);
		else if (kPeers || g.owns(v)) forget_parent(owner, v, tied);
		if (g.local_id(v) < policy.landmarks) nearest = min(nearest, bits);
	}
};

// Adds the lanes' vertices, those that are not kNone, to a list.
__device__ inline void enqueue(u32 v, u32 *queue, ull *queued) {
	const u32 having = __ballot_sync(~0u, v != kNone);
	if (having == 0) return;
	const u32 at = append_by_warp<u32>(having, queued);
	if (v != kNone) queue[at] = v;
}

} // namespace g500::sssp
