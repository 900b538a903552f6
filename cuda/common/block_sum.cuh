// Prefix sums over a block, also of pairs of vertices and edges that are packed into one word.
#pragma once

#include <cub/block/block_scan.cuh>

#include "common/block.cuh"

namespace g500 {

using BlockSum = cub::BlockScan<u64, kThreads, cub::BLOCK_SCAN_WARP_SCANS>; // the form with the smallest storage

constexpr int kEdgeBits = 36; // of a rank's edges, more than memory holds; a queue has fewer than 2^28 vertices
constexpr u64 kEdgeMask = (1ull << kEdgeBits) - 1; // low part of a packed (vertices, edges) sum
#ifdef G500_EMULATED
inline u64 kMostNumbered = (1ull << (64 - kEdgeBits)) - 1; // a test makes it smaller
#else
constexpr u64 kMostNumbered = (1ull << (64 - kEdgeBits)) - 1; // vertices in it
#endif

} // namespace g500
