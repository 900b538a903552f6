// SPDX-License-Identifier: Apache-2.0

// Template of a plugin: a search level by level, with a thread per vertex of the frontier. Replace it with your own.
#include <cuda_runtime.h>

#include <utility>

#include "g500_plugin.h"

namespace {

constexpr uint32_t kThreads = 256, kMostBlocks = 1 << 14;

// Queues is the memory of all searches, which the first one allocates.
struct Queues {
	uint32_t *now, *next; // vertices of the frontier, and of the next one
	uint32_t *queued;     // their number in next
} queues;

// One thread per vertex of the frontier, which has n. Reads two offsets, and per edge a neighbour and its distance.
// Threads that reach a vertex at the same time compete for it by an atomic operation.
__global__ void expand(g500_plugin_graph graph, Queues queues, uint32_t n, uint32_t distance, uint32_t *distances) {
	for (uint64_t i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
		const uint32_t v = queues.now[i];
		for (uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; e++) {
			uint32_t *const of = distances + graph.neighbours[e];
			if (*of == G500_PLUGIN_NONE && atomicCAS(of, G500_PLUGIN_NONE, distance) == G500_PLUGIN_NONE)
				queues.next[atomicAdd(queues.queued, 1u)] = graph.neighbours[e];
		}
	}
}

// Returns the first error of the calls of a search.
cudaError_t search(const g500_plugin_graph &graph, uint32_t root, uint32_t *distances, cudaStream_t stream) {
	const size_t bytes = graph.vertices * sizeof(uint32_t);
	cudaError_t code = cudaSuccess;
	const auto all = [&](cudaError_t of) { code = code == cudaSuccess ? of : code; };
	if (!queues.queued) {
		all(cudaMalloc(&queues.now, bytes));
		all(cudaMalloc(&queues.next, bytes));
		all(cudaMalloc(&queues.queued, sizeof(uint32_t)));
	}
	all(cudaMemsetAsync(distances, 0xff, bytes, stream)); // G500_PLUGIN_NONE
	all(cudaMemsetAsync(distances + root, 0, sizeof root, stream));
	all(cudaMemcpyAsync(queues.now, &root, sizeof root, cudaMemcpyHostToDevice, stream));
	uint32_t n = 1;
	for (uint32_t distance = 1; n > 0 && code == cudaSuccess; distance++) {
		const uint32_t blocks = n / kThreads < kMostBlocks ? n / kThreads + 1 : kMostBlocks;
		const cudaLaunchConfig_t shape = {dim3(blocks), dim3(kThreads), 0, stream};
		all(cudaMemsetAsync(queues.queued, 0, sizeof n, stream));
		all(cudaLaunchKernelEx(&shape, expand, graph, queues, n, distance, distances));
		all(cudaMemcpyAsync(&n, queues.queued, sizeof n, cudaMemcpyDeviceToHost, stream));
		all(cudaStreamSynchronize(stream));
		std::swap(queues.now, queues.next);
	}
	return code;
}

} // namespace

extern "C" int g500_plugin_search(const g500_plugin_graph *graph, uint32_t root, uint32_t *result, void *stream) {
	const cudaError_t code = search(*graph, root, result, (cudaStream_t)stream);
	return code == cudaSuccess ? G500_PLUGIN_DISTANCES : -(int)code;
}
