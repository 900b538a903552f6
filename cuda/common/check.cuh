// Small things that every file of kernels needs: error codes up, memory that frees itself.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "common/timing.cuh"

// Returns the error code of a CUDA call from the function around it, if there is one.
#define G500_TRY(call)                                        \
	do {                                                      \
		const cudaError_t g500_code = (call);                 \
		if (g500_code != cudaSuccess) return g500_code; \
	} while (0)

// Launches a kernel, as in G500_LAUNCH(climb_kernel<<<blocks, threads, 0, stream>>>(up)). It counts as one of that name
// where kernels are timed (timing.cuh).
#define G500_LAUNCH(...)                                      \
	do {                                                      \
		const g500::Stopwatch g500_watch(#__VA_ARGS__);       \
		__VA_ARGS__;                                          \
		G500_TRY(g500_watch.stop(cudaGetLastError()));        \
	} while (0)

// The same, under the given name, for a call that launches kernels and returns an error code.
#define G500_LAUNCH_BY(name, ...)                             \
	do {                                                      \
		const g500::Stopwatch g500_watch(name);               \
		G500_TRY(g500_watch.stop((__VA_ARGS__)));             \
	} while (0)

namespace g500 {

// Array is device memory that is freed with its owner.
template <typename T>
class Array {
public:
	Array() = default;
	Array(const Array &) = delete;
	Array &operator=(const Array &) = delete;
	~Array() { free(); }

	// Allocates n elements, at least one byte, so that the pointer is never null.
	cudaError_t alloc(uint64_t n) {
		free();
		const cudaError_t code = cudaMalloc(&data_, n ? n * sizeof(T) : 1);
		if (code != cudaSuccess) cudaGetLastError(); // it is told here, and must not be blamed on the next launch
		return code;
	}
	void free() {
		if (data_) cudaFree(data_);
		data_ = nullptr;
	}
	T *get() const { return data_; }
	operator T *() const { return data_; }

private:
	T *data_ = nullptr;
};

// HostArray is zeroed host memory that the device sees at the same addresses, freed with its owner.
template <typename T>
class HostArray {
public:
	HostArray() = default;
	HostArray(const HostArray &) = delete;
	HostArray &operator=(const HostArray &) = delete;
	~HostArray() {
		if (data_) cudaFreeHost(data_);
	}

	cudaError_t alloc(uint64_t n) {
		const cudaError_t code = cudaHostAlloc((void **)&data_, n * sizeof(T), cudaHostAllocMapped);
		if (code == cudaSuccess) std::memset((void *)data_, 0, n * sizeof(T));
		else cudaGetLastError(); // see Array
		return code;
	}
	operator T *() const { return data_; }
	T *operator->() const { return data_; }

private:
	T *data_ = nullptr;
};

inline uint32_t blocks_for(uint64_t n, uint32_t threads) { return (uint32_t)((n + threads - 1) / threads); }

} // namespace g500
