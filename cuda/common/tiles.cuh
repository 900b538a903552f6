// Tiles of labels. Results are written tile by tile, from shared memory: a tile's vertices are read in hub order, in
// which what a search has found of them lies in runs, and each knows its label's number in the tile.
#pragma once

#include "common/check.cuh"

namespace g500 {

constexpr int kTileBits = 11;
constexpr u32 kTile = 1 << kTileBits;

// The tiles of so many labels; the last one may have fewer than kTile.
__host__ __device__ inline u32 tiles_of(u32 owned) { return (owned + kTile - 1) / kTile; }

// Vertices sorted by some part that each belongs to; within a part they stay in hub order.
struct SortedByPart {
	Array<u32> part, local_id; // of each place
	Array<u32> start;          // parts+1: where each part begins, and where the last one ends

	// Sorts n vertices, whose parts are given by hub id. Synchronous.
	int sort(const u32 *part_of, u32 n, u32 parts, cudaStream_t stream);
};

} // namespace g500
