// Tests whether kernels that wait for each other run concurrently. Kernels of two streams do not if the streams share a
// hardware queue (as with CUDA_DEVICE_MAX_CONNECTIONS=1) and one stream has a second kernel in that queue, as searches
// have. Nor do they if a launch returns only after its kernel has ended.
#include "common/concurrency.h"

#include <algorithm>
#include <mutex>

#include "common/check.cuh"
#include "common/device.cuh"
#include "common/launch.cuh"

namespace g500 {

namespace {

constexpr u64 kTrialWait = 2'000'000'000; // ns

// Words are in host memory, because devices share no atomics there, and stay allocated until the process ends.
struct Words {
	u32 run[G500_MOST_CONCURRENT]; // by place: the number of the last trial in which its kernel ran
	u32 failed;                    // the number of the last trial that failed
};

// One thread publishes that it runs, and waits for the others until the trial fails.
__global__ void concurrency_kernel(Words *words, u32 number, u32 place, u32 ranks, u32 *all) {
	const u64 until = now_ns() + kTrialWait;
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
	G500_TRY(launch(follower_kernel, one_thread));
	return cudaSuccess;
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

extern "C" int g500_next_concurrency_trial(uint32_t *number) {
	g500::Words *words;
	if (const int code = g500::load_kernels()) return code;
	if (const int code = g500::words_of_process(&words)) return code;
	*number = *std::max_element(words->run, words->run + G500_MOST_CONCURRENT) + 1;
	return cudaSuccess;
}

extern "C" int g500_try_concurrency(uint32_t number, uint32_t place, uint32_t ranks, int *all, void *stream) {
	g500::Words *words;
	g500::HostArray<g500::u32> found;
	if (ranks > G500_MOST_CONCURRENT || place >= ranks) return cudaErrorInvalidValue;
	if (const int code = g500::words_of_process(&words)) return code;
	G500_TRY(found.alloc(1));
	if (const int code = g500::launch_pair(words, number, place, ranks, found, (cudaStream_t)stream)) return code;
	G500_TRY(cudaStreamSynchronize((cudaStream_t)stream));
	*all = *found;
	return cudaSuccess;
}
