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

constexpr u32 kAtOnce = 2; // edges of a row: a thread waits for all of them together

// Pulled is what a vertex has found in its row.
struct Pulled {
	float best;  // distance
	u32 parent;  // kUnknown if it is the distance from before
	bool open;   // a shorter path may come by a neighbour that is not final
};

// RowPull is what a vertex has found so far on its way along its row.
struct RowPull {
	float nearest, threshold;
	Pulled found;
	float open; // weight of the lightest edge to a neighbour that is not final

	RowPull() = default;
	__device__ inline RowPull(const Context &k, float distance)
		: nearest(k.at.nearest), threshold(k.threshold()), found{distance, kUnknown}, open(infinity()) {}

	// Whether an edge of that weight may help.
	__device__ inline bool may_help(float weight) const { return nearest + weight < found.best; }

	// Asks for the words of neighbours; what edges that cannot help would need is left out.
	__device__ inline void ask(const Context &k, const Column (&edges)[kAtOnce], u32 (&word)[kAtOnce]) const {
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++)
			word[j] = may_help(edges[j].weight) ? k.word(edges[j].position) : kFinal | kInfinite;
	}

	__device__ inline void take(const Column (&edges)[kAtOnce], const u32 (&word)[kAtOnce]) {
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) {
			const float from = distance_in(word[j]), path = from + edges[j].weight;
			if (path < found.best) found = {path, edges[j].position};
			if (!is_final(word[j]) && !(from < threshold)) open = fminf(open, edges[j].weight);
		}
	}

	__device__ inline void look(const Context &k, const Column (&edges)[kAtOnce]) {
		u32 word[kAtOnce];
		ask(k, edges, word);
		take(edges, word);
	}

	__device__ inline Pulled end() {
		found.open = threshold + open < found.best || (found.best == infinity() && open < infinity());
		return found;
	}
};

// Goes along the row of a hub of that distance. Reads 16 B a vertex; 16 B of rows and 8 B an edge beyond the second;
// and a sector of distances an edge.
__device__ inline Pulled pull_row(const Context &k, u32 hub, float distance) {
	const Graph &g = k.graph;
	RowPull pull(k, distance);
	const FirstEdges first(g, hub);
	pull.look(k, first.of);
	if (!first.more || !pull.may_help(first.of[1].weight)) return pull.end();
	const u64 end = g.rows[hub + 1];
	for (u64 i = g.rows[hub] + 2; i < end; i += kAtOnce) {
		Column edges[kAtOnce];
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) {
			const uint2 c = i + j < end ? __ldg((const uint2 *)(g.cols + i + j)) : make_uint2(kNone, kInfinite);
			edges[j] = {c.x, __uint_as_float(c.y)};
		}
		if (!pull.may_help(edges[0].weight)) break;
		pull.look(k, edges);
	}
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

// The i-th of so many, each four times as large as the one before; a multiple of four hub ids.
__host__ __device__ inline ClassOfHubs class_of_hubs(u32 core, u32 classes, u32 i) {
	const auto upto = [=](u32 n) { return n == classes ? core : (core >> 2 * (classes - n)) & ~3u; };
	return {i == 0 ? 0 : upto(i), upto(i + 1)};
}

// Adds hubs to the block's list. All lanes of a warp take part.
__device__ inline void list(Context &k, u32 hub, bool is_listed) {
	const u32 having = __ballot_sync(~0u, is_listed);
	u32 at = 0;
	if (having && lane_of_thread() == 0) at = atomicAdd(&k.list_length, __popc(having));
	at = __shfl_sync(~0u, at, 0) + __popc(having & lanes_below());
	if (is_listed) k.listed[at] = hub;
}

constexpr u32 kTogether = 4; // vertices whose first edges a thread looks at together

