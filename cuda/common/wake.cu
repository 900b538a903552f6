#include "common/wake.h"

#include "common/check.cuh"
#include "common/launch.cuh"

__global__ void wake_kernel() {}

extern "C" int g500_wake(void *stream) {
	const g500::Launch one_warp{1, 32, (cudaStream_t)stream};
	G500_LAUNCH_BY("wake_kernel", g500::launch_cooperative(wake_kernel, one_warp));
	G500_LAUNCH_BY("wake_kernel", g500::launch_overlapped(wake_kernel, one_warp));
	return cudaStreamSynchronize((cudaStream_t)stream);
}
