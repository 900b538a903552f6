// A graph in input order on the device: rows one behind the other (CSR), or in pages of one size.
#pragma once

#include "common/types.cuh"

namespace g500::lab {

// PageLink is the index of pages (Toedling, Winter, Steinberger, 2019, section IV): the next page of the row. Pages
// that follow each other in memory and in the row are a piece, which is read as a row in one piece is.
struct PageLink {
	u32 next; // kNone behind the last one
	u32 more; // pages of the piece behind this one
};

// PagedRow is where a row in pages begins. One read brings it all.
struct alignas(16) PagedRow {
	u64 begin;  // column; of a row with neighbours
	u32 degree;
	u32 more; // pages of its first piece behind the first one
};

// Csr is rows in one piece.
struct Csr {
	u32 n;
	u64 m;
	const u64 *rows; // n+1, where rows begin in cols
	const u32 *cols; // m

	__device__ u64 degree(u32 v) const { return rows[v + 1] - rows[v]; }

	// The first column of a row, how many there are, and where their piece ends.
	__device__ u64 begin(u32 v, u32 &n, u64 &end) const {
		n = (u32)degree(v), end = ~0ull;
		return rows[v];
	}

	// The column so many steps behind `at` in the row. `end` is that of the piece, and stays so.
	__device__ u64 forward(u64 at, u64 &, u64 steps) const { return at + steps; }
};

// Adjacency is rows in one piece, or in pages; cols are all pages then, and rows are null.
struct Adjacency : Csr {
	const PagedRow *paged = nullptr; // n; null where rows are in one piece
	const PageLink *links = nullptr; // a page each
	u32 page_bits = 0;               // a page has 1 << page_bits columns

	__device__ u64 degree(u32 v) const { return paged ? paged[v].degree : Csr::degree(v); }

	__device__ u64 begin(u32 v, u32 &n, u64 &end) const {
		if (!paged) return Csr::begin(v, n, end);
		const PagedRow row = paged[v];
		n = row.degree, end = ((row.begin >> page_bits) + 1 + row.more) << page_bits;
		return row.begin;
	}

	__device__ u64 forward(u64 at, u64 &end, u64 steps) const {
		for (at += steps; at >= end;) {
			const u32 page = links[(end >> page_bits) - 1].next;
			at = ((u64)page << page_bits) + (at - end);
			end = (u64)(page + 1 + links[page].more) << page_bits;
		}
		return at;
	}
};

} // namespace g500::lab
