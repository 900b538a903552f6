// Sweeps in which the vertices that no push has settled look for their shortest path themselves.
//
// After the push all vertices below the threshold are settled, and those nearer than the landmarks have pushed their
// whole rows. So a vertex goes along its row, by rising weight, until even a path from the nearest landmark's distance
// would be too long. Its distance is final if all its neighbours that may help are settled or final themselves; a
// neighbour that is neither is at least as far as the threshold.
#pragma once

#include "sssp/peers.cuh"
#include "sssp/relax.cuh"

namespace g500::sssp {

constexpr u32 kAtOnce = 2; // edges of a row behind the first two: a thread waits for all of them together

// OpenVertex is a vertex that is not final.
struct OpenVertex {
	u32 vertex;     // kNone: there is none
	float distance;
	Column edge;    // the only one by which a shorter path may still come; its position is kNone if there are others
	                // too, and its weight has a sign if it is the first in its row

	__device__ bool is_first() const { return __float_as_uint(edge.weight) >> 31; }
};

// Pulled is what a vertex has found in its row.
struct Pulled {
	float best = infinity(); // distance
	u32 parent = kUnknown;   // kUnknown if it is the distance from before; else as State.parent has it
	bool open = false;       // a shorter path may come by a neighbour that is not final
	Column edge{kNone, 0};   // to it, as OpenVertex has it
};

// Whether an edge's end at that distance is nearer than the vertex at the path's end: a weight may vanish in the sum.
__device__ inline bool is_nearer(float from, const Column &edge) { return from < from + edge.weight; }

// RowPull is what a vertex has found so far on its way along its row.
struct RowPull {
	const float least; // distance: no neighbour that can help is nearer
	const float threshold;
	Pulled found;
	Column open{kNone, infinity()}; // edge to a neighbour that is not final, the lightest one, as OpenVertex has it

	// Whether an edge of that weight may help, and those behind it.
	__device__ inline bool may_help(float weight) const { return least + weight < found.best; }

	// The word of an edge's end; what cannot help is not asked for.
	__device__ inline u32 word_of(const Context &k, const Column &edge) const {
		return may_help(edge.weight) ? k.word(edge.position) : kFinal | kInfinite;
	}

	// Takes an edge whose end has that word; as a parent it goes by that name.
	__device__ inline void take(const Column &edge, u32 word, u32 name) {
		const float from = distance_in(word), path = from + edge.weight;
		if (path < found.best) found.best = path, found.parent = name;
		if (is_final(word) || from < threshold) return;
		if (open.weight == infinity()) open = edge; // rows rise by weight
		else open.position = kNone;
	}

	// Takes the first edge of a row.
	__device__ inline void take_first(const Column &edge, u32 word) {
		take(edge, word, is_nearer(distance_in(word), edge) ? kFirstEnd : edge.position);
		if (open.weight < infinity()) open.weight = -open.weight;
	}

	// Looks at edges, and waits for the distances of all of them together.
	template <u32 kEdges>
	__device__ inline void look(const Context &k, const Column (&edges)[kEdges]) {
		u32 word[kEdges];
#pragma unroll
		for (u32 j = 0; j < kEdges; j++) word[j] = word_of(k, edges[j]);
#pragma unroll
		for (u32 j = 0; j < kEdges; j++) take(edges[j], word[j], edges[j].position);
	}

	// Looks at the edges of a row behind the first two.
	__device__ inline void look_beyond(const Context &k, u32 hub) {
		const Graph &g = k.graph;
		const u64 end = g.rows[hub + 1];
		for (u64 i = g.rows[hub] + 2; i < end; i += kAtOnce) {
			Column edges[kAtOnce];
#pragma unroll
			for (u32 j = 0; j < kAtOnce; j++) {
				const uint2 c = i + j < end ? __ldg((const uint2 *)(g.cols + i + j)) : make_uint2(kNone, kInfinite);
				edges[j] = {c.x, __uint_as_float(c.y)};
			}
			if (!may_help(edges[0].weight)) break;
			look(k, edges);
		}
	}

