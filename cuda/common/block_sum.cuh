// SPDX-License-Identifier: Apache-2.0

// Prefix sums over a block. Pairs of counts (vertices, edges) are packed into one 64-bit word.
#pragma once

#include <cub/block/block_scan.cuh>

#include "common/block.cuh"

namespace g500 {

template <int kOf>
using BlockSumOf = cub::BlockScan<u64, kOf, cub::BLOCK_SCAN_WARP_SCANS>; // the variant with the smallest storage
using BlockSum = BlockSumOf<kThreads>;

constexpr int kEdgeBits = 36; // of a rank's edges, more than fit into memory; a queue has fewer than 2^28 vertices
constexpr u64 kEdgeMask = (1ull << kEdgeBits) - 1; // the low bits of a packed (vertices, edges) sum
#ifdef G500_EMULATED
inline u64 kMostNumbered = (1ull << (64 - kEdgeBits)) - 1; // tests reduce it
#else
constexpr u64 kMostNumbered = (1ull << (64 - kEdgeBits)) - 1; // limit of the vertices in a packed sum
#endif

} // namespace g500
