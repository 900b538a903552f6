// SPDX-License-Identifier: Apache-2.0

// Host waits for words that kernels write into host memory.
#pragma once

#include <chrono>
#include <thread>

#include "common/check.cuh"
#include "common/device.cuh"
#include "common/errors.h"

namespace g500 {

constexpr u32 kPollsPerQuery = G500_SIZE(1, 1 << 16); // some milliseconds; the emulator's device runs within a query

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

// Publishes a number in host memory, after all earlier writes. Other threads must have released theirs to this one.
template <typename Word>
__device__ inline void complete(Word *completed, u32 number) {
	fence_system();
	*(volatile Word *)completed = number;
}

// Look is a look of the host at numbers that a kernel writes while the stream goes on. The first word is the number of
// the look, which the kernel writes last.
class Look {
public:
	cudaError_t open(u64 words) { return words_.alloc(words); }
	u64 *words() const { return words_; }

	bool is_open() const { return open_; }
	u32 begin() {
		open_ = true;
		began_ = Clock::now();
		return ++number_;
	}
	void forget() { open_ = false; }

	// Waits a short time. Afterwards the look is not open any more, unless it needs more time. Returns an error of the
	// stream.
	cudaError_t await(cudaStream_t stream) {
		const u64 *const number = words_;
		for (u32 polls = 0; polls < kPollsPerQuery; polls++) {
			open_ = __atomic_load_n(number, __ATOMIC_ACQUIRE) != number_;
			if (!open_) return cudaSuccess;
			pause_poll();
		}
		const cudaError_t code = cudaStreamQuery(stream);
		if (code != cudaErrorNotReady) return code;
		cudaGetLastError(); // the next launch would report cudaErrorNotReady
		return cudaSuccess;
	}

	// Returns whether the look is open for longer than wait_ns and the time of an exchange of these bytes.
	bool is_late(u64 wait_ns, u64 exchanged) const {
		const std::chrono::nanoseconds waited = Clock::now() - began_;
		return (u64)waited.count() > wait_ns + exchanged / G500_SLOWEST_NETWORK * 1'000'000'000;
	}

private:
	using Clock = std::chrono::steady_clock;

	HostArray<u64> words_;
	u32 number_ = 0; // of looks so far
	bool open_ = false;
	Clock::time_point began_;
};

} // namespace g500