	__device__ inline Pulled end() {
		const float weight = fabsf(open.weight);
		found.open = threshold + weight < found.best || (found.best == infinity() && weight < infinity());
		found.edge = open;
		return found;
	}
};

// Goes along the row of a hub of that distance, as far as an edge can help if no neighbour is nearer than `least`. One
// edge is enough for most vertices, so the second is looked at after the first. Reads 16 B a vertex; 16 B of rows and
// 8 B an edge behind the second; and a sector of distances an edge.
__device__ inline Pulled pull_row(const Context &k, u32 hub, float distance, float least) {
	RowPull pull{least, k.threshold(), {distance, kUnknown}};
	const FirstEdges first(k.graph, hub);
	pull.take_first(first.of[0], pull.word_of(k, first.of[0]));
	pull.look(k, {first.of[1]});
	if (first.more && pull.may_help(first.of[1].weight)) pull.look_beyond(k, hub);
	return pull.end();
}

// Looks again at the only edge that may help an open vertex. Reads a sector of distances.
__device__ inline Pulled pull_edge(const Context &k, const OpenVertex &at) {
	RowPull pull{k.threshold(), k.threshold(), {at.distance, kUnknown}};
	const Column edge{at.edge.position, fabsf(at.edge.weight)};
	const u32 word = k.word(edge.position);
	if (at.is_first()) pull.take_first(edge, word);
	else pull.take(edge, word, edge.position);
	return pull.end();
}

// Stores what a vertex has found.
__device__ inline void store_pulled(const Context &k, u32 v, u32 before, const Pulled &found) {
	const State &s = k.state;
	const u32 word = __float_as_uint(found.best) | (found.open ? 0 : kFinal);
	if (word != before) {
		s.distance[v] = word;
		tell(k, s.peers.distance, v, word);
	}
	if (found.parent != kUnknown) s.parent[v] = found.parent;
}

// A class of the core: hub ids from begin to end-1, the same on all ranks.
struct ClassOfHubs {
	u32 begin, end;
};

// The i-th of so many, each four times as large as the one before; a multiple of 32 hub ids.
__host__ __device__ inline ClassOfHubs class_of_hubs(u32 core, u32 classes, u32 i) {
	const auto upto = [=](u32 n) { return n == classes ? core : (core >> 2 * (classes - n)) & ~31u; };
	return {i == 0 ? 0 : upto(i), upto(i + 1)};
}

// Adds entries to a warp's list, those of the lanes that have one: counts them, and returns the place of the lane's own.
__device__ inline u32 append(u32 &length, bool has) {
	const u32 having = __ballot_sync(~0u, has), place = length + __popc(having & lanes_below());
	length += __popc(having);
	return place;
}

// OpenLists are a warp's lists of those of its vertices that are not final: those that one edge alone may help, and the
// others, which have to go along their rows again. Apart, the lanes of a warp wait for the same. Vertices are dealt out
// to warps 32 at a time, and the two lists have room for all of a warp's: one from the front on, one from the back. They
// lie where nobody writes before the sweeps are over: in that of the two frontiers which the last sweep does not fill,
// and in the result.
class OpenLists {
public:
	__device__ inline explicit OpenLists(const Context &k)
		: warps(gridDim.x * kWarps), warp(blockIdx.x * kWarps + threadIdx.x / 32), kept(k.state.open + warp) {
		const u64 begin = room_before(k.graph.in_core, warp);
		vertices = k.frontier(k.at.rounds + 1) + begin;
		distances = k.state.distances + begin;
		edges = (uint2 *)k.state.parents + begin;
		room = (u32)(room_before(k.graph.in_core, warp + 1) - begin);
	}

	// What the sweep before has kept of them: how many by edge and by row.
	__device__ inline uint2 lengths_before() const { return __ldcg(kept); }
	__device__ inline OpenVertex by_edge(u32 i) const {
		const uint2 edge = __ldcg(edges + i);
		return {__ldcg(vertices + i), __ldcg(distances + i), {edge.x, __uint_as_float(edge.y)}};
	}
	__device__ inline u32 by_row(u32 i) const { return __ldcg(vertices + (room - 1 - i)); }

	// Add the lanes' vertices, those that are open. All lanes have read what they need of as many as there are now.
	__device__ inline void add_by_edge(const OpenVertex &open, bool is_open) {
		const u32 i = append(length.x, is_open);
		if (!is_open) return;
		vertices[i] = open.vertex;
		distances[i] = open.distance;
		edges[i] = make_uint2(open.edge.position, __float_as_uint(open.edge.weight));
	}
	__device__ inline void add_by_row(u32 v, bool is_open) {
		const u32 i = append(length.y, is_open);
		if (is_open) vertices[room - 1 - i] = v;
	}
	__device__ inline void add(const OpenVertex &open, bool is_open) {
		const bool by_edge = open.edge.position != kNone;
		add_by_edge(open, is_open && by_edge);
		add_by_row(open.vertex, is_open && !by_edge);
	}
	__device__ inline void go_on() { length = lengths_before(); }
	__device__ inline void keep() const {
		if (lane_of_thread() == 0) *kept = length;
	}

	__device__ inline u32 length_now() const { return length.x + length.y; }

	// Writes all vertices to a place.
	__device__ inline void copy(u32 *to) const {
		__syncwarp(); // for what other lanes have listed
		for (u32 i = lane_of_thread(); i < length_now(); i += 32)
			to[i] = i < length.x ? vertices[i] : vertices[room - 1 - (i - length.x)];
	}

	// Does something with the hub ids of a class that are the warp's, 32 at a time; some may lie behind its end.
	template <typename Act>
	__device__ inline void for_own(const ClassOfHubs &of, Act act) const {
		const u32 first = of.begin / 32, turn = (warp + warps - first % warps) % warps;
		for (u64 chunk = (u64)first + turn; 32 * chunk < of.end; chunk += warps) act((u32)(32 * chunk) + lane_of_thread());
	}

private:
	const u32 warps, warp;
	uint2 *const kept;
	u32 *vertices;
	float *distances;
	uint2 *edges;
	u32 room;
	uint2 length{0, 0};

