// Exchange of the bitmap with remote ranks, through shared memory, by messages, or both.
#pragma once

#include "common/barriers.cuh"
#include "search/trace.cuh"

namespace g500 {

// Returns whether a list of this length has space for all words with bits of this rank's part.
template <typename Form>
__device__ bool lists_visited(const Context<Form> &k, u32 words) {
	return !k.at.swept && k.at.reached <= words;
}

// Writes this rank's part of the bitmap for remote ranks. Messages get its first groups, or a list of the words with
// bits in them, for which the list has space. The shared-memory window gets all groups with bits, unless grouped is
// null.
template <typename Form>
__device__ __noinline__ void write_visited(const Context<Form> &k, PostedAs as, u32 first_groups, ull *listed,
                                           ull *grouped) {
	const Ranks &ranks = k.ranks;
	const uint4 *part = (const uint4 *)k.own_part(k.visited());
	const u32 groups = k.graph.padded / kGroup;
	for (u32 i0 = blockIdx.x * kThreads; i0 < groups; i0 += gridDim.x * kThreads) {
		const u32 i = i0 + threadIdx.x;
		const uint4 none = make_uint4(0, 0, 0, 0), words = i < groups ? __ldcg(part + i) : none;
		if (ranks.readers && grouped) list_group(ranks, k.at.barriers + 1, any_set(words), i, words, grouped);
		if (!ranks.messages.ranks) continue;
		if (as == PostedAs::kList) list_changed(ranks.messages, i, i < first_groups ? words : none, none, listed);
		else if (i < first_groups) ((uint4 *)ranks.messages.replicated)[i] = words;
	}
}

template <typename Form>
__device__ inline Posted post_visited(const Context<Form> &k, PostedAs as, u32 first_groups, ull *listed,
                                      ull *grouped) {
	write_visited(k, as, first_groups, listed, grouped);
	return {as, first_groups * kWordsOfGroup, as == PostedAs::kList ? listed : nullptr};
}

// Writes the words that a sweep of the block has changed: to the shared-memory window, and the replicated groups for
// messages. Host memory still has the words of the level before, so only the first sweep writes all of them.
template <typename Form>
__device__ __noinline__ void write_swept(const Context<Form> &k, ull *listed, ull *grouped) {
	constexpr u32 kTurns = kThreads / kBlockGroups; // as in for_swept_groups, but the lanes of a warp stay together
	const Ranks &ranks = k.ranks;
	const uint4 *old = (const uint4 *)k.own_part(k.visited()), *made = (const uint4 *)k.state.next_part;
	const uint4 none = make_uint4(0, 0, 0, 0);
	const u32 groups = k.graph.padded / kGroup, replicated = ranks.messages.replicated_words / kWordsOfGroup;
	for (u32 t0 = 0; ((u64)t0 * gridDim.x + blockIdx.x) * kBlockGroups < groups; t0 += kTurns) {
		const u64 turn = (u64)(t0 + threadIdx.x / kBlockGroups) * gridDim.x + blockIdx.x;
		const u64 group = turn * kBlockGroups + threadIdx.x % kBlockGroups;
		const bool inside = group < groups;
		const uint4 now = inside ? __ldcg(made + group) : none, had = inside ? __ldcg(old + group) : none;
		const bool same = is_same(now, had);
		if (ranks.readers) list_group(ranks, k.at.barriers + 1, !same, (u32)group, now, grouped);
		if (!ranks.messages.ranks) continue;
		const bool is_replicated = group < replicated;
		if (is_replicated && (!k.at.swept || !same)) ((uint4 *)ranks.messages.replicated)[group] = now;
		list_changed(ranks.messages, (u32)group, is_replicated ? now : had, had, listed);
	}
}

template <typename Form>
__device__ inline Posted post_swept(const Context<Form> &k, ull *listed, ull *grouped) {
	write_swept(k, listed, grouped);
	return {PostedAs::kListOrReplicated, k.ranks.messages.replicated_words, listed};
}

// Stores the words of remote ranks, after the barrier that published them.
template <typename Form>
__device__ void take_remote(Context<Form> &k) {
	if (!k.ranks.some_remote || k.at.failed) return;
	const u64 began = now_ns();
	if (k.ranks.readers) take_groups(k.ranks, k.at.barriers, k.state.visited);
	if (k.ranks.messages.ranks) take_words(k.ranks, k.state.visited, k.published.first);
	grid_barrier(k);
	count_exchange(k, began);
}

// Clears the parts of remote ranks in a bitmap.
__device__ __noinline__ inline void clear_remote(const Ranks &ranks, u32 *bitmap) {
	for (u32 r = 0; r < ranks.count; r++) {
		if (!is_remote(ranks, r)) continue;
		uint4 *part = (uint4 *)bitmap + ((u64)r << ranks.shift) / kGroup;
		for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < ranks.groups; i += gridDim.x * kThreads)
			part[i] = make_uint4(0, 0, 0, 0);
	}
}

} // namespace g500
