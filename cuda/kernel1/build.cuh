// Kernel 1: what its steps share. order.cu and rows.cu have the steps; share.cu hands them to the caller.
#pragma once

#include "common/check.cuh"
#include "kernel1/kernel1.h"

namespace g500 {

// kNoLocalId stands in hub_of for a vertex without an edge to another vertex.
constexpr u32 kNoLocalId = 0xffffffff;

// Tuples are a piece of the edge list, in device memory.
struct Tuples {
	const g500_edge *edges;
	u64 count;
	const float *weights = nullptr; // of each tuple, where the graph has weights
};

__device__ inline u64 label_u(const g500_edge &e) { return e.low_u | (u64)(e.high & 0xffff) << 32; }
__device__ inline u64 label_v(const g500_edge &e) { return e.low_v | (u64)(e.high >> 16) << 32; }

// A message is a vertex' number among those of its owner, a word about it, and beside that a number if it is a weighted
// one, or a rank if it is a wide one (kernel1.h).
using WeightedMessage = g500_weighted_message;
using Message64 = g500_message64;

__host__ __device__ inline u64 message(u32 place, u32 word) { return (u64)word << 32 | place; }
__host__ __device__ inline u32 message_place(u64 message) { return (u32)message; }
__host__ __device__ inline u32 message_word(u64 message) { return (u32)(message >> 32); }
__device__ inline u32 message_place(const WeightedMessage &message) { return message.place; }
__device__ inline u32 message_word(const WeightedMessage &message) { return message.word; }
__device__ inline u32 message_place(const Message64 &message) { return message.place; }
__device__ inline u32 message_word(const Message64 &message) { return message.word; }
__device__ inline float message_number(u64) { return 0; }
__device__ inline float message_number(const WeightedMessage &message) { return message.number; }

// The bits of what is beside the word.
__device__ inline u32 message_extra(u64) { return 0; }
__device__ inline u32 message_extra(const WeightedMessage &message) { return __float_as_uint(message.number); }
__device__ inline u32 message_extra(const Message64 &message) { return message.rank; }

__device__ inline void set_message(u64 &to, u32 place, u32 word, float) { to = message(place, word); }
__device__ inline void set_message(WeightedMessage &to, u32 place, u32 word, float number) {
	to = {place, word, number, 0};
}
__device__ inline void set_message(Message64 &to, u32 place, u32 word, u32 rank) { to = {place, word, rank, 0}; }

// MessageList is what other ranks sent this rank about vertices that it owns.
template <typename Message>
struct MessageList {
	const Message *list;
	u64 count;

	// A message past the end is about kNoLocalId: ranks own fewer than 2^31 vertices, so that none other is.
	__device__ Message at(u64 i) const {
		Message none;
		set_message(none, kNoLocalId, kNoLocalId, {});
		return i < count ? load(list + i) : none;
	}

private:
	static __device__ u64 load(const u64 *message) { return __ldcs(message); }
	static __device__ WeightedMessage load(const WeightedMessage *message) {
		const uint4 m = __ldcs((const uint4 *)message);
		return {m.x, m.y, __uint_as_float(m.z), 0};
	}
	static __device__ Message64 load(const Message64 *message) {
		const uint4 m = __ldcs((const uint4 *)message);
		return {m.x, m.y, m.z, 0};
	}
};

// Budget is the working memory that may still be taken, in bytes. Scratch arrays come out of it.
struct Budget {
	u64 left;
};

// Returns the code of an allocation. A failed one is cleared from the thread's last error: the next launch would report
// it once more.
inline int reported(cudaError_t code) {
	if (code != cudaSuccess) cudaGetLastError();
	return code;
}

// Scratch is working memory within a budget. It is given back when its scope ends.
template <typename T>
class Scratch {
public:
	explicit Scratch(Budget &budget) : budget_(budget) {}
	Scratch(const Scratch &) = delete;
	Scratch &operator=(const Scratch &) = delete;
	~Scratch() { budget_.left += bytes_; }

	int take(u64 n) {
		if (n > budget_.left / sizeof(T)) return cudaErrorMemoryAllocation;
		if (const int code = reported(array_.alloc(n))) return code;
		bytes_ = n * sizeof(T);
		budget_.left -= bytes_;
		return cudaSuccess;
	}
	T *get() const { return array_.get(); }
	u64 bytes() const { return bytes_; }

private:
	Budget &budget_;
	Array<T> array_;
	u64 bytes_ = 0;
};

// Allocates an array of the graph, which g500_graph_free gives back: n elements, at least one. Ranks of other processes
// may read it, and the driver shares memory with them in pieces of 2 MiB, so the array has whole pieces of its own.
template <typename T>
int allocate(T **array, u64 n) {
	constexpr u64 kPiece = 2 << 20;
	return reported(cudaMalloc(array, ((n ? n : 1) * sizeof(T) + kPiece - 1) / kPiece * kPiece));
}

// Every kernel over tuples or messages gives a block a run of kListTile of them. In each of kPerThread steps the
// block's threads read kBlock neighbouring ones.
constexpr int kBlock = 256, kPerThread = 8, kListTile = kBlock * kPerThread;

// The index of a thread's item k, which may be past the end of the list.
__device__ inline u64 tile_index(int k) {
	return ((u64)blockIdx.x * kPerThread + k) * kBlock + threadIdx.x;
}

// The number of bits that a value up to highest needs, at least one.
inline int bits_for(u32 highest) {
	int bits = 1;
	while (bits < 32 && highest >> bits) bits++;
	return bits;
}

// Finds N, the highest label plus one; 0 without tuples.
int find_vertices(const Tuples &tuples, u64 *vertices, cudaStream_t stream);

// Adds up how many tuples end at each label, duplicates counted, self-loops not: on one rank alone, or from the
// messages of g500_bin_ends.
int count_degrees(const Tuples &tuples, u32 *degrees, cudaStream_t stream);
int count_degrees(const MessageList<u64> &ends, u32 *degrees, cudaStream_t stream);
int count_degrees(const MessageList<Message64> &ends, u32 *degrees, cudaStream_t stream);

// Numbers the hubs of a graph whose owned labels are known, by falling order class: sets hubs, core, labels and hub_of,
// and rows to the running sum of the degrees. Overwrites degrees. Working memory: 12 bytes a label, and a little for
// the sort.
int order_vertices(u32 *degrees, Budget &budget, g500_graph *graph, cudaStream_t stream);

// Turns the labels of a graph whose hubs are ordered into their numbers.
int number_labels(const g500_graph &graph, cudaStream_t stream);

// The sum of the degrees of a graph whose hubs are ordered and whose rows are not filled.
int sum_of_degrees(const g500_graph &graph, u64 *sum, cudaStream_t stream);

} // namespace g500
