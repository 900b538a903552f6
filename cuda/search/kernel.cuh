// The kernel of a search: levels from the root to the end, as planned one by one.
#pragma once

#include <new>

#include "search/clock.cuh"
#include "search/handover.cuh"
#include "search/levels.cuh"
#include "search/plan.cuh"
#include "search/steps.cuh"
#include "search/whole.cuh"

namespace g500 {

template <bool kMany>
__global__ void __launch_bounds__(kThreads, kBlocks) search_kernel(const __grid_constant__ Columns g, const __grid_constant__ State s,
                                                                   const __grid_constant__ World w, u32 root) {
	G500_SHARED_MEMORY(memory);
	Search<kMany> &search = *reinterpret_cast<Search<kMany> *>(memory);
	const Progress &at = search.at;
	if (threadIdx.x == 0) new (&search) Search<kMany>(g, s, w);
	__syncthreads();
	search.begin_trace();
	search.start(root);
	for (;;) {
		search.plan();
		if (search.is_over()) break;
		const bool last = search.leads_nowhere();
		if (search.hands_over()) {
			search.hand_over();
			if (!at.stays) return;
		}
		if (!last) search.level();
		if (search.is_over()) break; // a frontier that was not told of may turn out empty
		search.record();
		if (last) break;
		alone([&] {
			search.at.level++;
			search.at.guessed = false;
		});
	}
	search.end();
}

} // namespace g500
