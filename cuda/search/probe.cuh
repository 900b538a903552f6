// SPDX-License-Identifier: Apache-2.0

// The search for a visited neighbour in a vertex's row, which becomes its parent.
#pragma once

#include "search/context.cuh"
#include "search/visit.cuh"

namespace g500 {

// Sweep is the input and output of a bottom-up level.
struct Sweep {
	const u32 *old;    // the newest bitmap of all ranks
	const u32 *mine;   // this rank's part of it
	u32 *now;          // output: the new bits of that part
	u32 *first_parent; // State.first_parent
	u32 *missed;       // the warp's list
	bool starts;       // the first sweep of a search
	bool lists;        // lists all vertices that it does not find
};

template <typename Form>
__device__ inline Sweep sweep_of(const Context<Form> &k) {
	const State &s = k.state;
	u32 *missed = missed_list(k.graph, s);
	const bool lists = lists_remaining(k.at.step);
	return {k.visited(), k.own_part(k.visited()), k.swept_part(), s.first_parent, missed, !k.at.swept, lists};
}

// Returns the label of a parent, a global id.
template <typename Form>
__device__ inline typename Form::Id label_of_parent(const Context<Form> &k, typename Form::Id parent, u32 child) {
	if constexpr (Form::kMany) return label_at(k.ranks, parent, child);
	else return __ldg(k.graph.labels + parent);
}

// Records v as found with a parent, a global id. Other threads of the warp may write the same word.
template <typename Form>
__device__ inline void adopt(const Context<Form> &k, u32 *now, u32 v, typename Form::Id parent) {
	set(now, v);
	store_parent<Form>(k.state, v, label_of_parent(k, parent, v));
}

// AllNeighbours and Hubs select the neighbours among which a parent is searched, by their ids' words. A row begins with
// the selected ones.
struct AllNeighbours {
	__device__ bool has(u32 word) const { return word != kNone; }
};
struct Hubs {
	u32 limit, mask; // of local ids: hubs are below the limit

	__device__ bool has(u32 word) const { return word != kNone && (word & mask) < limit; }
};

constexpr u64 kLongRow = 128;

// Returns a visited vertex of one row, or none. All lanes of the warp search the row.
template <typename Neighbours, typename Among>
__device__ inline auto probe_long_row(Neighbours cols, const u32 *old, u64 at, u64 end, Among among) {
	using Id = decltype(load_global_id(cols));
	const u32 lane = lane_of_thread();
	for (; at < end; at += 64) {
		const Id a = at + lane < end ? load_global_id(cols + (at + lane)) : kNoId<Id>;
		const Id b = at + 32 + lane < end ? load_global_id(cols + (at + 32 + lane)) : kNoId<Id>;
		const bool has_a = at + lane < end && among.has(load_word(cols + (at + lane)));
		const bool has_b = at + 32 + lane < end && among.has(load_word(cols + (at + 32 + lane)));
		const u32 hit_a = __ballot_sync(~0u, has_a && test(old, a));
		const u32 hit_b = __ballot_sync(~0u, has_b && test(old, b));
		if (hit_a) return __shfl_sync(~0u, a, __ffs(hit_a) - 1);
		if (hit_b) return __shfl_sync(~0u, b, __ffs(hit_b) - 1);
		if (!__shfl_sync(~0u, has_b, 31)) break;
	}
	return kNoId<Id>;
}

// Returns a visited vertex of [begin, end) in the array of neighbours, or none; each lane has its own range. A thread
// searches a short range in batches of eight, to hide latency. All lanes search each range of kLongRow and more. Both
// stop at the first hit.
template <typename Neighbours, typename Among>
__device__ inline auto probe_row(Neighbours cols, const u32 *old, u64 begin, u64 end, Among among) {
	using Id = decltype(load_global_id(cols));
	constexpr u32 kAtOnce = 8;
	const u32 lane = lane_of_thread();
	Id parent = kNoId<Id>;
	for (u32 rows = __ballot_sync(~0u, end - begin >= kLongRow); rows; rows &= rows - 1) {
		const int owner = __ffs(rows) - 1;
		const Id hit = probe_long_row(cols, old, __shfl_sync(~0u, begin, owner), __shfl_sync(~0u, end, owner), among);
		if (lane == owner) parent = hit;
	}
	if (end - begin < kLongRow)
		for (u64 at = begin; at < end; at += kAtOnce) {
			Id c[kAtOnce];
			u32 word[kAtOnce];
#pragma unroll
			for (u32 i = 0; i < kAtOnce; i++) {
				c[i] = at + i < end ? load_global_id(cols + (at + i)) : kNoId<Id>;
				word[i] = at + i < end ? load_word(cols + (at + i)) : kNone;
			}
#pragma unroll
			for (u32 i = 0; i < kAtOnce; i++)
				if (is_none(parent) && among.has(word[i]) && test(old, c[i])) parent = c[i];
			if (!is_none(parent) || !among.has(word[kAtOnce - 1])) break;
		}
	return parent;
}

} // namespace g500
