// SPDX-License-Identifier: Apache-2.0

// Sorts edge tuples along a Z-order curve (Morton, IBM Ottawa, 1966) over pairs of labels: consecutive tuples have
// their ends in the same two blocks of labels, for blocks of any size. The validator then finds most levels in caches.
// A key is the bits of both labels in turns, so it contains the complete tuple.
#include <algorithm>

#include "common/block.cuh"
#include "common/check.cuh"
#include "common/cub.cuh"
#include "validate/validate.h"

using g500::kThreads;
using g500::Launch;
using g500::thread_number;
using g500::u32;
using g500::u64;

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
template <bool kDirected>
__global__ void __launch_bounds__(kThreads) make_keys_kernel(const g500_edge *edges, u64 count, u64 *keys) {
	const u64 i = thread_number<kThreads>();
	if (i >= count) return;
	const u32 u = edges[i].low_u, v = edges[i].low_v;
	keys[i] = spread_label(kDirected ? u : max(u, v)) << 1 | spread_label(kDirected ? v : min(u, v));
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
		for (auto &keys : key_) G500_TRY(keys.alloc(piece_));
		for (auto &weights : weight_) G500_TRY(weights.alloc(weighted_ ? piece_ : 0));
		const int code = sort(nullptr, piece_);
		return code ? code : temp_.alloc(temp_bytes_);
	}

	int run() {
		g500_edge32 *const packed = (g500_edge32 *)of_.d_edges;
		const auto make_keys = of_.directed ? make_keys_kernel<true> : make_keys_kernel<false>;
		for (u64 first = 0; first < of_.count; first += piece_) {
			const u64 n = std::min(piece_, of_.count - first);
			const Launch how{g500::blocks_for(n, kThreads), kThreads, stream_};
			G500_LAUNCH_BY("make_keys_kernel", g500::launch(make_keys, how, of_.d_edges + first, n, key_[0].get()));
			if (const int code = weighted_ ? sort_weighted(of_.d_weights + first, n) : sort(temp_.get(), n)) return code;
			G500_LAUNCH(read_keys_kernel, how, keys_.now, n, packed + first);
		}
		return cudaSuccess;
	}

private:
	static constexpr u64 kSortBytes = 1; // more than the sort's own memory per tuple

	int sort_weighted(float *weights, u64 n) {
		const size_t bytes = n * sizeof *weights;
		G500_TRY(cudaMemcpyAsync(weight_[0].get(), weights, bytes, cudaMemcpyDeviceToDevice, stream_));
		if (const int code = sort(temp_.get(), n)) return code;
		return cudaMemcpyAsync(weights, weights_.now, bytes, cudaMemcpyDeviceToDevice, stream_);
	}

	// Sorts the first n keys, with their weights. Without temp it only sets temp_bytes_.
	int sort(void *temp, u64 n) {
		keys_ = {key_[0].get(), key_[1].get()};
		weights_ = {weight_[0].get(), weight_[1].get()};
		const int first_bit = std::max(0, last_bit_ - kSortedBits);
		const auto start = [&] {
			if (!weighted_) return sort_arrays(temp, temp_bytes_, {n, first_bit, last_bit_}, stream_, keys_);
			return sort_arrays(temp, temp_bytes_, {n, first_bit, last_bit_}, stream_, keys_, weights_);
		};
		return G500_START_BY("sort_tuples (CUB)", start());
	}

	const g500_tuple_list of_;
	const bool weighted_;
	const int last_bit_;
	const cudaStream_t stream_;
	u64 piece_ = 0;
	g500::Array<u64> key_[2];
	g500::Array<u32> weight_[2]; // their bits
	g500::Array<char> temp_;
	size_t temp_bytes_ = 0;
	g500::Buffers<u64> keys_;
	g500::Buffers<u32> weights_;
};

} // namespace

int g500_sort_tuples(const g500_tuple_list *tuples, int label_bits, uint64_t work, void *stream) {
	if (tuples->count == 0) return cudaSuccess; // of a graph without labels, too
	if (label_bits < 1 || label_bits > 32) return cudaErrorInvalidValue;
	TupleSorter sorter(*tuples, label_bits, (cudaStream_t)stream);
	if (const int code = sorter.allocate(work)) return code;
	if (const int code = sorter.run()) return code;
	return cudaStreamSynchronize((cudaStream_t)stream);
}
