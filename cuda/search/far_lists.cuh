// Lists of the vertices that the last push has reached, in place of complete parts of the bitmap, in a search between
// ranks that are not peers (far.cuh). They suffice if all ranks have had all bits before that push.
#pragma once

#include "search/kernels.cuh"

namespace g500 {

// Copies this rank's part of the frontier, as local ids, to its place in Far.parts. Behind the list is its length.
template <typename Form>
__global__ void __launch_bounds__(kThreads) far_list_kernel(const __grid_constant__ FarArguments a) {
	const State &s = a.state;
	const u32 *queue = s.queue[s.far.rank->queue ^ 1], n = (u32)s.counters[a.task.at.level % kRing].queued;
	u32 *list = (u32 *)(s.far.parts + a.ranks.rank * a.task.list_bytes);
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) list[i] = queue[i];
	if (blockIdx.x == 0 && threadIdx.x == 0) list[a.task.list_bytes / sizeof(u32) - 1] = n;
}

// Sets the bits of the vertices that other ranks list.
template <typename Form>
__global__ void __launch_bounds__(kThreads) far_place_list_kernel(const __grid_constant__ FarArguments a) {
	const Ranks &ranks = a.ranks;
	for (u32 r = 0; r < ranks.count; r++) {
		const u32 *list = (const u32 *)(a.state.far.parts + r * a.task.list_bytes);
		const u32 n = r == ranks.rank ? 0 : list[a.task.list_bytes / sizeof(u32) - 1];
		u32 *part = a.state.visited[0] + r * ranks.part / 32;
		for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) set(part, list[i]);
	}
}

} // namespace g500
