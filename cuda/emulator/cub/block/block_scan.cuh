// CUB's sums over the threads of a block, one thread after the other.
#pragma once

#include "cuda_runtime.h"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_WARP_SCANS };

template <typename T, int kThreads, BlockScanAlgorithm>
class BlockScan {
public:
	struct TempStorage {
		T of[kThreads];
	};

	explicit BlockScan(TempStorage &storage) : storage(storage) {}

	void ExclusiveSum(T value, T &before, T &sum) {
		storage.of[threadIdx.x] = value;
		__syncthreads();
		before = sum = 0;
		for (uint32_t i = 0; i < kThreads; i++) {
			if (i == threadIdx.x) before = sum;
			sum += storage.of[i];
		}
		__syncthreads();
	}

	// The same for several values of each thread, which stand side by side.
	template <int kEach>
	void ExclusiveSum(T (&values)[kEach], T (&before)[kEach], T &sum) {
		T own = 0, upto;
		for (T value : values) own += value;
		ExclusiveSum(own, upto, sum);
		for (int k = 0; k < kEach; k++) {
			before[k] = upto;
			upto += values[k];
		}
	}

private:
	TempStorage &storage;
};

} // namespace cub
