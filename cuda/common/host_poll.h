// Host waits for words that a kernel writes into host memory.
#pragma once

#include <cuda_runtime.h>

#include <thread>

#include "common/errors.h"
#include "common/types.cuh"

namespace g500 {

#ifdef G500_EMULATED
constexpr u32 kPollsPerQuery = 1; // the emulator's device runs within a query
#else
constexpr u32 kPollsPerQuery = 1 << 16; // some milliseconds
#endif

inline u32 load_flag(const u32 &flag) { return __atomic_load_n(&flag, __ATOMIC_ACQUIRE); }

// Pauses a core between two polls.
inline void pause_poll() {
#if defined(__x86_64__)
	__builtin_ia32_pause();
#endif
}

// Polls until done() returns true. If the stream's work has ended before, returns its error, or G500_ENDED_EARLY.
template <typename Done>
cudaError_t poll_until(cudaStream_t stream, Done done) {
	for (u32 polls = 1; !done(); polls++) {
		if (polls % kPollsPerQuery == 0) {
			const cudaError_t code = cudaStreamQuery(stream);
			if (code == cudaSuccess) return done() ? cudaSuccess : (cudaError_t)G500_ENDED_EARLY;
			if (code != cudaErrorNotReady) return code;
			cudaGetLastError(); // the next launch would report cudaErrorNotReady
		}
		if (polls % (1 << 14) == 0) std::this_thread::yield();
		pause_poll();
	}
	return cudaSuccess;
}

} // namespace g500
