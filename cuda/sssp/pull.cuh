// SPDX-License-Identifier: Apache-2.0

// Sweeps, in which vertices that no push has settled search for their shortest paths. After the push all vertices below
// the threshold are settled, and those nearer than the landmarks have pushed their complete rows.
#pragma once

#include "sssp/open_lists.cuh"
#include "sssp/owner.cuh"
#include "sssp/relax.cuh"

namespace g500::sssp {

// Sweep has in registers what the loops over vertices need.
template <typename Form>
struct Sweep {
	Context &k;
	u32 *const distance, *const parent;
	const float nearest, threshold;
	OpenLists lists;

	__device__ inline explicit Sweep(Context &k)
		: k(k), distance(k.state.distance), parent(k.state.parent), nearest(k.at.nearest), threshold(k.threshold()),
		  lists(k) {}

	__device__ inline u32 word(u32 v) const { return __ldcg(distance + v); }
	__device__ inline RowPull<Form> pull_from(float least, float distance_now) const {
		return {distance, least, threshold, {distance_now, kUnknown}};
	}

	// Stores a vertex's pulled distance and parent.
	__device__ inline void store(u32 v, u32 before, const Pulled &found) const {
		const u32 word = found.word();
		if (word != before) {
			distance[v] = word;
			if constexpr (Form::kPeers) send_word(k, k.state.peers.distance, v, word);
		}
		if (found.parent == kUnknown) return;
		const bool tied = Form::kFar && found.parent == kTied;
		__stcs(parent + v, tied ? kUnknown : found.parent);
		if (tied) list_tied(Owner<false>{k.ranks, k.ranks.rank}, k.graph, k.state, v);
	}
};

// Candidate is a vertex of the first sweep, loaded before its turn.
struct Candidate {
	u32 word;
	uint4 first; // FirstEdges
	u16 detour;  // of the first one
};

// FirstSweep is a warp's part in the first sweep over a class. For most vertices the first edge is enough. Others wait
// in shared memory until there is one for each lane: so lanes do similar work.
template <typename Form>
class FirstSweep : Sweep<Form> {
public:
	__device__ inline FirstSweep(Context &k, const ClassRange &of, bool goes_on)
		: Base(k), base(k.graph.base), end(of.end) {
		if (goes_on) lists.go_on();
	}

	__device__ inline void process(const ClassRange &of) {
		u32 begin = lists.first_chunk(of);
		Candidate next = load(begin + lane_of_thread());
		for (bool last = false; !last;) {
			const Candidate now = next;
			const u32 local_id = begin + lane_of_thread();
			begin += 32 * lists.warps;
			last = begin >= end;
			next = load(begin + lane_of_thread());
			look(local_id, now);
			while (waits >= (last ? 1 : 32)) pull_waiting(min(waits, 32));
		}
		lists.keep();
	}

private:
	using Base = Sweep<Form>;
	using Base::k, Base::lists, Base::nearest, Base::threshold, Base::parent;

	const u32 base, end;
	u32 waits = 0;      // length of the list

	__device__ inline Waiting *waiting() const { return k.waiting[threadIdx.x / 32]; }

	__device__ inline Candidate load(u32 local_id) const {
		Candidate c{0, make_uint4(0, 0, 0, 0), 0};
		if (local_id < end) // words that are read once or twice leave the cache to distances
			c = {Base::word(base + local_id), __ldcs(k.graph.first + local_id), __ldcs(k.graph.detour + local_id)};
		return c;
	}

