// The level after all hubs are visited, in a search between ranks that are not peers (far.cuh). Every rank knows which
// vertices of all ranks have a hub as first neighbour: those that are not visited yet are found, without an exchange of
// bits. The other vertices (hub_neighbours.cuh) search for a parent as remaining vertices do, in this level and later.
#pragma once

#include "search/pull_remaining.cuh"

namespace g500 {

// Finds this rank's vertices with a hub as first neighbour, and lists the others without a parent, by warp. Returns the
// length of the warp's list. Adds the number of found vertices to PullShared.found. Reads three bits per vertex, and
// 8 B and a bit for each other vertex; writes one bit per vertex.
template <typename Form>
__device__ __noinline__ u32 decide_neighbours(const Graph &g, const HubNeighbours &hubs, PullShared &sh,
                                               const Sweep sweep) {
	const u32 lane = lane_of_thread(), words2 = g.padded / 64;
	u32 found = 0, n = 0;
	for (u32 chunk = threadIdx.x / 32 * gridDim.x + blockIdx.x; chunk * 32 < words2; chunk += kWarps * gridDim.x) {
		const u32 at = chunk * 32 + lane;
		const uint2 range = __ldg(hubs.chunks + chunk);
		if (at < words2) {
			const uint2 seen = ((const uint2 *)sweep.mine)[at], has_hub = __ldcs((const uint2 *)hubs.bits + at);
			const uint2 before = ((const uint2 *)sweep.first_parent)[at];
			const uint2 fresh = make_uint2(has_hub.x & ~seen.x, has_hub.y & ~seen.y);
			((uint2 *)sweep.first_parent)[at] = make_uint2(before.x | fresh.x, before.y | fresh.y);
			found += __popc(fresh.x) + __popc(fresh.y);
		}
		for (u32 i0 = range.x; i0 < range.y; i0 += 32) {
			const bool any = i0 + lane < range.y;
			const u32 v = any ? __ldcs(hubs.others + i0 + lane).x : 0;
			const bool open = any && !test(sweep.mine, v);
			const u32 opens = __ballot_sync(~0u, open), place = append_in_warp(opens, n);
			if (open) sweep.missed[place] = v;
		}
	}
	found = warp_sum(found);
	if (lane == 0 && found) atomicAdd(&sh.found, found);
	return n;
}

// Makes the block's list of other vertices without a parent, and counts the found vertices.
template <typename Form>
__device__ __noinline__ void list_others(Context<Form> &k) {
	PullShared &sh = k.pull;
	if (threadIdx.x == 0) sh.found = 0;
	__syncthreads();
	const u32 n = decide_neighbours<Form>(k.graph, k.state.hubs, sh, sweep_of(k));
	if (lane_of_thread() == 0) sh.listed[threadIdx.x / 32] = n;
	__syncthreads();
	if (threadIdx.x == 0 && sh.found) atomicAdd(&k.counters(k.at.level + 1)->found, (ull)sh.found);
	list_remaining(k);
}

// Sets the bits of all ranks' vertices with a hub as first neighbour.
template <typename Form>
__device__ __noinline__ void set_hub_neighbours(Context<Form> &k) {
	const Ranks &ranks = k.ranks;
	const Far &far = k.state.far;
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	for (u32 r = 0; r < ranks.count; r++) {
		const uint4 *from = (const uint4 *)(far.hub_neighbours + r * far.part_bytes);
		uint4 *to = (uint4 *)k.visited() + r * ranks.part / kGroup;
		for (u32 i = thread; i < ranks.groups; i += threads) {
			const uint4 now = to[i], more = from[i];
			to[i] = make_uint4(now.x | more.x, now.y | more.y, now.z | more.z, now.w | more.w);
		}
	}
}

} // namespace g500
