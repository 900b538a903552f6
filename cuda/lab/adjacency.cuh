// SPDX-License-Identifier: Apache-2.0

// A graph in input order on the device: compressed sparse rows (CSR), or rows in pages of one size.
#pragma once

#include "common/types.cuh"

namespace g500::lab {

// PageLink links a page to the next page of its row (Toedling, Winter, Steinberger, 2019, section IV). Consecutive
// pages of a row that are also consecutive in memory are a piece, which is read like a contiguous row.
struct PageLink {
	u32 next; // kNone after the last page
	u32 more; // pages of the piece after this one
};

// PagedRow is the beginning of a row in pages. It is one 16-byte load.
struct alignas(16) PagedRow {
	u64 begin;  // first column, if the row is not empty
	u32 degree;
	u32 more; // pages of the first piece after the first page
};

// Csr has contiguous rows.
struct Csr {
	u32 n;
	u64 m;
	const u64 *rows; // n+1, the beginnings of rows in cols
	const u32 *cols; // m

	__device__ u64 degree(u32 v) const { return rows[v + 1] - rows[v]; }

	// Returns the first column of a row, its length n, and the end of its first piece.
	__device__ u64 begin(u32 v, u32 &n, u64 &end) const {
		n = (u32)degree(v), end = ~0ull;
		return rows[v];
	}

	// Returns the column that is a number of steps after `at`. `end` is the end of the piece of the returned column.
	__device__ u64 forward(u64 at, u64 &, u64 steps) const { return at + steps; }

	// Whether one lane of a warp follows links for all.
	__device__ bool one_walks() const { return false; }
};

// Adjacency has contiguous rows, or rows in pages; then cols has all pages, and rows is null.
struct Adjacency : Csr {
	const PagedRow *paged = nullptr; // n; null for contiguous rows
	const PageLink *links = nullptr; // one per page
	u32 page_bits = 0;               // a page has 1 << page_bits columns
	bool by_links = false;           // each page is a piece, and one lane of a warp walks

	__device__ bool one_walks() const { return by_links; }

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
