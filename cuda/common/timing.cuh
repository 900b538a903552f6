// SPDX-License-Identifier: Apache-2.0

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

// Calls start(), which launches kernels and returns an error code, and records its time, if launches are timed, under
// the kernel's name without template arguments. Returns the first error.
template <typename Start>
cudaError_t timed(const char *name, Start start) {
	if (!timings.on) return (cudaError_t)start();
	cudaStreamSynchronize(timings.stream); // the next one returns earlier errors
	const auto began = std::chrono::steady_clock::now();
	cudaError_t code = (cudaError_t)start();
	if (code != cudaSuccess) return code;
	code = cudaStreamSynchronize(timings.stream);
	const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - began;
	timings.add(name, strcspn(name, "<"), took.count());
	return code;
}

} // namespace g500
