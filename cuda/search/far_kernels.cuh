// SPDX-License-Identifier: Apache-2.0

// The kernels of a search between ranks that are not peers (far.cuh). They call the same functions as the kernel of
// peers (bfs.cuh), from one exchange between ranks to the next.
#pragma once

#include "search/far_ghosts.cuh"
#include "search/far_hubs.cuh"
#include "search/far_progress.cuh"
#include "search/far_queries.cuh"
#include "search/kernels.cuh"
#include "search/pull_remaining.cuh"

namespace g500 {

// The level after all hubs are visited, in a search between ranks that are not peers (far.cuh). Every rank knows which
// vertices of all ranks have a hub as first neighbour: those that are not visited yet are found, without an exchange of
// bits. The other vertices (hub_arrays.cuh) search for a parent as remaining vertices do, in this level and later.

// Counts this rank's unvisited vertices with a hub as first neighbour, and lists the block's share of the other
// unvisited vertices. Reads two bits per vertex, and 8 B and a bit for each other vertex.
template <typename Form>
__device__ __noinline__ void list_others(Context<Form> &k) {
	const HubNeighbours &hubs = k.state.hubs;
	const u32 *visited = k.own_part(k.visited());
	const u32 each = (hubs.count + gridDim.x - 1) / gridDim.x;
	const u32 begin = min(blockIdx.x * each, hubs.count), end = min(begin + each, hubs.count);
	const u32 open = close_gaps(k.pull, k.at.remaining, end - begin, [&](u32 i) {
		const u32 v = __ldcs(&hubs.others[begin + i].x);
		return test(visited, v) ? kNone : v;
	});
	by_one_thread([&] { k.at.remaining_count = open; });
	u32 found = 0;
	for_swept_groups(k.graph, [&](u64 group) {
		found += bits_in(without(((const uint4 *)hubs.bits)[group], ((const uint4 *)visited)[group]));
	});
	add_up(found, &k.counters(k.at.level + 1)->found);
}

// Sets the bits of all ranks' vertices with a hub as first neighbour or, with queries, of this rank's; and of this
// rank's those found from it.
template <typename Form>
__device__ __noinline__ void set_hub_neighbours(Context<Form> &k) {
	const Ranks &ranks = k.ranks;
	const Far &far = k.state.far;
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	for (u32 r = 0; r < ranks.count; r++) {
		if (far.queries && r != ranks.rank) continue;
		const void *bits = far.queries ? (const void *)k.state.hubs.bits : far.hub_neighbours + r * far.part_bytes;
		const uint4 *from = (const uint4 *)bits;
		uint4 *to = (uint4 *)k.visited() + r * ranks.part / kGroup, *first = (uint4 *)k.state.first_parent;
		for (u32 i = thread; i < (far.queries ? k.graph.padded / kGroup : ranks.groups); i += threads) {
			const uint4 now = to[i], more = from[i];
			to[i] = with(now, more);
			if (r == ranks.rank && i < k.graph.padded / kGroup) first[i] = with(first[i], without(more, now));
		}
	}
}

// Lists of the vertices that the last push has reached, in place of complete parts of the bitmap, in a search between
// ranks that are not peers (far.cuh). They suffice if all ranks have had all bits before that push.

// Copies this rank's part of the frontier, as local ids, to its place in Far.parts. Behind the list is its length.
template <typename Form>
__global__ void __launch_bounds__(kThreads) far_list_kernel(const __grid_constant__ FarArguments a) {
	const State &s = a.state;
	const u32 *queue = s.queue[s.far.rank->queue ^ 1], n = (u32)s.counters[a.task.at.level % kRing].queued;
	u32 *list = (u32 *)(s.far.parts + a.ranks.rank * a.task.list_bytes);
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) list[i] = queue[i];
	if (blockIdx.x == 0 && threadIdx.x == 0) list[a.task.list_bytes / sizeof(u32) - 1] = n;
}

// Sets the bits of the vertices that other ranks list.
template <typename Form>
__global__ void __launch_bounds__(kThreads) far_place_list_kernel(const __grid_constant__ FarArguments a) {
	const Ranks &ranks = a.ranks;
	for (u32 r = 0; r < ranks.count; r++) {
		const u32 *list = (const u32 *)(a.state.far.parts + r * a.task.list_bytes);
		const u32 n = r == ranks.rank ? 0 : list[a.task.list_bytes / sizeof(u32) - 1];
		u32 *part = a.state.visited[0] + r * ranks.part / 32;
		for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) set(part, list[i]);
	}
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
		const u64 listed = k.at.reports ? read_now(&c->reported) : kNotListed;
		report_round(k, sent, read_now(queued), read_now(&c->estimate), listed);
	});
}

// Begins the search from the root of doorbell ring number `ring`, and pushes the root's edges.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks)
	far_begin_kernel(const __grid_constant__ FarArguments a, u32 ring) {
	Context<Form> &k = enter<Form>(a);
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
			k.at.root = global_id_of(k, (typename Form::Label)k.root);
			number_root(k);
		});
	} else if (k.at.queued <= kSmallQueue) {
		number_queue<false>(k);
	}
}

