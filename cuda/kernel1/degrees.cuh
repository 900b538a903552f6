// SPDX-License-Identifier: Apache-2.0

// Degrees: the number of tuples that end at each label.
#pragma once

#include "kernel1/split.cuh"

namespace g500 {

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

// DegreeCounter counts the tuples that end at each label, including duplicates but not self-loops. It lists the ends by
// part of the labels, and then counts the lists, so that the additions at random labels are in shared memory.
class DegreeCounter {
public:
	// Makes room for the degrees of `owned` labels, which are 0 at first. Synchronous.
	int grow(u32 owned, cudaStream_t stream);

	// Counts the ends of tuples, or of the messages of g500_bin_ends64. Tuples of several ranks need counters for all
	// labels: for each rank a slice of its owned ones.
	int count(const Tuples &tuples, const Slices &by, cudaStream_t stream);
	int count(const MessageList<WideMessage> &ends, cudaStream_t stream);
	// Takes the sums of the counts of all ranks, a slice from each.
	int add(const u32 *counts, const Slices &by, cudaStream_t stream);

	u32 *degrees() const { return degrees_; }
	ull *word() const { return lengths_; } // a word of device memory that callers may use between counts
	void free_lists(); // after the last count
	void free() { degrees_.free(); }

private:
	template <typename Ends>
	int count_list(Ends ends, cudaStream_t stream);
	int reserve(u64 ends);
	int size_ranges();

	Array<u32> degrees_, places_;
	Array<ull> lengths_;
	EndLists lists_{};
	u32 owned_ = 0;
	u32 range_ = 1; // a block counts the ends at that many labels
};

} // namespace g500
