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

// Goes along the row of a hub of that distance. Reads 8 B an edge and a sector of distances.
__device__ inline Pulled pull_row(const Context &k, u32 hub, float distance) {
	const Graph &g = k.graph;
	const float nearest = k.at.nearest, threshold = k.threshold();
	Pulled found{distance, kUnknown};
	float open = infinity(); // weight of the lightest edge to a neighbour that is not final
	const u64 end = g.rows[hub + 1];
	for (u64 i = g.rows[hub]; i < end; i += kAtOnce) {
		u32 to[kAtOnce], word[kAtOnce];
		float weight[kAtOnce];
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) {
			const uint2 c = i + j < end ? __ldg((const uint2 *)(g.cols + i + j)) : make_uint2(kNone, kInfinite);
			to[j] = c.x;
			weight[j] = __uint_as_float(c.y);
		}
		if (!(nearest + weight[0] < found.best)) break;
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) // what the others cannot need is left out
			word[j] = nearest + weight[j] < found.best ? k.word(to[j]) : kFinal | kInfinite;
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) {
			const float from = distance_in(word[j]), path = from + weight[j];
			if (path < found.best) found = {path, to[j]};
			if (!is_final(word[j]) && !(from < threshold)) open = fminf(open, weight[j]);
		}
	}
	found.open = threshold + open < found.best || (found.best == infinity() && open < infinity());
	return found;
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

// Pulls the vertices of a class. Reads 4 B distance and 16 B of rows a vertex; writes 8 B.
__device__ __noinline__ inline void pull_class(Context &k, u32 i) {
	const u32 threads = gridDim.x * kThreads, thread = blockIdx.x * kThreads + threadIdx.x;
	const ClassOfHubs of = class_of_hubs(k.graph.core, k.policy.classes, i);
	for (u64 hub = of.begin + thread; hub < min(of.end, k.graph.in_core); hub += threads) {
		const u32 v = k.graph.base + (u32)hub, word = k.word(v);
		const float distance = distance_in(word);
		if (!(distance < k.threshold())) store_pulled(k, v, word, pull_row(k, (u32)hub, distance));
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
		const bool open = !is_final(word) && !(distance_in(word) < k.threshold());
		const u32 having = __ballot_sync(~0u, open);
		u32 at = 0;
		if (having && lane_of_thread() == 0) at = atomicAdd(&k.list_length, __popc(having));
		at = __shfl_sync(~0u, at, 0) + __popc(having & lanes_below());
		if (open) k.listed[at] = hub;
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
