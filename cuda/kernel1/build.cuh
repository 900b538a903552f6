// SPDX-License-Identifier: Apache-2.0

// Kernel 1: parts that its steps share. order.cuh and rows.cu have the steps, share.cu is their interface.
#pragma once

#include "common/block.cuh"
#include "common/check.cuh"
#include "kernel1/kernel1.h"

namespace g500 {

// kNoLocalId is the entry in local_ids of a vertex without an edge to another vertex.
constexpr u32 kNoLocalId = 0xffffffff;

// Tuples is a piece of the edge list, in device memory.
struct Tuples {
	const g500_edge *edges;
	u64 count;
	const float *weights = nullptr; // by tuple, if the graph has weights
};

__device__ inline u64 combined(u32 low, u32 high) { return (u64)high << 32 | low; }

// Labels are the labels of a tuple, which is read once.
template <typename Label>
struct Labels {
	Label u, v;
};
__device__ inline Labels<u32> load_labels(const g500_edge32 *edge) {
	const uint2 ends = __ldcs((const uint2 *)edge);
	return {ends.x, ends.y};
}
__device__ inline Labels<u64> load_labels(const g500_edge *edge) {
	const u32 high = __ldcs(&edge->high);
	return {combined(__ldcs(&edge->low_u), high & 0xffff), combined(__ldcs(&edge->low_v), high >> 16)};
}

using WideMessage = g500_wide_message;

// Make a message, and return its parts (kernel1.h). A message of 8 bytes has no extra word.
__host__ __device__ inline u64 message(u32 place, u32 word) { return (u64)word << 32 | place; }
__host__ __device__ inline u32 message_place(u64 message) { return (u32)message; }
__host__ __device__ inline u32 message_word(u64 message) { return (u32)(message >> 32); }
__device__ inline u32 message_extra(u64) { return 0; }
__device__ inline u32 message_place(const WideMessage &message) { return message.place; }
__device__ inline u32 message_word(const WideMessage &message) { return message.word; }
__device__ inline u32 message_extra(const WideMessage &message) { return message.extra; }

__device__ inline void set_message(u64 &to, u32 place, u32 word, u32) { to = message(place, word); }
__device__ inline void set_message(WideMessage &to, u32 place, u32 word, u32 extra) { to = {place, word, extra, 0}; }

// MessageList is the messages that this rank has received about its vertices.
template <typename Message>
struct MessageList {
	const Message *list;
	u64 count;

	// Returns a message with kNoLocalId beyond the end. Ranks own fewer than 2^31 vertices, so it is not a vertex.
	__device__ Message at(u64 i) const {
		Message none;
		set_message(none, kNoLocalId, kNoLocalId, {});
		return i < count ? load(list + i) : none;
	}

private:
	static __device__ u64 load(const u64 *message) { return __ldcs(message); }
	static __device__ WideMessage load(const WideMessage *message) {
		const uint4 m = __ldcs((const uint4 *)message);
		return {m.x, m.y, m.z, 0};
	}
};

// Budget is the working memory that may still be allocated, in bytes. Scratch arrays use it.
struct Budget {
	u64 left;
};

// Scratch is working memory within a budget. It is freed with its scope.
template <typename T>
class Scratch : public Array<T> {
public:
	explicit Scratch(Budget &budget) : budget_(budget) {}
	~Scratch() { free(); }

	void free() {
		Array<T>::free();
		budget_.left += bytes_;
		bytes_ = 0;
	}

	cudaError_t alloc(u64 n) {
		if (n > budget_.left / sizeof(T)) return cudaErrorMemoryAllocation;
		G500_TRY(Array<T>::alloc(n));
		bytes_ = n * sizeof(T);
		budget_.left -= bytes_;
		return cudaSuccess;
	}
	u64 bytes() const { return bytes_; }

private:
	Budget &budget_;
	u64 bytes_ = 0;
};

// Allocates at least n elements for an array of the graph, in units of its own; g500_graph_free frees it.
template <typename T>
cudaError_t allocate(T **array, u64 n) {
	const cudaError_t code = cudaMalloc(array, ((n ? n : 1) * sizeof(T) + kSharedUnit - 1) / kSharedUnit * kSharedUnit);
	if (code != cudaSuccess) cudaGetLastError(); // the next launch would report it again
	return code;
}

// Kernels over tuples or messages process kListTile items per block. In each of kPerThread steps the block's threads
// read kBlock consecutive ones.
constexpr int kBlock = kThreads, kPerThread = 8, kListTile = kBlock * kPerThread;

// Returns the index of a thread's item k, which may be beyond the end of the list.
__device__ inline u64 tile_index(int k) {
	return ((u64)blockIdx.x * kPerThread + k) * kBlock + threadIdx.x;
}

// Returns the sum of the degrees of an ordered graph whose rows are not filled.
inline int sum_of_degrees(const g500_graph &graph, u64 *sum, cudaStream_t stream) {
	return read_back(sum, graph.rows + graph.non_isolated, sizeof *sum, stream);
}

} // namespace g500
