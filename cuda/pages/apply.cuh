// SPDX-License-Identifier: Apache-2.0

// Updates of a row: new neighbours fill the gaps of deleted ones; the others are added or removed at its front.
#pragma once

#include "pages/batch.cuh"

namespace g500::pages {

// RowUpdate is the update of one row. All threads of the team call its functions together.
template <u32 kThreadsOf>
class RowUpdate {
public:
	__device__ RowUpdate(const Batch &b, u64 first)
		: b(b), g(b.g), first(first), v(b.from(first)), row(g.rows[v]), fresh((u32)b.counts[first]),
		  gaps((u32)((b.counts[first] & ~kLongRow) >> 32)), after(row.degree + fresh - gaps) {}

	// Returns the change of the number of pages.
	__device__ int growth() const { return (int)g.pages_of(after) - (int)g.pages_of(row.degree); }

	__device__ void apply() {
		const u32 both = min(fresh, gaps);
		for (u32 j = team.own; j < both; j += kThreadsOf) g.cols[slot_of(j)] = b.fresh[first + j];
		const u64 begin = gaps > both ? remove(both) : fresh > both ? insert(both) : row.begin;
		team.sync(); // all have read the state of the row
		if (team.own != 0) return;
		g.rows[v] = {begin, after, after ? g.links[begin >> g.bits].more : 0};
		b.counts[first] &= kLongRow; // the row is done
	}

private:
	__device__ u64 slot_of(u32 j) const { return b.slot[b.gaps[first + j]]; }

	// Inserts the new neighbours from `done` on at the front, if necessary in new pages. Returns the new beginning.
	__device__ u64 insert(u32 done) {
		const u64 begin = row.begin;
		const u32 n = fresh - done, spare = row.degree ? (u32)(begin & (g.width() - 1)) : 0;
		const u32 pages = (u32)max(growth(), 0);
		u64 top = 0;
		if (team.own == 0 && pages) top = atomicAdd(g.unused, -(ull)pages);
		const u32 *const taken = g.free + team.of_first(top) - pages; // the last one first
		for (u32 j = team.own; j < n; j += kThreadsOf)
			g.cols[place_of(begin, spare, taken + pages, j)] = b.fresh[first + done + j];
		if (team.own == 0) link(taken, pages, row.degree ? (u32)(begin >> g.bits) : kNone);
		return place_of(begin, spare, taken + pages, n - 1);
	}

	// Returns the column of the j-th neighbour before the beginning.
	__device__ u64 place_of(u64 begin, u32 spare, const u32 *top, u32 j) const {
		if (j < spare) return begin - 1 - j;
		return g.from_end(top[-1 - (long long)((j - spare) >> g.bits)], (j - spare) & (g.width() - 1));
	}

	// Links pages before a row, whose first page is `next`.
	__device__ void link(const u32 *taken, u32 pages, u32 next) {
		while (pages--) {
			const u32 page = taken[pages];
			const bool follows = next == page + 1;
			g.links[page] = {next, follows ? g.links[next].more + 1 : 0};
			next = page;
		}
	}

	// Removes the neighbours of the gaps from `done` on: remaining neighbours at the front move into later gaps. Returns
	// the new beginning.
	__device__ u64 remove(u32 done) {
		const u32 n = gaps - done;
		for (u32 j = team.own; j < n; j += kThreadsOf) g.cols[slot_of(done + j)] = kNone;
		team.sync();
		const u64 begin = collect(n);
		team.sync();
		fill(done, n);
		if (team.own == 0) give_back();
		return begin;
	}

	// Lists the remaining ones of the first n neighbours after the fresh ones. Returns the column after the first n.
	__device__ u64 collect(u32 n) {
		const lab::Adjacency rows = g.adjacency();
		const u64 first_end = ((row.begin >> g.bits) + 1 + row.more) << g.bits;
		u64 piece = first_end, at = row.begin;
		u32 kept = 0, steps = team.own;
		for (u32 i = team.own; team.any(i < n); i += kThreadsOf, steps = kThreadsOf) {
			u32 to = kNone, all;
			if (i < n) {
				at = rows.forward(at, piece, steps);
				to = g.cols[at];
			}
			const u32 rank = team.rank(to != kNone, all);
			if (to != kNone) b.fresh[first + fresh + kept + rank] = to;
			kept += all;
		}
		piece = first_end;
		return after ? rows.forward(row.begin, piece, n) : row.begin;
	}

	// Writes the listed neighbours to the gaps after the first n neighbours.
	__device__ void fill(u32 done, u32 n) {
		u32 filled = 0;
		for (u32 j = team.own; team.any(j < n); j += kThreadsOf) {
			const u32 gap = j < n ? b.gaps[first + done + j] : 0;
			const bool stays = j < n && b.place[gap] >= n;
			u32 all;
			const u32 rank = team.rank(stays, all);
			if (stays) g.cols[b.slot[gap]] = b.fresh[first + fresh + filled + rank];
			filled += all;
		}
	}

	// Puts the first pages of the row that it no longer needs on the stack.
	__device__ void give_back() {
		const u32 pages = (u32)max(-growth(), 0);
		if (!pages) return;
		u64 top = atomicAdd(g.unused, (ull)pages);
		u32 page = (u32)(row.begin >> g.bits);
		for (u32 t = 0; t < pages; t++, page = g.links[page].next) g.free[top + t] = page;
	}

	const Batch &b;
	const Pages &g;
	u64 first;
	u32 v;
	PagedRow row;
	u32 fresh, gaps, after;
	Team<kThreadsOf> team;
};

} // namespace g500::pages
