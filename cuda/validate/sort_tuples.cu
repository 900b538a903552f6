// SPDX-License-Identifier: Apache-2.0

// Sorts edge tuples along a Z-order curve (Morton, IBM Ottawa, 1966) over pairs of labels: consecutive tuples have
// their ends in the same two blocks of labels, for blocks of any size. The validator then finds most levels in caches.
// A key is the bits of both labels in turns, so it contains the complete tuple.
#include <algorithm>

#include "common/block.cuh"
#include "common/check.cuh"
#include "common/cub.cuh"
#include "validate/validate.h"

namespace g500::validate {

namespace {

constexpr int kSortedBits = 32; // the highest ones of a key

// Spreads the bits of a label over the even bits of a key.
__device__ u64 spread_label(u32 label) {
	u64 x = label;
	x = (x | x << 16) & 0x0000ffff0000ffff;
	x = (x | x << 8) & 0x00ff00ff00ff00ff;
	x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
	x = (x | x << 2) & 0x3333333333333333;
	return (x | x << 1) & 0x5555555555555555;
}

// Returns the label in the even bits of a key.
__device__ u32 gather_label(u64 key) {
	u64 x = key & 0x5555555555555555;
	x = (x | x >> 1) & 0x3333333333333333;
	x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0f;
	x = (x | x >> 4) & 0x00ff00ff00ff00ff;
	x = (x | x >> 8) & 0x0000ffff0000ffff;
	return (u32)(x | x >> 16);
}

// Makes the keys of tuples. Undirected ones get the higher label first, so that only half of all pairs of blocks occur.
// Map: one thread per tuple. Reads: 12 B per tuple. Writes: 8 B per tuple.
__global__ void __launch_bounds__(kThreads)
make_keys_kernel(const g500_edge *edges, u64 count, bool directed, u64 *keys) {
	const u64 i = thread_number<kThreads>();
	if (i >= count) return;
	const u32 u = edges[i].low_u, v = edges[i].low_v;
	keys[i] = spread_label(directed ? u : max(u, v)) << 1 | spread_label(directed ? v : min(u, v));
}

// Map: one thread per tuple. Reads and writes: 8 B per tuple.
__global__ void __launch_bounds__(kThreads) read_keys_kernel(const u64 *keys, u64 count, g500_edge32 *edges) {
	const u64 i = thread_number<kThreads>();
	if (i < count) edges[i] = {gather_label(keys[i] >> 1), gather_label(keys[i])};
}

// TupleSorter sorts pieces of the tuples, each on its own, as large as its memory allows, and packs them. The packed
// tuples overwrite those that have been read.
class TupleSorter {
public:
	TupleSorter(const g500_tuple_list &of, int label_bits, cudaStream_t stream)
		: of_(of), weighted_(of.d_weights != nullptr), last_bit_(2 * label_bits), stream_(stream) {}

	// Allocates at most work bytes, for pieces of the tuples.
	int allocate(u64 work) {
		const u64 count = of_.count;
		const u64 tuple_bytes = 2 * (sizeof(u64) + (weighted_ ? sizeof(float) : 0));
		piece_ = std::min(count, work / (tuple_bytes + kSortBytes));
		if (piece_ == 0) return count ? cudaErrorMemoryAllocation : cudaSuccess;
		for (u64 *&keys : key_) G500_TRY(held_.alloc(piece_, keys));
		for (u32 *&weights : weight_) G500_TRY(held_.alloc(weighted_ ? piece_ : 0, weights));
		G500_TRY(sort(nullptr, piece_));
		return held_.alloc(temp_bytes_, temp_);
	}

	int run() {
		g500_edge32 *const packed = (g500_edge32 *)of_.d_edges;
		for (u64 first = 0; first < of_.count; first += piece_) {
			const u64 n = std::min(piece_, of_.count - first);
			const Launch how = thread_for(n, stream_);
			G500_LAUNCH(make_keys_kernel, how, of_.d_edges + first, n, of_.directed != 0, key_[0]);
			G500_TRY(weighted_ ? sort_weighted(of_.d_weights + first, n) : sort(temp_, n));
			G500_LAUNCH(read_keys_kernel, how, keys_.now, n, packed + first);
		}
		return cudaSuccess;
	}

private:
	static constexpr u64 kSortBytes = 1; // more than the sort's own memory per tuple

	int sort_weighted(float *weights, u64 n) {
		const size_t bytes = n * sizeof *weights;
		G500_TRY(cudaMemcpyAsync(weight_[0], weights, bytes, cudaMemcpyDeviceToDevice, stream_));
		G500_TRY(sort(temp_, n));
		return cudaMemcpyAsync(weights, weights_.now, bytes, cudaMemcpyDeviceToDevice, stream_);
	}

	// Sorts the first n keys, with their weights. Without temp it only sets temp_bytes_.
	int sort(void *temp, u64 n) {
		keys_ = {key_[0], key_[1]};
		weights_ = {weight_[0], weight_[1]};
		const Sorted by{n, std::max(0, last_bit_ - kSortedBits), last_bit_};
		return G500_START_BY("sort_tuples (CUB)", weighted_ ? sort_arrays(temp, temp_bytes_, by, stream_, keys_, weights_)
		                                                    : sort_arrays(temp, temp_bytes_, by, stream_, keys_));
	}

	const g500_tuple_list of_;
	const bool weighted_;
	const int last_bit_;
	const cudaStream_t stream_;
	u64 piece_ = 0;
	Arrays held_;
	u64 *key_[2];
	u32 *weight_[2]; // their bits
	char *temp_;
	size_t temp_bytes_ = 0;
	Buffers<u64> keys_;
	Buffers<u32> weights_;
};

} // namespace

} // namespace g500::validate

int g500_sort_tuples(const g500_tuple_list *tuples, int label_bits, uint64_t work, void *stream) {
	if (tuples->count == 0) return cudaSuccess; // of a graph without labels, too
	if (label_bits < 1 || label_bits > 32) return cudaErrorInvalidValue;
	g500::validate::TupleSorter sorter(*tuples, label_bits, (cudaStream_t)stream);
	G500_TRY(sorter.allocate(work));
	G500_TRY(sorter.run());
	return cudaStreamSynchronize((cudaStream_t)stream);
}
