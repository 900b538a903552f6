// SPDX-License-Identifier: Apache-2.0

// A doorbell: a kernel is launched before its root is known, and starts when the host writes the root (ADR 4). A launch
// within the timed search takes about 5 us longer. The host then rings before the launch, because that may return only
// after the kernel has ended (trials.h).
#pragma once

#include "common/check.cuh"
#include "common/device.cuh"

namespace g500 {

constexpr int kRingBits = 48; // the low bits of a ring's word are the root, the others the ring's number
constexpr u64 kNoRoot = (1ull << kRingBits) - 1; // the kernel ends without a search
constexpr u64 kMostWait = 60'000'000'000; // the longest wait of a kernel, in ns

// DoorbellWords is the kernel's view of a doorbell.
struct DoorbellWords {
	const u64 *rung; // host memory: the word that the host writes
	u64 *copy;       // device memory: a copy for all blocks except the first
	u32 *missed;     // host memory: the number of the last ring for which a kernel waited too long
};

__device__ inline bool is_ring(u64 word, u32 number) { return word >> kRingBits == (u16)number; }

// Waits for the ring with this number. Returns the root, or kNoRoot. Called by one thread per block. Only the first
// block reads over the bus.
__device__ inline u64 await_ring(const DoorbellWords &bell, u32 number) {
	const u64 *const at = blockIdx.x == 0 ? bell.rung : bell.copy;
	const u64 began = now_ns();
	u64 word;
	do {
		word = poll_system(at);
		if (blockIdx.x == 0 && now_ns() - began > kMostWait) {
			word = (u64)(u16)number << kRingBits | kNoRoot;
			*(volatile u32 *)bell.missed = number;
		}
	} while (!is_ring(word, number));
	if (blockIdx.x == 0) store_system(bell.copy, word);
	return word & kNoRoot;
}

// Doorbell owns the words. A waiting kernel must be cancelled before their memory is freed.
struct Doorbell {
	u32 number = 0; // of the last ring for which a kernel was launched
	bool waiting = false; // a kernel was launched and not rung for

	cudaError_t open(cudaStream_t on) {
		stream = on;
		G500_TRY(host.alloc(1));
		G500_TRY(copy.alloc(1));
		return cudaMemsetAsync(copy, 0, sizeof(u64), stream);
	}
	DoorbellWords words() const { return {&host->rung, copy, &host->missed}; }

	bool is_awaited() const { return waiting && !is_missed(); }

	// Returns whether the last kernel waited too long and ended without a search.
	bool is_missed() const { return number > 0 && *(volatile u32 *)&host->missed == number; }

	void ring(u64 root) {
		__atomic_store_n(&host->rung, (u64)(u16)number << kRingBits | (root & kNoRoot), __ATOMIC_RELEASE);
		waiting = false;
	}

	// Ends a waiting kernel, if there is one. Synchronous.
	cudaError_t cancel() {
		if (!waiting) return cudaSuccess;
		ring(kNoRoot);
		return cudaStreamSynchronize(stream);
	}

private:
	struct Host {
		u64 rung;
		u32 missed;
	};

	HostArray<Host> host;
	Array<u64> copy;
	cudaStream_t stream = nullptr;
};

} // namespace g500
