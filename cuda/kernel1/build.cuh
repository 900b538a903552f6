// Kernel 1: what its steps share. order.cu and rows.cu have the steps; share.cu hands them to the caller.
#pragma once

#include "common/check.cuh"
#include "g500cuda.h"

namespace g500 {

// kNoHub stands in hub_of for a vertex without an edge to another vertex.
constexpr u32 kNoHub = 0xffffffff;

// Tuples are a piece of the edge list, in device memory.
struct Tuples {
	const g500_edge *edges;
	u64 count;
	const float *weights = nullptr; // of each tuple, where the graph has weights
};

// Messages are what other ranks sent this rank about vertices that it owns.
struct Messages {
	const u64 *list;
	u64 count;
	const float *weights = nullptr; // of the tuple that each message is about, where the graph has weights
};

// A message is a vertex' number among those of its owner, and a word about it (kernel1.h).
__host__ __device__ inline u64 message(u32 place, u32 word) { return (u64)word << 32 | place; }
__host__ __device__ inline u32 message_place(u64 message) { return (u32)message; }
__host__ __device__ inline u32 message_word(u64 message) { return (u32)(message >> 32); }

// kNoMessage stands for no message: ranks own fewer than 2^31 vertices, so that no message is equal to it.
constexpr u64 kNoMessage = ~0ull;

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

// Every kernel over tuples or messages gives a block a run of kTile of them. In each of kPerThread steps the block's
// threads read kBlock neighbouring ones.
constexpr int kBlock = 256, kPerThread = 8, kTile = kBlock * kPerThread;

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
int count_degrees(const Messages &ends, u32 *degrees, cudaStream_t stream);

// Numbers the hubs of a graph whose owned labels are known, by falling order class: sets hubs, core, labels and hub_of,
// and rows to the running sum of the degrees. Overwrites degrees. Working memory: 12 bytes a label, and a little for
// the sort.
int order_hubs(u32 *degrees, Budget &budget, g500_graph *graph, cudaStream_t stream);

// The sum of the degrees of a graph whose hubs are ordered and whose rows are not filled.
int sum_of_degrees(const g500_graph &graph, u64 *sum, cudaStream_t stream);

} // namespace g500
