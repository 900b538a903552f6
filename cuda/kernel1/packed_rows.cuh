// SPDX-License-Identifier: Apache-2.0

// Packing of rows that kernel 1 has sorted, a group at a time (common/packed_row.cuh).
#pragma once

#include <list>

#include "common/packed_row.cuh"
#include "kernel1/rows.cuh"

// g500_chunks is the memory of packed rows: one array per group.
struct g500_chunks {
	std::list<g500::Array<uint32_t>> of;
	uint64_t words = 0; // of all
};

namespace g500 {

// GroupRows is the plain rows of a group, and working memory for packing them.
struct GroupRows {
	const u64 *rows; // offsets of edges, by row of the group
	const u64 *end;  // of the last row
	const u32 *cols; // from the group's first edge on
	u32 count;       // of rows
	u64 entries;     // at least as many as edges
	u32 *low;        // slots()
	u32 *words;      // count
	u64 *addresses;  // output: by row

	__host__ __device__ u32 slots() const { return (u32)(entries / kBlockEntries) + count + 1; }
};

// Returns the bytes of CUB's memory for groups of up to that many rows and entries together.
size_t packing_bytes(u64 largest);

// Sets *bytes to an upper bound of the bytes of a graph's packed rows, by the prefix sum of the degrees. Synchronous.
int bound_packed(const g500_graph &graph, u64 *bytes, cudaStream_t stream);

// Packs a group's rows into a new chunk, and sets the addresses of its rows. temp is memory for CUB. Synchronous.
int pack_rows(const GroupRows &group, void *temp, size_t bytes, g500_chunks *chunks, cudaStream_t stream);

} // namespace g500
