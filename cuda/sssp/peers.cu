// Kernel 3 on several peers: a complete search in one cooperative launch per rank, with the steps of one rank
// (sssp.cuh). In a push a rank relaxes the edges of its own vertices; reached vertices of other ranks enter their
// owners' queues directly. For pulls and the search for parents every rank has the distances of all vertices: a rank
// also writes what it pulls into its peers' memory.
#include <new>

#include "common/launch.cuh"
#include "sssp/pull.cuh"
#include "sssp/push.cuh"
#include "sssp/search.cuh"
#include "sssp/start.cuh"
#include "sssp/ties.cuh"

using namespace g500;

namespace g500::sssp {

namespace {

// The owner of the root finds the root path and sends it to its peers, after a barrier: none of them reads the last
// one.
__device__ __noinline__ void share_root_path(Context &k) {
	const State &s = k.state;
	const u32 n = k.ranks.count, root = (u32)k.root;
	const bool owns = root % n == k.ranks.rank;
	if (owns && is_first_thread()) {
		const u32 local_id = k.graph.local_ids[root / n];
		find_root_path(k.graph, local_id == kNone ? kNone : k.graph.base + local_id, *s.root_path);
	}
	rank_barrier(k, Published{});
	if (owns && blockIdx.x == 0)
		for (u32 i = threadIdx.x; i < (n - 1) * (u32)(sizeof(RootPath) / sizeof(u32)); i += kThreads) {
			const u32 word = i / (n - 1), to = rank_after(k.ranks, 1 + i % (n - 1));
			((u32 *)in_window_of(k.ranks, to, s.root_path))[word] = __ldcg((const u32 *)s.root_path + word);
		}
	rank_barrier(k, Published{});
}

// The first sweep. The next push starts with an empty frontier.
__device__ __noinline__ void pull_among(Context &k) {
	if (is_first_thread()) reset_round(k, k.at.rounds);
	begin_step(k, G500_SSSP_PULL);
	for (u32 i = 0; i < k.policy.classes && !k.at.failed; i++) {
		pull_class<PeerRanks>(k, i);
		rank_barrier(k, Published{});
	}
	record(k, G500_SSSP_PULL);
}

// The further sweeps. The last one fills the frontier.
__device__ __noinline__ void pull_again_among(Context &k) {
	for (u32 i = 1; i < k.policy.sweeps && !k.at.failed; i++) {
		pull_again<PeerRanks>(k, false);
		rank_barrier(k, Published{});
	}
	pull_again<PeerRanks>(k, true);
	Published published{};
	published.of[kVertices] = &k.counters(k.at.rounds)->queued;
	agree(k, published);
	by_one_thread([&] {
		k.at.queued = (u32)read_now(published.of[kVertices]);
		k.at.all_queued = k.sums.of[kVertices];
	});
	record(k, G500_SSSP_PULL_AGAIN);
}

// Finds parents of the tied vertices of all ranks.
__device__ __noinline__ void settle_ties_among(Context &k) {
	settle_listed<PeerRanks>(k, [&](ull *tied) {
		Published published{};
		published.of[kVertices] = tied;
		rank_barrier(k, published);
		return k.sums.of[kVertices];
	});
	record(k, G500_SSSP_TIES);
}

__global__ void __launch_bounds__(kThreads, kBlocks)
peer_kernel(const __grid_constant__ Graph graph, const __grid_constant__ State state,
            const __grid_constant__ Ranks ranks, const __grid_constant__ Policy policy, u32 ring) {
	G500_SHARED_MEMORY(memory);
	Context &k = *reinterpret_cast<Context *>(memory);
	if (threadIdx.x == 0) {
		new (&k) Context(graph, state, ranks, policy);
		k.root = await_ring(state.doorbell, ring);
	}
	__syncthreads();
	if (k.root == kNoRoot) return;
	enter(k, G500_SSSP_START, 0, infinity());
	clear(k);
	share_root_path(k);
	start_on_root_path(k);
	push_all<PeerRanks>(k, G500_SSSP_PUSH);
	send_reached(k);
	if (k.at.nearest < infinity()) { // else all reachable vertices have been pushed
		pull_among(k);
		pull_again_among(k);
		push_all<PeerRanks>(k, G500_SSSP_PUSH_REST); // sends changes to the peers
	}
	settle_ties_among(k);
	if (!is_first_thread()) return;
	state.epochs->arrivals = k.at.arrivals;
	state.epochs->barriers = k.at.barriers;
	state.epochs->rounds = k.at.rounds + 2; // the next search has other stamps
	state.trace[G500_SSSP_RESULT].nanoseconds = k.at.began;
}

} // namespace

SearchKernel peer_kernel_address() { return peer_kernel; }

} // namespace g500::sssp
