// Kernel 1 on one device: what its steps share. build.cu runs them, build_order.cu and build_rows.cu are they.
#pragma once

#include "check.cuh"
#include "g500cuda.h"

namespace g500 {

// kNoHub stands in hub_of for a vertex without an edge to another vertex.
constexpr uint32_t kNoHub = 0xffffffff;

// Tuples is the edge list in device memory.
struct Tuples {
	const g500_edge *edges;
	uint64_t count;
};

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

// Allocates an array of the graph, which g500_graph_free gives back: n elements, at least one.
template <typename T>
int allocate(T **array, uint64_t n) {
	return reported(cudaMalloc(array, (n ? n : 1) * sizeof(T)));
}

// Every kernel over the tuples gives a block a run of kTile tuples, read kBlock at a time, side by side.
constexpr int kBlock = 256, kPerThread = 8, kTile = kBlock * kPerThread;

// The index of a thread's tuple k, which may be past the end of the list.
__device__ inline uint64_t tuple_index(int k) {
	return ((uint64_t)blockIdx.x * kPerThread + k) * kBlock + threadIdx.x;
}

// Finds N, the highest label plus one; 0 without tuples.
int find_vertices(const Tuples &tuples, Budget &budget, uint64_t *vertices, cudaStream_t stream);

// Counts degrees and numbers the hubs: sets hubs, labels and hub_of of a graph whose vertices are known, and rows to
// the running sum of the degrees. Working memory: 16 bytes a label, and a little for the sort.
int order_hubs(const Tuples &tuples, Budget &budget, g500_graph *graph, cudaStream_t stream);

// Fills a graph whose hubs are ordered: sets cols and edges, and turns rows from sums of degrees into offsets.
// Working memory: 16 bytes an entry of a piece, as many entries as the budget allows.
int fill_rows(const Tuples &tuples, Budget &budget, g500_graph *graph, cudaStream_t stream);

} // namespace g500
