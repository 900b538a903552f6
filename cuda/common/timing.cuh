// Kernel times by name. The host synchronizes the stream before and after each timed kernel, because launches are
// asynchronous. That slows everything down and is done only on request. It synchronizes only the rank's own stream:
// kernels of other ranks on the same GPU may wait for this rank.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstring>

#include "common/timing.h"

namespace g500 {

// Timings are the sums of all launches so far, one entry per name in order of first use, at most kMost entries.
struct Timings {
	static constexpr int kMost = 64;

	bool on = false;
	cudaStream_t stream = nullptr; // the timed stream
	int count = 0;
	g500_kernel_time of[kMost] = {};

	void add(const char *name, size_t length, uint64_t nanoseconds) {
		if (length >= sizeof of->name) length = sizeof of->name - 1;
		const auto is_it = [&](const g500_kernel_time &k) { return !strncmp(k.name, name, length) && !k.name[length]; };
		int i = 0;
		while (i < count && !is_it(of[i])) i++;
		if (i == kMost) return;
		if (i == count) {
			of[count++] = {};
			memcpy(of[i].name, name, length);
		}
		of[i].launches++;
		of[i].nanoseconds += nanoseconds;
	}
};

// One set per thread: a rank is one thread and owns its device. Defined in the header so that a program with a few
// kernels can be built without timing.cu.
inline thread_local Timings timings;

// Stopwatch times one launch, if launches are timed, under the kernel's name without template arguments.
class Stopwatch {
public:
	explicit Stopwatch(const char *name) : name_(name) {
		if (!timings.on) return;
		cudaStreamSynchronize(timings.stream); // stop returns earlier errors
		began_ = std::chrono::steady_clock::now();
	}

	// Takes the code of the launch and returns the first error.
	cudaError_t stop(cudaError_t code) const {
		if (!timings.on || code != cudaSuccess) return code;
		code = cudaStreamSynchronize(timings.stream);
		const auto took = std::chrono::steady_clock::now() - began_;
		timings.add(name_, strcspn(name_, "<"), std::chrono::nanoseconds(took).count());
		return code;
	}

private:
	const char *name_;
	std::chrono::steady_clock::time_point began_;
};

} // namespace g500
