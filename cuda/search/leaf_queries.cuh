// Queries for the neighbours of leaves at the end of each search, found once as part of kernel 1.
#pragma once

#include <vector>

#include "common/check.cuh"
#include "common/ranks.cuh"
#include "search/graph.cuh"

namespace g500 {

// LeafQueries holds this rank's queries, and other ranks' queries to it, in device memory.
class LeafQueries {
public:
	// Finds this rank's queries and counts their words by rank. `marks` is an empty bitmap of all ranks' vertices, and
	// is empty again afterwards. Synchronous.
	int find(const Graph &g, Ranks &ranks, u32 *marks, u64 *counts, cudaStream_t stream);

	// Returns this rank's queries, sorted by rank.
	const u64 *words() const { return own.words; }

	// Copies other ranks' queries from host memory; counts are their words by rank. Synchronous.
	int take(const u64 *counts, const u64 *words, Ranks &ranks, cudaStream_t stream);

private:
	struct Table {
		Array<u64> words, begin;

		int fill(const std::vector<u64> &starts, const u64 *from, QueryTable &view, cudaStream_t stream);
	};

	Table own, of_others;
};

} // namespace g500
