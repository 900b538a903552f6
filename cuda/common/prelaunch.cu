// Tests whether a launch returns while its kernel waits for the host.
#include "common/prelaunch.h"

#include <cstdlib>
#include <cstring>

#include "common/check.cuh"
#include "common/device.cuh"
#include "common/launch.cuh"

namespace g500 {

namespace {

constexpr u64 kTrialWait = 250'000'000; // ns that the kernel waits at most

struct Trial {
	u64 word; // written by the host after the launch has returned
	u32 seen; // set by the kernel when it has read the word
};

// One thread waits until the host writes a word.
__global__ void trial_kernel(Trial *trial) {
	const u64 until = now_ns() + kTrialWait;
	while (poll_system(&trial->word) == 0)
		if (now_ns() > until) return;
	*(volatile u32 *)&trial->seen = 1;
}

bool environment_blocks() {
	const char *const value = std::getenv("CUDA_LAUNCH_BLOCKING");
	return value && *value && std::strcmp(value, "0") != 0;
}

int has_time_limit(int *limited) {
	int device;
	G500_TRY(cudaGetDevice(&device));
	return cudaDeviceGetAttribute(limited, cudaDevAttrKernelExecTimeout, device);
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

} // namespace

} // namespace g500

extern "C" int g500_try_prelaunch(int *found, void *stream) {
	*found = G500_LAUNCHES_BLOCK;
	if (g500::environment_blocks()) return cudaSuccess;
	int limited = 0;
	bool returns = false;
	if (const int code = g500::has_time_limit(&limited)) return code;
	if (const int code = g500::try_launch(&returns, (cudaStream_t)stream)) return code;
	if (returns) *found = limited ? G500_KERNELS_ARE_LIMITED : G500_LAUNCHES_RETURN;
	return cudaSuccess;
}
