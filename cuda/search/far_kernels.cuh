// The kernels of a search between ranks that are not peers (far.cuh). They call the same functions as the kernel of
// peers (bfs.cuh), from one exchange between ranks to the next.
#pragma once

#include <new>

#include "search/bfs.cuh"
#include "search/decide.cuh"
#include "search/kernels.cuh"
#include "search/take_report.cuh"

namespace g500 {

// Begins a kernel: returns a context in the block's shared memory, which continues the rank's progress.
template <typename Form>
__device__ Context<Form> &enter(unsigned char *memory, const FarArguments &a) {
	Context<Form> &k = *reinterpret_cast<Context<Form> *>(memory);
	if (threadIdx.x == 0) {
		const State &s = a.state;
		const FarTask &task = a.task;
		const FarRank &rank = *s.far.rank;
		new (&k) Context<Form>(a.graph, s, a.ranks, a.policy);
		k.root = task.root;
		k.at = Progress{};
		static_cast<Shared &>(k.at) = task.at;
		k.at.blocks = gridDim.x;
		k.at.place = blockIdx.x;
		k.at.remaining = missed_lists(k.graph, s);
		k.at.arrivals = *(volatile u32 *)&s.epochs->arrivals;
		k.at.rounds = task.round;
		k.at.reports = task.reports;
		k.at.queue = rank.queue, k.at.queued = rank.queued, k.at.queued_edges = rank.queued_edges;
		k.at.offsets = s.offsets;
		k.clock.begin(now_ns());
	}
	__syncthreads();
	for (u32 r = threadIdx.x; r < k.ranks.count; r += kThreads) k.bins.count[r] = 0;
	__syncthreads();
	return k;
}

// Ends a kernel: the rank's last block calls report(), with all its threads, after all blocks have ended their work,
// and stores the progress.
template <typename Form, typename Report>
__device__ void leave(Context<Form> &k, Report report) {
	by_one_thread([&] {
		k.at.arrivals += k.at.blocks;
		k.publishes = arrive(*k.ranks.barrier) == k.at.arrivals;
	});
	if (!k.publishes) return;
	report();
	__syncthreads();
	if (threadIdx.x != 0) return;
	FarRank &rank = *k.state.far.rank;
	rank.busy += now_ns() - k.clock.level; // all blocks start at about the same time
	rank.queue = k.at.queue, rank.queued = k.at.queued, rank.queued_edges = k.at.queued_edges;
	k.state.epochs->arrivals = k.at.arrivals;
}

// Returns FarBlock.sums[kFarEnds].
template <typename Form>
__device__ u64 ends(const Context<Form> &k) {
	return k.at.failed || has_failed(*k.ranks.barrier) ? kGaveUp : heed_host(k.ranks);
}

// Returns FarBlock.sums[kFarRoot].
template <typename Form>
__device__ u64 root_in_report(const Context<Form> &k) {
	const auto root = (typename Form::Id)k.at.root;
	return k.at.level > 0 || is_none(root) || k.graph.is_leaf(root) ? 0 : (u64)root + 1;
}

// Reports the pairs of a round, from counters by rank, the claimed or found vertices, and how many of them are listed.
// By the rank's last block.
template <typename Form>
__device__ void report_round(Context<Form> &k, const ull *sent, u64 found, u64 edges, u64 listed) {
	const Ranks &ranks = k.ranks;
	FarBlock &block = *k.state.far.block(ranks.rank);
	for (u32 r = threadIdx.x; r < ranks.count; r += kThreads) block.pairs()[r] = (u32)read_now(sent + r);
	if (threadIdx.x != 0) return;
	const Counters *c = k.counters(k.at.level);
	u64 pairs = 0, longest = 0;
	for (u32 r = 0; r < ranks.count; r++) {
		const u64 n = read_now(sent + r);
		pairs += n, longest = max(longest, n);
	}
	block.sums[kFarFrontier] = read_now(&c->queued);
	block.sums[kFarEdges] = k.at.queued_edges;
	block.sums[kFarClaims] = found;
	block.sums[kFarEstimate] = edges;
	block.sums[kFarOpenHubs] = 0;
	block.sums[kFarSent] = pairs;
	block.sums[kFarUnsent] = read_now(sent + ranks.count);
	block.sums[kFarLongest] = longest;
	block.sums[kFarListed] = listed;
	block.sums[kFarRoot] = root_in_report(k);
	block.sums[kFarEnds] = ends(k);
}

// Pushes the numbered queue's edges, from a chunk on, until they are processed or a buffer of pairs is full, and
// reports.
template <typename Form>
__device__ __noinline__ void push_round(Context<Form> &k, u64 chunk) {
	Counters *c = k.counters(k.at.level);
	const ull *queued = &k.counters(k.at.level + 1)->queued;
	ull *sent = open_round(k);
	if (!k.at.failed) chunk = push_edges(k, chunk, sent, &c->estimate);
	if (threadIdx.x == 0) k.state.far.chunks[blockIdx.x] = chunk;
	leave(k, [&] {
		u64 claims = read_now(queued);
		for (u32 r = 0; r <= k.ranks.count; r++) claims += read_now(sent + r);
		report_round(k, sent, claims, read_now(&c->estimate), k.at.reports ? read_now(&c->reported) : kNotListed);
	});
}

// Begins the search from the root of doorbell ring number `ring`, and pushes the root's edges.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks)
	far_begin_kernel(const __grid_constant__ FarArguments a, u32 ring) {
	G500_SHARED_MEMORY(memory);
	Context<Form> &k = enter<Form>(memory, a);
	by_one_thread([&] { k.root = await_ring(a.state.doorbell, ring); });
	if (k.root == kNoRoot) return;
	start(k);
	if (is_first_thread()) a.state.far.rank->busy = 0;
	by_one_thread([&] {
		k.at.rounds = a.task.round;
		k.at.reports = true;
		k.at.queued = (u32)read_now(&k.counters(0)->queued);
	});
	push_round(k, first_chunk());
}

// Prepares the frontier of a new level: the queue that the last level has filled, or what the last sweep has found.
template <typename Form>
__device__ __noinline__ void take_frontier(Context<Form> &k, bool lists) {
	ull *queued = &k.counters(k.at.level)->queued;
	by_one_thread([&] { k.at.queue ^= 1; });
	if (is_first_thread()) *k.counters(k.at.level + 2) = {};
	if (lists) {
		u32 *visited = k.own_part(k.visited()), *before = k.own_part(k.other_visited());
		list_frontier(k.push.advance, k.graph.padded / 32, visited, before, k.queue(), queued);
		grid_barrier(k);
	}
	by_one_thread([&] { k.at.queued = (u32)read_now(queued); });
	if (!k.at.failed) number_queue<false>(k);
}

// Finds the numbers of the frontier's edges again, for another round of the level.
template <typename Form>
__device__ __noinline__ void number_again(Context<Form> &k) {
	if (k.at.level == 0) {
		by_one_thread([&] {
			k.at.root = global_id_of(k, (typename Form::Id)k.root);
			number_root(k);
		});
	} else if (k.at.queued <= kSmallQueue) {
		number_queue<false>(k);
	}
}

// A top-down level, or another round of it.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_push_kernel(const __grid_constant__ FarArguments a) {
	G500_SHARED_MEMORY(memory);
	Context<Form> &k = enter<Form>(memory, a);
	if (a.task.again) number_again(k);
	else take_frontier(k, a.task.lists);
	push_round(k, a.task.again ? a.state.far.chunks[blockIdx.x] : first_chunk());
}

