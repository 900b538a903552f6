// How long each kernel takes, by name. Kernels run behind the host's back and overlap with it, so a kernel is waited for
// before and after it is timed: that is asked for, never the rule. Only the rank's own stream is waited for: kernels of
// other ranks that share the GPU may themselves wait for this rank.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstring>

#include "g500cuda.h"

namespace g500 {

// Timings are the sums of all launches so far, one entry a name, in the order in which the names came up. Names beyond
// kMost are not counted.
struct Timings {
	static constexpr int kMost = 64;

	bool on = false;
	cudaStream_t stream = nullptr; // on which the kernels are
	int count = 0;
	g500_kernel_time of[kMost] = {};

	void add(const char *name, size_t length, uint64_t nanoseconds) {
		if (length >= sizeof of->name) length = sizeof of->name - 1;
		int i = 0;
		while (i < count && (strncmp(of[i].name, name, length) != 0 || of[i].name[length] != 0)) i++;
		if (i == kMost) return;
		if (i == count) {
			of[count++] = {};
			memcpy(of[i].name, name, length);
		}
		of[i].launches++;
		of[i].nanoseconds += nanoseconds;
	}
};

// Of the thread: one thread owns its device, and a rank is one thread. In the header, so that a program of a few kernels
// needs no more files.
inline thread_local Timings timings;

// Stopwatch times one launch, if launches are timed at all. The name ends where <<< begins.
class Stopwatch {
public:
	explicit Stopwatch(const char *name) : name_(name) {
		if (!timings.on) return;
		cudaStreamSynchronize(timings.stream); // what went wrong before is told by stop
		began_ = std::chrono::steady_clock::now();
	}

	// Takes the code of the launch and returns the first thing that went wrong.
	cudaError_t stop(cudaError_t code) const {
		if (!timings.on || code != cudaSuccess) return code;
		code = cudaStreamSynchronize(timings.stream);
		const auto took = std::chrono::steady_clock::now() - began_;
		const char *end = strstr(name_, "<<<");
		timings.add(name_, end ? end - name_ : strlen(name_), std::chrono::nanoseconds(took).count());
		return code;
	}

private:
	const char *name_;
	std::chrono::steady_clock::time_point began_;
};

} // namespace g500