	// Vertices of the warps before one.
	__device__ inline u64 room_before(u32 in_core, u32 of) const {
		const u32 chunks = (in_core + 31) / 32;
		return 32 * ((u64)of * (chunks / warps) + min(of, chunks % warps));
	}
};

// Gives a settled vertex without a hint its parent, if the first edge leads there. It waits for no more than vertices
// that pull do, and most of the parents need not be looked for in the end. Reads 16 B and a sector of distances.
__device__ inline void find_first_end(const Context &k, u32 hub, float distance) {
	const Column edge = FirstEdges(k.graph, hub).of[0];
	const float from = edge.weight > distance ? infinity() : distance_in(k.word(edge.position));
	if (from + edge.weight == distance && is_nearer(from, edge)) k.state.parent[k.graph.base + hub] = kFirstEnd;
}

// Pulls a vertex that is not settled. Reads 4 B distance; writes 8 B.
__device__ inline Pulled pull_vertex(const Context &k, u32 hub) {
	const u32 v = k.graph.base + hub, word = k.word(v);
	const float distance = distance_in(word);
	if (distance < k.threshold()) {
		if (!k.policy.has_hint(k.graph, v)) find_first_end(k, hub, distance);
		return {};
	}
	const Pulled found = pull_row(k, hub, distance, k.at.nearest);
	store_pulled(k, v, word, found);
	return found;
}

// Pulls the vertices of a class, and lists those that are open. Writes 4 or 16 B for each of those.
__device__ __noinline__ inline void pull_class(Context &k, u32 i) {
	const ClassOfHubs all = class_of_hubs(k.graph.core, k.policy.classes, i);
	const ClassOfHubs own{all.begin, min(all.end, k.graph.in_core)};
	OpenLists open(k);
	if (i > 0) open.go_on();
	open.for_own(own, [&](u32 hub) {
		const Pulled found = hub < own.end ? pull_vertex(k, hub) : Pulled{};
		open.add({k.graph.base + hub, found.best, found.edge}, found.open);
	});
	open.keep();
}

// The first sweep takes the vertices class by class, the longest rows first, so that those behind find their
// neighbours final.
__device__ __noinline__ inline void pull(Context &k) {
	for (u32 i = 0; i < k.policy.classes && !k.at.failed; i++) {
		pull_class(k, i);
		grid_barrier(k);
	}
}

// FurtherSweep is a warp's part in a sweep over the vertices that are not final. What was final in the sweep before has
// been looked at, and all others are no nearer than the threshold. What changes in the last sweep is the next frontier:
// whoever read it before the change has to be told of it. So the last sweep lists that, the others what remains open.
struct FurtherSweep {
	const Context &k;
	const bool is_last;
	OpenLists lists;
	u32 farthest = 0; // bits of a distance that is not final

	__device__ inline FurtherSweep(const Context &k, bool is_last) : k(k), is_last(is_last), lists(k) {}

	// Pulls the first n of a list, 32 at a time, and adds to it what is to be listed.
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
				return pull_row(k, k.graph.hub(at.vertex), at.distance, k.threshold());
			},
			[&](const OpenVertex &at, bool listed) { lists.add_by_row(at.vertex, listed); });
	}
	__device__ inline void pull_by_edge(u32 n) {
		pull(
			n, [&](u32 i, OpenVertex &at) { return pull_edge(k, at = lists.by_edge(i)); },
			[&](const OpenVertex &at, bool listed) { lists.add_by_edge(at, listed); });
	}

	// Ends the last sweep: hands over what has changed, with one atomic, and how far the farthest is.
	__device__ inline void end(u32 *frontier, ull *queued, u32 *farthest_of_all) {
		const u32 n = lists.length_now();
		u32 at = 0;
		farthest = warp_max(farthest);
		if (lane_of_thread() == 0 && n) at = (u32)atomicAdd(queued, (ull)n);
		if (lane_of_thread() == 0 && farthest) atomicMax(farthest_of_all, farthest);
		lists.copy(frontier + __shfl_sync(~0u, at, 0));
	}
};

// A further sweep, the vertices with several edges first: they have longer rows, and others wait for them. Reads 16 B
// and a sector of distances a vertex that one edge may help.
__device__ __noinline__ inline void pull_again(Context &k, bool is_last) {
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

// All sweeps, on one rank.
__device__ __noinline__ inline void pull_beyond(Context &k) {
	pull(k);
	record(k, G500_SSSP_PULL);
	for (u32 i = 0; i < k.policy.sweeps && !k.at.failed; i++) pull_again(k, i + 1 == k.policy.sweeps);
	alone([&] {
		k.at.queued = (u32)read_now(&k.counters(k.at.rounds)->queued);
		k.at.farthest = __uint_as_float(*(volatile u32 *)&k.state.totals->farthest);
	});
	record(k, G500_SSSP_PULL_AGAIN);
}

} // namespace g500::sssp
