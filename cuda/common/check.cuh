// SPDX-License-Identifier: Apache-2.0

// Host utilities for all kernel files: CUDA error codes, and owners of memory.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <utility>

#include "common/launch.cuh"
#include "common/types.cuh"

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

// Arrays owns device memory whose addresses kernels' views have.
class Arrays {
public:
	// Allocates n elements for each array, in units of 16 bytes, as some kernels access them, and stores the address in a
	// view.
	template <typename T, typename... More>
	cudaError_t alloc(u64 n, T *&view, More *&...more) {
		const cudaError_t code = of_.emplace_back().alloc((n * sizeof(T) + 15) / 16 * 16);
		view = (T *)of_.back().get();
		if constexpr (sizeof...(More) > 0) return code ? code : alloc(n, more...);
		return code;
	}
	// The same, and clears them on the stream.
	template <typename... T>
	cudaError_t alloc_zeroed(cudaStream_t stream, u64 n, T *&...views) {
		cudaError_t code = alloc(n, views...);
		((code = code ? code : cudaMemsetAsync((void *)views, 0, n * sizeof(T), stream)), ...);
		return code;
	}

private:
	std::deque<Array<char>> of_;
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

// Calls act(memory, its bytes), a function of CUB: without memory it only finds the bytes. Records the time of the
// second call under a name. `memory` is an Array, or likewise. Synchronous, because the memory is freed.
template <typename Memory, typename Act>
cudaError_t with_memory(Memory &&memory, const char *name, cudaStream_t stream, Act act) {
	size_t bytes = 0;
	G500_TRY(act(nullptr, bytes));
	G500_TRY(memory.alloc(bytes));
	G500_LAUNCH_BY(name, act((void *)memory.get(), bytes));
	return cudaStreamSynchronize(stream);
}

} // namespace g500
