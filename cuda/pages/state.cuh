// SPDX-License-Identifier: Apache-2.0

// Arguments of the kernels of graphs in pages, and the host part of a graph.
#pragma once

#include <memory>
#include <vector>

#include "common/bitmap.cuh"
#include "common/check.cuh"
#include "lab/adjacency.cuh"
#include "pages/pages.h"

namespace g500::pages {

using lab::PagedRow;
using lab::PageLink;

// Pages is the graph. A row fills its pages from the end: its neighbours are contiguous from its beginning to the end
// of the first page, and fill all other pages. Rows grow and shrink at the front; later neighbours do not move.
struct Pages {
	u32 n, bits;    // vertices; a page has 1 << bits columns
	PagedRow *rows; // n+1; the last one means no vertex, and is empty
	u8 *there;      // n+1: whether the vertex exists
	u32 *cols;
	PageLink *links;
	u32 *free;   // unused pages; the last one is taken first
	ull *unused; // their number

	__device__ lab::Adjacency adjacency() const { return {{n, 0, nullptr, cols}, rows, links, bits}; }
	__device__ u64 width() const { return 1ull << bits; }
	__device__ u32 pages_of(u32 degree) const { return (u32)((degree + width() - 1) >> bits); }
	// Returns column i of a page, counted from its end.
	__device__ u64 from_end(u32 page, u64 i) const { return ((u64)(page + 1) << bits) - 1 - i; }
};

// Edge decodes updates.
struct Edge {
	u32 bits;

	__device__ u32 from(u64 update) const { return (u32)(update >> (bits + 2)); }
	__device__ u32 to(u64 update) const { return (u32)(update >> 2 & ((1ull << bits) - 1)); }
	__device__ static u32 kind(u64 update) { return (u32)(update & 3); }
	__device__ u64 make(u32 u, u32 v, u32 kind) const { return (((u64)u << bits | v) << 2) | kind; }
};

// Sums are the counters of a batch.
struct Sums {
	ull inserted, deleted, unchanged, unknown, found, missing;
	ull taken, given; // pages, by rows that grow and rows that shrink
	ull longs, chunks;
	ull changes; // that are recorded
	u32 full;
};

// Scratch is memory for a batch of up to capacity updates.
struct Scratch {
	u64 capacity = 0;
	Array<u64> updates, sorted, slot, counts, chunks;
	Array<u32> place, fresh, gaps, longs;
	Array<u8> action, sort;
	size_t sort_bytes = 0;
};

// Changes are updates that undo a batch.
struct Changes {
	Array<u64> updates;
	u64 n;
};

} // namespace g500::pages

struct g500_pages {
	using u32 = g500::u32;
	using u64 = g500::u64;

	g500::Array<g500::lab::PagedRow> rows;
	g500::Array<u32> cols, free;
	g500::Array<g500::u8> there;
	g500::Array<g500::lab::PageLink> links;
	g500::Array<g500::ull> unused;
	g500::Array<g500::pages::Sums> sums;
	g500::HostArray<g500::pages::Sums> seen;
	g500::pages::Pages g{};
	bool notes = false;
	u32 vertex_bits = 0;
	u64 pages = 0, unused_now = 0, edges = 0;
	g500::pages::Scratch scratch;
	std::vector<std::unique_ptr<g500::pages::Changes>> noted;

	g500::lab::Adjacency adjacency() const { return {{g.n, edges, nullptr, cols}, rows, links, g.bits}; }
};
