// SPDX-License-Identifier: Apache-2.0

// Degrees: the number of tuples that end at each label.
#pragma once

#include <algorithm>

#include "kernel1/split.cuh"

namespace g500 {

constexpr u64 kListed = G500_SIZE(1 << 12, 1 << 27); // ends in all lists together, at most
constexpr u32 kCounting = G500_SIZE(64, 1024);       // threads of a block that counts
constexpr u32 kMostRange = G500_SIZE(24, ~0u); // labels for which a block counts, if they fit into its shared memory

// Slices divide an array with an element for each label: a slice for each rank's owned labels.
struct Slices {
	u32 ranks;
	u32 slice; // elements

	__device__ u32 place(u32 label) const { return ranks == 1 ? label : label % ranks * slice + label / ranks; }
};

// EndLists are lists of ends, one for each part of the labels.
struct EndLists {
	u32 *degrees;
	u32 *places;  // the numbers of labels, part by part
	u64 capacity; // of each list
	ull *lengths; // by part; longer than the capacity if ends did not fit
	u32 shift;    // a label's part is its number >> shift

	// Returns the number of ranges of that many labels in a part.
	__host__ __device__ u32 ranges(u32 range) const { return ((1u << shift) - 1) / range + 1; }
};

// TupleEnds reads the ends of tuples, two each. A thread reads kPerThread tuples.
struct TupleEnds {
	static constexpr int kEnds = 2;
	Tuples list;
	Slices by;

	// Returns both ends of tuple i; kNoLocalId for a self-loop and beyond the end. Labels are below 2^32.
	__device__ void load(u64 i, u32 *ends) const {
		ends[0] = i < list.count ? __ldcs(&list.edges[i].low_u) : 0;
		ends[1] = i < list.count ? __ldcs(&list.edges[i].low_v) : 0;
		const bool is_loop = ends[0] == ends[1];
		for (int k = 0; k < kEnds; k++) ends[k] = is_loop ? kNoLocalId : by.place(ends[k]);
	}
	TupleEnds part(u64 first, u64 count) const { return {{list.edges + first, count}, by}; }
};

// ReceivedEnds reads messages of g500_bin_ends without local ids, one for each end of a tuple at an owned label.
struct ReceivedEnds {
	static constexpr int kEnds = 1;
	MessageList<WideMessage> list;

	__device__ void load(u64 i, u32 *ends) const { ends[0] = message_place(list.at(i)); }
	ReceivedEnds part(u64 first, u64 count) const { return {{list.list + first, count}}; }
};

template <typename Ends>
using SplitEnds = Split<kPerThread * Ends::kEnds, u32>;

// Lists ends by part. Ends for which a list has no space are counted at once.
// Map:    one thread for kPerThread tuples or messages.
// Reads:  8 B per tuple, 16 B per message. Writes: 4 B per end, in runs.
// Races:  the order of a list does not matter; additions commute.
template <typename Ends>
__global__ void __launch_bounds__(kBlock) list_ends_kernel(Ends ends, EndLists to) {
	G500_SHARED_MEMORY(memory);
	u32 place[kPerThread * Ends::kEnds];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) ends.load(tile_index(k), place + k * Ends::kEnds); // before the first use
	const auto part_of = [&](int k) { return place[k] == kNoLocalId ? kNoPart : place[k] >> to.shift; };
	const SplitEnds<Ends> split(*(typename SplitEnds<Ends>::Memory *)memory, to.lengths, part_of);
	const auto put = [&](u32 part, u64 at, u32 end) {
		if (at < to.capacity) to.places[part * to.capacity + at] = end;
		else atomicAdd(&to.degrees[end], 1);
	};
	split.template write<u32>([&](int k, u32) { return place[k]; }, put);
}

// Counts listed ends in shared memory.
// Map:    one block per range of labels; the blocks of a part are consecutive, and each reads its list.
// Reads:  4 B per end and range of its part, mostly from the L2 cache. Writes: up to 4 B per label.
// Races:  none between blocks. A counter of more than 2^32-1 wraps; RowFiller::store detects that, unless it becomes 0.
__global__ void __launch_bounds__(kCounting) count_listed_kernel(EndLists lists, u32 owned, u32 range) {
	G500_SHARED_MEMORY(memory);
	u32 *const counts = (u32 *)memory; // of the labels of the range
	const u32 ranges = lists.ranges(range), part = blockIdx.x / ranges;
	const u32 after = blockIdx.x % ranges * range, begin = (part << lists.shift) + after; // in the part, of all labels
	const u32 labels = begin < owned ? min(min(owned - begin, range), (1u << lists.shift) - after) : 0;
	for (u32 i = threadIdx.x; i < labels; i += kCounting) counts[i] = 0;
	__syncthreads();
	const u64 length = min((u64)lists.lengths[part], lists.capacity);
	const u32 *const list = lists.places + part * lists.capacity;
	for (u64 first = threadIdx.x; first < length; first += kPerThread * kCounting) {
		u32 place[kPerThread]; // in the range
#pragma unroll
		for (int k = 0; k < kPerThread; k++) {
			const u64 i = first + k * kCounting;
			place[k] = i < length ? list[i] - begin : labels;
		}
#pragma unroll
		for (int k = 0; k < kPerThread; k++)
			if (place[k] < labels) atomicAdd(&counts[place[k]], 1);
	}
	__syncthreads();
	for (u32 i = threadIdx.x; i < labels; i += kCounting)
		if (counts[i] > 0) lists.degrees[begin + i] += counts[i];
}

