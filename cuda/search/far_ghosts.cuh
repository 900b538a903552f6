// SPDX-License-Identifier: Apache-2.0

// Ghosts, in a search between ranks that are not peers (far.cuh). After all hubs are visited, every rank knows the bits
// of all vertices with a hub as first neighbour (far_kernels.cuh). Ranks then exchange only the bits of a rank's
// ghosts: of its other vertices (hub_arrays.cuh), and of the neighbours of other ranks' other vertices, which
// search among these. Edges lead back, so each rank finds its ghosts in its own rows.
#pragma once

#include "search/far_progress.cuh"

namespace g500 {

// Marks all ranks' vertices without a hub as first neighbour in the bitmap, except this rank's.
template <typename Form>
__global__ void __launch_bounds__(kThreads) far_mark_others_kernel(const __grid_constant__ FarArguments a) {
	const Ranks &ranks = a.ranks;
	const Far &far = a.state.far;
	for (u32 r = 0; r < ranks.count; r++) {
		const u32 *has_hub = (const u32 *)(far.hub_neighbours + r * far.part_bytes);
		u32 *part = a.state.visited[0] + r * ranks.part / 32;
		for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < ranks.groups * 4; i += gridDim.x * kThreads)
			part[i] = r == ranks.rank ? 0 : ~has_hub[i];
	}
}

// Marks this rank's ghosts in its part of the other bitmap, and counts them in its FarShare. Rows of hubs are not read:
// their neighbours have a hub as first neighbour. Reads 4 B and a random bit per edge, up to the first hit.
template <typename Form>
__global__ void __launch_bounds__(kThreads) far_find_ghosts_kernel(const __grid_constant__ FarArguments a) {
	const Graph &g = a.graph;
	const HubNeighbours &hubs = a.state.hubs;
	u32 *marks = a.state.visited[1] + a.ranks.base / 32;
	u64 n = 0;
	for (u32 v = blockIdx.x * kThreads + threadIdx.x; v - threadIdx.x < g.padded; v += gridDim.x * kThreads) {
		const bool is_vertex = v < g.non_leaf;
		const bool is_other = is_vertex && g.first[v] != kNone && !test(hubs.bits, v);
		const bool searches = is_vertex && !is_other && v >= hubs.limit;
		const auto reader = probe_row<Form>(g, a.state.visited[0], searches ? v : kNone, 0, AllNeighbours{});
		const bool is_ghost = is_other || !is_none(reader);
		if (is_ghost) set(marks, v);
		n += is_ghost;
	}
	add_up(n, &((FarShare *)a.state.far.blocks)[a.ranks.rank].ghosts);
}

// Lists this rank's marked ghosts.
template <typename Form>
__global__ void __launch_bounds__(kThreads) far_list_ghosts_kernel(const __grid_constant__ FarArguments a) {
	const u32 *marks = a.state.visited[1] + a.ranks.base / 32, padded = a.graph.padded;
	u32 *list = a.ghosts.lists + (u64)a.ranks.rank * a.ghosts.each, *listed = &a.state.far.rank->remaining;
	for (u32 v = blockIdx.x * kThreads + threadIdx.x; v - threadIdx.x < padded; v += gridDim.x * kThreads) {
		const bool is_ghost = v < padded && test(marks, v);
		const u32 place = append_by_warp<u32>(__ballot_sync(~0u, is_ghost), listed);
		if (is_ghost) list[place] = v;
	}
}

// Packs the bits of this rank's ghosts for other ranks: those that a sweep has written, with its report, or those of
// the visited vertices.
template <typename Form>
__global__ void __launch_bounds__(kThreads) far_pack_kernel(const __grid_constant__ FarArguments a) {
	const State &s = a.state;
	const bool swept = !searches_remaining(a.task.at.step);
	const u32 *bits = swept ? s.next_part : s.visited[0] + a.ranks.base / 32;
	const u32 *list = a.ghosts.lists + (u64)a.ranks.rank * a.ghosts.each;
	unsigned char *to = s.far.parts + a.ranks.rank * a.ghosts.bytes();
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	for (u32 i = thread; i < a.ghosts.each; i += threads) {
		const u32 v = list[i], word = __ballot_sync(~0u, v != kNone && test(bits, v));
		if (lane_of_thread() == 0) ((u32 *)to)[i / 32] = word;
	}
	if (swept && thread == 0)
		*(FarBlock *)(to + a.ghosts.bits_bytes()) = *(const FarBlock *)((const unsigned char *)bits + s.far.bits_bytes());
}

// Sets the gathered bits of other ranks' ghosts. After a sweep it sends the host the sums, and replaces this rank's
// part, whose old bits it keeps in the other bitmap.
template <typename Form>
__global__ void __launch_bounds__(kThreads) far_place_ghosts_kernel(const __grid_constant__ FarArguments a) {
	const State &s = a.state;
	const Ranks &ranks = a.ranks;
	const bool swept = !searches_remaining(a.task.at.step);
	if (swept && blockIdx.x == 0)
		tell_host(ranks, s.far, s.far.parts + a.ghosts.bits_bytes(), a.ghosts.bytes(), a.task.look, nullptr);
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	uint4 *own = (uint4 *)s.visited[0] + ranks.base / kGroup, *before = (uint4 *)s.visited[1] + ranks.base / kGroup;
	for (u32 i = thread; swept && i < ranks.groups; i += threads) {
		before[i] = own[i];
		own[i] = ((const uint4 *)s.next_part)[i];
	}
	for (u32 r = 0; r < ranks.count; r++) {
		if (r == ranks.rank) continue;
		const u32 *list = a.ghosts.lists + (u64)r * a.ghosts.each;
		const u32 *words = (const u32 *)(s.far.parts + r * a.ghosts.bytes());
		u32 *part = s.visited[0] + r * ranks.part / 32;
		for (u32 i = thread; i < a.ghosts.each; i += threads)
			if (words[i / 32] >> i % 32 & 1) set(part, list[i]);
	}
}

} // namespace g500
