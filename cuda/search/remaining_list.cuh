// SPDX-License-Identifier: Apache-2.0

// A block's list of remaining unvisited vertices: those that its sweep did not find.
#pragma once

#include "search/context.cuh"
#include "search/result.cuh"

namespace g500 {

// Compacts the block's n entries to one list without gaps. entry(i) is kNone for a gap, or an entry, which may be in
// the list at a place from i on. Returns the list's length.
template <typename Entry>
__device__ inline u32 close_gaps(PullShared &sh, u32 *list, u32 n, Entry entry) {
	constexpr int kEach = 8;
	if (threadIdx.x == 0) sh.kept = 0;
	for (u32 i0 = 0; i0 < n; i0 += kThreads * kEach) {
		u32 v[kEach];
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const u32 i = i0 + j * kThreads + threadIdx.x;
			v[j] = i < n ? entry(i) : kNone;
		}
		__syncthreads(); // all threads have read their entries of the round
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const u32 place = append_by_warp<u32>(__ballot_sync(~0u, v[j] != kNone), &sh.kept);
			if (v[j] != kNone) list[place] = v[j];
		}
	}
	__syncthreads();
	return sh.kept;
}

// Joins the lists of the block's warps.
__device__ __noinline__ inline u32 join_lists(PullShared &sh, u32 *list, u64 capacity) {
	u32 n = 0;
	for (const u32 entries : sh.listed) n += entries;
	return close_gaps(sh, list, n, [&](u32 i) {
		u64 begin = 0;
		for (int warp = 0; i >= sh.listed[warp]; warp++) {
			i -= sh.listed[warp];
			begin += capacity;
		}
		return list[begin + i];
	});
}

// Returns the first unvisited vertex of a group, or kNone.
__device__ inline u32 first_unvisited(u32 group, const uint4 &visited) {
	const Words<u32> words = unpack(visited);
	u32 first = kNone;
#pragma unroll
	for (u32 j = 0; j < 4; j++)
		if (~words.of[j]) first = min(first, vertex_at(group * 4 + j, __ffs(~words.of[j]) - 1));
	return first;
}

// Writes how the block's vertices were reached (result.cuh). Lowers *first to the first unvisited one.
__device__ __noinline__ inline void lay_out_swept(const Graph &g, const State &s, const u32 *visited, u32 *first) {
	u32 lowest = kNone;
	for_swept_groups(g, [&](u64 group) {
		const uint4 seen = __ldcg((const uint4 *)visited + group), from_first = __ldcg((const uint4 *)s.first_parent + group);
		lay_out_group(s, group, seen, from_first);
		lowest = min(lowest, first_unvisited((u32)group, seen));
	});
	lowest = warp_min(lowest);
	if (lane_of_thread() == 0) atomicMin(first, lowest);
}

// Lists the block's remaining vertices, and writes how its other vertices were reached. Called between the block's
// arrival at the barrier that ends the sweep and its wait.
template <typename Form>
__device__ __noinline__ void list_remaining(Context<Form> &k) {
	const u32 n = join_lists(k.pull, missed_lists(k.graph, k.state), list_capacity(k.graph));
	by_one_thread([&] {
		k.at.remaining_count = n;
		k.at.first_unvisited = kNone;
	});
	if (k.state.overlaps) lay_out_swept(k.graph, k.state, k.swept_part(), &k.at.first_unvisited);
}

} // namespace g500
