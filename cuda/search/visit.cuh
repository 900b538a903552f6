// SPDX-License-Identifier: Apache-2.0

// Visiting an edge's end: an unvisited vertex is claimed and gets its parent.
#pragma once

#include "common/ranks.cuh"
#include "search/emit.cuh"
#include "search/form.cuh"
#include "search/state.cuh"

namespace g500 {

// Labels of vertices of any rank.

// Returns the label of a vertex. Labels of the largest hubs are stored on all ranks, others are read from the owner's
// window. If the owner is remote, the label is deferred: sets the child's bit in ranks.deferred, and returns the global
// id in its memory format, which replaces the label until the search has ended.
template <typename Label, typename Id>
__device__ inline Label label_at(const Ranks &ranks, Id global_id, u32 child) {
	const u32 rank = rank_of_id(ranks, global_id), local_id = local_id_in(ranks, global_id);
	const auto label = [&](u32 word) { return label_from<Label>(word, rank); };
	if (local_id < ranks.known) return label(__ldg(ranks.labels + (u64)rank * ranks.known + local_id));
	if (ranks.windows[rank])
		return label(*in_window<const u32>(ranks, rank, ranks.at.labels + (u64)local_id * sizeof(u32)));
	set(ranks.deferred, child);
	return label(sizeof(Id) == sizeof(u32) ? (u32)global_id : local_id);
}

// Claims unvisited vertices by setting their bits atomically, because several edges may lead to one vertex. A bit of
// another rank's vertex means that its owner knows it or receives it: Merrill's filter. Reads a sector of the bitmap
// per edge, and executes one atomic per claimed vertex.
template <typename Id, typename From>
__device__ inline void claim(const EdgeOf<Id, From> (&tile)[kEdgesPerThread], u32 *visited,
                             bool (&won)[kEdgesPerThread]) {
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

// Returns the sum of the degrees of a thread's own vertices.
__device__ inline u64 degrees(const Graph &g, const u32 (&own)[kEdgesPerThread]) {
	u64 sum = 0;
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++)
		if (own[j] != kNone) sum += g.rows[own[j] + 1] - g.rows[own[j]];
	return sum;
}

// Estimates the degrees of other ranks' vertices by this rank's vertices of the same local id: local ids are
// approximately in degree order on every rank.
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

// Returns the degree class of a local id (G500_DEGREE_CLASSES). Local ids are approximately in degree order on every
// rank, so the mean degree of a class estimates the degree of a vertex whose row is in another GPU's memory.
__device__ inline u32 degree_class(u32 local_id) {
	if (local_id < 16) return local_id;
	const int power = 31 - __clz(local_id);
	return (u32)(power - 3) * 16 + (local_id >> (power - 4) & 15);
}

// Estimates the degrees of claimed vertices of all ranks by the mean degrees of degree classes, in sixteenths.
template <typename Id>
__device__ inline u64 class_degrees(const Ranks &ranks, const ReachedAs<Id> &reached) {
	u64 sum = 0;
#pragma unroll
	for (int j = 0; j < kEdgesPerThread; j++) {
		if (reached.own[j] != kNone) sum += __ldg(ranks.degrees + degree_class(reached.own[j]));
		if (!is_none(reached.remote[j]))
			sum += __ldg(ranks.degrees + degree_class(local_id_in(ranks, reached.remote[j])));
	}
	return sum;
}

// ClaimEdges visits the ends of a rank's own frontier. Own vertices get their parents, others are returned for their
// owners. If two parents of one level compete, either is valid. Writes 4 B of parent per claimed vertex.
template <typename Form>
struct ClaimEdges {
	using Id = typename Form::Id;

	const Graph &g;
	const State &s;
	const Ranks &ranks;
	u32 *visited;
	bool estimates; // whether to estimate the edges of remote vertices
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
			const auto label = own_label<Form>(g, (u32)tile[j].from);
			if (!Form::kMany || rank_of_id(ranks, tile[j].to) == ranks.rank) {
				reached.own[j] = (u32)(Form::kMany ? tile[j].to - (Id)ranks.base : tile[j].to);
				store_parent<Form>(s, reached.own[j], label);
			} else {
				reached.remote[j] = tile[j].to;
				reached.label[j] = (u32)label;
			}
		}
		if (!Form::kMany) return reached;
		if constexpr (Form::kFar) {
			estimate += class_degrees(ranks, reached);
			return reached;
		}
		const u64 more = degrees(g, reached.own);
		edges += more;
		estimate += more + (estimates ? remote_degrees(g, ranks, reached.remote) : 0);
		return reached;
	}
};

// ClaimPairs visits the vertices of received pairs. An edge's `from` is a label.
template <typename Form>
struct ClaimPairs {
	using Id = typename Form::Id;

	const Graph &g;
	const State &s;
	Id base; // global id of this rank's local id 0
	u32 *visited;
	u64 edges = 0;

	__device__ inline Reached operator()(const EdgeOf<Id, typename Form::Label> (&tile)[kEdgesPerThread]) {
		bool won[kEdgesPerThread];
		claim(tile, visited, won);
		Reached reached;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			reached.own[j] = won[j] ? (u32)(tile[j].to - base) : kNone;
			if (won[j]) store_parent<Form>(s, reached.own[j], tile[j].from);
		}
		if constexpr (!Form::kFar) edges += degrees(g, reached.own);
		return reached;
	}
};

// ClaimReplicated visits the ends of a replicated frontier. All claimed vertices are returned by global id, and own
// vertices get their parents.
template <typename Form>
struct ClaimReplicated {
	const State &s;
	const Ranks &ranks;
	u32 *visited;
	u64 own = 0, sixteenths = 0; // edges of own vertices; estimated edges of the next frontier, in sixteenths

	__device__ inline Reached operator()(const Edge (&tile)[kEdgesPerThread]) {
		bool won[kEdgesPerThread];
		claim(tile, visited, won);
		Reached reached;
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const Edge &edge = tile[j];
			reached.own[j] = won[j] ? edge.to : kNone;
			own += !is_none(edge.to) && rank_of_id(ranks, edge.from) == ranks.rank;
			if (!won[j]) continue;
			const u32 local_id = local_id_in(ranks, edge.to);
			sixteenths += __ldg(ranks.degrees + degree_class(local_id));
			if (rank_of_id(ranks, edge.to) != ranks.rank) continue;
			store_parent<Form>(s, local_id, label_at<typename Form::Label>(ranks, edge.from, local_id));
		}
		return reached;
	}
};

} // namespace g500
