#include "search/degree_classes.cuh"

#include "common/check.cuh"

namespace g500 {

namespace {

// Returns the first local id of a degree class.
__device__ inline u64 first_of_class(u32 number) {
	return number < 16 ? number : (u64)(16 + number % 16) << (number / 16 - 1);
}

// Counts vertices and edges by degree class, in one block with one thread per class.
__global__ void __launch_bounds__(G500_DEGREE_CLASSES)
count_degrees_kernel(const u64 *rows, u32 non_leaf, u64 *vertices, u64 *edges) {
	const u64 begin = min(first_of_class(threadIdx.x), (u64)non_leaf);
	const u64 end = min(first_of_class(threadIdx.x + 1), (u64)non_leaf);
	vertices[threadIdx.x] = end - begin;
	edges[threadIdx.x] = rows[end] - rows[begin];
}

} // namespace

int count_degrees(const Graph &g, u64 *vertices, u64 *edges, cudaStream_t stream) {
	constexpr u32 n = G500_DEGREE_CLASSES;
	Array<u64> counts;
	G500_TRY(counts.alloc(2 * n));
	G500_LAUNCH(count_degrees_kernel, (Launch{1, n, stream}), g.rows, g.non_leaf, counts.get(), counts.get() + n);
	G500_TRY(cudaMemcpyAsync(vertices, counts, n * sizeof(u64), cudaMemcpyDeviceToHost, stream));
	return read_back(edges, counts.get() + n, n * sizeof(u64), stream);
}

} // namespace g500
