// Stripping: which vertices leave the core when edges have been left out (prune.cuh), and on what each of them hangs.
//
// On one rank whole trees are stripped, round by round from their leaves. On several ranks one round is made, and only
// vertices are stripped on which none hangs: a search then needs no levels of trees. Each rank is told first what the
// leaves of all ranks hang on.
#pragma once

#include "sssp/prune.cuh"

namespace g500::sssp {

class Stripper {
public:
	Stripper(const Graph &g, u64 places, cudaStream_t stream) : g_(g), places_(places), stream_(stream) {}

	// Allocates; the caller fills the degrees of the core.
	int begin();

	// Whole trees, on one rank.
	int strip_trees(const Kept &kept);

	// On several ranks: writes this rank's part of the words by position that strip_ends reads, of all ranks.
	int lay_out_leaves(u32 *words);
	int strip_ends(const Kept &kept, const u32 *words);

	Stripped stripped() const { return {degree_, round_, listed_, above_, depth_, inner_}; }

private:
	const Graph g_;
	const u64 places_; // of positions, of all ranks
	const cudaStream_t stream_;
	Array<Col> above_;
	Array<u32> degree_, round_, listed_, depth_, inner_;
};

} // namespace g500::sssp
