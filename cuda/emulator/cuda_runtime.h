// SPDX-License-Identifier: Apache-2.0

// The parts of CUDA that the sources use, on a CPU: types and qualifiers here, memory and streams in runtime.cc,
// functions of several threads in threads.h. It replaces the toolkit's header of this name.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#define __global__
#define __device__
#define __constant__
#define __host__
#define __noinline__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)

struct uint2 {
	uint32_t x, y;
};
struct alignas(16) uint4 {
	uint32_t x, y, z, w;
};
struct alignas(4) ushort2 {
	uint16_t x, y;
};
struct alignas(8) ushort4 {
	uint16_t x, y, z, w;
};
struct alignas(16) float4 {
	float x, y, z, w;
};
struct alignas(16) longlong2 {
	long long x, y;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline longlong2 make_longlong2(long long x, long long y) { return {x, y}; }
inline ushort2 make_ushort2(uint16_t x, uint16_t y) { return {x, y}; }
inline ushort4 make_ushort4(uint16_t x, uint16_t y, uint16_t z, uint16_t w) { return {x, y, z, w}; }
inline uint2 make_uint2(uint32_t x, uint32_t y) { return {x, y}; }
inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w) { return {x, y, z, w}; }

template <typename T, typename U>
inline std::common_type_t<T, U> min(T a, U b) {
	return std::min<std::common_type_t<T, U>>(a, b);
}
template <typename T, typename U>
inline std::common_type_t<T, U> max(T a, U b) {
	return std::max<std::common_type_t<T, U>>(a, b);
}

enum cudaError_t {
	cudaSuccess = 0,
	cudaErrorInvalidValue = 1,
	cudaErrorMemoryAllocation = 2,
	cudaErrorLaunchTimeout = 702,
	cudaErrorNotReady = 600,
	cudaErrorLaunchOutOfResources = 701,
	cudaErrorUnsupportedLimit = 215,
	cudaErrorInvalidResourceHandle = 400,
	cudaErrorPeerAccessAlreadyEnabled = 704,
	cudaErrorLaunchFailure = 719,
	cudaErrorNotSupported = 801,
	cudaErrorUnknown = 999,
	cudaErrorApiFailureBase = 10000,
};
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum { cudaHostAllocMapped };
using cudaStream_t = void *;

// A stream's work runs while the host waits for a stream or queries one; then all streams advance together. Copies wait
// for earlier work.
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaDeviceSynchronize(); // waits for all streams

// Recording an event waits for its stream, so waiting for the event does nothing.
enum { cudaStreamNonBlocking, cudaEventDisableTiming, cudaEventDefault };
using cudaEvent_t = void *;
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned);
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned) { return *event = event, cudaSuccess; }
inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t stream) { return cudaStreamSynchronize(stream); }
inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) { return *ms = 1, cudaSuccess; }
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }

// New memory is filled with bytes that no search writes. Large arrays are zero, so that untouched parts take no memory.
cudaError_t cudaMalloc(void **at, size_t bytes);
cudaError_t cudaFree(void *at); // waits for all streams
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind, cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream);

template <typename T>
inline cudaError_t cudaMemcpyToSymbolAsync(T &symbol, const void *from, size_t bytes, size_t offset,
                                           cudaMemcpyKind kind, cudaStream_t stream) {
	return cudaMemcpyAsync((char *)&symbol + offset, from, bytes, kind, stream);
}

template <typename T>
inline cudaError_t cudaMalloc(T **at, size_t bytes) {
	return cudaMalloc((void **)at, bytes);
}
inline cudaError_t cudaHostAlloc(void **at, size_t bytes, unsigned) { return cudaMalloc(at, bytes); }
inline cudaError_t cudaFreeHost(void *at) { return cudaFree(at); }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }

// A device has two multiprocessors, each with capacity for one block of a search.
enum cudaDeviceAttr {
	cudaDevAttrMultiProcessorCount,
	cudaDevAttrComputeCapabilityMajor,
	cudaDevAttrMaxSharedMemoryPerMultiprocessor,
	cudaDevAttrReservedSharedMemoryPerBlock,
	cudaDevAttrMaxPersistingL2CacheSize,
	cudaDevAttrMaxAccessPolicyWindowSize,
	cudaDevAttrKernelExecTimeout,
	cudaDevAttrMaxSharedMemoryPerBlockOptin,
};
enum cudaLimit { cudaLimitPersistingL2CacheSize, cudaLimitDevRuntimePendingLaunchCount };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize, cudaFuncAttributePreferredSharedMemoryCarveout };

// There are two devices, which can access each other's memory. A stream's kernels run on the device that was current
// when it was created.
namespace emulator {
inline int device = 0; // the current one

// Faults are errors of the device or its driver, set by a test.
struct Faults {
	int failing_launches = 0; // this number of the next launches return an error
	int lost_launches = 0;    // this number of launches after them end at once, without an error
	bool launches_block = false; // launches return after their kernels have ended
	bool refuses_limits = false; // as to clients of MPS
	size_t waiting_grids = 0;    // launches of kernels by kernels fail if more grids of the stream wait; 0: never
	bool limits_kernels = false; // long kernels are ended
	uint64_t ahead_ns = 0;       // added to the clock
	int lost_block = -1;         // of cooperative grids: it stops
	uint32_t lost_after = 0;     // after this number of turns of its grid
	bool stale_caches = false;   // every second load through the L1 cache finds what was there before the kernel: 0
};
inline Faults faults;
}
inline cudaError_t cudaGetDeviceCount(int *count) { return *count = 2, cudaSuccess; }
inline cudaError_t cudaGetDevice(int *device) { return *device = emulator::device, cudaSuccess; }
inline cudaError_t cudaSetDevice(int device) { return emulator::device = device, cudaSuccess; }
inline cudaError_t cudaDeviceCanAccessPeer(int *able, int, int) { return *able = 1, cudaSuccess; }
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaErrorPeerAccessAlreadyEnabled; }
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int) {
	const int values[] = {2, 9, 228 << 10, 1 << 10, 1 << 10, 1 << 20, emulator::faults.limits_kernels,
	                      227 << 10};
	return *value = values[attribute], cudaSuccess;
}
inline cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) {
	return emulator::faults.refuses_limits ? cudaErrorUnsupportedLimit : cudaSuccess;
}
inline cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
inline cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int) { return cudaSuccess; }
template <typename Kernel>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel, int, size_t) {
	return *blocks = 1, cudaSuccess;
}

#include "threads.h"

// Launches of plugins. The sources of g500 launch by common/launch.cuh.
struct dim3 {
	uint32_t x, y, z;
	dim3(uint32_t x = 1, uint32_t y = 1, uint32_t z = 1) : x(x), y(y), z(z) {}
};
struct cudaLaunchConfig_t { // as CUDA's, with other names: some of CUDA's are macros here
	dim3 blocks, threads;
	size_t shared;
	cudaStream_t stream;
};
template <typename... P, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *how, void (*kernel)(P...), const A &...arguments) {
	const auto body = [=] { kernel(arguments...); };
	emulator::add(how->stream, {how->blocks.x, how->threads.x, how->shared, false, false, body});
	return cudaSuccess;
}