// Takes the vertices that the gathered reports list, if these are all, and sends the host the sums.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_take_kernel(const __grid_constant__ FarArguments a) {
	G500_SHARED_MEMORY(memory);
	Context<Form> &k = enter<Form>(memory, a);
	const bool takes = all_are_listed(k);
	if (takes) take_listed(k);
	leave(k, [&] {
		const Far &far = a.state.far;
		const Counters *exact = takes && k.at.step == kPush ? k.counters(k.at.level) : nullptr;
		tell_host(k.ranks, far, far.blocks, far.block_bytes, a.task.look, exact);
	});
}

// Finds the numbers of received pairs of the ranks up to and including each, from the gathered reports.
template <typename Form>
__device__ void count_received(Context<Form> &k) {
	by_one_thread([&] {
		u32 upto = 0;
		for (u32 r = 0; r < k.ranks.count; r++)
			k.bins.upto[r] = upto += r == k.ranks.rank ? 0 : k.state.far.block(r)->pairs()[k.ranks.rank];
	});
}

// Claims the vertices of received pairs.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_take_pairs_kernel(const __grid_constant__ FarArguments a) {
	G500_SHARED_MEMORY(memory);
	Context<Form> &k = enter<Form>(memory, a);
	count_received(k);
	take_pairs(k);
	leave(k, [] {});
}

// Appends the block's remaining vertices to the rank's list.
template <typename Form>
__device__ __noinline__ void append_remaining(Context<Form> &k) {
	u32 *list = k.next_queue();
	by_one_thread([&] {
		k.pull.base = atomicAdd(&k.counters(k.at.level + 1)->remaining, (ull)k.at.remaining_count);
	});
	for (u32 i = threadIdx.x; i < k.at.remaining_count; i += kThreads) list[k.pull.base + i] = k.at.remaining[i];
}

