// SPDX-License-Identifier: Apache-2.0

// Bottom-up levels: each unvisited vertex searches for a visited neighbour. A visited neighbour of an unvisited vertex
// is in the frontier (cuGraph), so one bitmap is both mask and frontier. Sources: Beamer et al. (SC 2012); Liu and
// Huang, Enterprise (SC 2015), for ballots that write whole words; Ueno et al. (RIKEN's Graph500 code) for a separate
// array of first neighbours.
#pragma once

#include "common/barriers.cuh"
#include "search/exchange.cuh"
#include "search/probe.cuh"
#include "search/remaining_list.cuh"
#include "search/visit.cuh"

namespace g500 {

// Appends a warp's misses in one group to its list of n entries. lost[j] is a mask of the lanes whose j-th vertex
// missed.
__device__ inline void append_missed(u32 *missed, u32 &n, u32 group, const u32 (&lost)[4]) {
	const u32 lane = lane_of_thread();
#pragma unroll
	for (int j = 0; j < 4; j++) {
		const u32 place = append_in_warp(lost[j], n);
		if (lost[j] >> lane & 1) missed[place] = group * kGroup + lane * 4 + j;
	}
}

// Tests the first neighbours of one group, four consecutive vertices per lane. Appends misses below limit to the list,
// which has n entries. Returns the number of hits of the warp.
template <typename Four>
__device__ inline u32 sweep_group(const Sweep &sweep, u32 &n, u32 limit, u32 group, const uint4 &seen,
                                  const Four &first) {
	const u32 lane = lane_of_thread();
	const Words<u32> seen4 = unpack(seen), first4 = words_of(first);
	u32 hits[4], lost[4], found = 0;
	bool mine[4], open[4];
#pragma unroll
	for (int j = 0; j < 4; j++) {
		open[j] = !(seen4.of[j] >> lane & 1) && first4.of[j] != kNone;
		mine[j] = open[j] && test_one(sweep.old, first, j);
	}
#pragma unroll
	for (int j = 0; j < 4; j++) {
		hits[j] = __ballot_sync(~0u, mine[j]);
		lost[j] = __ballot_sync(~0u, open[j] && !mine[j] && group * kGroup + lane * 4 + j < limit);
		found += __popc(hits[j]);
	}
	if (lost[0] | lost[1] | lost[2] | lost[3]) append_missed(sweep.missed, n, group, lost);
	if (lane == 0)
		((uint4 *)sweep.now)[group] = make_uint4(seen.x | hits[0], seen.y | hits[1], seen.z | hits[2], seen.w | hits[3]);
	const u32 word = lane == 0 ? hits[0] : lane == 1 ? hits[1] : lane == 2 ? hits[2] : hits[3];
	if (lane < 4 && sweep.starts) sweep.first_parent[group * 4 + lane] = word;
	else if (lane < 4 && word) atomicOr(sweep.first_parent + group * 4 + lane, word);
	return found;
}

// Tests the first neighbours of all unvisited vertices. Reads 4 B and a random bit of the old bitmap per vertex, writes
// 2 bits. Lists misses below limit. Returns the length of the warp's list.
template <typename Form>
__device__ __noinline__ u32 sweep_first(const Graph &g, PullShared &sh, const Sweep sweep, u32 limit) {
	const u32 lane = lane_of_thread();
	const u32 warps = gridDim.x * kWarps, sweeps = g.padded / kPad;
	u32 found = 0, n = 0;
	for (u32 w = blockIdx.x * kWarps + threadIdx.x / 32; w < sweeps; w += warps) {
		uint4 seen[kGroupsPerWarp];
		typename Form::Four first[kGroupsPerWarp];
#pragma unroll
		for (int j = 0; j < kGroupsPerWarp; j++) {
			seen[j] = ((const uint4 *)sweep.mine)[w * kGroupsPerWarp + j];
			first[j] = first_neighbours<Form>(g, (u64)(w * kGroupsPerWarp + j) * 32 + lane);
		}
#pragma unroll
		for (int j = 0; j < kGroupsPerWarp; j++) {
			const u32 group = w * kGroupsPerWarp + j;
			if (!all_set(seen[j])) {
				found += sweep_group(sweep, n, limit, group, seen[j], first[j]);
				continue;
			}
			if (lane == 0) ((uint4 *)sweep.now)[group] = seen[j];
			if (lane == 1 && sweep.starts) ((uint4 *)sweep.first_parent)[group] = make_uint4(0, 0, 0, 0);
		}
	}
	if (lane == 0 && found) atomicAdd(&sh.found, found);
	__syncwarp(); // the list and the bitmap are visible to all lanes
	return n;
}

// Tests first neighbours after all hubs are visited. Neighbours of hubs are found by their bits, the other vertices of
// a chunk are in a list (hub_arrays.cuh). Reads three bits per vertex, and for each other vertex 8 B and a random
// bit of both bitmaps; writes two bits per vertex. Lists the misses of other vertices. Returns the length of the warp's
// list.
template <typename Form>
__device__ __noinline__ u32 sweep_after_hubs(const Graph &g, const HubNeighbours &hubs, PullShared &sh,
                                              const Sweep sweep) {
	const u32 lane = lane_of_thread(), words2 = g.padded / 64;
	u32 found = 0, n = 0;
	const u32 step = kWarps * gridDim.x;
	for (u32 chunk = threadIdx.x / 32 * gridDim.x + blockIdx.x; chunk * kHubPairs < words2; chunk += step) {
		const u32 at = chunk * kHubPairs + lane;
		const uint2 range = __ldg(hubs.chunks + chunk);
		if (lane < kHubPairs && at < words2) {
			const uint2 seen = ((const uint2 *)sweep.mine)[at], has_hub = __ldcs((const uint2 *)hubs.bits + at);
			const uint2 before = ((const uint2 *)sweep.first_parent)[at];
			const uint2 fresh = make_uint2(has_hub.x & ~seen.x, has_hub.y & ~seen.y);
			((uint2 *)sweep.now)[at] = make_uint2(seen.x | fresh.x, seen.y | fresh.y);
			((uint2 *)sweep.first_parent)[at] = make_uint2(before.x | fresh.x, before.y | fresh.y);
			found += __popc(fresh.x) + __popc(fresh.y);
		}
		__syncwarp(); // the chunk's words are visible to all lanes
		for (u32 i0 = range.x; i0 < range.y; i0 += 32) {
			OtherVertex<Form> other{0, kNoId<typename Form::Id>};
			if (i0 + lane < range.y) other = other_vertex<Form>(g, hubs, i0 + lane);
			const bool open = !is_none(other.first) && !test(sweep.mine, other.v);
			const bool hit = open && test(sweep.old, other.first);
			const u32 lost = __ballot_sync(~0u, open && !hit);
			const u32 place = append_in_warp(lost, n);
			if (lost >> lane & 1) sweep.missed[place] = other.v;
			found += hit;
			if (!hit) continue;
			set(sweep.now, other.v);
			set(sweep.first_parent, other.v);
		}
	}
	found = warp_sum(found);
	if (lane == 0 && found) atomicAdd(&sh.found, found);
	__syncwarp(); // the list and the bitmap are visible to all lanes
	return n;
}

// Tests neighbours 2 to 5 of n missed vertices, one 16-byte load each. Misses with more neighbours stay in the list,
// and all misses if the sweep lists remaining vertices. Returns the length of the list.
template <typename Form, typename Among>
__device__ __noinline__ u32 probe_next4(Context<Form> &k, const Sweep sweep, u32 n, Among among) {
	using Id = typename Form::Id;
	using Label = typename Form::Label;
	constexpr int kEach = 4;
	const Graph &g = k.graph;
	const u32 *old = sweep.old;
	u32 *now = sweep.now, *missed = sweep.missed;
	const bool lists = sweep.lists;
	const u32 lane = lane_of_thread();
	u32 found = 0, kept = 0;
	for (u32 i0 = lane; i0 - lane < n; i0 += 32 * kEach) {
		u32 v[kEach];
		Id parent[kEach];
		Label label[kEach];
		typename Form::Four next[kEach];
#pragma unroll
		for (int j = 0; j < kEach; j++) v[j] = i0 + j * 32 < n ? missed[i0 + j * 32] : kNone;
#pragma unroll
		for (int j = 0; j < kEach; j++) next[j] = next_neighbours<Form>(g, v[j]);
		__syncwarp(); // all lanes have read their entries, which the compacted list overwrites
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const Words<Id> c = unpack(next[j]);
			const Words<u32> word = words_of(next[j]);
			bool hit[4];
#pragma unroll
			for (int t = 0; t < 4; t++) hit[t] = among.has(word.of[t]) && test_one(old, next[j], t);
			parent[j] = hit[0] ? c.of[0] : hit[1] ? c.of[1] : hit[2] ? c.of[2] : hit[3] ? c.of[3] : kNoId<Id>;
			label[j] = is_none(parent[j]) ? kNoId<Label> : label_of_parent(k, parent[j], v[j]);
		}
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const bool more = among.has(words_of(next[j]).of[3]) || (lists && v[j] != kNone);
			const u32 stays = __ballot_sync(~0u, is_none(parent[j]) && more);
			const u32 place = append_in_warp(stays, kept);
			if (stays >> lane & 1) missed[place] = v[j];
			if (is_none(parent[j])) continue;
			found++;
			set(now, v[j]);
			store_parent<Form>(k.state, v[j], label[j]);
		}
	}
	found = warp_sum(found);
	if (lane == 0 && found) atomicAdd(&k.pull.found, found);
	__syncwarp();
	return kept;
}

