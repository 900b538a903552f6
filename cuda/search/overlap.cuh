// The relabelling begins beside the last levels of a search: these look for a few vertices only, and most of what
// they take is waiting. When they begin, all other vertices are settled. Blocks give what they list of the residual
// vertices to those on a few multiprocessors, and end; blocks of the relabelling take their places. It leaves the
// residual vertices out; the blocks that search them write their results one by one (ADR 12). Leaves of residual
// vertices wait in a list until the search has ended.
//
// Those that stay are on few multiprocessors, since what shared memory one has is settled while it is not empty: a
// block of the relabelling needs more of it than the search leaves.
#pragma once

#include "common/barriers.cuh"
#include "search/pull_remaining.cuh"
#include "search/write_result.cuh"

namespace g500 {

// Lets the relabelling begin when all blocks have done so, each once a search, and tells it whether residual vertices
// are still searched.
template <typename Form>
__device__ __noinline__ void start_result(Context<Form> &k, bool searching) {
	alone([&] {
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

// Whether only residual vertices are searched from this level on, and the relabelling can begin.
template <typename Form>
__device__ bool can_overlap(const Context<Form> &k) {
	return k.state.overlaps && k.at.step == kPullRemaining && !k.at.overlapping;
}

// Lets the relabelling begin. Of the blocks those stay that run on every overlap_share-th multiprocessor, the first
// among them; they share what all have listed. Returns whether this block stays.
template <typename Form>
__device__ __noinline__ bool overlap_result(Context<Form> &k) {
	Overlap *overlap = k.state.overlap;
	u32 *list = k.next_queue();
	const u32 share = (u32)k.policy.overlap_share;
	alone([&] { // one thread asks: a block may be moved to another multiprocessor
		const bool near_first = processor() % share == *(volatile u32 *)&overlap->processor % share;
		k.at.stays = blockIdx.x == 0 || near_first;
		if (k.at.stays) k.at.place = atomicAdd(&overlap->staying, 1);
		k.pull.base = atomicAdd(&overlap->listed, k.at.remaining_count);
		if (!Form::kMany) atomicMin(&overlap->all_visited, k.at.first_unvisited);
	});
	for (u32 i = threadIdx.x; i < k.at.remaining_count; i += kThreads) list[k.pull.base + i] = k.at.remaining[i];
	start_result(k, true);
	grid_barrier(k);
	alone([&] {
		k.at.blocks = *(volatile u32 *)&overlap->staying;
		const u32 listed = *(volatile u32 *)&overlap->listed;
		const u32 each = (listed + k.at.blocks - 1) / k.at.blocks, begin = min(k.at.place * each, listed);
		k.at.remaining = list + begin;
		k.at.remaining_count = min(each, listed - begin);
		k.at.overlapping = true;
	});
	return k.at.stays;
}

// Writes the result for the residual vertices that nobody has found.
template <typename Form>
__device__ __noinline__ void write_unreached(const Context<Form> &k) {
	for (u32 i = threadIdx.x; i < k.at.remaining_count; i += kThreads) {
		const u32 v = k.at.remaining[i];
		if (v != kNone) store_result(k.state, owned_label(k, v), kNoId<typename Form::Id>);
	}
}

} // namespace g500
