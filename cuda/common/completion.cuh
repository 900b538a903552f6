// How the host learns early that a search is complete: the last thread writes the search's number into host memory,
// which the host polls. To wait for the stream takes some 2 us more (ADR 4).
#pragma once

#include "common/check.cuh"
#include "common/device.cuh"
#include "common/host_poll.h"

namespace g500 {

// Says that all that was written before is complete. Other blocks must have released what they wrote to this thread.
__device__ inline void complete(u32 *completed, u32 number) {
	fence_system();
	*(volatile u32 *)completed = number;
}

// Completion owns the word.
class Completion {
public:
	cudaError_t open() { return word.alloc(1); }
	u32 *at() const { return word; }

	// Waits until work with this number, the last in the stream, is complete.
	cudaError_t await(u32 number, cudaStream_t stream) const {
		return poll_until(stream, [&] { return load_flag(*word) == number; });
	}

private:
	HostArray<u32> word;
};

} // namespace g500