// Adds the counts of all ranks.
// Map:    one thread per owned label. Reads: 4 B per label and rank. Writes: 4 B per label.
__global__ void add_counts_kernel(const u32 *counts, Slices by, u32 *degrees, u32 owned) {
	const u32 i = thread_number<kBlock>();
	if (i >= owned) return;
	u32 sum = 0;
	for (u32 r = 0; r < by.ranks; r++) sum += counts[(u64)r * by.slice + i];
	degrees[i] = sum;
}

// DegreeCounter counts the tuples that end at each label, including duplicates but not self-loops. It lists the ends by
// part of the labels, and then counts the lists, so that the additions at random labels are in shared memory.
class DegreeCounter {
public:
	// Makes room for the degrees of `owned` labels, which are 0 at first. Synchronous.
	int grow(u32 owned, cudaStream_t stream) {
		if (degrees_ && owned <= owned_) return cudaSuccess;
		Array<u32> grown;
		G500_TRY(grown.alloc_zeroed(owned, stream));
		G500_TRY(cudaMemcpyAsync(grown, degrees_, owned_ * sizeof(u32), cudaMemcpyDeviceToDevice, stream));
		G500_TRY(cudaStreamSynchronize(stream)); // before the old degrees are freed
		degrees_.swap(grown);
		owned_ = owned;
		if (!lengths_) G500_TRY(lengths_.alloc(kMostParts));
		lists_.degrees = degrees_;
		lists_.lengths = lengths_;
		while (owned > 0 && (owned - 1) >> lists_.shift >= kMostParts) lists_.shift++;
		return size_ranges();
	}

	// Counts ends. Tuples of several ranks need counters for all labels: for each rank a slice of its owned ones.
	template <typename Ends>
	int count(const Ends &ends, cudaStream_t stream) {
		const u64 all = ends.list.count;
		if (const int code = reserve(all * Ends::kEnds)) return code;
		for (u64 first = 0; first < all; first += kListed / Ends::kEnds) {
			const Ends part = ends.part(first, std::min(kListed / Ends::kEnds, all - first));
			G500_TRY(cudaMemsetAsync(lists_.lengths, 0, kMostParts * sizeof(ull), stream));
			const Launch listing{blocks_for(part.list.count, kListTile), kBlock, stream,
			                     sizeof(typename SplitEnds<Ends>::Memory)};
			G500_LAUNCH(list_ends_kernel<Ends>, listing, part, lists_);
			const u32 blocks = blocks_for(owned_, 1u << lists_.shift) * lists_.ranges(range_);
			const Launch counting{blocks, kCounting, stream, sizeof(u32) * range_};
			G500_LAUNCH(count_listed_kernel, counting, lists_, owned_, range_);
		}
		return cudaSuccess;
	}

	// Takes the sums of the counts of all ranks, a slice from each.
	int add(const u32 *counts, const Slices &by, cudaStream_t stream) {
		return G500_START(add_counts_kernel, thread_for(owned_, stream), counts, by, degrees_.get(), owned_);
	}

	u32 *degrees() const { return degrees_; }
	ull *word() const { return lengths_; } // a word of device memory that callers may use between counts
	void free_lists() { // after the last count
		places_.free();
		lists_.capacity = 0;
	}
	void free() { degrees_.free(); }

private:
	// Allocates lists for that many ends, at most kListed. On official graphs parts have about equally many ends; lists
	// are an eighth longer.
	int reserve(u64 ends) {
		const u64 capacity = std::min(ends, kListed) / kMostParts * 9 / 8 + 64;
		if (capacity <= lists_.capacity) return cudaSuccess;
		G500_TRY(places_.alloc(capacity * kMostParts));
		lists_.places = places_;
		lists_.capacity = capacity;
		return cudaSuccess;
	}

	// Chooses the largest equal ranges of a part whose counters fit into a block's shared memory, because each block reads
	// its part's whole list.
	int size_ranges() {
		int device, bytes;
		G500_TRY(cudaGetDevice(&device));
		G500_TRY(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
		const u32 ranges = lists_.ranges(std::min(kMostRange, bytes / (u32)sizeof(u32)));
		range_ = ((1u << lists_.shift) + ranges - 1) / ranges;
		return cudaFuncSetAttribute((const void *)count_listed_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
		                            (int)(sizeof(u32) * range_));
	}

	Array<u32> degrees_, places_;
	Array<ull> lengths_;
	EndLists lists_{};
	u32 owned_ = 0;
	u32 range_ = 1; // a block counts the ends at that many labels
};

} // namespace g500
