// Host utilities for all kernel files: CUDA error codes, and owners of memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "common/launch.cuh"
#include "common/types.cuh"

// Returns the error code of a CUDA call from the enclosing function, if the call failed.
#define G500_TRY(call)                                  \
	do {                                                \
		const cudaError_t g500_code = (call);           \
		if (g500_code != cudaSuccess) return g500_code; \
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
	cudaError_t alloc(u64 n) {
		free();
		const cudaError_t code = cudaMalloc(&data_, n ? n * sizeof(T) : 1);
		// Clears the thread's last error: the next launch would report it again.
		if (code != cudaSuccess) cudaGetLastError();
		return code;
	}
	// Allocates n elements, and clears them on the stream.
	cudaError_t alloc_zeroed(u64 n, cudaStream_t stream) {
		G500_TRY(alloc(n));
		return cudaMemsetAsync(data_, 0, n * sizeof(T), stream);
	}
	void free() {
		if (data_) cudaFree(data_);
		data_ = nullptr;
	}
	void swap(Array &other) { std::swap(data_, other.data_); }
	T *get() const { return data_; }
	operator T *() const { return data_; }

private:
	T *data_ = nullptr;
};

// Copies bytes from device memory to the host. Synchronous: waits for all earlier work of the stream.
inline cudaError_t read_back(void *to, const void *from, size_t bytes, cudaStream_t stream) {
	G500_TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream));
	return cudaStreamSynchronize(stream);
}

// HostArray is zeroed pinned host memory, mapped into the device at the same addresses and freed with its owner.
template <typename T>
class HostArray {
public:
	HostArray() = default;
	HostArray(const HostArray &) = delete;
	HostArray &operator=(const HostArray &) = delete;
	~HostArray() {
		if (data_) cudaFreeHost(data_);
	}

	cudaError_t alloc(u64 n) {
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

// Returns the number of blocks that give each of n items one thread.
inline u32 blocks_for(u64 n, u32 threads) { return (u32)((n + threads - 1) / threads); }

} // namespace g500
