// Kernel 3 on several ranks that are not peers: each performs one task at a time, and the caller exchanges messages and
// arrays in between. A rank pushes its own vertices over its own edges until nothing changes, then sends reached
// vertices to their owners (delta-stepping with owners: Chakaravarthy et al., IPDPS 2014). For pulls and parents every
// rank gets the distances of all vertices.
#include <new>

#include "common/launch.cuh"
#include "kernel1/bins.cuh"
#include "sssp/kernels.cuh"
#include "sssp/messages.cuh"
#include "sssp/pull.cuh"
#include "sssp/search.cuh"
#include "sssp/start.cuh"
#include "sssp/ties.cuh"

using namespace g500;

namespace g500::sssp {

namespace {

// Received is messages of other ranks, received by the host.
struct Received {
	const g500_sssp_task &task;

	__device__ u64 count() const { return task.messages; }
	__device__ uint4 at(u64 i) const { return __ldcs((const uint4 *)(task.d_messages + i)); }
};

// Stores messages in the frontier, which is empty.
__device__ void take_received(Context &k, const g500_sssp_task &task, const Reach &reach, int step) {
	take(k, Received{task}, reach, k.at.rounds);
	record(k, step);
}

// The next push starts with an empty frontier.
__device__ void pull_first(Context &k, u32 number) {
	if (is_first_thread() && number == 0) *k.counters(k.at.rounds) = {0, kInfinite, 0, 0};
	pull_class<false>(k, number);
	grid_barrier(k);
	record(k, G500_SSSP_PULL);
}

__device__ void pull_further(Context &k, bool last) {
	pull_again<false>(k, last);
	record(k, G500_SSSP_PULL_AGAIN);
}

__device__ void perform(Context &k, const g500_sssp_task &task) {
	const Reach window{k.at.nearest, k.threshold()}, rest{0, task.farthest};
	ull *const tied = k.state.totals->still_tied;
	switch (task.kind) {
	case G500_SSSP_DO_BEGIN:
		by_one_thread([&] { k.at.rounds += 2; }); // the last search has other stamps
		clear(k);
		grid_barrier(k);
		return start_on_root_path(k);
	case G500_SSSP_DO_PUSH: return push_all<false>(k, G500_SSSP_PUSH);
	case G500_SSSP_DO_PUSH_REST: return push_all<false>(k, G500_SSSP_PUSH_REST);
	case G500_SSSP_DO_TAKE: return take_received(k, task, window, G500_SSSP_PUSH);
	case G500_SSSP_DO_TAKE_REST: return take_received(k, task, rest, G500_SSSP_PUSH_REST);
	case G500_SSSP_DO_PULL: return pull_first(k, task.number);
	case G500_SSSP_DO_PULL_AGAIN: return pull_further(k, false);
	case G500_SSSP_DO_PULL_LAST: return pull_further(k, true);
	case G500_SSSP_DO_FIND_PARENTS: find_parents<false>(k, tied); break;
	case G500_SSSP_DO_LAY_OUT_PARENTS:
		if (is_first_thread()) *tied = 0;
		lay_out_parents(k);
		break;
	case G500_SSSP_DO_SETTLE_TIES: settle_tied<false>(k, tied); break;
	}
	record(k, G500_SSSP_TIES);
}

// Returns the step of the trace that a task belongs to.
__device__ int step_of(int task) {
	switch (task) {
	case G500_SSSP_DO_BEGIN: return G500_SSSP_START;
	case G500_SSSP_DO_PUSH:
	case G500_SSSP_DO_TAKE: return G500_SSSP_PUSH;
	case G500_SSSP_DO_PUSH_REST:
	case G500_SSSP_DO_TAKE_REST: return G500_SSSP_PUSH_REST;
	case G500_SSSP_DO_PULL: return G500_SSSP_PULL;
	case G500_SSSP_DO_PULL_AGAIN:
	case G500_SSSP_DO_PULL_LAST: return G500_SSSP_PULL_AGAIN;
	}
	return G500_SSSP_TIES;
}

// Stores the rank's progress for the host after all blocks have finished.
__device__ void leave(Context &k, const g500_sssp_task &task) {
	grid_barrier(k);
	if (!is_first_thread()) return;
	const State &s = k.state;
	const RoundCounters *round = k.counters(k.at.rounds);
	const u32 queued = task.kind == G500_SSSP_DO_BEGIN ? k.at.queued : (u32)read_now(&round->queued);
	const u32 remote = (u32)read_now(&s.totals->remote), tied = (u32)read_now(s.totals->still_tied);
	const float nearest = fminf(k.at.nearest, __uint_as_float(*(volatile const u32 *)&round->nearest));
	const float farthest = __uint_as_float(*(volatile u32 *)&s.totals->farthest);
	*s.progress = {queued, remote, tied, nearest, farthest};
	s.epochs->arrivals = k.at.arrivals;
	s.epochs->rounds = k.at.rounds;
	s.epochs->ended = now_ns();
	s.trace[G500_SSSP_RESULT].nanoseconds = s.epochs->ended; // in case the result is next
}

__global__ void __launch_bounds__(kThreads, kBlocks)
task_kernel(const __grid_constant__ Graph graph, const __grid_constant__ State state,
            const __grid_constant__ Ranks ranks, const __grid_constant__ Policy policy,
            const __grid_constant__ g500_sssp_task task) {
	G500_SHARED_MEMORY(memory);
	Context &k = *reinterpret_cast<Context *>(memory);
	if (threadIdx.x == 0) new (&k) Context(graph, state, ranks, policy);
	__syncthreads();
	enter(k, step_of(task.kind), task.queued, task.nearest);
	by_one_thread([&] {
		k.at.exchange = task.number;
		k.at.farthest = task.farthest;
	});
	if (is_first_thread() && task.kind != G500_SSSP_DO_BEGIN)
		state.trace[step_of(task.kind)].exchange += k.at.began - state.epochs->ended;
	perform(k, task);
	leave(k, task);
}

// Finds the path from a root of this rank, given by its number among the owned labels. One thread.
__global__ void
find_root_path_kernel(const __grid_constant__ Graph graph, const __grid_constant__ State state, u32 number) {
	const u32 local_id = graph.local_ids[number];
	find_root_path(graph, local_id == kNone ? kNone : graph.base + local_id, *state.root_path);
}

// ReachedRemote makes a message of each vertex in the list of other ranks' vertices.
struct ReachedRemote {
	static constexpr int kMost = 1;
	using Message = WeightedMessage;
	struct Item {
		u32 global_id, parent; // kNone: nothing to send
		float distance;
	};
	const Graph g;
	const State s;
	const Policy policy;
	u64 count;

