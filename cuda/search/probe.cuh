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

// AllNeighbours and Hubs load the neighbours among which a parent is searched, and none for others. A row begins with
// the loaded ones.
struct AllNeighbours {
	template <typename Four>
	__device__ auto four(const Four &four) const { return unpack(four); }
	template <typename Neighbours>
	__device__ auto load(const Neighbours &at) const { return load_global_id(at); }
};
struct Hubs {
	u32 limit, mask; // of local ids: hubs are below the limit

	template <typename Four>
	__device__ auto four(const Four &four) const {
		auto ids = unpack(four);
		const Words<u32> words = words_of(four);
#pragma unroll
		for (int t = 0; t < 4; t++) ids.of[t] = choose(words.of[t], ids.of[t]);
		return ids;
	}
	template <typename Neighbours>
	__device__ auto load(const Neighbours &at) const { return choose(load_word(at), load_global_id(at)); }

private:
	// Returns the id of a hub, or none. `word` is or has its local id.
	template <typename Id>
	__device__ Id choose(u32 word, Id id) const { return (word & mask) < limit ? id : kNoId<Id>; }
};

constexpr u64 kLongRow = 128;

// Returns a visited vertex of one row from place `at` on, or none. All lanes of the warp search the row.
template <typename Neighbours, typename Among>
__device__ inline auto probe_long_row(const Row<Neighbours> row, const u32 *old, u64 at, Among among) {
	using Id = decltype(among.load(row.cols));
	const u32 lane = lane_of_thread();
	for (const u64 end = row.n; at < end; at += 64) {
		const Id a = at + lane < end ? among.load(row.cols + (at + lane)) : kNoId<Id>;
		const Id b = at + 32 + lane < end ? among.load(row.cols + (at + 32 + lane)) : kNoId<Id>;
		const u32 hit_a = __ballot_sync(~0u, !is_none(a) && test(old, a));
		const u32 hit_b = __ballot_sync(~0u, !is_none(b) && test(old, b));
		if (hit_a) return __shfl_sync(~0u, a, __ffs(hit_a) - 1);
		if (hit_b) return __shfl_sync(~0u, b, __ffs(hit_b) - 1);
		if (is_none(__shfl_sync(~0u, b, 31))) break;
	}
	return kNoId<Id>;
}

// Loads the entries of a row at kPlainEntries places from `begin` on, those before `at` and beyond the end as none.
template <typename Neighbours, typename Among, typename Id>
__device__ inline void load_batch(const Row<Neighbours> &row, u64 begin, u64 at, Among among, Id (&c)[kPlainEntries]) {
#pragma unroll
	for (u32 i = 0; i < kPlainEntries; i++)
		c[i] = begin + i >= at && begin + i < row.n ? among.load(row.cols + (begin + i)) : kNoId<Id>;
}

// The same for a row that may be packed. A batch after its words is in one block, whose bits are searched once.
template <typename Ids, typename Among>
__device__ inline void load_batch(const Row<PackedNeighbours<Ids>> &row, u64 begin, u64 at, Among among,
                                  u32 (&c)[kPlainEntries]) {
	const u32 *const words = row.cols.words();
	if ((row.cols + begin).is_plain()) return load_batch(Row<const u32 *>{words, row.n}, begin, at, among, c);
	const PackedBlock block(words, begin - kPlainEntries);
	const u32 first = (begin - kPlainEntries) % kBlockEntries, skipped = first > 0 ? block.place(first) : 0;
	u64 bits = ((u64)block.high[1] << 32 | block.high[0]) >> skipped << skipped;
#pragma unroll
	for (u32 i = 0; i < kPlainEntries; i++, bits &= bits - 1) {
		const LoadedNeighbour loaded{row.cols.ids.id(block.entry(first + i, __ffsll(bits) - 1))};
		c[i] = begin + i < row.n ? among.load(loaded) : kNone;
	}
}

// Returns a visited vertex of a row from place `first` on, or none; each lane has its own vertex, or kNone. A thread
// searches a short row in batches of eight, to hide latency. All lanes search each row with kLongRow entries or more.
// Both stop at the first hit.
template <typename Form, typename Among>
__device__ inline typename Form::Id probe_row(const Graph &g, const u32 *old, u32 v, u32 first, Among among) {
	using Id = typename Form::Id;
	constexpr u32 kAtOnce = kPlainEntries;
	const u32 lane = lane_of_thread();
	const auto row = v != kNone ? row_of<Form>(g, v) : Row<typename Form::Neighbours>{};
	const bool is_long = row.n >= first + kLongRow;
	Id parent = kNoId<Id>;
	for (u32 rows = __ballot_sync(~0u, is_long); rows; rows &= rows - 1) {
		const int owner = __ffs(rows) - 1;
		const Id hit = probe_long_row(row_of<Form>(g, __shfl_sync(~0u, v, owner)), old, first, among);
		if (lane == owner) parent = hit;
	}
	if (is_long) return parent;
	for (u64 at = first; at < row.n;) {
		Id c[kAtOnce];
		const u64 end = end_of_batch(row.cols, at);
		load_batch(row, end - kAtOnce, at, among, c);
#pragma unroll
		for (u32 i = 0; i < kAtOnce; i++)
			if (is_none(parent) && !is_none(c[i]) && test(old, c[i])) parent = c[i];
		if (!is_none(parent) || is_none(c[kAtOnce - 1])) break;
		at = end;
	}
	return parent;
}

} // namespace g500
