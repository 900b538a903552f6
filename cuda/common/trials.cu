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

constexpr u64 kLaunchWait = 250'000'000, kConcurrencyWait = 2'000'000'000; // ns that kernels wait at most

// Words are in host memory, because devices share no atomics there.
struct Words {
	u32 run[G500_MOST_CONCURRENT]; // by place: the number of the last trial in which its kernel ran
	u32 failed;                    // the number of the last trial that failed
};

struct Trial {
	u32 number, place, ranks;
	u64 wait;
};

// One thread publishes that it runs, and waits for the others until the trial fails.
__global__ void concurrency_kernel(Words *words, Trial trial, u32 *all) {
	const u64 until = now_ns() + trial.wait;
	*(volatile u32 *)(words->run + trial.place) = trial.number;
	for (u32 r = 0; r < trial.ranks; r++)
		while (poll(words->run + r) != trial.number) {
			if (now_ns() > until) *(volatile u32 *)&words->failed = trial.number;
			if (poll(&words->failed) == trial.number) return;
		}
	*(volatile u32 *)all = 1;
}

bool environment_blocks() {
	const char *const value = std::getenv("CUDA_LAUNCH_BLOCKING");
	return value && *value && std::strcmp(value, "0") != 0;
}

// The host is the kernel's second rank: it runs after the launch has returned.
int try_launch(bool *returns, cudaStream_t stream) {
	HostArray<Words> words;
	HostArray<u32> all;
	G500_TRY(words.alloc(1));
	G500_TRY(all.alloc(1));
	const Launch one_thread{1, 1, stream};
	G500_TRY(launch(concurrency_kernel, one_thread, words, Trial{1, 0, 2, kLaunchWait}, all));
	__atomic_store_n(&words->run[1], 1, __ATOMIC_RELEASE);
	G500_TRY(cudaStreamSynchronize(stream));
	*returns = *all;
	return cudaSuccess;
}

// Kernels of two streams do not run concurrently if the streams share a hardware queue (as with
// CUDA_DEVICE_MAX_CONNECTIONS=1) and one stream has a second kernel in that queue, as searches have. Nor do they if a
// launch returns only after its kernel has ended.

// The second kernel of a stream. It blocks a shared queue until the first kernel has ended.
__global__ void follower_kernel() {}

// Launches both kernels. A lock serializes the ranks: otherwise all first kernels might be queued before all second
// ones, and would run concurrently even if the streams shared a queue.
int launch_pair(Words *words, const Trial &trial, u32 *all, cudaStream_t stream) {
	static std::mutex launching;
	const std::lock_guard<std::mutex> alone(launching);
	const Launch one_thread{1, 1, stream};
	G500_TRY(launch(concurrency_kernel, one_thread, words, trial, all));
	return launch(follower_kernel, one_thread);
}

// Loads both kernels: CUDA loads a kernel at its first use, and may then wait for the device, on which another rank's
// kernel waits.
int load_kernels() {
	for (const void *kernel : {(const void *)concurrency_kernel, (const void *)follower_kernel})
		G500_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
	return cudaSuccess;
}

// They stay allocated until the process ends.
int words_of_process(Words **at) {
	static std::mutex opening;
	static auto *const words = new HostArray<Words>;
	const std::lock_guard<std::mutex> alone(opening);
	if (!*words) G500_TRY(words->alloc(1));
	*at = *words;
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
	const Trial trial{number, place, ranks, kConcurrencyWait};
	if (const int code = launch_pair(words, trial, found, (cudaStream_t)stream)) return code;
	G500_TRY(cudaStreamSynchronize((cudaStream_t)stream));
	*all = *found;
	return cudaSuccess;
}
