// SPDX-License-Identifier: Apache-2.0

// Packing of rows that kernel 1 has sorted, a group at a time (common/packed_row.cuh).
#pragma once

#include <vector>

#include "common/errors.h"
#include "common/packed_row.cuh"
#include "kernel1/build.cuh"
#include "kernel1/rows.cuh"

// g500_chunks is the memory of packed rows: arrays of which each has the rows of some groups. Peers open each array, so
// they are few: each takes half of the memory that remains of an upper bound. The last one is short, because the bound
// is not reached.
struct g500_chunks {
	uint64_t words = 0; // of all rows
	std::vector<uint32_t *> of;
	std::vector<uint64_t> lengths; // of these arrays, in words

	~g500_chunks() {
		for (uint32_t *chunk : of) cudaFree(chunk);
	}

	static constexpr uint64_t kLeast = 64; // divides the bound to the length of the shortest array

	// Sets the upper bound of the words of the next rows.
	void expect(uint64_t bound) { expected = bound, least = bound / kLeast; }

	// Returns the free words of the last array. A longer group has its first rows there, the others in a new array.
	uint64_t left() const { return left_; }

	// Sets *to to the address, for rows, of n words of new memory. A reader of a batch of entries may load words beyond
	// the last row.
	int take(uint64_t n, uint64_t *to) {
		words += n;
		if (n > left_ || of.empty()) {
			left_ = std::max({n, expected / 2, least});
			expected -= std::min(expected, left_);
			lengths.push_back(left_ + g500::kBlockEntries);
			of.push_back(nullptr);
			G500_TRY(g500::allocate(&of.back(), lengths.back()));
			next = of.back();
			if ((uint64_t)(next + lengths.back()) >> g500::kAddressBits) return G500_ADDRESS_TOO_HIGH;
		}
		*to = (uint64_t)next | (of.size() - 1) << g500::kAddressBits;
		left_ -= n, next += n;
		return cudaSuccess;
	}

private:
	uint64_t expected = 0, least = 0;
	uint32_t *next = nullptr; // of the last array
	uint64_t left_ = 0;
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

// Sets *bytes to an upper bound of the bytes of packed rows from row `first` to last-1, by the prefix sum of the
// degrees, and of free memory in their chunks. Synchronous.
int bound_packed(const g500_graph &graph, u32 first, u32 last, u64 *bytes, cudaStream_t stream);

// Packs a group's rows into chunks, and sets the addresses of its rows. temp is memory for CUB. Synchronous.
int pack_rows(const GroupRows &group, void *temp, size_t bytes, g500_chunks *chunks, cudaStream_t stream);

} // namespace g500
