// The last pass begins beside the last levels of a search: these look for a few vertices only, and most of what they take
// is waiting. When they begin, all other vertices are settled. Blocks hand what they list of the rest over to those on a few
// multiprocessors, and end; blocks of the last pass take their places. The result for the rest is written vertex by vertex,
// by the blocks that look for it, and the last pass leaves it out.
//
// Those that stay are on few multiprocessors, since what shared memory one has is settled while it is not empty: a block of
// the last pass needs more of it than the search leaves.
#pragma once

#include "search/levels.cuh"

namespace g500 {

// Makes one list of what a block's warps have left over, and lays out how the vertices that it has swept were reached, for the
// last pass. A block does it between coming to the barrier that ends the sweep and waiting for others.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::prepare_rest() {
	const u32 left = gather_rest(sh.bottom_up, missed_lists(g, s), list_room(g));
	if (threadIdx.x == 0) at.rest = left;
	if (s.early) lay_swept(g, s, next_part());
}

// Lets the last pass begin when all blocks have done so, and tells it what to make of vertices that were not reached by then.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::let_last_pass_start(u32 unreached) {
	alone([&] {
		if (blockIdx.x == 0) s.handover->unreached = unreached;
		__threadfence();
		let_next_kernel_start();
	});
}

// Whether only the rest is looked for from this level on, and the last pass can begin.
template <bool kMany>
__device__ bool Search<kMany>::hands_over() const {
	return s.early && at.looks_for_rest && !at.handed_over;
}

// Lets the last pass begin. Of the blocks those stay that run on every kStayShare-th multiprocessor, the first among them;
// they share what all have listed.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::hand_over() {
	u32 *list = s.queue[at.queue ^ 1];
	alone([&] {
		at.stays = processor() % kStayShare == *(volatile u32 *)&s.handover->processor % kStayShare;
		if (at.stays) at.place = atomicAdd(&s.handover->staying, 1);
		sh.bottom_up.base = atomicAdd(&s.handover->listed, at.rest);
	});
	for (u32 i = threadIdx.x; i < at.rest; i += kThreads) list[sh.bottom_up.base + i] = at.list[i];
	let_last_pass_start(kLeft);
	await_blocks();
	alone([&] {
		at.blocks = *(volatile u32 *)&s.handover->staying;
		const u32 listed = *(volatile u32 *)&s.handover->listed, share = (listed + at.blocks - 1) / at.blocks, begin = min(at.place * share, listed);
		at.list = list + begin;
		at.rest = min(share, listed - begin);
		at.handed_over = true;
	});
}

// Writes the result for the vertices of the rest that nobody has found.
template <bool kMany>
__device__ __noinline__ void Search<kMany>::settle_rest() {
	for (u32 i = threadIdx.x; i < at.rest; i += kThreads)
		if (at.list[i] != kNone) s.result[owned_label(g, w, at.list[i])] = kNone;
}

} // namespace g500