// Tests the neighbours after the fifth of n missed vertices. If the sweep lists remaining vertices, hits leave gaps in
// the list.
template <typename Form, typename Among>
__device__ __noinline__ void probe_rows(Context<Form> &k, const Sweep sweep, u32 n, Among among) {
	u32 *missed = sweep.missed, found = 0;
	for (u32 i0 = 0; i0 < n; i0 += 32) {
		const u32 i = i0 + lane_of_thread(), v = i < n ? missed[i] : kNone;
		const auto parent = probe_row<Form>(k.graph, sweep.old, v, 5, among);
		if (!is_none(parent)) {
			found++;
			adopt(k, sweep.now, v, parent);
			if (sweep.lists) missed[i] = kNone;
		}
	}
	found = warp_sum(found);
	if (lane_of_thread() == 0 && found) atomicAdd(&k.pull.found, found);
}

// Ends a level that has computed this rank's part of a new bitmap: the ranks exchange the changes.
template <typename Form>
__device__ __noinline__ void finish_sweep(Context<Form> &k) {
	Counters *next = k.counters(k.at.level + 1);
	if (Form::kMany) {
		const u64 began = now_ns();
		send_swept(k.graph, k.state, k.ranks, k.ranks.at.visited[k.at.current ^ 1], &next->swept_words);
		count_exchange(k, began);
		arrive_at_ranks(k, {{&next->found, &next->open_hubs, nullptr, &next->swept_words}});
	} else {
		arrive_at_grid(k);
	}
	if (lists_remaining(k.at.step)) list_remaining(k);
	if (Form::kMany) {
		wait_for_ranks(k);
		count_words(k);
	} else {
		wait_for_grid(k);
	}
	by_one_thread([&] {
		k.at.swept = k.at.synchronized = true;
		k.at.current ^= 1;
	});
}

