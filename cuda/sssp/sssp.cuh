// SPDX-License-Identifier: Apache-2.0

// Shortest paths from one root: the kernel, one cooperative launch. Sources: delta-stepping (Meyer and Sanders, J.
// Algorithms 2003); pulling along heavy edges, and skipping useless edges (Chakaravarthy et al., IPDPS 2014).
//
// 1. Push along rows, which are sorted by weight, until all vertices in a window after the nearest landmark are final.
// 2. All other vertices pull, class by class, until no path can be shorter.
// 3. Vertices whose path may still become shorter pull again.
// 4. Vertices that have changed in the last sweep push, until nothing changes.
// 5. Ties between parents; vertices in trees.
//
// Proof that it ends for any weights: no loop depends on a sum that rounding may leave unchanged. The window is opened
// once, and the number of sweeps is fixed. A push queues a vertex only if its distance falls, which can happen only
// finitely often: the word is an unsigned number. A further round of a push processes vertices that did not fit into
// the queue. It advances at least one edge along each shortest path, so there are at most as many rounds as vertices,
// which the emulator's tests check. A round of ties settles at least one vertex, or is the last. Every wait has a time
// limit (work_queue.cuh, barriers.cuh).
#pragma once

#include <new>

#include "sssp/pull.cuh"
#include "sssp/push.cuh"
#include "sssp/start.cuh"
#include "sssp/ties.cuh"

namespace g500::sssp {

// Finds the root path on one rank. With peers the root's owner finds it and sends it to the others.
template <typename Form>
__device__ inline void find_start(Context &k) {
	const State &s = k.state;
	const u32 n = k.ranks.count, root = (u32)k.root;
	const bool owns = root % n == k.ranks.rank;
	if (owns && is_first_thread()) find_root_path(k, root, *s.root_path);
	if constexpr (Form::kPeers) {
		__syncthreads();
		constexpr u32 kWords = sizeof(RootPath) / sizeof(u32);
		for (u32 i = threadIdx.x; owns && blockIdx.x == 0 && i < (n - 1) * kWords; i += kThreads) {
			const u32 word = i / (n - 1), to = rank_after(k.ranks, 1 + i % (n - 1));
			((u32 *)in_window_of(k.ranks, to, s.root_path))[word] = __ldcg((const u32 *)s.root_path + word);
		}
	}
	sum_at_barrier<Form>(k, nullptr);
}

// Clears the state and starts from the root. With peers only after all ranks have begun: before, the result of the last
// search reads root paths and distances.
template <typename Form>
__device__ __noinline__ inline void start(Context &k) {
	enter(k, G500_SSSP_START, 0, infinity());
	if constexpr (Form::kPeers) rank_barrier(k, Published{});
	clear(k);
	find_start<Form>(k);
	start_on_root_path(k);
}

// Searches from the root of doorbell ring number `ring`, on one rank or with peers. With these a rank relaxes the edges
// of its own vertices; reached vertices of other ranks enter their owners' queues directly. For pulls every rank has
// copies of the distances.
template <typename Form>
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
	start<Form>(k);
	push_all<Form>(k, G500_SSSP_PUSH);
	if constexpr (Form::kPeers) send_reached(k);
	if (k.at.nearest < infinity()) { // else all reachable vertices have been pushed
		pull_beyond<Form>(k);
		push_all<Form>(k, G500_SSSP_PUSH_REST); // sends changes to the peers
	}
	settle_ties<Form>(k);
	record(k, G500_SSSP_TIES);
	if constexpr (!Form::kPeers) reach_trees(k);
	if constexpr (!Form::kPeers) record(k, G500_SSSP_TREES);
	if (!is_first_thread()) return;
	state.epochs->arrivals = k.at.arrivals;
	state.epochs->barriers = k.at.barriers;
	state.epochs->rounds = k.at.rounds + 2; // the next search has other stamps
	state.trace[G500_SSSP_RESULT].nanoseconds = k.at.began;
}

} // namespace g500::sssp
