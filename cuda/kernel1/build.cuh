// Kernel 1: what its steps share. build.cu runs them on one device, build_share.cu on one of several; build_order.cu
// and build_rows.cu are they.
#pragma once

#include "common/check.cuh"
#include "g500cuda.h"

namespace g500 {

// kNoHub stands in hub_of for a vertex without an edge to another vertex.
constexpr uint32_t kNoHub = 0xffffffff;

// Tuples is the edge list in device memory.
struct Tuples {
	const g500_edge *edges;
	uint64_t count;
};

// Messages are what this rank was told of vertices that it owns.
struct Messages {
	const uint64_t *list;
	uint64_t count;
};

// A vertex' number among those of its owner, and a word about it.
__host__ __device__ inline uint64_t message(uint32_t place, uint32_t word) { return (uint64_t)word << 32 | place; }
__host__ __device__ inline uint32_t message_place(uint64_t message) { return (uint32_t)message; }
__host__ __device__ inline uint32_t message_word(uint64_t message) { return (uint32_t)(message >> 32); }

// kNoMessage stands where there is none: ranks own fewer than 2^31 vertices.
constexpr uint64_t kNoMessage = ~0ull;

// Budget is the working memory that may still be taken, in bytes. Scratch arrays come out of it.
struct Budget {
	uint64_t left;
};

// A failed allocation stays the thread's last error, and the next launch would be blamed for it: forget it there.
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

	int take(uint64_t n) {
		if (n > budget_.left / sizeof(T)) return cudaErrorMemoryAllocation;
		if (const int code = reported(array_.alloc(n))) return code;
		bytes_ = n * sizeof(T);
		budget_.left -= bytes_;
		return cudaSuccess;
	}
	T *get() const { return array_.get(); }
	uint64_t bytes() const { return bytes_; }

private:
	Budget &budget_;
	Array<T> array_;
	uint64_t bytes_ = 0;
};

// Allocates an array of the graph, which g500_graph_free gives back: n elements, at least one. It has memory of its own in
// the pieces that the driver shares with other processes, whose ranks read it.
template <typename T>
int allocate(T **array, uint64_t n) {
	constexpr uint64_t kPiece = 2 << 20;
	return reported(cudaMalloc(array, ((n ? n : 1) * sizeof(T) + kPiece - 1) / kPiece * kPiece));
}

// Every kernel over tuples or messages gives a block a run of kTile, read kBlock at a time, side by side.
constexpr int kBlock = 256, kPerThread = 8, kTile = kBlock * kPerThread;

// The index of a thread's item k, which may be past the end of the list.
__device__ inline uint64_t tile_index(int k) {
	return ((uint64_t)blockIdx.x * kPerThread + k) * kBlock + threadIdx.x;
}

// The number of bits that a value up to highest needs, at least one.
inline int bits_for(uint32_t highest) {
	int bits = 1;
	while (bits < 32 && highest >> bits) bits++;
	return bits;
}

// Finds N, the highest label plus one; 0 without tuples.
int find_vertices(const Tuples &tuples, uint64_t *vertices, cudaStream_t stream);

// Adds up how many tuples end at each label, duplicates counted, self-loops not; on one rank alone, or from what this
// rank was told.
int count_degrees(const Tuples &tuples, uint32_t *degrees, cudaStream_t stream);
int count_degrees(const Messages &ends, uint32_t *degrees, cudaStream_t stream);

// Numbers the hubs of a graph whose owned labels are known, by their degrees, which are lost: sets hubs, labels and
// hub_of, and rows to the running sum of the degrees. Working memory: 12 bytes a label, and a little for the sort.
int order_hubs(uint32_t *degrees, Budget &budget, g500_graph *graph, cudaStream_t stream);

// The sum of the degrees of a graph whose hubs are ordered and whose rows are not filled.
int sum_of_degrees(const g500_graph &graph, uint64_t *sum, cudaStream_t stream);

} // namespace g500
