// SPDX-License-Identifier: Apache-2.0

// Searches in one cooperative kernel for all levels, with a barrier of all blocks between levels. The paper's loop on
// the device (Toedling, Winter, Steinberger, 2019, section V) is closer to tail_loop.cu.
#include "lab/loop.cuh"
#include "lab/meet.cuh"

namespace g500::lab {

// Calls body(level, progress, barrier) per level until a frontier is empty or does not fit into its queue.
template <typename Body>
__device__ inline void for_levels(Level k, const DeviceLoop &loop, Body body) {
	Progress now{};
	u32 arrivals = 0;
	k.visited.status = nullptr; // bytes are for loops on the host: this saves registers
	now.begin();
	do {
		k.depth = now.depth;
		k.counters = loop.of(now.depth);
		if (is_first_thread()) *loop.of(now.depth + 1) = {};
		body(k, now, [&] { meet(*loop.barrier, arrivals); });
		meet(*loop.barrier, arrivals);
	} while (loop.end_level(now, is_first_thread()));
	now.launches = 1;
	if (is_first_thread()) *loop.progress = now;
}

// Expand-contract in a loop, in one class or several. Memory and races: expand_contract_kernel.
template <typename Mapping>
__global__ void __launch_bounds__(kThreads) expand_contract_loop_kernel(Level first, DeviceLoop loop) {
	G500_SHARED_MEMORY(memory);
	ExpandShared &sh = *reinterpret_cast<ExpandShared *>(memory);
	for_levels(first, loop, [&](const Level &k, const Progress &now, auto) {
		expand_contract<Mapping>(k, sh, loop.frontier(now), loop.next(now));
	});
}

// The same with deferred classification.
__global__ void __launch_bounds__(kThreads) deferred_loop_kernel(Level first, DeviceLoop loop) {
	G500_SHARED_MEMORY(memory);
	ExpandShared &sh = *reinterpret_cast<ExpandShared *>(memory);
	for_levels(first, loop, [&](const Level &k, const Progress &now, auto barrier) {
		if (is_first_thread()) *loop.of_classes(now.depth + 1) = {};
		classify<Appender>(k, sh.append, loop.unsorted(now), loop.classes(now));
		barrier();
		expand_contract<Serial>(k, sh, loop.classified(now), loop.next_unsorted(now));
	});
}

// Searches by status, in a loop. Memory and races: push_by_status_kernel.
__global__ void __launch_bounds__(kThreads) push_by_status_loop_kernel(Level first, DeviceLoop loop) {
	for_levels(first, loop, [&](const Level &k, const Progress &, auto) { push_by_status(k, loop.share); });
}

using Kernel = void (*)(Level, DeviceLoop);
const Kernel by_gather[] = LAB_BY_GATHER(expand_contract_loop_kernel);

int allocate_loop(g500_lab *lab) {
	Memory &m = lab->memory;
	G500_TRY(m.take(m.barrier, 1));
	G500_TRY(m.take(m.records, kMostRecords));
	G500_TRY(m.take(m.ring, 2 * kRing));
	G500_TRY(m.take(m.progress, 1));
	return cudaSuccess;
}

// Copies the counters and the records of levels to the host.
int fetch_loop(g500_lab *lab, g500_lab_totals *totals) {
	Search &search = lab->search;
	Progress end;
	G500_TRY(read_back(&end, lab->memory.progress.get(), sizeof end, search.stream));
	for (const ull queued : end.queued)
		if (lab->strategy.shape != kTopology && queued > lab->vertex_capacity()) search.outcome = G500_LAB_QUEUE_FULL;
	const size_t n = std::min<size_t>(end.depth, kMostRecords), bytes = n * sizeof(g500_lab_level);
	search.levels.resize(n);
	const void *const records = lab->memory.records.get();
	G500_TRY(read_back(search.levels.data(), records, bytes, search.stream));
	totals->outcome = search.outcome, totals->levels = (u32)end.depth, totals->launches += end.launches;
	totals->vertices = end.vertices, totals->edges = end.edges, search.children = end.children;
	return cudaSuccess;
}

int search_in_one_kernel(g500_lab *lab, const DeviceLoop &loop) {
	const u32 shape = lab->strategy.shape;
	const Kernel kernel = shape == kTopology ? push_by_status_loop_kernel
		: shape == kDeferredClasses ? deferred_loop_kernel : by_gather[lab->strategy.gather];
	int blocks;
	G500_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, lab->shared_bytes()));
	Launch how = lab->over_all();
	how.blocks = std::max(blocks, 1) * lab->processors;
	how.how = Launch::kCooperative;
	G500_LAUNCH_BY("loop_kernel", launch(kernel, how, lab->level(1), loop));
	G500_TRY(cudaStreamSynchronize(how.stream));
	return cudaSuccess;
}

int search_on_device(g500_lab *lab) {
	Memory &m = lab->memory;
	const cudaStream_t stream = lab->search.stream;
	G500_TRY(cudaMemsetAsync(m.barrier, 0, sizeof(GridBarrier), stream));
	G500_TRY(cudaMemsetAsync(m.ring, 0, 2 * kRing * sizeof(Counters), stream));
	G500_TRY(cudaMemsetAsync(m.progress, 0, sizeof(Progress), stream));
	const u64 capacity = lab->strategy.shape == kTopology ? 0 : lab->vertex_capacity();
	const DeviceLoop loop = {m.barrier, m.ring, m.records, m.progress, {m.vertices[0], m.vertices[1]}, capacity,
		lab->row_threads(), lab->sorts(), lab->strategy.shape == kDeferredClasses,
		lab->keeps()};
	return lab->strategy.loop == kOnDevice ? search_in_one_kernel(lab, loop) : search_by_tail_launches(lab, loop);
}

} // namespace g500::lab
