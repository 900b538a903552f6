// Sweeps, in which vertices that no push has settled search for their shortest paths. After the push all vertices below
// the threshold are settled, and those nearer than the landmarks have pushed their complete rows.
#pragma once

#include "sssp/open_lists.cuh"
#include "sssp/peers.cuh"
#include "sssp/relax.cuh"

namespace g500::sssp {

// Stores a vertex's pulled distance and parent.
__device__ inline void store_pulled(const Context &k, u32 v, u32 before, const Pulled &found) {
	const State &s = k.state;
	const u32 word = __float_as_uint(found.best) | (found.open ? 0 : kFinal);
	if (word != before) {
		s.distance[v] = word;
		send_word(k, s.peers.distance, v, word);
	}
	if (found.parent != kUnknown) s.parent[v] = found.parent;
}

// Stores kFirstEnd as the parent of a settled vertex without a hint, if its first edge is on its path: no later search
// for the parent is necessary. The neighbouring lanes pull and read the same arrays. Reads 16 B and a sector of
// distances.
__device__ inline void find_first_end(const Context &k, u32 local_id, float distance) {
	const Col edge = FirstEdges(k.graph, local_id).of[0];
	const float from = edge.weight > distance ? infinity() : distance_in(k.word(edge.global_id));
	if (from + edge.weight == distance && is_nearer(from, edge)) k.state.parent[k.graph.base + local_id] = kFirstEnd;
}

// Pulls a vertex that is not settled. Reads 4 B of distance, writes 8 B.
__device__ inline Pulled pull_vertex(const Context &k, u32 local_id) {
	const u32 v = k.graph.base + local_id, word = k.word(v);
	const float distance = distance_in(word);
	if (distance < k.threshold()) {
		if (!k.policy.has_hint(k.graph, v)) find_first_end(k, local_id, distance);
		return {};
	}
	const Pulled found = pull_row(k, local_id, distance, k.at.nearest);
	store_pulled(k, v, word, found);
	return found;
}

// Pulls the vertices of a class and lists the open ones. Writes 4 or 16 B per open vertex.
__device__ __noinline__ inline void pull_class(Context &k, u32 i) {
	const ClassRange all = class_range(k.graph.non_tree, k.policy.classes, i);
	const ClassRange own{all.begin, min(all.end, k.graph.own_non_tree)};
	OpenLists open(k);
	if (i > 0) open.go_on();
	open.for_own(own, [&](u32 local_id) {
		const Pulled found = local_id < own.end ? pull_vertex(k, local_id) : Pulled{};
		open.add({k.graph.base + local_id, found.best, found.edge}, found.open);
	});
	open.keep();
}

// The first sweep processes the vertices class by class, beginning with the longest rows, so that the neighbours of
// later vertices are final.
__device__ __noinline__ inline void pull(Context &k) {
	begin_step(k, G500_SSSP_PULL);
	for (u32 i = 0; i < k.policy.classes && !k.at.failed; i++) {
		pull_class(k, i);
		grid_barrier(k);
	}
}

// FurtherSweep is a warp's part in a sweep over the vertices that are not final. Vertices that were final in the last
// sweep have been read, and all others are at least as far as the threshold. Vertices that change in the last sweep
// form the next frontier, because other vertices may have read their old distance. So the last sweep lists these, the
// others list open vertices.
struct FurtherSweep {
	const Context &k;
	const bool is_last;
	OpenLists lists;
	u32 farthest = 0; // bits of a distance that is not final

	__device__ inline FurtherSweep(const Context &k, bool is_last) : k(k), is_last(is_last), lists(k) {}

	// Pulls the first n entries of a list, 32 at a time, and appends vertices to the compacted list.
	template <typename Pull, typename Add>
	__device__ inline void pull(u32 n, Pull pull_at, Add add) {
		for (u32 i = lane_of_thread(); i - lane_of_thread() < n; i += 32) {
			OpenVertex at{kNone};
			Pulled found{};
			if (i < n) {
				found = pull_at(i, at);
				store_pulled(k, at.vertex, __float_as_uint(at.distance), found);
			}
			if (found.open) farthest = max(farthest, __float_as_uint(found.best));
			add(OpenVertex{at.vertex, found.best, found.edge}, is_last ? found.parent != kUnknown : found.open);
		}
	}
	__device__ inline void pull_by_row(u32 n) {
		pull(
			n,
			[&](u32 i, OpenVertex &at) {
				at.vertex = lists.by_row(i);
				at.distance = distance_in(k.word(at.vertex));
				return pull_row(k, k.graph.local_id(at.vertex), at.distance, k.threshold());
			},
			[&](const OpenVertex &at, bool listed) { lists.add_by_row(at.vertex, listed); });
	}
	__device__ inline void pull_by_edge(u32 n) {
		pull(
			n, [&](u32 i, OpenVertex &at) { return pull_edge(k, at = lists.by_edge(i)); },
			[&](const OpenVertex &at, bool listed) { lists.add_by_edge(at, listed); });
	}

	// Ends the last sweep: appends changed vertices to the frontier with one atomic, and updates the farthest distance.
	__device__ inline void end(u32 *frontier, ull *queued, u32 *farthest_of_all) {
		const u32 n = lists.length_now();
		u32 at = 0;
		farthest = warp_max(farthest);
		if (lane_of_thread() == 0 && n) at = (u32)atomicAdd(queued, (ull)n);
		if (lane_of_thread() == 0 && farthest) atomicMax(farthest_of_all, farthest);
		lists.copy(frontier + __shfl_sync(~0u, at, 0));
	}
};

// A further sweep. Vertices with several useful edges come first, because their rows are longer and others depend on
// them. Reads 16 B and a sector of distances per vertex that one edge may improve.
__device__ __noinline__ inline void pull_again(Context &k, bool is_last) {
	begin_step(k, G500_SSSP_PULL_AGAIN);
	FurtherSweep sweep(k, is_last);
	const uint2 lengths = sweep.lists.lengths_before();
	sweep.pull_by_row(lengths.y);
	sweep.pull_by_edge(lengths.x);
	if (is_last) sweep.end(k.frontier(k.at.rounds), &k.counters(k.at.rounds)->queued, &k.state.totals->farthest);
	else sweep.lists.keep();
	add_up(lane_of_thread() == 0 ? lengths.x + lengths.y : 0, (ull *)&k.state.trace[G500_SSSP_PULL_AGAIN].vertices);
	if (is_first_thread()) k.state.trace[G500_SSSP_PULL_AGAIN].rounds++;
	grid_barrier(k);
}

// All sweeps on one rank.
__device__ __noinline__ inline void pull_beyond(Context &k) {
	pull(k);
	record(k, G500_SSSP_PULL);
	for (u32 i = 0; i < k.policy.sweeps && !k.at.failed; i++) pull_again(k, i + 1 == k.policy.sweeps);
	by_one_thread([&] {
		k.at.queued = (u32)read_now(&k.counters(k.at.rounds)->queued);
		k.at.farthest = __uint_as_float(*(volatile u32 *)&k.state.totals->farthest);
	});
	record(k, G500_SSSP_PULL_AGAIN);
}

} // namespace g500::sssp