// A sweep. Its report is behind this rank's part of the new bitmap.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_sweep_kernel(const __grid_constant__ FarArguments a) {
	G500_SHARED_MEMORY(memory);
	Context<Form> &k = enter<Form>(memory, a);
	if (is_first_thread()) *k.counters(k.at.level + 2) = {};
	find_parents(k);
	if (lists_remaining(k.at.step)) {
		list_remaining(k);
		append_remaining(k);
	}
	leave(k, [&] {
		if (threadIdx.x != 0) return;
		const Counters *c = k.counters(k.at.level), *next = k.counters(k.at.level + 1);
		FarBlock &block = *(FarBlock *)((unsigned char *)k.state.next_part + k.state.far.bits_bytes());
		block = {};
		block.sums[kFarFrontier] = read_now(&c->queued);
		block.sums[kFarClaims] = read_now(&next->found);
		block.sums[kFarOpenHubs] = read_now(&next->open_hubs);
		block.sums[kFarEnds] = ends(k);
		k.state.far.rank->remaining = (u32)read_now(&next->remaining);
	});
}

// Stores the gathered parts of all ranks in the bitmap. After a sweep it sends the host the sums, and keeps this rank's
// old part in the other bitmap.
template <typename Form>
__global__ void __launch_bounds__(kThreads) far_place_kernel(const __grid_constant__ FarArguments a) {
	const Ranks &ranks = a.ranks;
	const Far &far = a.state.far;
	const bool swept = a.task.look > 0;
	if (swept && blockIdx.x == 0)
		tell_host(ranks, far, far.parts + far.bits_bytes(), far.part_bytes, a.task.look, nullptr);
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	for (u32 r = 0; r < ranks.count; r++) {
		const u64 part = ((u64)r << ranks.shift) / kGroup;
		const uint4 *from = (const uint4 *)(far.parts + r * far.part_bytes);
		uint4 *to = (uint4 *)a.state.visited[0] + part, *before = (uint4 *)a.state.visited[1] + part;
		for (u32 i = thread; i < ranks.groups; i += threads) {
			if (swept && r == ranks.rank) before[i] = to[i];
			to[i] = from[i];
		}
	}
}

// The level that neighbours of hubs need not search in.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_decide_kernel(const __grid_constant__ FarArguments a) {
	G500_SHARED_MEMORY(memory);
	Context<Form> &k = enter<Form>(memory, a);
	if (is_first_thread()) *k.counters(k.at.level + 2) = {};
	list_others(k);
	ull *sent = open_round(k);
	const u32 n = search_remaining(k, sent);
	by_one_thread([&] { k.at.remaining_count = n; });
	append_remaining(k);
	grid_barrier(k); // all blocks have searched in the old bitmap
	if (!k.at.failed) set_hub_neighbours(k);
	leave(k, [&] {
		const Counters *next = k.counters(k.at.level + 1);
		const u64 searched = read_now(&next->queued);
		report_round(k, sent, searched + read_now(&next->found), 0, searched);
		if (threadIdx.x == 0) k.state.far.rank->remaining = (u32)read_now(&next->remaining);
	});
}

// A level for remaining vertices.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_remaining_kernel(const __grid_constant__ FarArguments a) {
	G500_SHARED_MEMORY(memory);
	Context<Form> &k = enter<Form>(memory, a);
	if (is_first_thread()) *k.counters(k.at.level + 2) = {};
	const Counters *next = k.counters(k.at.level + 1);
	by_one_thread([&] {
		const u32 all = k.state.far.rank->remaining, each = (all + gridDim.x - 1) / gridDim.x;
		const u32 begin = min(blockIdx.x * each, all);
		k.at.remaining = k.next_queue() + begin;
		k.at.remaining_count = min(each, all - begin);
	});
	ull *sent = open_round(k);
	const u32 n = search_remaining(k, sent);
	for (u32 i = n + threadIdx.x; i < k.at.remaining_count; i += kThreads) k.at.remaining[i] = kNone;
	leave(k, [&] {
		const u64 found = read_now(&next->queued);
		report_round(k, sent, found, read_now(&next->queued_edges), found);
	});
}

// Sets the found vertices of all ranks in the bitmap.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_take_found_kernel(const __grid_constant__ FarArguments a) {
	G500_SHARED_MEMORY(memory);
	Context<Form> &k = enter<Form>(memory, a);
	count_received(k);
	take_found(k, (u32)read_now(&k.counters(k.at.level + 1)->queued));
	leave(k, [] {});
}

// Prepares the result, after the last level.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_finish_kernel(const __grid_constant__ FarArguments a) {
	G500_SHARED_MEMORY(memory);
	Context<Form> &k = enter<Form>(memory, a);
	if (is_first_thread()) {
		*k.state.level_ended = now_ns();
		*k.state.trace_length = 0;
	}
	lay_out_reached(k.graph, k.state, k.own_part(k.visited()), k.at.swept);
	start_result(k, false);
}

template <typename Form>
constexpr FarLaunch far_launch() {
	return {far_begin_kernel<Form>,      far_push_kernel<Form>,       far_take_kernel<Form>,
	        far_take_pairs_kernel<Form>, far_sweep_kernel<Form>,      far_place_kernel<Form>,
	        far_decide_kernel<Form>,     far_remaining_kernel<Form>,  far_take_found_kernel<Form>,
	        far_finish_kernel<Form>,     Context<Form>::bytes};
}

} // namespace g500
