// Shortest paths from one root: the kernel, one cooperative launch. Ideas: delta-stepping (Meyer and Sanders,
// J. Algorithms 2003), pulling along heavy edges and leaving out edges that cannot help (Chakaravarthy et al., IPDPS
// 2014).
//
//  1. Push along rows, which rise by weight, until all vertices within a window of the nearest landmark are settled.
//  2. All others pull, class by class, and stop where no path can be shorter.
//  3. Those whose path may still become shorter pull again.
//  4. What has changed then is pushed on, until nothing changes.
//  5. Ties between parents; vertices in trees.
//
// Proof that it ends, whatever the weights: no loop depends on a sum that rounding may leave as it was. The window is
// opened once, and sweeps are counted. A push queues a vertex only when its distance falls, which it can do only so
// often: the word is an unsigned number. A further round of a push takes what found no room in the queue: it goes one
// edge farther at least along each shortest path, so that there are no more rounds than vertices, which the emulator's
// tests hold it to. A round of ties settles one vertex, or is the last. Waiting ends in any case (work_queue.cuh,
// grid.cuh).
#pragma once

#include <new>

#include "sssp/pull.cuh"
#include "sssp/push.cuh"
#include "sssp/start.cuh"
#include "sssp/ties.cuh"

namespace g500::sssp {

// Clears the state, and starts from the root, on one rank.
__device__ __noinline__ inline void start(Context &k) {
	enter(k, G500_SSSP_START, 0, infinity());
	clear(k);
	if (is_first_thread()) find_root_path(k.graph, k.graph.local_ids[k.root], *k.state.root_path);
	grid_barrier(k);
	start_on_root_path(k);
}

// The search begins when the doorbell rings for that number.
__global__ void __launch_bounds__(kThreads, kBlocks)
search_kernel(const __grid_constant__ Graph graph, const __grid_constant__ State state,
              const __grid_constant__ Ranks ranks, const __grid_constant__ Policy policy, u32 ring) {
	G500_SHARED_MEMORY(memory);
	Context &k = *reinterpret_cast<Context *>(memory);
	if (threadIdx.x == 0) {
		new (&k) Context(graph, state, ranks, policy);
		k.root = await_ring(state.doorbell, ring);
	}
	__syncthreads();
	if (k.root == kNoRoot) return;
	start(k);
	push_all<false>(k, G500_SSSP_PUSH);
	if (k.at.nearest < infinity()) { // else all that can be reached has been pushed
		pull_beyond(k);
		push_all<false>(k, G500_SSSP_PUSH_REST);
	}
	settle_ties(k);
	record(k, G500_SSSP_TIES);
	reach_trees(k);
	record(k, G500_SSSP_TREES);
	if (!is_first_thread()) return;
	state.epochs->arrivals = k.at.arrivals;
	state.epochs->rounds = k.at.rounds + 2; // no stamp of this search is one of the next
	state.trace[G500_SSSP_RESULT].nanoseconds = k.at.began;
}

} // namespace g500::sssp
