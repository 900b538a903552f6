// SPDX-License-Identifier: Apache-2.0

// Searches over the status of all vertices, without a queue: Toedling, Winter, Steinberger, 2019, section III (naive,
// one thread per vertex), and the baseline of Liu and Huang, SC 2015, section 5.1 (one block per vertex, both
// directions).
#include "lab/runner.cuh"
#include "lab/status.cuh"

namespace g500::lab {

// A top-down level over all vertices. Reads the status of every vertex, two row offsets per vertex of the frontier, a
// column and a status per edge; writes the status of new vertices. Races: status.cuh, MarkVertex.
__global__ void __launch_bounds__(kThreads) push_by_status_kernel(Level k, u32 share) { push_by_status(k, share); }

// A bottom-up level over all vertices. Reads the status of every vertex, two row offsets per unvisited vertex, and a
// column and a status per neighbour up to the first visited one; writes the status of new vertices. No races: only the
// threads that share a vertex write it, and the distance of this level does not count as visited.
__global__ void __launch_bounds__(kThreads) pull_by_status_kernel(Level k, u32 share) {
	G500_SHARED_MEMORY(memory);
	pull_by_status(k, *reinterpret_cast<PullShared *>(memory), share);
}

// Counts the edges and hubs of the frontier, for the choice of direction. Reads the status of every vertex.
__global__ void __launch_bounds__(kThreads) count_frontier_kernel(Level k, u32 hub_degree) {
	u64 edges = 0, hubs = 0;
	for_tiles(k.g.n, [&](u64 i, bool has) {
		if (!has || !k.visited.is_at((u32)i, k.depth - 1)) return;
		const u64 degree = k.g.degree((u32)i);
		edges += degree;
		hubs += degree > hub_degree;
	});
	add_up(edges, &k.counters->frontier_edges);
	add_up(hubs, &k.counters->hubs);
}

int search_by_status(g500_lab *lab) {
	const u32 share = lab->row_threads();
	bool bottom_up = false;
	u64 found = 1;
	for (u32 depth = 1; found; depth++) {
		lab->begin_level();
		const Level k = lab->level(depth);
		if (bottom_up) LAB_LAUNCH(lab, "pull_by_status_kernel", pull_by_status_kernel, lab->over_all(), k, share);
		else LAB_LAUNCH(lab, "push_by_status_kernel", push_by_status_kernel, lab->over_all(), k, share);
		if (!bottom_up && lab->strategy.direction != kTopDown) {
			const Level next = lab->level(depth + 1);
			LAB_LAUNCH(lab, "count_frontier_kernel", count_frontier_kernel, lab->over_all(), next, lab->hub_degree);
		}
		if (const int code = lab->end_level(0, bottom_up)) return code;
		found = lab->seen->queued[0];
		bottom_up = bottom_up || lab->turns_bottom_up();
	}
	return cudaSuccess;
}

} // namespace g500::lab
