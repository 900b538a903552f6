// A graph in input order on the device: rows one behind the other (CSR), or in pages of one size.
#pragma once

#include "common/types.cuh"

namespace g500::lab {

// PageLink is the index of pages (Toedling, Winter, Steinberger, 2019, section IV): the next page of the row. Pages that
// follow each other in memory and in the row are a piece, which is read as a row in one piece is.
struct PageLink {
	u32 next; // kNone behind the last one
	u32 more; // pages of the piece behind this one
};

// Adjacency is rows of neighbours.
struct Adjacency {
	u32 n;
	u64 m;
	const u64 *rows; // n+1, where rows begin in cols; of a graph in pages n, and only of rows with neighbours
	const u32 *cols; // m; or all pages
	const u32 *degrees = nullptr;    // n, of a graph in pages
	const PageLink *links = nullptr; // a page each; null where rows are in one piece
	u32 page_bits = 0;               // a page has 1 << page_bits columns

	__device__ u64 degree(u32 v) const { return links ? degrees[v] : rows[v + 1] - rows[v]; }

	// Where the piece ends that holds column `at` of a row, of which n columns are from there on.
	__device__ u64 end_of_piece(u64 at, u64 n) const {
		if (!links) return ~0ull;
		const u64 page = at >> page_bits, end = (page + 1) << page_bits;
		return at + n <= end ? end : end + ((u64)links[page].more << page_bits);
	}

	// The column so many steps behind `at` in the row. `end` is that of the piece, and stays so.
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
