// A trial of kernels that wait for each other. Kernels of different streams follow each other where these share a
// hardware queue, as with CUDA_DEVICE_MAX_CONNECTIONS=1, or where a launch returns when its kernel has ended.
#include "common/concurrency.h"

#include <algorithm>
#include <mutex>

#include "common/check.cuh"
#include "common/device.cuh"
#include "common/launch.cuh"

namespace g500 {

namespace {

constexpr u64 kTrialWait = 5'000'000'000; // ns

// concurrency: one thread says that it runs, and waits for the others. Each has a word of host memory: devices have no
// common atomics there.
__global__ void concurrency_kernel(u32 *run, u32 number, u32 place, u32 ranks, u32 *all) {
	const u64 until = now_ns() + kTrialWait;
	*(volatile u32 *)(run + place) = number;
	for (u32 r = 0; r < ranks; r++)
		while (poll(run + r) != number)
			if (now_ns() > until) return;
	*(volatile u32 *)all = 1;
}

// By place: the number of the last trial. The words stay until the process ends.
int places(u32 **at) {
	static std::mutex opening;
	static u32 *run = nullptr;
	const std::lock_guard<std::mutex> alone(opening);
	if (!run) {
		u32 *memory = nullptr;
		G500_TRY(cudaHostAlloc((void **)&memory, G500_MOST_CONCURRENT * sizeof *memory, cudaHostAllocMapped));
		std::fill_n(memory, (size_t)G500_MOST_CONCURRENT, 0);
		run = memory;
	}
	*at = run;
	return cudaSuccess;
}

} // namespace

} // namespace g500

extern "C" int g500_next_concurrency_trial(uint32_t *number) {
	g500::u32 *run;
	if (const int code = g500::places(&run)) return code;
	*number = *std::max_element(run, run + G500_MOST_CONCURRENT) + 1;
	return cudaSuccess;
}

extern "C" int g500_try_concurrency(uint32_t number, uint32_t place, uint32_t ranks, int *all, void *stream) {
	g500::u32 *run;
	g500::HostArray<g500::u32> found;
	if (ranks > G500_MOST_CONCURRENT || place >= ranks) return cudaErrorInvalidValue;
	if (const int code = g500::places(&run)) return code;
	G500_TRY(found.alloc(1));
	const g500::Launch one_thread{1, 1, (cudaStream_t)stream};
	G500_TRY(g500::launch(g500::concurrency_kernel, one_thread, run, number, place, ranks, found));
	G500_TRY(cudaStreamSynchronize((cudaStream_t)stream));
	*all = *found;
	return cudaSuccess;
}
