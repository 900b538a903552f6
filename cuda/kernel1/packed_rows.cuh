// SPDX-License-Identifier: Apache-2.0

// Packing of rows that kernel 1 has sorted, a group at a time (common/packed_row.cuh).
#pragma once

#include <list>

#include "common/packed_row.cuh"
#include "kernel1/rows.cuh"

// g500_chunks is the memory of packed rows: arrays of which each has the rows of some groups.
struct g500_chunks {
	uint64_t chunk = 0; // words of an array; more, if a group needs more
	uint64_t words = 0; // of all rows

	// Sets *to to new memory for the rows of a group. A reader of a batch of entries may load words beyond the last row.
	int take(uint64_t n, uint32_t **to) {
		words += n;
		if (n > left) {
			left = std::max(chunk, n);
			G500_TRY(of.emplace_back().alloc(left + g500::kBlockEntries));
			next = of.back();
		}
		*to = next;
		left -= n, next += n;
		return cudaSuccess;
	}

private:
	std::list<g500::Array<uint32_t>> of;
	uint32_t *next = nullptr; // of the last array
	uint64_t left = 0;
};

namespace g500 {

// GroupRows is the plain rows of a group, and working memory for packing them.
struct GroupRows {
	const u64 *rows; // offsets of edges, by row of the group
	const u64 *end;  // of the last row
	const u32 *cols; // from the group's first edge on, as entries of blocks
	u32 count;       // of rows
	IdForm ids;      // of cols
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

// Packs a group's rows into new memory, and sets the addresses of its rows. temp is memory for CUB. Synchronous.
int pack_rows(const GroupRows &group, void *temp, size_t bytes, g500_chunks *chunks, cudaStream_t stream);

} // namespace g500
