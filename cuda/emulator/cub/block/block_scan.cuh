// SPDX-License-Identifier: Apache-2.0

// CUB's sums over the threads of a block: its first thread adds up.
#pragma once

#include "cuda_runtime.h"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_WARP_SCANS };

template <typename T, int kThreads, BlockScanAlgorithm = BLOCK_SCAN_RAKING>
class BlockScan {
public:
	struct TempStorage {
		T of[kThreads], sum;
	};

	explicit BlockScan(TempStorage &storage) : storage(storage) {}

	void ExclusiveSum(T value, T &before, T &sum) {
		storage.of[threadIdx.x] = value;
		__syncthreads();
		if (threadIdx.x == 0) add_up();
		__syncthreads();
		before = storage.of[threadIdx.x];
		sum = storage.sum;
		__syncthreads();
	}

	void ExclusiveSum(T value, T &before) {
		T sum;
		ExclusiveSum(value, before, sum);
	}

	// The same for several consecutive values of each thread.
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
	void add_up() {
		storage.sum = 0;
		for (T &item : storage.of) {
			const T value = item;
			item = storage.sum;
			storage.sum += value;
		}
	}

	TempStorage &storage;
};

} // namespace cub
