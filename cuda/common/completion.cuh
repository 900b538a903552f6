// Early notification of the host: the last thread of a search writes the search's number into host memory, which the
// host polls. Synchronizing the stream takes about 2 us longer (ADR 4).
#pragma once

#include "common/check.cuh"
#include "common/device.cuh"
#include "common/host_poll.h"

namespace g500 {

// Publishes that all earlier writes are complete. Other blocks must have released their writes to this thread.
__device__ inline void complete(u32 *completed, u32 number) {
	fence_system();
	*(volatile u32 *)completed = number;
}

// Completion owns the word.
class Completion {
public:
	cudaError_t open() { return word.alloc(1); }
	u32 *at() const { return word; }

	// Waits until the work with this number, the last in the stream, is complete.
	cudaError_t await(u32 number, cudaStream_t stream) const {
		return poll_until(stream, [&] { return load_flag(*word) == number; });
	}

private:
	HostArray<u32> word;
};

} // namespace g500
