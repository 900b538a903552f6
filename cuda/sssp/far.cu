// SPDX-License-Identifier: Apache-2.0

// The kernels of searches between ranks that are not peers (far.cuh).
#include <new>

#include "common/launch.cuh"
#include "sssp/near_rows.cuh"
#include "sssp/pull.cuh"
#include "sssp/search.cuh"
#include "sssp/start.cuh"

using namespace g500;

namespace g500::sssp {

namespace {

// FarContext is a block's view of the search, in shared memory.
struct FarContext {
	u64 sums[kPathSums]; // of all reports
	Context k;           // the last member, because memory for ranks follows
};

// Adds up the reports of all ranks. Called by all threads of a block.
__device__ void add_up_reports(const Ranks &ranks, const Far &far, u64 bytes, u64 *sums) {
	if (threadIdx.x < kPathSums) {
		u64 sum = 0;
		for (u32 r = 0; r < ranks.count; r++) {
			const u64 one = far.report(r, bytes).sums[threadIdx.x];
			sum = threadIdx.x >= kPathMaxima ? max(sum, one) : sum + one;
		}
		sums[threadIdx.x] = sum;
	}
	__syncthreads();
}

// Sends the host the sums. Called by all threads of one block.
__device__ void tell_host(const Far &far, const u64 *sums, u32 look) {
	volatile u64 *const sums_to = far.look_sums();
	if (threadIdx.x < kPathSums) sums_to[threadIdx.x] = sums[threadIdx.x];
	fence_system();
	__syncthreads();
	if (threadIdx.x == 0) complete(far.look, look);
}

// Returns the words that a rank has listed.
__device__ inline const uint2 *listed_by(const Far &far, const FarTask &task, u32 rank) {
	if (task.news.kind == kReported) return far.words(rank, task.bytes);
	return (const uint2 *)((const unsigned char *)far.received + rank * task.news.stride);
}

// Stores what the last exchange has brought from other ranks.
__device__ __noinline__ void take_news(Context &k, const Far &far, const FarTask &task) {
	const News &news = task.news;
	const Graph &g = k.graph;
	const u32 threads = gridDim.x * kThreads, first = blockIdx.x * kThreads + threadIdx.x;
	for (u32 r = 0; r < k.ranks.count; r++) {
		u32 *const part = k.state.distance + ((u64)r << g.shift);
		if (r == k.ranks.rank) continue;
		if (news.kind != kWords) {
			const uint2 *const list = listed_by(far, task, r);
			const u64 n = far.report(r, task.bytes).sums[kUnpublished];
			for (u64 i = first; i < n; i += threads) {
				const uint2 word = __ldcs(list + i);
				if (task.kind == kSettleTies) k.state.stamp[(r << g.shift) + word.x] = k.at.exchange;
				else if (task.kind == kFindParents) atomicMin(part + word.x, word.y); // listed more than once
				else part[word.x] = word.y;
			}
			continue;
		}
		uint4 *const to = (uint4 *)(part + news.begin);
		const uint4 *const from = far.received + r * (news.stride / sizeof(uint4));
		for (u32 i = first; i < (news.end - news.begin) / 4; i += threads) to[i] = __ldcs(from + i);
	}
	grid_barrier(k);
}

// Copies the listed words into this rank's report, if they fit.
__device__ __noinline__ void report_words(Context &k, const Far &far, u64 space) {
	grid_barrier(k);
	const u64 n = read_now(far.list.count);
	if (n > space) return;
	uint2 *const to = far.words(k.ranks.rank, far.bytes_with_words(space));
	for (u64 i = thread_number<kThreads>(); i < n; i += gridDim.x * kThreads) to[i] = __ldcg(far.list.at + i);
}

// Lists the words of this rank's vertices that a push has reached.
__device__ __noinline__ void list_reached(Context &k) {
	for_own_words(k, [&](u32 local_id, u32 word) { append_words(k.state.list, word != kInfinite, local_id, word); });
}

// Puts the listed vertices of all ranks that are within the window into the frontier.
__device__ __noinline__ void take_seeds(Context &k, const Far &far, const FarTask &task) {
	RoundCounters *const round = k.counters(k.at.rounds);
	const u32 threads = gridDim.x * kThreads, first = blockIdx.x * kThreads + threadIdx.x;
	for (u32 r = 0; r < k.ranks.count; r++) {
		const uint2 *const list = listed_by(far, task, r);
		const u64 n = far.report(r, task.bytes).sums[kUnpublished];
		for (u64 i = first; i < (n + 31) / 32 * 32; i += threads) {
			const uint2 word = i < n ? __ldcs(list + i) : make_uint2(0, kInfinite);
			const float distance = distance_in(word.y);
			const bool is_within = !(distance < k.at.nearest) && distance < k.threshold();
			enqueue(is_within ? (r << k.graph.shift) + word.x : kNone, k.frontier(k.at.rounds), &round->queued);
		}
	}
	grid_barrier(k);
}

__device__ void begin_search(Context &k, const Far &far, u32 root) {
	by_one_thread([&] { k.at.rounds += 2; }); // the last search has other stamps
	clear(k);
	if (is_first_thread() && root % k.ranks.count == k.ranks.rank)
		find_root_path(k, root, far.report(k.ranks.rank, far.report_bytes(far.listed)).root_path);
	grid_barrier(k);
}

// Starts on the root path, which its owner has reported.
__device__ __noinline__ void start_on_reported_path(Context &k, const Far &far, const FarTask &task) {
	constexpr u32 kWords = sizeof(RootPath) / sizeof(u32);
	const u32 *const path = (const u32 *)&far.report(task.root % k.ranks.count, task.bytes).root_path;
	for (u32 i = threadIdx.x; blockIdx.x == 0 && i < kWords; i += kThreads) ((u32 *)k.state.root_path)[i] = path[i];
	grid_barrier(k);
	start_on_root_path(k);
}

// Puts the vertices that other ranks have offered into the frontier.
__device__ void take_offers(FarContext &c, const Far &far, const FarTask &task) {
	Context &k = c.k;
	const bool rest = task.kind == kPushRest;
	const Reach reach = rest ? Reach{0, k.at.farthest} : Reach{k.at.nearest, k.threshold()};
	if (c.sums[kListed] > 0) take(k, ListedOffers{k, far, task.bytes, c.sums[kListed]}, reach, k.at.rounds);
	if (task.received) take(k, ReceivedOffers{k, far, c.sums[kLongest]}, reach, k.at.rounds);
}

// Returns whether a task of a push comes after its last round.
__device__ bool ends_push(const FarContext &c, const FarTask &task) {
	return !task.starts && (task.number > 0 || c.sums[kOffered] == 0);
}

// Returns whether a task pushes complete rows: after the last round with light edges, if a landmark was reached.
__device__ bool pushes_rows(const FarContext &c, const Far &far, const FarTask &task) {
	if (task.kind != kPush || !far.light || task.number > 0 || !ends_push(c, task)) return false;
	return nearest_in(c.sums[kNearest]) != kInfinite;
}

// Returns the space for offers in the report that a task writes.
__device__ u64 space_for_offers(const FarContext &c, const Far &far, const FarTask &task) {
	if (pushes_rows(c, far, task)) return task.space;
	return far.listed_after(task.reads ? c.sums[kMost] : 0);
}

// Returns whether the report that a task writes has words, not offers: a push lists them at its end.
__device__ bool reports_words(const FarContext &c, const Far &far, const FarTask &task) {
	if (task.kind == kPush) return ends_push(c, task) && !pushes_rows(c, far, task);
	return task.kind == kPullAgain || task.kind == kFindParents || task.kind == kSettleTies;
}

// Returns the bytes of the report that a task writes.
__device__ u64 bytes_to_report(const FarContext &c, const Far &far, const FarTask &task) {
	if (reports_words(c, far, task)) return far.bytes_with_words(task.space);
	return far.report_bytes(space_for_offers(c, far, task));
}

// Lists the offers in this rank's report, or puts them into buffers.
__device__ void make_offers(FarContext &c, const Far &far, const FarTask &task) {
	Context &k = c.k;
	const u64 space = space_for_offers(c, far, task);
	const bool withdraws = task.kind == kPush && far.light && !pushes_rows(c, far, task);
	if (withdraws && read_now(&k.state.totals->remote) > space) withdraw_offers(k, far);
	const u32 offered = (u32)read_now(&k.state.totals->remote);
	if (offered > space) return send_offers(k, far, offered);
	Offer *const offers = far.offers(k.ranks.rank, far.report_bytes(space));
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < offered; i += gridDim.x * kThreads)
		offers[i] = offer_of(k, k.state.remote[i]);
}

// Pushes the vertices that were put into the frontier.
__device__ void push_frontier(Context &k, int step) {
	by_one_thread([&] {
		const RoundCounters *const round = k.counters(k.at.rounds);
		k.at.queued = (u32)read_now(&round->queued);
		k.at.nearest = fminf(k.at.nearest, __uint_as_float(*(const volatile u32 *)&round->nearest));
	});
	push_all<FarRanks>(k, step);
}

// A round of a push. If no rank has an offer, the push is over: complete rows are pushed, or the words that the push
// has reached are listed.
__device__ void push_or_list(FarContext &c, const Far &far, const FarTask &task) {
	Context &k = c.k;
	const bool rest = task.kind == kPushRest;
	if (!task.starts && c.sums[kOffered] > 0) take_offers(c, far, task);
	if (reports_words(c, far, task)) return list_reached(k);
	if (task.starts && !rest) start_on_reported_path(k, far, task);
	if (pushes_rows(c, far, task)) push_near_rows(k, far);
	else push_frontier(k, rest ? G500_SSSP_PUSH_REST : G500_SSSP_PUSH);
	make_offers(c, far, task);
}

// Pushes over the light edges of all ranks. All ranks do the same, so that none has an offer.
__device__ void push_light(FarContext &c, const Far &far, const FarTask &task) {
	Context &k = c.k;
	if (task.news.kind == kSeeds) take_offered_seeds(k, far, task.bytes, c.sums[kListed]);
	else take_seeds(k, far, task);
	push_frontier(k, G500_SSSP_PUSH);
}

// The first sweep over a class. The next push starts with an empty frontier.
__device__ void pull_first(Context &k, u32 number) {
	if (is_first_thread() && number == 0) *k.counters(k.at.rounds) = {0, kInfinite, 0, 0};
	pull_class<FarRanks>(k, number);
	grid_barrier(k);
}

// Returns the step of the trace that a task belongs to.
__device__ int step_of(int task) {
	switch (task) {
	case kBegin: return G500_SSSP_START;
	case kPush:
	case kPushLight: return G500_SSSP_PUSH;
	case kPushRest: return G500_SSSP_PUSH_REST;
	case kPull: return G500_SSSP_PULL;
	case kPullAgain:
	case kPullLast: return G500_SSSP_PULL_AGAIN;
	}
	return G500_SSSP_TIES;
}

__device__ void perform(FarContext &c, const Far &far, const FarTask &task) {
	Context &k = c.k;
	switch (task.kind) {
	case kBegin: return begin_search(k, far, task.root);
	case kPush:
	case kPushRest: return push_or_list(c, far, task);
	case kPushLight: return push_light(c, far, task);
	case kPull: return pull_first(k, task.number);
	case kPullAgain:
	case kPullLast: return pull_again<FarRanks>(k, task.kind == kPullLast);
	case kFindParents: find_far_parents(k); break;
	case kSettleTies: settle_tied<FarRanks>(k, k.state.totals->still_tied);
	}
	list_still_tied(k);
}

// Reports what a kernel has done, after all blocks have finished. By the first block.
__device__ __noinline__ void report(const FarContext &c, const Far &far, const FarTask &task) {
	const Context &k = c.k;
	const State &s = k.state;
	const u32 n = k.ranks.count;
	PathReport &own = far.report(k.ranks.rank, bytes_to_report(c, far, task));
	for (u32 r = threadIdx.x; r < n; r += kThreads) far.send[r * far.space].x = (u32)read_now(far.sent + r);
	if (threadIdx.x == 0) {
		u64 sent = 0, longest = 0;
		for (u32 r = 0; r < n; r++) sent += read_now(far.sent + r), longest = max(longest, (u64)read_now(far.sent + r));
		const u64 offered = read_now(&s.totals->remote);
		own.sums[kOffered] = offered;
		own.sums[kSent] = sent;
		own.sums[kChanged] = task.kind == kPullLast ? read_now(&k.counters(k.at.rounds)->queued) : 0;
		own.sums[kEnds] = heed_host(k.ranks) ? 1 : k.at.failed || has_failed(*k.ranks.barrier) ? kGaveUp : 0;
		own.sums[kListed] = sent > 0 ? 0 : offered;
		own.sums[kMost] = offered;
		own.sums[kLongest] = longest;
		own.sums[kUnpublished] = own.sums[kStillTied] = read_now(far.list.count);
		if (task.kind != kPushRest) *far.list.count = 0;
		own.sums[kNearest] = (u32)~__float_as_uint(k.at.nearest);
		own.sums[kFarthest] = *(volatile u32 *)&s.totals->farthest;
		s.totals->remote = 0;
	}
	__syncthreads();
	for (u32 r = threadIdx.x; r < n; r += kThreads) far.sent[r] = 0;
}

__device__ void leave(FarContext &c, const Far &far, const FarTask &task) {
	Context &k = c.k;
	grid_barrier(k);
	if (blockIdx.x != 0) return;
	report(c, far, task);
	if (threadIdx.x != 0) return;
	const State &s = k.state;
	*far.path = {k.at.nearest, k.at.farthest, k.at.exchange + 1};
	s.epochs->arrivals = k.at.arrivals;
	s.epochs->rounds = k.at.rounds;
	s.epochs->ended = now_ns();
	s.trace[G500_SSSP_RESULT].nanoseconds = s.epochs->ended; // in case the result is next
}

// Makes the block's context, with the numbers that all ranks have reported.
__device__ void enter_far(FarContext &c, const Far &far, const FarTask &task) {
	Context &k = c.k;
	const bool begins = task.kind == kBegin;
	enter(k, step_of(task.kind), 0, begins ? infinity() : *(const volatile float *)&far.path->nearest);
	if (task.reads) add_up_reports(k.ranks, far, task.bytes, c.sums);
	by_one_thread([&] {
		k.at.exchange = *(const volatile u32 *)&far.path->exchange | kFinal; // unlike all rounds, which are stamps, too
		k.at.farthest = begins ? 0 : *(const volatile float *)&far.path->farthest;
		if (!task.reads) return;
		k.at.nearest = fminf(k.at.nearest, __uint_as_float(nearest_in(c.sums[kNearest])));
		k.at.farthest = fmaxf(k.at.farthest, __uint_as_float((u32)c.sums[kFarthest]));
	});
}

// Returns whether a kernel has nothing to do. It was launched before the sums were known: while offers or words are on
// their way, after the last round of a push, or with no vertex tied.
__device__ bool is_needless(const FarContext &c, const FarTask &task) {
	if (task.kind == kSettleTies && task.reads && c.sums[kStillTied] == 0) return true;
	if (task.news.kind == kSeeds) return c.sums[kSent] > 0;
	if (task.news.kind == kReported) return c.sums[kUnpublished] > task.news.space;
	if (!task.reads || task.received) return false;
	return c.sums[kSent] > 0 || (task.kind == kPushRest && !task.starts && c.sums[kOffered] == 0);
}

// Performs a task. After the first push the words that it has reached are listed.
__global__ void __launch_bounds__(kThreads, kBlocks)
far_path_kernel(const __grid_constant__ Graph graph, const __grid_constant__ State state,
                const __grid_constant__ Ranks ranks, const __grid_constant__ Policy policy,
                const __grid_constant__ Far far, const __grid_constant__ FarTask task) {
	G500_SHARED_MEMORY(memory);
	FarContext &c = *reinterpret_cast<FarContext *>(memory);
	Context &k = c.k;
	if (threadIdx.x == 0) new (&k) Context(graph, state, ranks, policy);
	__syncthreads();
	enter_far(c, far, task);
	if (task.look && blockIdx.x == 0) tell_host(far, c.sums, task.look);
	if (is_needless(c, task)) return;
	if (is_first_thread() && task.kind != kBegin)
		state.trace[step_of(task.kind)].exchange += k.at.began - state.epochs->ended;
	if (task.news.kind > kSeeds) take_news(k, far, task);
	perform(c, far, task);
	if (reports_words(c, far, task)) report_words(k, far, task.space);
	record(k, step_of(task.kind));
	leave(c, far, task);
}

} // namespace

const void *far_path_kernel_address() { return (const void *)far_path_kernel; }

u64 far_path_shared(u32 ranks) { return sizeof(FarContext) - sizeof(Context) + Context::bytes(ranks); }

// Before a push over light edges only vertices nearer than the nearest landmark are pushed, as with an empty window;
// their complete rows follow.
int launch_far(const PathsMemory &of, const Far &far, const FarTask &task, cudaStream_t stream) {
	const Launch full_grid{of.blocks, kThreads, stream, far_path_shared(of.ranks.count), Launch::kCooperative,
	                       of.resident.view()};
	Graph graph = of.graph;
	State state = of.state;
	state.list = far.list;
	Policy policy = of.policy;
	if (far.light && task.kind == kPush) policy.window = 0, policy.rows_later = true;
	if (task.kind == kPushLight) {
		graph.light = far.light, graph.light_edges = far.light_edges, graph.heaviest = policy.window;
		state.frontiers = (u32 *)far.send, state.frontier_space = of.ranks.count * state.frontier_space;
	}
	return G500_START(far_path_kernel, full_grid, graph, state, of.ranks, policy, far, task);
}

} // namespace g500::sssp
