// SPDX-License-Identifier: Apache-2.0

// Trials of launches: kernels that wait for the host, or for each other.
#include "common/trials.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "common/check.cuh"
#include "common/device.cuh"

namespace g500 {

namespace {

constexpr u64 kLaunchWait = 250'000'000; // ns that the kernel waits at most

struct Trial {
	u64 word; // written by the host after the launch has returned
	u32 seen; // set by the kernel when it has read the word
};

// One thread waits until the host writes a word.
__global__ void trial_kernel(Trial *trial) {
	const u64 until = now_ns() + kLaunchWait;
	while (poll_system(&trial->word) == 0)
		if (now_ns() > until) return;
	*(volatile u32 *)&trial->seen = 1;
}

bool environment_blocks() {
	const char *const value = std::getenv("CUDA_LAUNCH_BLOCKING");
	return value && *value && std::strcmp(value, "0") != 0;
}

int try_launch(bool *returns, cudaStream_t stream) {
	HostArray<Trial> trial;
	G500_TRY(trial.alloc(1));
	const Launch one_thread{1, 1, stream};
	G500_TRY(launch(trial_kernel, one_thread, trial));
	__atomic_store_n(&trial->word, (u64)1, __ATOMIC_RELEASE);
	G500_TRY(cudaStreamSynchronize(stream));
	*returns = trial->seen;
	return cudaSuccess;
}

// Kernels of two streams do not run concurrently if the streams share a hardware queue (as with
// CUDA_DEVICE_MAX_CONNECTIONS=1) and one stream has a second kernel in that queue, as searches have. Nor do they if a
// launch returns only after its kernel has ended.

constexpr u64 kConcurrencyWait = 2'000'000'000; // ns

// Words are in host memory, because devices share no atomics there, and stay allocated until the process ends.
struct Words {
	u32 run[G500_MOST_CONCURRENT]; // by place: the number of the last trial in which its kernel ran
	u32 failed;                    // the number of the last trial that failed
};

// One thread publishes that it runs, and waits for the others until the trial fails.
__global__ void concurrency_kernel(Words *words, u32 number, u32 place, u32 ranks, u32 *all) {
	const u64 until = now_ns() + kConcurrencyWait;
	*(volatile u32 *)(words->run + place) = number;
	for (u32 r = 0; r < ranks; r++)
		while (poll(words->run + r) != number) {
			if (now_ns() > until) *(volatile u32 *)&words->failed = number;
			if (poll(&words->failed) == number) return;
		}
	*(volatile u32 *)all = 1;
}

// The second kernel of a stream. It blocks a shared queue until the first kernel has ended.
__global__ void follower_kernel() {}

// Launches both kernels. A lock serializes the ranks: otherwise all first kernels might be queued before all second
// ones, and would run concurrently even if the streams shared a queue.
int launch_pair(Words *words, u32 number, u32 place, u32 ranks, u32 *all, cudaStream_t stream) {
	static std::mutex launching;
	const std::lock_guard<std::mutex> alone(launching);
	const Launch one_thread{1, 1, stream};
	G500_TRY(launch(concurrency_kernel, one_thread, words, number, place, ranks, all));
	return launch(follower_kernel, one_thread);
}

// Loads both kernels: CUDA loads a kernel at its first use, and may then wait for the device, on which another rank's
// kernel waits.
int load_kernels() {
	for (const void *kernel : {(const void *)concurrency_kernel, (const void *)follower_kernel})
		G500_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
	return cudaSuccess;
}

int words_of_process(Words **at) {
	static std::mutex opening;
	static Words *words = nullptr;
	const std::lock_guard<std::mutex> alone(opening);
	if (!words) {
		Words *memory = nullptr;
		G500_TRY(cudaHostAlloc((void **)&memory, sizeof *memory, cudaHostAllocMapped));
		*memory = Words{};
		words = memory;
	}
	*at = words;
	return cudaSuccess;
}

} // namespace

} // namespace g500

using namespace g500;

int g500_try_prelaunch(int *found, void *stream) {
	*found = G500_LAUNCHES_BLOCK;
	if (environment_blocks()) return cudaSuccess;
	int device, limited = 0;
	bool returns = false;
	G500_TRY((int)cudaGetDevice(&device));
	G500_TRY((int)cudaDeviceGetAttribute(&limited, cudaDevAttrKernelExecTimeout, device));
	if (const int code = try_launch(&returns, (cudaStream_t)stream)) return code;
	if (returns) *found = limited ? G500_KERNELS_ARE_LIMITED : G500_LAUNCHES_RETURN;
	return cudaSuccess;
}

int g500_next_concurrency_trial(uint32_t *number) {
	Words *words;
	if (const int code = load_kernels()) return code;
	if (const int code = words_of_process(&words)) return code;
	*number = *std::max_element(words->run, words->run + G500_MOST_CONCURRENT) + 1;
	return cudaSuccess;
}

int g500_try_concurrency(uint32_t number, uint32_t place, uint32_t ranks, int *all, void *stream) {
	Words *words;
	HostArray<u32> found;
	if (ranks > G500_MOST_CONCURRENT || place >= ranks) return cudaErrorInvalidValue;
	if (const int code = words_of_process(&words)) return code;
	G500_TRY(found.alloc(1));
	if (const int code = launch_pair(words, number, place, ranks, found, (cudaStream_t)stream)) return code;
	G500_TRY(cudaStreamSynchronize((cudaStream_t)stream));
	*all = *found;
	return cudaSuccess;
}
