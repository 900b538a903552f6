// SPDX-License-Identifier: Apache-2.0

// What a rank does with the gathered reports of all ranks (far.cuh): it sums them for the host, and takes the vertices
// that they list.
#pragma once

#include "search/bfs.cuh"

namespace g500 {

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
	fence_system();
	*(volatile u64 *)far.look = look;
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
