// SPDX-License-Identifier: Apache-2.0

// Additional streams, one per class, for kernels that run at the same time (Liu and Huang, SC 2015, section 4.2).
#pragma once

#include "common/check.cuh"
#include "lab/state.cuh"

namespace g500::lab {

class Branches {
public:
	Branches() = default;
	Branches(const Branches &) = delete;
	Branches &operator=(const Branches &) = delete;
	~Branches() {
		for (int i = 0; i < made; i++) cudaStreamDestroy(streams[i]), cudaEventDestroy(ends[i]);
	}

	cudaError_t create() {
		for (; made <= kClasses; made++) {
			G500_TRY(cudaStreamCreateWithFlags(&streams[made], cudaStreamNonBlocking));
			G500_TRY(cudaEventCreateWithFlags(&ends[made], cudaEventDisableTiming));
		}
		return cudaSuccess;
	}

	// Later work of the branches waits for the work in the trunk.
	cudaError_t fork(cudaStream_t trunk) {
		G500_TRY(cudaEventRecord(ends[kClasses], trunk));
		for (int c = 0; c < kClasses; c++) G500_TRY(cudaStreamWaitEvent(streams[c], ends[kClasses], 0));
		return cudaSuccess;
	}

	// Later work of the trunk waits for the work in the branches.
	cudaError_t join(cudaStream_t trunk) {
		for (int c = 0; c < kClasses; c++) {
			G500_TRY(cudaEventRecord(ends[c], streams[c]));
			G500_TRY(cudaStreamWaitEvent(trunk, ends[c], 0));
		}
		return cudaSuccess;
	}

	cudaStream_t of(int c) const { return streams[c]; }

private:
	cudaStream_t streams[kClasses + 1]; // the last one is spare
	cudaEvent_t ends[kClasses + 1];     // of the branches, and of the trunk at the fork
	int made = 0;
};

} // namespace g500::lab
