// Stripping: which vertices become vertices of trees after edges were removed (prune.cuh), and the vertex above each.
//
// One rank strips complete trees, round by round from their leaves. Several ranks make one round, and strip only
// vertices that are not above others: a search then needs no levels of trees. Each rank first receives which vertices
// are above the leaves of all ranks.
#pragma once

#include "sssp/prune.cuh"

namespace g500::sssp {

class Stripper {
public:
	Stripper(const Graph &g, u64 places, cudaStream_t stream) : g_(g), places_(places), stream_(stream) {}

	// Allocates; the caller fills the degrees of vertices outside trees.
	int begin();

	// Strips complete trees, on one rank.
	int strip_trees(const Kept &kept);

	// On several ranks: lay_out_leaves writes this rank's part of the words by global id; strip_ends reads those of all
	// ranks.
	int lay_out_leaves(u32 *words);
	int strip_ends(const Kept &kept, const u32 *words);

	Stripped stripped() const { return {degree_, round_, listed_, above_, depth_, inner_}; }

private:
	const Graph g_;
	const u64 places_; // number of global ids of all ranks
	const cudaStream_t stream_;
	Array<Col> above_;
	Array<u32> degree_, round_, listed_, depth_, inner_;
};

} // namespace g500::sssp
