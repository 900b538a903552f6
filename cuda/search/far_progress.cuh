// SPDX-License-Identifier: Apache-2.0

// How the kernels of a search between ranks that are not peers (far.cuh) begin, end and report, and what they do with
// the reports of all ranks.
#pragma once

#include <new>

#include "search/bfs.cuh"
#include "search/kernels.cuh"

namespace g500 {

// Begins a kernel: returns a context in the block's shared memory, which continues the rank's progress.
template <typename Form>
__device__ Context<Form> &enter(const FarArguments &a) {
	G500_SHARED_MEMORY(memory);
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
		if (blockIdx.x == 0) *k.counters(k.at.level + 2) = {}; // which no kernel of this level needs
	}
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

// Reports the pairs of a round, from counters by rank, null if there are none, the other claimed or found vertices, and
// how many of them are listed. By the rank's last block.
template <typename Form>
__device__ void report_round(Context<Form> &k, const ull *sent, u64 found, u64 edges, u64 listed) {
	const Ranks &ranks = k.ranks;
	const Far &far = k.state.far;
	FarBlock &block = *far.block(ranks.rank);
	u64 pairs = 0;
	u32 longest = 0;
	if (threadIdx.x >= kLanes) return;
	for (u32 r = threadIdx.x; r < ranks.count; r += kLanes) {
		const u32 n = sent ? (u32)read_now(sent + r) : 0;
		if (far.most_entries > 0) block.pairs()[r] = n;
		if (sent && r != ranks.rank) send_buffer(ranks, r, k.at.rounds)[-1] = n;
		pairs += n, longest = max(longest, n);
	}
	pairs = warp_sum(pairs), longest = warp_max(longest);
	if (threadIdx.x != 0) return;
	const Counters *c = k.counters(k.at.level);
	const u64 unsent = sent ? read_now(sent + ranks.count) : 0;
	block.sums[kFarFrontier] = read_now(&c->queued);
	block.sums[kFarEdges] = k.at.queued_edges;
	block.sums[kFarClaims] = found + pairs + unsent;
	block.sums[kFarEstimate] = edges;
	block.sums[kFarOpenHubs] = 0;
	block.sums[kFarSent] = pairs;
	block.sums[kFarUnsent] = unsent;
	block.sums[kFarLongest] = longest;
	block.sums[kFarQueued] = found;
	block.sums[kFarListed] = listed;
	block.sums[kFarRoot] = root_in_report(k);
	block.sums[kFarEnds] = ends(k);
}

// Reports a sweep, behind this rank's part of the new bitmap or, with queries, its hubs. By the rank's last block.
template <typename Form>
__device__ void report_sweep(Context<Form> &k) {
	if (threadIdx.x != 0) return;
	const Counters *c = k.counters(k.at.level), *next = k.counters(k.at.level + 1);
	const Far &far = k.state.far;
	unsigned char *part = far.queries ? far.parts + k.ranks.rank * far.part_bytes : (unsigned char *)k.state.next_part;
	FarBlock &block = *(FarBlock *)(part + far.bits_bytes());
	block = {};
	block.sums[kFarFrontier] = read_now(&c->queued);
	block.sums[kFarClaims] = read_now(&next->found);
	block.sums[kFarOpenHubs] = read_now(&next->open_hubs);
	block.sums[kFarEnds] = ends(k);
	far.rank->remaining = (u32)read_now(&next->remaining);
}

// Finds the numbers of received pairs, or of sent ones, of the ranks up to and including each.
template <typename Form>
__device__ void count_received(Context<Form> &k, bool sent = false) {
	const Ranks &ranks = k.ranks;
	for (u32 r = threadIdx.x; r < ranks.count; r += kThreads) {
		const u64 *const pairs = sent ? send_buffer(ranks, r, k.at.rounds) : receive_buffer(ranks, r, k.at.rounds);
		k.bins.upto[r] = r == ranks.rank ? 0 : (u32)pairs[-1];
	}
	add_up_received(k);
}

// What a rank does with the gathered reports of all ranks (far.cuh): it sums them for the host, and takes the vertices
// that they list.

// Writes the sums of all ranks' reports for the host. The report of rank r is at `first` + r x stride. If `exact` is
// not null, it has the numbers of claimed vertices and of their edges, without duplicates. By one block.
__device__ inline void tell_host(const Ranks &ranks, const Far &far, const unsigned char *first, u64 stride, u32 look,
                                 const Counters *exact) {
	const auto report = [&](u32 r) -> const FarBlock & { return *(const FarBlock *)(first + r * stride); };
	const bool has_pairs = first == far.blocks && far.most_entries > 0;
	volatile u64 *const sums = far.look_sums(), *const pairs = far.look_pairs();
	if (threadIdx.x < kFarSums) {
		u64 sum = 0;
		for (u32 r = 0; r < ranks.count; r++) {
			const u64 one = report(r).sums[threadIdx.x];
			sum = threadIdx.x >= kFarMaxima ? max(sum, one) : sum + one;
		}
		if (exact && threadIdx.x == kFarClaims) sum = read_now(&exact->reported);
		if (exact && threadIdx.x == kFarEstimate) sum = read_now(&exact->estimate);
		sums[threadIdx.x] = sum;
	}
	for (u32 r = threadIdx.x; has_pairs && r < ranks.count; r += kThreads) {
		pairs[r] = report(ranks.rank).pairs()[r];
		pairs[ranks.count + r] = report(r).pairs()[ranks.rank];
	}
	fence_system();
	__syncthreads();
	if (threadIdx.x != 0) return;
	((volatile u64 *)far.look)[1] = read_now(&far.rank->busy);
	complete(far.look, look);
}

// Returns whether the gathered reports list all claimed or found vertices. Called by all threads of a block.
template <typename Form>
__device__ bool all_are_listed(Context<Form> &k) {
	by_one_thread([&] { k.all_listed = true; });
	for (u32 r = threadIdx.x; r < k.ranks.count; r += kThreads) {
		const FarBlock &block = *k.state.far.block(r);
		if (block.sums[kFarListed] > k.state.far.most_entries || block.sums[kFarUnsent] > 0) k.all_listed = false;
	}
	__syncthreads();
	return k.all_listed;
}

// Claims the vertices that other ranks list, of all ranks, and queues this rank's own. Counts the new ones.
template <typename Form>
__device__ __noinline__ void take_claims(Context<Form> &k, u32 from) {
	const Ranks &ranks = k.ranks;
	using Id = typename Form::Id;
	const Far &far = k.state.far;
	const FarEntry<Id> *entries = far.entries<Id>(from);
	Counters *c = k.counters(k.at.level), *next = k.counters(k.at.level + 1);
	const u64 n = k.state.far.block(from)->sums[kFarListed];
	u64 fresh = 0, sixteenths = 0;
	for (u64 i0 = blockIdx.x * kThreads; i0 < n; i0 += gridDim.x * kThreads) {
		const u64 i = i0 + threadIdx.x;
		const FarEntry<Id> entry = i < n ? entries[i] : FarEntry<Id>{kNoId<Id>, kNone};
		const u32 bit = 1u << bit_of(entry.vertex), local_id = local_id_in(ranks, entry.vertex);
		const bool won = i < n && !(atomicOr(k.visited() + word_of(entry.vertex), bit) & bit);
		const bool own = won && rank_of_id(ranks, entry.vertex) == ranks.rank;
		const u64 place = append_by_warp<u64>(__ballot_sync(~0u, own), &next->queued);
		if (own) {
			k.next_queue()[place] = local_id;
			store_parent<Form>(k.state, local_id, label_from<typename Form::Label>(entry.label, from));
		}
		if (!won) continue;
		fresh++;
		sixteenths += __ldg(ranks.degrees + degree_class(local_id));
	}
	add_up(fresh, &c->reported);
	add_up(sixteenths, &c->estimate);
}

// Takes the vertices listed in all reports: claimed ones, or in a bottom-up level found ones.
template <typename Form>
__device__ void take_listed(Context<Form> &k) {
	const Ranks &ranks = k.ranks;
	using Id = typename Form::Id;
	const Far &far = k.state.far;
	for (u32 r = 0; r < ranks.count; r++) {
		const FarBlock &block = *far.block(r);
		if (is_bottom_up(k.at.step)) {
			const u64 n = block.sums[kFarListed];
			for (u64 i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads)
				set(k.visited(), far.entries<Id>(r)[i].vertex);
			continue;
		}
		if (is_first_thread() && block.sums[kFarRoot]) set(k.visited(), (Id)(block.sums[kFarRoot] - 1));
		if (r != ranks.rank) take_claims(k, r);
	}
}

} // namespace g500
