// The neighbours of leaves that a rank queries at the end of each search: found once, as a part of kernel 1.
#pragma once

#include <vector>

#include "common/check.cuh"
#include "common/ranks.cuh"
#include "search/graph.cuh"

namespace g500 {

// LeafQueries are this rank's, and those that others have for it, in device memory.
class LeafQueries {
public:
	// Finds this rank's, with an empty bitmap of all ranks' vertices, which is empty again afterwards. Counts their words
	// by rank. Synchronous.
	int find(const Graph &g, Ranks &ranks, u32 *marks, u64 *counts, cudaStream_t stream);

	// This rank's, one rank's after the other's.
	const u64 *words() const { return own.words; }

	// Takes those that others have, so many words by rank, from host memory. Synchronous.
	int take(const u64 *counts, const u64 *words, Ranks &ranks, cudaStream_t stream);

private:
	struct Table {
		Array<u64> words, begin;

		int fill(const std::vector<u64> &starts, const u64 *from, QueryTable &view, cudaStream_t stream);
	};

	Table own, of_others;
};

} // namespace g500
