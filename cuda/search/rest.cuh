// The last levels of a search, when hardly a vertex is left unvisited: each block keeps a list of those among its own, and
// looks for the parents of none but them. What a level finds is told to all ranks vertex by vertex, and put into the
// bitmap in its place once all have looked.
#pragma once

#include "search/bottomup.cuh"
#include "search/topdown.cuh"

namespace g500 {

// Keeps the vertices for which keep holds, from a list that the block reads in rounds: what is kept goes to the front of
// the same list, which every thread of the round has read by then.
__device__ inline void keep(BottomUpShared &sh, u32 *rest, u32 v, bool keep) {
	const u32 lane = threadIdx.x & 31;
	const u32 kept = __ballot_sync(~0u, keep);
	u32 base = 0;
	if (kept && lane == 0) base = atomicAdd(&sh.kept, __popc(kept));
	base = __shfl_sync(~0u, base, 0);
	if (keep) rest[base + __popc(kept & ((1u << lane) - 1))] = v;
}

// Makes one list without gaps of the block's n entries, of which place gives where each is: no nearer to the front than
// its number says. Returns its length.
template <typename Place>
__device__ inline u32 close_gaps(BottomUpShared &sh, u32 *rest, u32 n, Place place) {
	constexpr int kEach = 8;
	if (threadIdx.x == 0) sh.kept = 0;
	for (u32 i0 = 0; i0 < n; i0 += kThreads * kEach) {
		u32 v[kEach];
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const u32 i = i0 + j * kThreads + threadIdx.x;
			v[j] = i < n ? rest[place(i)] : kNone;
		}
		__syncthreads(); // all have read the round's part of the list
#pragma unroll
		for (int j = 0; j < kEach; j++) keep(sh, rest, v[j], v[j] != kNone);
	}
	__syncthreads();
	return sh.kept;
}

// Makes one list of those that a block's warps have left over.
__device__ __noinline__ u32 gather_rest(BottomUpShared &sh, u32 *rest, u64 room) {
	u32 n = 0;
	for (const u32 left : sh.left) n += left;
	return close_gaps(sh, rest, n, [&](u32 i) {
		u64 list = 0;
		for (int warp = 0; i >= sh.left[warp]; warp++) {
			i -= sh.left[warp];
			list += room;
		}
		return list + i;
	});
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

// The number of a vertex's label among those that this rank owns.
__device__ inline u32 owned_label(const Columns &g, const World &w, u32 v) { return __ldg(g.labels + v) / w.ranks; }

// Looks for the parents of the vertices in the block's list, n entries with gaps; those that are found leave it. Returns
// its length. Where the last pass has begun, they are put into the result, too. Reads 4 B columns until the first hit, all
// of them in vain, and a sector of the bitmap for each.
template <bool kMany>
__device__ __noinline__ u32 look_for_rest(const Columns &g, const State &s, const World &w, const Bins &bins, BottomUpShared &sh, const u32 *old, u32 *rest, u32 n,
                                          u32 *queue, Counters *next, u32 round, ull *sent, bool settles) {
	u64 edges = 0;
	if (threadIdx.x == 0) sh.found = 0;
	n = close_gaps(sh, rest, n, [](u32 i) { return i; });
	for (u32 i0 = 0; i0 < n; i0 += kThreads) {
		const u32 i = i0 + threadIdx.x, v = i < n ? rest[i] : kNone;
		const u64 begin = v != kNone ? g.rows[v] : 0, end = v != kNone ? g.rows[v + 1] : 0;
		const u32 parent = probe_row(g, old, begin, end);
		const bool found = parent != kNone;
		if (found) {
			const u32 label = kMany ? label_at(w, parent, v) : __ldg(g.labels + parent);
			give_parent(s, v, label, true);
			if (settles) s.result[owned_label(g, w, v)] = label;
			rest[i] = kNone;
			edges += end - begin;
		}
		tell_found<kMany>(w, bins, sh, v, found, queue, &next->queued, round, sent);
	}
	add_up(edges, &next->queued_edges);
	return n;
}

// Puts what all ranks have found into the bitmap: this rank's vertices from the queue, the others' as they have come. The
// block is the one at this place of so many.
template <bool kMany>
__device__ __noinline__ void take_found(const World &w, const Bins &bins, u32 *visited, const u32 *queue, u32 queued, u32 round, u32 place, u32 blocks) {
	const u32 thread = place * kThreads + threadIdx.x, threads = blocks * kThreads;
	const u32 base = kMany ? w.base : 0;
	for (u32 i = thread; i < queued; i += threads) atomicOr(visited + word_of(base + queue[i]), 1u << bit_of(base + queue[i]));
	for (u32 i = thread; kMany && i < bins.upto[w.ranks - 1]; i += threads) {
		const u32 position = (u32)pair_at(w, bins, round, i);
		atomicOr(visited + word_of(position), 1u << bit_of(position));
	}
}

} // namespace g500
