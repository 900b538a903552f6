// What is done at an edge's end: an unvisited vertex is claimed, and gets its parent.
#pragma once

#include "search/degree_classes.cuh"
#include "search/emit.cuh"
#include "search/labels.cuh"
#include "search/state.cuh"

namespace g500 {

// Claims the vertices at these positions that are not visited: bit by bit, since two edges may lead to the same one. On
// several ranks the bit of another rank's vertex is a record that its owner knows, or is sent it: Merrill's filter.
// Reads a sector of the bitmap an edge; one atomic for each vertex that is claimed.
template <typename Id>
__device__ inline void claim(const EdgeOf<Id> (&tile)[kEdgesPerThread], u32 *visited, bool (&won)[kEdgesPerThread]) {
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++) {
		const Id to = tile[j].to;
		won[j] = !is_none(to) && !(__ldcg(visited + word_of(to)) >> bit_of(to) & 1);
	}
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++) {
		const u32 bit = 1u << bit_of(tile[j].to);
		won[j] = won[j] && !(atomicOr(visited + word_of(tile[j].to), bit) & bit);
	}
}

// The edges that leave a thread's own vertices.
__device__ inline u64 degrees(const Graph &g, const u32 (&own)[kEdgesPerThread]) {
	u64 sum = 0;
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++)
		if (own[j] != kNone) sum += g.rows[own[j] + 1] - g.rows[own[j]];
	return sum;
}

// An estimate of the edges that leave other ranks' vertices: hub ids go about by degree on every rank, so that this
// rank's vertex of the same id has about as many.
template <typename Id>
__device__ inline u64 remote_degrees(const Graph &g, const Ranks &ranks, const Id (&remote)[kEdgesPerThread]) {
	u64 sum = 0;
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++)
		if (!is_none(remote[j])) {
			const u32 local_id = local_id_in(ranks, remote[j]);
			if (local_id < g.non_leaf) sum += g.rows[local_id + 1] - g.rows[local_id];
		}
	return sum;
}

// ClaimEdges visits the ends of a rank's own frontier. Own vertices get their parents, others go to their owners. Two
// parents of one level may compete: either is right. Writes 4 B parent for each vertex that is claimed.
template <typename Form>
struct ClaimEdges {
	using Id = typename Form::Id;

	const Graph &g;
	const State &s;
	const Ranks &ranks;
	u32 *visited;
	bool estimates; // the next frontier's edges, too
	u64 edges = 0, estimate = 0;

	__device__ inline ReachedAs<Id> operator()(const EdgeOf<Id> (&tile)[kEdgesPerThread]) {
		bool won[kEdgesPerThread];
		claim(tile, visited, won);
		ReachedAs<Id> reached;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			reached.own[j] = kNone;
			reached.remote[j] = kNoId<Id>;
			if (!won[j]) continue;
			const Id label = own_label<Form>(g, (u32)tile[j].from);
			if (!Form::kMany || rank_of_id(ranks, tile[j].to) == ranks.rank) {
				reached.own[j] = (u32)(Form::kMany ? tile[j].to - (Id)ranks.base : tile[j].to);
				store_parent<Form>(s, reached.own[j], label);
			} else {
				reached.remote[j] = tile[j].to;
				reached.label[j] = (u32)label;
			}
		}
		if (!Form::kMany) return reached;
		const u64 more = degrees(g, reached.own);
		edges += more;
		estimate += more + (estimates ? remote_degrees(g, ranks, reached.remote) : 0);
		return reached;
	}
};

// ClaimPairs visits the vertices of pairs that have come from other ranks: an edge leaves a label here.
template <typename Form>
struct ClaimPairs {
	using Id = typename Form::Id;

	const Graph &g;
	const State &s;
	Id base; // of this rank's positions
	u32 *visited;
	u64 edges = 0;

	__device__ inline Reached operator()(const EdgeOf<Id> (&tile)[kEdgesPerThread]) {
		bool won[kEdgesPerThread];
		claim(tile, visited, won);
		Reached reached;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			reached.own[j] = won[j] ? (u32)(tile[j].to - base) : kNone;
			if (won[j]) store_parent<Form>(s, reached.own[j], tile[j].from);
		}
		edges += degrees(g, reached.own);
		return reached;
	}
};

// ClaimReplicated visits the ends of a replicated frontier: all that is claimed goes into the queue, by position, and
// own vertices get their parents.
struct ClaimReplicated {
	const State &s;
	const Ranks &ranks;
	u32 *visited;
	u64 own = 0, sixteenths = 0; // edges that leave own vertices; an estimate of those of the next frontier

	__device__ inline Reached operator()(const Edge (&tile)[kEdgesPerThread]) {
		bool won[kEdgesPerThread];
		claim(tile, visited, won);
		Reached reached;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const Edge &edge = tile[j];
			reached.own[j] = won[j] ? edge.to : kNone;
			own += edge.to != kNone && rank_of_id(ranks, edge.from) == ranks.rank;
			if (!won[j]) continue;
			const u32 local_id = local_id_in(ranks, edge.to);
			sixteenths += __ldg(ranks.degrees + degree_class(local_id));
			if (rank_of_id(ranks, edge.to) == ranks.rank) s.parent[local_id] = label_at(ranks, edge.from, local_id);
		}
		return reached;
	}
};

} // namespace g500