// A top-down level, or another round of it.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_push_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	if (a.task.again) number_again(k);
	else take_frontier(k, a.task.lists);
	push_round(k, a.task.again ? a.state.far.chunks[blockIdx.x] : first_chunk());
}

// Takes the vertices that the gathered reports list, if these are all, and sends the host the sums.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_take_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	const bool takes = all_are_listed(k);
	if (takes) take_listed(k);
	leave(k, [&] {
		const Far &far = a.state.far;
		const Counters *exact = takes && k.at.step == kPush ? k.counters(k.at.level) : nullptr;
		tell_host(k.ranks, far, far.blocks, far.block_bytes, a.task.look, exact);
	});
}

// Claims the vertices of received pairs.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_take_pairs_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
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

// A sweep.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_sweep_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	find_parents(k);
	if (lists_remaining(k.at.step)) {
		list_remaining(k);
		append_remaining(k);
	}
	leave(k, [&] { report_sweep(k); });
}

// Stores the gathered parts of all ranks in the bitmap, or their hubs. After a sweep it sends the host the sums, and
// keeps this rank's old part in the other bitmap.
template <typename Form>
__global__ void __launch_bounds__(kThreads) far_place_kernel(const __grid_constant__ FarArguments a) {
	const Ranks &ranks = a.ranks;
	const Far &far = a.state.far;
	const bool swept = a.task.look > 0;
	if (swept && blockIdx.x == 0)
		tell_host(ranks, far, far.parts + far.bits_bytes(), far.part_bytes, a.task.look, nullptr);
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	for (u32 r = 0; r < ranks.count; r++) {
		const bool own = swept && r == ranks.rank; // complete, also if ranks gather only bits of hubs
		const u64 part = r * ranks.part / kGroup;
		const void *bits = own ? (const void *)a.state.next_part : far.parts + r * far.gathered_bytes(a.task);
		const uint4 *from = (const uint4 *)bits;
		uint4 *to = (uint4 *)a.state.visited[0] + part, *before = (uint4 *)a.state.visited[1] + part;
		for (u32 i = thread; i < (own ? ranks.groups : a.task.groups(far.groups)); i += threads) {
			if (own) before[i] = to[i];
			to[i] = from[i];
		}
	}
}

// The level that neighbours of hubs need not search in.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_decide_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	list_others(k);
	const u32 n = search_remaining(k, nullptr);
	by_one_thread([&] { k.at.remaining_count = n; });
	append_remaining(k);
	grid_barrier(k); // all blocks have searched in the old bitmap
	if (!k.at.failed) set_hub_neighbours(k);
	leave(k, [&] {
		const Counters *next = k.counters(k.at.level + 1);
		const u64 searched = read_now(&next->queued);
		report_round(k, nullptr, searched + read_now(&next->found), 0, searched);
		if (threadIdx.x == 0) k.state.far.rank->remaining = (u32)read_now(&next->remaining);
	});
}

// A level for remaining vertices.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_remaining_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	const Counters *next = k.counters(k.at.level + 1);
	by_one_thread([&] {
		const u32 all = k.state.far.rank->remaining, each = (all + gridDim.x - 1) / gridDim.x;
		const u32 begin = min(blockIdx.x * each, all);
		k.at.remaining = k.next_queue() + begin;
		k.at.remaining_count = min(each, all - begin);
	});
	const u32 n = search_remaining(k, nullptr);
	for (u32 i = n + threadIdx.x; i < k.at.remaining_count; i += kThreads) k.at.remaining[i] = kNone;
	leave(k, [&] {
		const u64 found = read_now(&next->queued);
		report_round(k, nullptr, found, read_now(&next->queued_edges), found);
	});
}

// Sets this rank's found vertices in the bitmap.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_take_found_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	set_queued(k, (u32)read_now(&k.counters(k.at.level + 1)->queued));
	leave(k, [] {});
}

// Prepares the result, after the last level.
template <typename Form>
__global__ void __launch_bounds__(kThreads, kBlocks) far_finish_kernel(const __grid_constant__ FarArguments a) {
	Context<Form> &k = enter<Form>(a);
	if (is_first_thread()) {
		*k.state.level_ended = now_ns();
		*k.state.trace_length = 0;
	}
	lay_out_reached(k.graph, k.state, k.own_part(k.visited()), k.at.swept);
	start_result(k, false);
}

template <typename Form>
constexpr FarLaunch far_launch() {
	FarLaunch all{far_begin_kernel<Form>, Context<Form>::bytes};
#define G500_ROW(name, has_bins, how) \
	all.name = {far_##name##_kernel<Form>, "far_" #name "_kernel", has_bins, Launch::how};
	G500_FAR_KERNELS(G500_ROW)
	if constexpr (!Form::kIds64) {
		G500_FAR_KERNELS_32(G500_ROW)
	}
#undef G500_ROW
	return all;
}

} // namespace g500
