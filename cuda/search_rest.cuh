// The last levels of a search, when hardly a vertex is left unvisited: each block keeps a list of those among its own, and
// looks for the parents of none but them. What a level finds is told to all ranks vertex by vertex, and put into the
// bitmap in its place once all have looked.
#pragma once

#include "search_bottomup.cuh"
#include "search_topdown.cuh"

namespace g500 {

// Closes the gaps in the block's list of n entries. Returns how many are left.
__device__ inline u32 close_gaps(BottomUpShared &sh, u32 *rest, u32 n) {
	constexpr int kEach = 8;
	if (threadIdx.x == 0) sh.kept = 0;
	for (u32 i0 = 0; i0 < n; i0 += kThreads * kEach) {
		u32 v[kEach];
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const u32 i = i0 + j * kThreads + threadIdx.x;
			v[j] = i < n ? rest[i] : kNone;
		}
		__syncthreads(); // all have read the round's part of the list
#pragma unroll
		for (int j = 0; j < kEach; j++) keep_missed(sh, rest, v[j], v[j] != kNone);
	}
	__syncthreads();
	return sh.kept;
}

// Adds each thread's found vertex to the rank's queue and, on several ranks, to what is sent to each of the others.
template <bool kMany>
__device__ inline void tell_found(const World &w, const Bins &bins, BottomUpShared &sh, u32 v, bool found, u32 *queue, ull *queued, u32 round, ull *sent) {
	const u32 lane = threadIdx.x & 31, lanes = __ballot_sync(~0u, found);
	u32 slot = 0;
	if (lanes && lane == 0) slot = atomicAdd(&sh.found, __popc(lanes));
	slot = __shfl_sync(~0u, slot, 0) + __popc(lanes & ((1u << lane) - 1));
	__syncthreads();
	if (threadIdx.x < 32 && sh.found) {
		for (u32 r = lane; kMany && r < w.ranks; r += 32)
			if (r != w.rank) bins.base[r] = atomicAdd(sent + r, (ull)sh.found);
		if (lane == 0) sh.base = atomicAdd(queued, (ull)sh.found);
		__syncwarp();
		if (lane == 0) sh.found = 0; // for the next round
	}
	__syncthreads();
	if (found) {
		queue[sh.base + slot] = v;
		for (u32 r = 0; kMany && r < w.ranks; r++)
			if (r != w.rank) outbox_of(w, r, round)[bins.base[r] + slot] = w.base + v;
	}
	__syncthreads();
}

// Looks for the parents of the vertices in the block's list, n entries with gaps; those that are found leave it. Returns
// its length. Reads 4 B columns until the first hit, all of them in vain, and a sector of the bitmap for each.
template <bool kMany>
__device__ __noinline__ u32 look_for_rest(const Columns &g, const State &s, const World &w, const Bins &bins, BottomUpShared &sh, const u32 *old, u32 *rest, u32 n,
                                          u32 *queue, Counters *next, u32 round, ull *sent) {
	u64 edges = 0;
	if (threadIdx.x == 0) sh.found = 0;
	n = close_gaps(sh, rest, n);
	for (u32 i0 = 0; i0 < n; i0 += kThreads) {
		const u32 i = i0 + threadIdx.x, v = i < n ? rest[i] : kNone;
		const u64 begin = v != kNone ? g.rows[v] : 0, end = v != kNone ? g.rows[v + 1] : 0;
		const u32 parent = probe_row(g, old, begin, end);
		const bool found = parent != kNone;
		if (found) {
			give_parent(s, v, kMany ? label_at(w, parent, v) : __ldg(g.labels + parent), true);
			rest[i] = kNone;
			edges += end - begin;
		}
		tell_found<kMany>(w, bins, sh, v, found, queue, &next->queued, round, sent);
	}
	add_up(edges, &next->queued_edges);
	return n;
}

// Puts what all ranks have found into the bitmap: this rank's vertices from the queue, the others' as they have come.
template <bool kMany>
__device__ __noinline__ void take_found(const World &w, const Bins &bins, u32 *visited, const u32 *queue, u32 queued, u32 round) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	const u32 base = kMany ? w.base : 0;
	for (u32 i = thread; i < queued; i += threads) atomicOr(visited + word_of(base + queue[i]), 1u << bit_of(base + queue[i]));
	for (u32 i = thread; kMany && i < bins.upto[w.ranks - 1]; i += threads) {
		const u32 position = (u32)pair_at(w, bins, round, i);
		atomicOr(visited + word_of(position), 1u << bit_of(position));
	}
}

} // namespace g500
