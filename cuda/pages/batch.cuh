// SPDX-License-Identifier: Apache-2.0

// The arguments of the kernels of a batch of updates.
#pragma once

#include "common/bitmap.cuh"
#include "pages/state.cuh"

namespace g500::pages {

constexpr u32 kLong = 96;   // neighbours, or updates, from which a warp processes a row
constexpr u32 kChunk = 512; // neighbours of a long row that a warp tests
constexpr u64 kNowhere = ~0ull;
constexpr u64 kLongRow = 1ull << 63;

enum Action : u8 { kStays, kInserts, kDeletes };

// Batch has updates sorted by edge; updates of one edge stay in order. Values per edge are stored at the first update
// of the edge, values per row at the first update of the row.
struct Batch {
	Pages g;
	Edge edge;
	const u64 *updates; // n
	u64 n;
	u64 *slot;      // n: the column of the edge; kNowhere if it does not exist
	u32 *place;     // n: the number of the edge in its row
	Action *action; // n
	u32 *fresh;     // n: new neighbours of a row, then neighbours that move
	u32 *gaps;      // n: updates that delete an edge
	u64 *counts;    // n: number of fresh; of gaps in the upper half; kLongRow if a warp processes the row
	u32 *longs;     // first updates of long rows
	u64 *chunks;    // of long rows: the first update, and the number of the chunk in the upper half
	Sums *sums;

	__device__ u32 from(u64 i) const { return edge.from(updates[i]); }
	__device__ bool begins_row(u64 i) const { return i == 0 || from(i) != from(i - 1); }
	__device__ bool begins_edge(u64 i) const { return i == 0 || updates[i] >> 2 != updates[i - 1] >> 2; }

	// Returns the end of the updates of the row that begins with update i.
	__device__ u64 end_of_row(u64 i) const {
		const u32 u = from(i);
		u64 low = i + 1, step = 1, high = low;
		while (high < n && from(high) == u) low = high + 1, high += step, step *= 2;
		if (high > n) high = n;
		while (low < high) {
			const u64 middle = (low + high) / 2;
			if (from(middle) == u) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	// Stores the column of a neighbour, if an update of [begin, end) is about it.
	__device__ void note(u64 begin, u64 end, u32 to, u64 column, u32 number) const {
		u64 low = begin, high = end;
		while (low < high) {
			const u64 middle = (low + high) / 2;
			if (edge.to(updates[middle]) < to) low = middle + 1;
			else high = middle;
		}
		if (low == end || edge.to(updates[low]) != to) return;
		slot[low] = column, place[low] = number;
	}
};

// Counts are the counts of one thread.
struct Counts {
	u64 inserted = 0, deleted = 0, unchanged = 0, unknown = 0, found = 0, missing = 0, taken = 0, given = 0;

	__device__ void add_to(Sums &s) const {
		add_up(inserted, &s.inserted), add_up(deleted, &s.deleted), add_up(unchanged, &s.unchanged);
		add_up(unknown, &s.unknown), add_up(found, &s.found), add_up(missing, &s.missing);
		add_up(taken, &s.taken), add_up(given, &s.given);
	}
};

// Team is the group of threads that share a row: one, or a warp.
template <u32 kThreadsOf>
struct Team {
	u32 own = threadIdx.x % kThreadsOf;

	__device__ bool any(bool holds) const {
		if constexpr (kThreadsOf == 1) return holds;
		else return __any_sync(~0u, holds);
	}
	// Returns the number of threads before this one with has, and of all threads.
	__device__ u32 rank(bool has, u32 &all) const {
		if constexpr (kThreadsOf == 1) return all = has, 0;
		else {
			const u32 lanes = __ballot_sync(~0u, has);
			all = __popc(lanes);
			return __popc(lanes & lanes_below());
		}
	}
	__device__ u64 of_first(u64 value) const {
		if constexpr (kThreadsOf == 1) return value;
		else return __shfl_sync(~0u, value, 0);
	}
	__device__ void sync() const {
		if constexpr (kThreadsOf == 32) __syncwarp();
	}
};

} // namespace g500::pages