// Returns whether the warp has left a hub unvisited in its part of a sweep. `now` is the rank's part of the new bitmap.
__device__ inline bool leaves_hubs(const Graph &g, const u32 *now, u32 limit) {
	const u32 end = min(limit, g.non_leaf), warps = gridDim.x * kWarps, lane = lane_of_thread();
	u32 open = 0;
	for (u32 w = blockIdx.x * kWarps + threadIdx.x / 32; w * kPad < end; w += warps)
		if (lane < kSweepWords) open |= bits_below(w * kSweepWords + lane, end) & ~__ldcg(now + w * kSweepWords + lane);
	return __any_sync(~0u, open);
}

// Counts the warps that have left hubs unvisited. Earlier writes to `now`, of all blocks, must be visible.
template <typename Form>
__device__ inline void count_open_hubs(const Context<Form> &k, const u32 *now) {
	const bool open = leaves_hubs(k.graph, now, k.state.hubs.limit);
	if (lane_of_thread() == 0 && open) atomicAdd(&k.counters(k.at.level + 1)->open_hubs, 1);
}

// Searches for parents of the vertices that the warp sweeps, without waiting for other ranks. Returns the length of the
// warp's list: if the sweep lists remaining vertices, it has those without a parent, with gaps.
template <typename Form>
__device__ u32 pull(Context<Form> &k, const Sweep sweep) {
	const Graph &g = k.graph;
	// Vertices without a second neighbour are listed only if the sweep lists remaining vertices.
	u32 n = k.at.step == kPullHubs
	            ? sweep_after_hubs<Form>(g, k.state.hubs, k.pull, sweep)
	            : sweep_first<Form>(g, k.pull, sweep, sweep.lists ? g.padded : g.with_second);
	n = probe_next4(k, sweep, n, AllNeighbours{});
	probe_rows(k, sweep, n, AllNeighbours{});
	return n;
}

// Ends a bottom-up level. Afterwards all ranks know whether hubs are still unvisited.
template <typename Form>
__device__ void finish_pull(Context<Form> &k) {
	finish_sweep(k);
	by_one_thread([&] {
		const Counters *c = k.counters(k.at.level + 1);
		k.at.sweeps++;
		const u64 open_hubs = Form::kMany ? k.sums.of[kEdges] : read_now(&c->open_hubs);
		k.at.hubs_visited = k.state.hubs.limit > 0 && open_hubs == 0;
	});
}

// Searches for parents of the vertices that the block sweeps, and counts the found ones.
template <typename Form>
__device__ __noinline__ void find_parents(Context<Form> &k) {
	const Sweep sweep = sweep_of(k);
	PullShared &sh = k.pull;
	Counters *next = k.counters(k.at.level + 1);
	if (threadIdx.x == 0) sh.found = sh.open_hubs = 0;
	__syncthreads();
	const u32 n = pull(k, sweep), lane = lane_of_thread();
	__syncwarp();
	const bool open = !k.at.hubs_visited && leaves_hubs(k.graph, sweep.now, k.state.hubs.limit);
	if (lane == 0) sh.listed[threadIdx.x / 32] = n;
	if (lane == 0 && open) atomicAdd(&sh.open_hubs, 1);
	__syncthreads();
	if (threadIdx.x == 0 && sh.found) atomicAdd(&next->found, (ull)sh.found);
	if (threadIdx.x == 0 && sh.open_hubs) atomicAdd(&next->open_hubs, 1);
}

template <typename Form>
__device__ void level_pull(Context<Form> &k) {
	find_parents(k);
	finish_pull(k);
}

} // namespace g500
