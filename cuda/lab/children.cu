// SPDX-License-Identifier: Apache-2.0

// Expand-contract with child kernels: a thread that has a vertex with a long row launches a kernel for it (Toedling,
// Winter, Steinberger, 2019, section III-B, after Zhang et al., IA3 2015; BFS-4K). A level ends when all kernels have
// ended, so no kernel waits for its children. Compiled with -rdc=true.
#include "lab/device_launch.cuh"
#include "lab/runner.cuh"

namespace g500::lab {

constexpr u32 kMostChildren = 1 << 15; // kernels that a level launches for rows; all may wait on the device at once
constexpr size_t kWaiting = kMostChildren + 1024; // launches that may wait on the device; CUDA's default is 2,048

// The row of a vertex, one thread per edge. Reads two row offsets, and a column and a status per edge; writes 4 B of
// the queue and the status per new vertex. Races: filter.cuh.
__global__ void __launch_bounds__(kThreads) expand_row_kernel(Level k, u32 v, Queue out) {
	G500_SHARED_MEMORY(memory);
	ClaimVertex visit(k, *reinterpret_cast<ExpandShared *>(memory), out);
	share_row(k.g, row_at(k.g, v), blockIdx.x * kThreads + threadIdx.x, gridDim.x * kThreads, visit);
	visit.append.finish();
}

// Launches a kernel for a row and counts it. Returns false if the level has launched kMostChildren, or if the device
// refuses. The count comes first, because a device that runs out of waiting launches may never end the search.
__device__ inline bool launch_row(const Level &k, const TileRow &row, const Queue &out) {
	const Launch how = {(row.n + kThreads - 1) / kThreads, kThreads, nullptr, sizeof(ExpandShared)};
	const bool launched = atomicAdd(&k.counters->children, 1ull) < kMostChildren &&
		launch_child<expand_row_kernel>(how, k, row.v, out) == cudaSuccess;
	if (!launched) atomicAdd(&k.counters->children, ~0ull); // takes the count back
	return launched;
}

// One thread per vertex. A warp reads the long rows whose launch is refused. Memory and races: expand_contract_kernel.
__global__ void __launch_bounds__(kThreads) expand_with_children_kernel(Level k, Classes in, Queue out) {
	G500_SHARED_MEMORY(memory);
	ClaimVertex visit(k, *reinterpret_cast<ExpandShared *>(memory), out);
	u64 edges = 0;
	for_tiles(in.of[0].size(), [&](u64 i, bool has) {
		TileRow row = row_at(k.g, has ? in.of[0].vertices[i] : kNone);
		edges += row.n;
		if (row.n >= k.limits.child && launch_row(k, row, out)) row.n = 0;
		__syncwarp();
		gather_by_warp(k.g, row, k.limits.child, visit);
		share_row(k.g, row, 0, 1, visit);
	});
	visit.append.finish();
	add_up(edges, &k.counters->edges);
}

// The same with a group of threads per vertex, as in BFS-4K (Busato and Bombieri, TPDS 2015). The group reads a long
// row whose launch is refused. Memory and races: expand_contract_kernel.
__global__ void __launch_bounds__(kThreads) expand_groups_with_children_kernel(Level k, Classes in, Queue out) {
	G500_SHARED_MEMORY(memory);
	ClaimVertex visit(k, *reinterpret_cast<ExpandShared *>(memory), out);
	u64 edges = 0;
	share_vertices(in.of[0].size(), k.group, [&](u64 i, bool has, u32 own, u32 threads) {
		TileRow row = row_at(k.g, has ? in.of[0].vertices[i] : kNone);
		if (own == 0) edges += row.n;
		const bool launched = own == 0 && row.n >= k.limits.child && launch_row(k, row, out);
		if (__shfl_sync(~0u, launched, lane_of_thread() & ~(threads - 1))) row.n = 0;
		share_row(k.g, row, own, threads, visit);
	});
	visit.append.finish();
	add_up(edges, &k.counters->edges);
}

cudaError_t allow_children() {
	static const cudaError_t once = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, kWaiting);
	return once; // the driver may allocate memory in the next search after each call
}

} // namespace g500::lab
