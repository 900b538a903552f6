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
__device__ inline typename Form::Label label_of_parent(const Context<Form> &k, typename Form::Id parent, u32 child) {
	if constexpr (Form::kMany) return label_at<typename Form::Label>(k.ranks, parent, child);
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

// Returns an entry of a row, or none beyond its end.
template <typename Neighbours>
__device__ inline auto entry_at(const Row<Neighbours> &row, u64 place) {
	decltype(load_entry(row.cols)) entry;
	if (place < row.n) entry = load_entry(row.cols + place);
	return entry;
}

// Returns a visited vertex of one row from place `at` on, or none. All lanes of the warp search the row.
template <typename Neighbours, typename Among>
__device__ inline auto probe_long_row(const Row<Neighbours> row, const u32 *old, u64 at, Among among) {
	const u32 lane = lane_of_thread();
	for (; at < row.n; at += 64) {
		const auto a = entry_at(row, at + lane), b = entry_at(row, at + 32 + lane);
		const u32 hit_a = __ballot_sync(~0u, among.has(a.word) && test(old, a.id));
		const u32 hit_b = __ballot_sync(~0u, among.has(b.word) && test(old, b.id));
		if (hit_a) return __shfl_sync(~0u, a.id, __ffs(hit_a) - 1);
		if (hit_b) return __shfl_sync(~0u, b.id, __ffs(hit_b) - 1);
		if (!among.has(__shfl_sync(~0u, b.word, 31))) break;
	}
	return kNoId<decltype(load_global_id(row.cols))>;
}

// Loads a batch of entries of a plain row from place `at` on; none beyond its end. Returns whether there are any: this
// depends on all entries, so that the compiler loads all before the first test and not each before its own.
template <typename Neighbours, typename Id>
__device__ inline bool load_batch(const Row<Neighbours> &row, u64 at, Entry<Id> (&to)[kPlainEntries]) {
#pragma unroll
	for (u32 i = 0; i < kPlainEntries; i++) to[i] = entry_at(row, at + i);
	u32 all = kNone;
#pragma unroll
	for (u32 i = 0; i < kPlainEntries; i++) all &= to[i].word;
	return all != kNone;
}

// The same for a row that may be packed. A batch after its words is in one block, whose bits are searched once. A batch
// of words begins with the row's first one; it has none for those before `at`.
template <typename Ids>
__device__ inline bool load_batch(const Row<PackedNeighbours<Ids>> &row, u64 at, Entry<u32> (&to)[kPlainEntries]) {
	const u32 *const words = row.cols.words();
	const u64 begin = end_of_batch(row.cols, at) - kPlainEntries;
	if ((row.cols + begin).is_plain()) {
		load_batch(Row<const u32 *>{words, row.n}, begin, to);
#pragma unroll
		for (u32 i = 0; i < kPlainEntries; i++)
			if (begin + i < at) to[i] = {};
		return true;
	}
	const PackedBlock block(words, begin - kPlainEntries);
	const u32 first = (begin - kPlainEntries) % kBlockEntries, skipped = first > 0 ? block.place(first) : 0;
	u64 bits = ((u64)block.high[1] << 32 | block.high[0]) >> skipped << skipped;
#pragma unroll
	for (u32 i = 0; i < kPlainEntries; i++, bits &= bits - 1) {
		const u32 entry = block.entry(first + i, __ffsll(bits) - 1);
		to[i].id = to[i].word = begin + i < row.n ? row.cols.ids.id(entry) : kNone;
	}
	return true;
}

// Returns the row of a lane's vertex v to all lanes. Reads a plain row's place from the lane's registers.
template <typename Form>
__device__ inline auto row_of_lane(const Graph &g, const Row<typename Form::Neighbours> &row, u32 v, int lane) {
	if constexpr (std::is_same_v<typename Form::Neighbours, const u32 *>) {
		const u64 cols = __shfl_sync(~0u, (u64)row.cols, lane), n = __shfl_sync(~0u, row.n, lane);
		return Row<const u32 *>{(const u32 *)cols, n};
	} else {
		return row_of<Form>(g, __shfl_sync(~0u, v, lane));
	}
}

// Returns a visited vertex of a row from place `first` on, or none; each lane has its own vertex, or kNone. A thread
// searches a short row in batches of eight, to hide latency. All lanes search each row with kLongRow entries or more.
// Both stop at the first hit.
template <typename Form, typename Among>
__device__ inline typename Form::Id probe_row(const Graph &g, const u32 *old, u32 v, u32 first, Among among) {
	using Id = typename Form::Id;
	const u32 lane = lane_of_thread();
	const auto row = v != kNone ? row_of<Form>(g, v) : Row<typename Form::Neighbours>{};
	const bool is_long = row.n >= first + kLongRow;
	Id parent = kNoId<Id>;
	for (u32 rows = __ballot_sync(~0u, is_long); rows; rows &= rows - 1) {
		const int owner = __ffs(rows) - 1;
		const Id hit = probe_long_row(row_of_lane<Form>(g, row, v, owner), old, first, among);
		if (lane == owner) parent = hit;
	}
	if (is_long) return parent;
	for (u64 at = first; at < row.n;) {
		Entry<Id> c[kPlainEntries];
		if (!load_batch(row, at, c)) break;
#pragma unroll
		for (u32 i = 0; i < kPlainEntries; i++)
			if (is_none(parent) && among.has(c[i].word) && test(old, c[i].id)) parent = c[i].id;
		if (!is_none(parent) || !among.has(c[kPlainEntries - 1].word)) break;
		at = end_of_batch(row.cols, at);
	}
	return parent;
}

} // namespace g500
