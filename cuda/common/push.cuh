// The frame of a push: rows, tiles of their edges, and the loop over tiles.
#pragma once

#include "common/block.cuh"

namespace g500 {

// A vertex's neighbours.
template <typename Neighbours>
struct Row {
	Neighbours cols;
	u64 n;
};

constexpr int kEdgesPerThread = 2;
constexpr u32 kChunk = kThreads * kEdgesPerThread; // edges that a block takes at a time

// A top-down level in a line: advance shares edges out, visit says what is reached along a tile of them, emit takes it.
// Returns whether emit had room for all; else the block has stopped.
template <typename Advance, typename Visit, typename Emit>
__device__ inline bool push(Advance &advance, Visit &visit, const Emit &emit) {
	for (typename Advance::Edge tile[kEdgesPerThread]; advance.next(tile);)
		if (!emit(visit(tile))) return false;
	return true;
}

} // namespace g500
