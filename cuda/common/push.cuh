// SPDX-License-Identifier: Apache-2.0

// The loop of a push: rows, tiles of their edges, and functions applied to each tile.
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

// Processes a top-down level: advance distributes edges, visit returns the vertices reached along a tile, emit stores
// them. Returns false, and stops the block, if emit runs out of memory.
template <typename Advance, typename Visit, typename Emit>
__device__ inline bool push(Advance &advance, Visit &visit, const Emit &emit) {
	for (typename Advance::Edge tile[kEdgesPerThread]; advance.next(tile);)
		if (!emit(visit(tile))) return false;
	return true;
}

} // namespace g500
