// A look of the host at numbers that a kernel writes into host memory while the stream goes on. The first word is the
// number of the look, which the kernel writes last.
#pragma once

#include <chrono>

#include "common/check.cuh"
#include "common/host_poll.h"
#include "common/stall.h"
#include "common/wanted.h"

namespace g500 {

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

constexpr int kGoesOn = -1; // of g500_wanted.kind: no exchange is needed

// Continues a search that the host drives, by its stages, until it wants an exchange or time, or is done. await waits
// for the look while it is open.
template <typename Await, typename Stage>
int go_on(g500_wanted &wanted, const Look &look, Await await, Stage stage) {
	wanted = {kGoesOn};
	while (wanted.kind == kGoesOn) {
		if (look.is_open()) {
			const int code = await();
			if (code || look.is_open()) return code;
		}
		if (const int code = stage()) return code;
	}
	return cudaSuccess;
}

} // namespace g500