	// Pulls vertices over their first edges, or lets them wait.
	__device__ inline void look(u32 local_id, const Candidate &at) {
		const FirstEdges edges(at.first);
		const Col edge = edges.of[0];
		const float distance = distance_in(at.word);
		const bool is_there = local_id < end, pulls = is_there && !(distance < threshold);
		// A settled vertex without a hint may have its first edge on its path. Then no later search for the parent is
		// necessary.
		const bool reads = pulls ? nearest + edge.weight < distance
		                         : is_there && local_id >= k.policy.hinted && edge.weight <= distance;
		const u32 word = reads ? Base::word(edge.global_id) : kFinal | kInfinite;
		auto pull = Base::pull_from(nearest, distance);
		pull.take_first(edge, word, pull.bound_of(edge, at.detour));
		const Pulled found = pull.end();
		const bool needs_more = pulls && pull.may_help(edges.of[1].weight), ends = pulls && !needs_more;
		const float from = distance_in(word);
		if (ends) Base::store(base + local_id, at.word, found);
		else if (!pulls && from < distance && from + edge.weight == distance) parent[base + local_id] = kFirstEnd;
		lists.add_by_edge({base + local_id, found.best, found.edge, found.bound}, ends && found.open);
		const u32 place = append_in_warp(__ballot_sync(~0u, needs_more), waits);
		if (needs_more) waiting()[place] = {local_id, word};
	}

	// Pulls the last n <= 32 waiting vertices along their rows.
	__device__ inline void pull_waiting(u32 n) {
		__syncwarp();
		waits -= n;
		u32 v = kNone;
		Pulled found{};
		if (lane_of_thread() < n) {
			const Waiting at = waiting()[waits + lane_of_thread()];
			v = base + at.local_id;
			const u32 word = Base::word(v);
			found = pull_row(k.graph, at.local_id, at.first_word, Base::pull_from(nearest, distance_in(word)));
			Base::store(v, word, found);
		}
		lists.add({v, found.best, found.edge, found.bound}, found.open);
		__syncwarp(); // before others are appended
	}
};

// Pulls the vertices of a class that are not settled, and lists the open ones. Reads 22 B and a sector of distances per
// vertex, writes 8 B, and 4 or 20 B per open vertex.
template <typename Form>
__device__ __noinline__ inline void pull_class(Context &k, u32 i) {
	const ClassRange all = class_range(k.graph.non_tree, k.policy.classes, i);
	const ClassRange own{all.begin, min(all.end, k.graph.own_non_tree)};
	FirstSweep<Form>(k, own, i > 0).process(own);
}

// FurtherSweep is a warp's part in a sweep over the vertices that are not final. Vertices that were final in the last
// sweep have been read, and all others are at least as far as the threshold. Vertices that change in the last sweep
// form the next frontier, because other vertices may have read their old distance. So the last sweep lists these, the
// others list open vertices.
template <typename Form>
struct FurtherSweep : Sweep<Form> {
	using Base = Sweep<Form>;
	using Base::k, Base::lists, Base::threshold;

	const bool is_last;
	u32 farthest = 0; // bits of a distance that is not final

	__device__ inline FurtherSweep(Context &k, bool is_last) : Base(k), is_last(is_last) {}

	// Pulls the first n entries of the list of rows, 32 at a time, and compacts it.
	__device__ inline void pull_by_row(u32 n) {
		for (u32 i = lane_of_thread(); i - lane_of_thread() < n; i += 32) {
			OpenVertex at{kNone};
			Pulled found{};
			if (i < n) {
				at.vertex = lists.by_row(i);
				at.distance = distance_in(Base::word(at.vertex));
				found = pull_row(k.graph, k.graph.local_id(at.vertex), kNone, Base::pull_from(threshold, at.distance));
			}
			lists.add_by_row(at.vertex, keep(at, found));
			list(at, found);
		}
	}