	__device__ Item load(u64 i) const {
		const u32 v = i < count ? s.remote[i] : kNone;
		if (v == kNone) return {kNone, kNone, 0};
		const u32 word = s.distance[v];
		return {v, pusher_of(g, s, policy, v, word), distance_in(word)};
	}
	template <class Send>
	__device__ void each(const Item &reached, Send send) const {
		if (reached.global_id == kNone) return;
		send(0, reached.global_id >> g.shift, g.local_id(reached.global_id), reached.parent, reached.distance);
	}
};

} // namespace

const void *task_kernel_address() { return (const void *)task_kernel; }

} // namespace g500::sssp

int g500_sssp::find_root_path(u32 root, g500_sssp_root_path *found, cudaStream_t stream) {
	const Launch one_thread{1, 1, stream};
	G500_LAUNCH_BY("find_root_path_kernel",
	               launch(sssp::find_root_path_kernel, one_thread, graph, state, root / ranks.count));
	return read_back(found, state.root_path, sizeof *found, stream);
}

int g500_sssp::perform(const g500_sssp_task &task, const g500_sssp_root_path *given, g500_sssp_progress *after,
                       cudaStream_t stream) {
	if (given) G500_TRY(cudaMemcpyAsync(state.root_path, given, sizeof *given, cudaMemcpyHostToDevice, stream));
	const Launch full_grid{blocks, kThreads, stream, sssp::Context::bytes(ranks.count)};
	G500_LAUNCH_BY("sssp_task_kernel",
	               launch_cooperative(sssp::task_kernel, full_grid, graph, state, ranks, policy, task));
	G500_TRY(read_back(after, state.progress, sizeof *after, stream));
	return control->stall.why == G500_GOES_ON ? (int)cudaSuccess : G500_GIVEN_UP;
}

extern "C" float g500_sssp_heaviest(const g500_sssp *search) { return search->graph.heaviest; }

extern "C" int g500_sssp_connect(g500_sssp *search, const g500_sssp_ranks *ranks, void *stream) {
	return search->connect(*ranks, (cudaStream_t)stream);
}

extern "C" int g500_sssp_derive_detours(g500_sssp *search, void *stream) {
	return search->derive_detours((cudaStream_t)stream);
}

extern "C" int g500_sssp_find_root_path(g500_sssp *search, uint32_t root, g500_sssp_root_path *path, void *stream) {
	return search->find_root_path(root, path, (cudaStream_t)stream);
}

extern "C" int g500_sssp_perform(g500_sssp *search, const g500_sssp_task *task, const g500_sssp_root_path *root_path,
                                 g500_sssp_progress *after, void *stream) {
	return search->soundness.begin([&] { return search->perform(*task, root_path, after, (cudaStream_t)stream); });
}

extern "C" uint32_t g500_sssp_classes(const g500_sssp *search) { return search->policy.classes; }

extern "C" void g500_sssp_class(const g500_sssp *search, uint32_t number, uint32_t *begin, uint32_t *end) {
	const sssp::ClassRange of = sssp::class_range(search->graph.non_tree, search->policy.classes, number);
	*begin = of.begin;
	*end = (of.end + 3) & ~3u;
}

extern "C" int g500_sssp_bin_reached(g500_sssp *search, g500_bins *bins, uint32_t remote,
                                     g500_weighted_message *d_messages, uint64_t *counts) {
	const sssp::ReachedRemote reached = {search->graph, search->state, search->policy, remote};
	G500_TRY(cudaMemsetAsync(&search->state.totals->remote, 0, sizeof(ull), bins->stream));
	return fill(bins, reached, d_messages, counts);
}

extern "C" int g500_sssp_finish(g500_sssp *search, uint32_t root, void *stream) {
	return search->finish(root, (cudaStream_t)stream);
}
