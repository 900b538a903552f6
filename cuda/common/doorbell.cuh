// A doorbell: a kernel is launched before it is known from which root it is to search, and begins when the host rings
// (ADR 4). A search that is launched in the clock takes some 5 us more: for that one the host rings before the launch,
// which may return only when the kernel has ended (prelaunch.h).
#pragma once

#include "common/check.cuh"
#include "common/device.cuh"

namespace g500 {

constexpr int kRingBits = 48; // of a ring's word that are the root; above them is the ring's number
constexpr u64 kNoRoot = (1ull << kRingBits) - 1; // the kernel ends without a search
constexpr u64 kMostWait = 60'000'000'000; // ns that a kernel waits

// DoorbellWords are what a kernel has of a doorbell.
struct DoorbellWords {
	const u64 *rung; // host memory: what the host writes
	u64 *copy;       // device memory: the same, for the blocks but the first
	u32 *missed;     // host memory: the number of the last ring for which a kernel has waited too long
};

__device__ inline bool is_ring(u64 word, u32 number) { return word >> kRingBits == (u16)number; }

// Waits for the ring with that number. Returns the root, or kNoRoot. One thread of each block; the first block alone
// reads over the bus.
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

// Doorbell owns the words. A kernel that waits must be cancelled before its memory goes.
class Doorbell {
public:
	cudaError_t open(cudaStream_t on) {
		stream = on;
		G500_TRY(host.alloc(1));
		G500_TRY(copy.alloc(1));
		return cudaMemsetAsync(copy, 0, sizeof(u64), stream);
	}
	DoorbellWords words() const { return {&host->rung, copy, &host->missed}; }

	// Launches a kernel that waits: launch(the number of its ring) returns an error code. If it fails, none waits.
	template <typename Launch>
	cudaError_t prelaunch(Launch launch) {
		const cudaError_t code = launch(++number);
		waiting = code == cudaSuccess;
		return code;
	}

	// Has a kernel begin at a root: the one that waits, or else one that is launched now, as in arm.
	template <typename Launch>
	cudaError_t begin(u64 root, Launch launch) {
		const bool awaited = is_awaited();
		if (!awaited) number++;
		ring(root);
		return awaited ? cudaSuccess : launch(number);
	}

	bool is_awaited() const { return waiting && !is_missed(); }

	// Whether the last kernel has waited too long, and has ended without a search.
	bool is_missed() const { return number > 0 && *(volatile u32 *)&host->missed == number; }

	// Ends a kernel that waits in vain.
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

	void ring(u64 root) {
		__atomic_store_n(&host->rung, (u64)(u16)number << kRingBits | (root & kNoRoot), __ATOMIC_RELEASE);
		waiting = false;
	}

	HostArray<Host> host;
	Array<u64> copy;
	cudaStream_t stream = nullptr;
	u32 number = 0;
	bool waiting = false;
};

} // namespace g500
