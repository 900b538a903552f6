// SPDX-License-Identifier: Apache-2.0

// Writing the result can start during the last levels of a search, which process only few vertices and wait most of the
// time. All other vertices have their final parents by then. Blocks hand their lists of remaining unvisited vertices to
// blocks on a few multiprocessors, and end; blocks that write the result take their places. They skip the remaining
// vertices, whose results the searching blocks write one by one (ADR 12). Leaves next to remaining vertices are listed
// until the search has ended.
//
// The searching blocks are on few multiprocessors, because the shared-memory configuration of a multiprocessor is fixed
// until it is idle: a block that writes the result needs more shared memory than the search leaves.
#pragma once

#include "common/barriers.cuh"
#include "search/pull_remaining.cuh"
#include "search/write_result.cuh"

namespace g500 {

// Allows writing the result to start after all blocks have called this once. `searching`: the remaining vertices are
// still being searched.
template <typename Form>
__device__ __noinline__ void start_result(Context<Form> &k, bool searching) {
	by_one_thread([&] {
		if (blockIdx.x == 0) {
			Overlap &overlap = *k.state.overlap;
			overlap.visited = k.visited();
			overlap.searching = searching;
			if (Form::kMany || !searching) overlap.all_visited = k.at.hubs_visited ? k.state.hubs.limit : 0;
		}
		fetch_add_acq_rel(&k.state.overlap->settled);
		allow_next_kernel();
	});
}

// Returns whether the remaining levels search only listed vertices, and writing the result can start.
template <typename Form>
__device__ bool can_overlap(const Context<Form> &k) {
	return k.state.overlaps && k.at.step == kPullRemaining && !k.at.overlapping;
}

// Starts writing the result. The first block and those on every overlap_share-th multiprocessor stay, and divide the
// remaining vertices of all blocks among them. Returns whether this block stays.
template <typename Form>
__device__ __noinline__ bool overlap_result(Context<Form> &k) {
	Overlap *overlap = k.state.overlap;
	u32 *list = k.next_queue();
	const u32 share = (u32)k.policy.overlap_share;
	by_one_thread([&] { // by one thread: a block may move to another multiprocessor
		const bool near_first = processor() % share == *(volatile u32 *)&overlap->processor % share;
		k.at.stays = blockIdx.x == 0 || near_first;
		if (k.at.stays) k.at.place = atomicAdd(&overlap->staying, 1);
		k.pull.base = atomicAdd(&overlap->listed, k.at.remaining_count);
		if (!Form::kMany) atomicMin(&overlap->all_visited, k.at.first_unvisited);
	});
	for (u32 i = threadIdx.x; i < k.at.remaining_count; i += kThreads) list[k.pull.base + i] = k.at.remaining[i];
	start_result(k, true);
	grid_barrier(k);
	by_one_thread([&] {
		k.at.blocks = *(volatile u32 *)&overlap->staying;
		const u32 listed = *(volatile u32 *)&overlap->listed;
		const u32 each = (listed + k.at.blocks - 1) / k.at.blocks, begin = min(k.at.place * each, listed);
		k.at.remaining = list + begin;
		k.at.remaining_count = min(each, listed - begin);
		k.at.overlapping = true;
	});
	return k.at.stays;
}

// Writes the result of the remaining vertices that were not found.
template <typename Form>
__device__ __noinline__ void write_unreached(const Context<Form> &k) {
	for (u32 i = threadIdx.x; i < k.at.remaining_count; i += kThreads) {
		const u32 v = k.at.remaining[i];
		if (v != kNone) store_result(k.state, owned_label(k, v), kNoId<typename Form::Label>);
	}
}

} // namespace g500
