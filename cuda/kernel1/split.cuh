// Splitting: a block appends its items to the lists of up to kMostParts parts. It reserves space with one atomic
// addition per part, and writes the items of a part next to each other.
#pragma once

#include "common/device.cuh"
#include "kernel1/build.cuh"

namespace g500 {

#ifdef G500_EMULATED
constexpr u32 kMostParts = 16;
#else
constexpr u32 kMostParts = 256;
#endif
constexpr u32 kNoPart = kMostParts; // the part of an item that is in no list

struct SplitMemory {
	u32 items[kMostParts]; // of the block
	u64 begin[kMostParts]; // of the block's items in a part's list
};

// Splits kItems items of each thread of a block of kBlock threads. part_of(k) returns the part of a thread's item k;
// put(k, part, place) stores it at a place of the part's list. lengths[part] is the length of a list before and after.
template <int kItems, typename PartOf, typename Put>
__device__ inline void split(SplitMemory &block, ull *lengths, PartOf part_of, Put put) {
	constexpr int kPlaceBits = 16;
	static_assert(kItems * kBlock <= 1 << kPlaceBits, "an item's place in the block has 16 bits");
	for (u32 part = threadIdx.x; part < kMostParts; part += kBlock) block.items[part] = 0;
	__syncthreads();
	u32 slot[kItems]; // part and place in the block
#pragma unroll
	for (int k = 0; k < kItems; k++) {
		const u32 part = part_of(k);
		slot[k] = part << kPlaceBits | (part < kNoPart ? atomicAdd(&block.items[part], 1) : 0);
	}
	__syncthreads();
	for (u32 part = threadIdx.x; part < kMostParts; part += kBlock)
		if (block.items[part] > 0) block.begin[part] = atomicAdd(&lengths[part], block.items[part]);
	__syncthreads();
#pragma unroll
	for (int k = 0; k < kItems; k++) {
		const u32 part = slot[k] >> kPlaceBits;
		if (part < kNoPart) put(k, part, block.begin[part] + (slot[k] & ((1u << kPlaceBits) - 1)));
	}
}

} // namespace g500
