// SPDX-License-Identifier: Apache-2.0

// Tiles of labels. Results are written tile by tile from shared memory. The vertices of a tile are read in degree
// order, in which a search's results form runs; each vertex has its label's number in the tile.
#pragma once

#include "common/check.cuh"

namespace g500 {

constexpr int kTileBits = 11;
constexpr u32 kTile = 1 << kTileBits;

// Returns the number of tiles of `owned` labels; the last tile may be shorter.
__host__ __device__ inline u32 tiles_of(u32 owned) { return (owned + kTile - 1) / kTile; }

// SortedByPart is vertices sorted by part; within a part they keep the degree order.
struct SortedByPart {
	Array<u32> part, local_id; // by place in the sorted order
	Array<u32> start;          // parts+1: beginnings of the parts, and the end of the last one

	// Sorts n vertices; part_of has their parts by local id. Synchronous.
	int sort(const u32 *part_of, u32 n, u32 parts, cudaStream_t stream);
};

} // namespace g500