	// Pulls the first n entries of the list of edges, 32 at a time, and compacts it.
	__device__ inline void pull_by_edge(u32 n) {
		OpenVertex next = load(n, 0);
		for (u32 i = 0; i < n; i += 32) {
			const OpenVertex now = next;
			next = load(n, i + 32);
			auto pull = Base::pull_from(threshold, now.distance);
			if (now.vertex != kNone) {
				const Col edge{now.edge.global_id, fabsf(now.edge.weight)};
				const u32 word = Base::word(edge.global_id);
				if (now.is_first()) pull.take_first(edge, word, now.bound);
				else pull.take(edge, word, edge.global_id, now.bound);
			}
			const Pulled found = pull.end();
			lists.add_by_edge({now.vertex, found.best, found.edge, now.bound}, keep(now, found));
			list(now, found);
		}
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

private:
	__device__ inline OpenVertex load(u32 n, u32 begin) const {
		OpenVertex none{kNone};
		return begin + lane_of_thread() < n ? lists.by_edge(begin + lane_of_thread()) : none;
	}

	// Lists a distance that has fallen for ranks that are not peers. Those of the last sweep are listed when they are
	// pushed. A distance that has only become final is not listed: the other ranks' copy is an upper bound.
	__device__ inline void list(const OpenVertex &at, const Pulled &found) const {
		if (!Form::kFar || is_last) return;
		append_words(k.state.list, at.vertex != kNone && found.best < at.distance, k.graph.local_id(at.vertex), found.word());
	}

	// Stores what a vertex, if any, has found. Returns whether it remains in its list.
	__device__ inline bool keep(const OpenVertex &at, const Pulled &found) {
		if (at.vertex == kNone) return false;
		Base::store(at.vertex, __float_as_uint(at.distance), found);
		if (found.open) farthest = max(farthest, __float_as_uint(found.best));
		return is_last ? found.parent != kUnknown : found.open;
	}
};

// A further sweep. Vertices with several useful edges come first, because their rows are longer and others depend on
// them. Reads 20 B and a sector of distances per vertex that one edge may improve.
template <typename Form>
__device__ __noinline__ inline void pull_again(Context &k, bool is_last) {
	begin_step(k, G500_SSSP_PULL_AGAIN);
	FurtherSweep<Form> sweep(k, is_last);
	const uint2 lengths = sweep.lists.lengths_before();
	sweep.pull_by_row(lengths.y);
	sweep.pull_by_edge(lengths.x);
	if (is_last) sweep.end(k.frontier(k.at.rounds), &k.counters(k.at.rounds)->queued, &k.state.totals->farthest);
	else sweep.lists.keep();
	add_up(lane_of_thread() == 0 ? lengths.x + lengths.y : 0, (ull *)&k.state.trace[G500_SSSP_PULL_AGAIN].vertices);
	if (is_first_thread()) k.state.trace[G500_SSSP_PULL_AGAIN].rounds++;
	grid_barrier(k);
}

// All sweeps, on one rank or with peers. The first sweep processes the vertices class by class, beginning with the
// longest rows, so that the neighbours of later vertices are final. The last one fills the frontier of the next push.
template <typename Form>
__device__ __noinline__ inline void pull_beyond(Context &k) {
	if (Form::kPeers && is_first_thread()) reset_round(k, k.at.rounds);
	begin_step(k, G500_SSSP_PULL);
	for (u32 i = 0; i < k.policy.classes && !k.at.failed; i++) {
		pull_class<Form>(k, i);
		sum_at_barrier<Form>(k, nullptr);
	}
	record(k, G500_SSSP_PULL);
	for (u32 i = 1; i <= k.policy.sweeps && !k.at.failed; i++) {
		pull_again<Form>(k, i == k.policy.sweeps);
		if constexpr (Form::kPeers)
			if (i < k.policy.sweeps) rank_barrier(k, Published{});
	}
	const ull *const queued = &k.counters(k.at.rounds)->queued;
	if constexpr (Form::kPeers) agree(k, queued);
	by_one_thread([&] {
		k.at.queued = (u32)read_now(queued);
		if (Form::kPeers) k.at.all_queued = k.sums.of[kVertices];
		else k.at.farthest = __uint_as_float(*(volatile u32 *)&k.state.totals->farthest);
	});
	record(k, G500_SSSP_PULL_AGAIN);
}

} // namespace g500::sssp
