// SPDX-License-Identifier: Apache-2.0

// Splitting: a block appends its items to the lists of up to kMostParts parts. It reserves space with one atomic
// addition per part. Items are sorted by part in shared memory, so that consecutive threads write consecutive places.
#pragma once

#include "common/block.cuh"
#include "common/device.cuh"
#include "kernel1/build.cuh"

namespace g500 {

constexpr u32 kMostParts = G500_SIZE(16, 256);
constexpr u32 kNoPart = kMostParts; // the part of an item that is in no list
static_assert(kMostParts <= kBlock, "a thread per part");

// SplitMemory is a block's shared memory for kItems items of each thread, of at most sizeof(Widest) bytes.
template <int kItems, typename Widest>
struct SplitMemory {
	u64 begin[kMostParts]; // by part: the place in its list of the block's items, less their place in the block
	u32 items[kMostParts]; // by part: their number, then their place in the block
	unsigned char part[kItems * kBlock]; // by place in the block
	union {
		Widest item[kItems * kBlock]; // by place in the block
		u32 scan[kBlock / kLanes];
	};
};

// Split is the places of kItems items of each thread of a block of kBlock threads. All threads call its functions.
template <int kItems, typename Widest>
class Split {
public:
	using Memory = SplitMemory<kItems, Widest>;

	// part_of(k) returns the part of a thread's item k. lengths[part] is the length of a list before and after.
	template <typename PartOf>
	__device__ Split(Memory &block, ull *lengths, PartOf part_of) : block_(block) {
		const u32 t = threadIdx.x;
		if (t < kMostParts) block.items[t] = 0;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < kItems; k++) {
			const u32 part = part_of(k);
			place_[k] = part < kNoPart ? part << kPlaceBits | atomicAdd(&block.items[part], 1) : kNowhere;
		}
		__syncthreads();
		const u32 items = t < kMostParts ? block.items[t] : 0;
		u32 before;
		block_scan(block.scan, items, before, count_);
		if (t < kMostParts) {
			block.items[t] = before;
			block.begin[t] = (items > 0 ? atomicAdd(&lengths[t], (ull)items) : 0) - before;
		}
		__syncthreads();
#pragma unroll
		for (int k = 0; k < kItems; k++) {
			if (place_[k] == kNowhere) continue;
			const u32 part = place_[k] >> kPlaceBits;
			place_[k] = block.items[part] + (place_[k] & ((1u << kPlaceBits) - 1));
			block.part[place_[k]] = (unsigned char)part;
		}
	}

	// Calls put(part, place, item) for each item in a list. item_of(k, part) returns a thread's item k, which is in the
	// list of that part. Another call may write another word of the same items.
	template <typename Item, typename ItemOf, typename Put>
	__device__ void write(ItemOf item_of, Put put) const {
		static_assert(sizeof(Item) <= sizeof(Widest), "the memory is too small");
		Item *const item = (Item *)block_.item;
		__syncthreads(); // items of an earlier call are written
#pragma unroll
		for (int k = 0; k < kItems; k++)
			if (place_[k] != kNowhere) item[place_[k]] = item_of(k, (u32)block_.part[place_[k]]);
		__syncthreads();
		for (u32 i = threadIdx.x; i < count_; i += kBlock) {
			const u32 part = block_.part[i];
			put(part, block_.begin[part] + i, item[i]);
		}
	}

private:
	static constexpr int kPlaceBits = 16;
	static constexpr u32 kNowhere = ~0u;
	static_assert(kItems * kBlock <= 1 << kPlaceBits, "an item's place in the block has 16 bits");

	Memory &block_;
	u32 place_[kItems]; // in the block; kNowhere for an item in no list
	u32 count_;         // of the block's items in lists
};

} // namespace g500