// Pulls hubs, kThreads apart, by their first edges; those whose rows are needed beyond are listed.
__device__ inline void pull_first(Context &k, u32 first, u32 end) {
	u32 before[kTogether], word[kTogether][kAtOnce];
	FirstEdges edges[kTogether];
	RowPull pull[kTogether];
	bool looks[kTogether];
#pragma unroll
	for (u32 j = 0; j < kTogether; j++) {
		const u32 hub = first + j * kThreads;
		before[j] = hub < end ? k.word(k.graph.base + hub) : 0;
		edges[j] = hub < end ? FirstEdges(k.graph, hub) : FirstEdges();
	}
#pragma unroll
	for (u32 j = 0; j < kTogether; j++) {
		pull[j] = RowPull(k, distance_in(before[j]));
		looks[j] = first + j * kThreads < end && !(distance_in(before[j]) < pull[j].threshold);
		if (looks[j]) pull[j].ask(k, edges[j].of, word[j]);
	}
#pragma unroll
	for (u32 j = 0; j < kTogether; j++) {
		const u32 hub = first + j * kThreads;
		if (looks[j]) pull[j].take(edges[j].of, word[j]);
		const bool goes_on = looks[j] && edges[j].more && pull[j].may_help(edges[j].of[1].weight);
		if (looks[j] && !goes_on) store_pulled(k, k.graph.base + hub, before[j], pull[j].end());
		list(k, hub, goes_on);
	}
}

// Pulls the vertices of a class, by blocks that take as many as their list has room for, or fewer of a small class.
// Reads 4 B distance and 16 B of edges a vertex; writes 8 B.
__device__ __noinline__ inline void pull_class(Context &k, u32 i) {
	const ClassOfHubs of = class_of_hubs(k.graph.core, k.policy.classes, i);
	const u32 class_end = min(of.end, k.graph.in_core), n = class_end > of.begin ? class_end - of.begin : 0;
	const u32 tile = kTogether * kThreads, chunk = min((n / gridDim.x + kThreads) / kThreads * kThreads, kListRoom);
	for (u64 begin = of.begin + (u64)blockIdx.x * chunk; begin < class_end; begin += (u64)gridDim.x * chunk) {
		const u32 end = (u32)min(begin + chunk, (u64)class_end);
		if (threadIdx.x == 0) k.list_length = 0;
		__syncthreads();
		for (u32 first = (u32)begin; first < end; first += tile) pull_first(k, first + threadIdx.x, end);
		__syncthreads();
		for (u32 l = threadIdx.x; l < k.list_length; l += kThreads) {
			const u32 v = k.graph.base + k.listed[l], word = k.word(v);
			store_pulled(k, v, word, pull_row(k, k.listed[l], distance_in(word)));
		}
		__syncthreads();
	}
}

// The first sweep takes the vertices class by class, the longest rows first, so that those behind find their
// neighbours final.
__device__ __noinline__ inline void pull(Context &k) {
	for (u32 i = 0; i < k.policy.classes && !k.at.failed; i++) {
		pull_class(k, i);
		grid_barrier(k);
	}
}

// Lists the hubs from begin on, as many as the list has room for, whose distance is not final.
__device__ inline void list_open(Context &k, u32 begin) {
	if (threadIdx.x == 0) k.list_length = 0;
	__syncthreads();
	for (u32 i = threadIdx.x; i < kListRoom; i += kThreads) {
		const u32 hub = begin + i, word = hub < k.graph.in_core ? k.word(k.graph.base + hub) : kFinal;
		list(k, hub, !is_final(word) && !(distance_in(word) < k.threshold()));
	}
	__syncthreads();
}

// A further sweep over the vertices that are not final. What changes in the last sweep is the next frontier: whoever
// read it before the change has to hear of it.
__device__ __noinline__ inline void pull_again(Context &k, bool last) {
	RoundCounters *next = k.counters(k.at.rounds);
	u32 farthest = 0;
	u64 looked = 0;
	for (u64 begin = (u64)blockIdx.x * kListRoom; begin < k.graph.in_core; begin += (u64)gridDim.x * kListRoom) {
		list_open(k, (u32)begin);
		const u32 length = k.list_length, rounded = (length + kThreads - 1) / kThreads * kThreads;
		looked += threadIdx.x == 0 ? length : 0;
		for (u32 i = threadIdx.x; i < rounded; i += kThreads) {
			u32 changed = kNone;
			if (i < length) {
				const u32 v = k.graph.base + k.listed[i], word = k.word(v);
				const Pulled found = pull_row(k, k.listed[i], distance_in(word));
				store_pulled(k, v, word, found);
				if (found.open) farthest = max(farthest, __float_as_uint(found.best));
				if (found.parent != kUnknown) changed = v;
			}
			if (last) enqueue(changed, k.frontier(k.at.rounds), &next->queued);
		}
		__syncthreads();
	}
	if (last && farthest) atomicMax(&k.state.totals->farthest, farthest);
	add_up(looked, (ull *)&k.state.trace[G500_SSSP_PULL_AGAIN].vertices);
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
