// Searches whose loop is on the device: one cooperative kernel goes through all levels, with a barrier of its blocks
// between two (Toedling, Winter, Steinberger, 2019, section V, whose one-thread kernel launches each level instead).
#include <algorithm>

#include "lab/runner.cuh"
#include "lab/status.cuh"

namespace g500::lab {

constexpr int kRing = 3;              // counters of a level, of the one before, and of the one after
constexpr u32 kMostRecords = 1 << 16; // levels that are recorded one by one

// DeviceLoop is what such a kernel has beside its level.
struct DeviceLoop {
	GridBarrier *barrier;
	Counters *counters; // kRing
	g500_lab_level *records;
	ull *sums; // levels, vertices, edges
	u32 *vertices[2];
	u64 room;
	int kind; // class of a vertex, without a queue
};

// Goes from level to level until a frontier is empty or does not fit: body(level, from, queued) does one. `queued` are
// the counts of the frontier, and `from` is the buffer that it is in.
template <typename Body>
__device__ inline void for_levels(Level k, const DeviceLoop &loop, Body body) {
	ull queued[kClasses] = {1};
	u64 began = now_ns();
	ull vertices = 0, edges = 0;
	u32 depth = 1;
	for (;; depth++) {
		k.depth = depth;
		k.counters = loop.counters + depth % kRing;
		if (is_first_thread()) loop.counters[(depth + 1) % kRing] = {};
		body(k, (depth - 1) % 2, queued);
		__syncthreads();
		if (threadIdx.x == 0) {
			arrive(*loop.barrier);
			wait(*loop.barrier, depth * gridDim.x);
		}
		__syncthreads();
		ull sum = 0, n = queued[0] + queued[1] + queued[2] + queued[3];
		bool full = false;
		for (int c = 0; c < kClasses; c++) {
			queued[c] = read_now(k.counters->queued + c);
			sum += queued[c];
			full |= loop.room && queued[c] > loop.room;
		}
		if (is_first_thread()) {
			if (!loop.room) n = read_now(&k.counters->scanned);
			const u64 now = now_ns(), inspected = read_now(&k.counters->edges);
			if (depth <= kMostRecords) loop.records[depth - 1] = {0, 0, n, inspected, now - began};
			began = now, vertices += n, edges += inspected;
		}
		if (full || !sum) break;
	}
	if (!is_first_thread()) return;
	loop.sums[0] = depth, loop.sums[1] = vertices, loop.sums[2] = edges;
}

// Expand-contract in a loop. Memory and races: expand_contract_kernel.
template <typename Mapping>
__global__ void __launch_bounds__(kThreads) expand_contract_loop_kernel(Level first, DeviceLoop loop) {
	G500_SHARED_MEMORY(memory);
	ExpandShared &sh = *reinterpret_cast<ExpandShared *>(memory);
	for_levels(first, loop, [&](const Level &k, u32 from, const ull *queued) {
		const Frontier in = {loop.vertices[from], nullptr, queued[0], nullptr};
		expand_contract<Mapping>(k, sh, in, {loop.vertices[1 - from], nullptr, loop.room, k.counters->queued});
	});
}

// Immediate classification in a loop. Memory and races: expand_classes_kernel.
__global__ void __launch_bounds__(kThreads) expand_classes_loop_kernel(Level first, DeviceLoop loop) {
	G500_SHARED_MEMORY(memory);
	ExpandShared &sh = *reinterpret_cast<ExpandShared *>(memory);
	for_levels(first, loop, [&](const Level &k, u32 from, const ull *queued) {
		Classes in;
		for (int c = 0; c < kClasses; c++)
			in.of[c] = {loop.vertices[from] + c * loop.room, nullptr, queued[c], nullptr};
		expand_classes_to<kSorted>(k, sh, in, {loop.vertices[1 - from], nullptr, loop.room, k.counters->queued});
	});
}

// All vertices by their status, in a loop. Memory and races: push_by_status_kernel.
__global__ void __launch_bounds__(kThreads) push_by_status_loop_kernel(Level first, DeviceLoop loop) {
	for_levels(first, loop, [&](const Level &k, u32, const ull *) { push_by_status(k, loop.kind); });
}

using Kernel = void (*)(Level, DeviceLoop);
const Kernel by_gather[] = {expand_contract_loop_kernel<Serial>, expand_contract_loop_kernel<ByWarp>,
	expand_contract_loop_kernel<ByBlock>, expand_contract_loop_kernel<ByScan>, expand_contract_loop_kernel<ByGroup>,
	expand_contract_loop_kernel<ByWarpScan>};

Kernel kernel_of(const g500_lab_strategy &s) {
	switch (s.shape) {
	case kImmediateClasses: return expand_classes_loop_kernel;
	case kTopology: return push_by_status_loop_kernel;
	}
	return by_gather[s.gather];
}

int allocate_loop(g500_lab *lab) {
	Memory &m = lab->memory;
	G500_TRY(m.take(m.barrier, 1));
	G500_TRY(m.take(m.records, kMostRecords));
	G500_TRY(m.take(m.ring, kRing));
	G500_TRY(m.take(m.sums, 3));
	return cudaSuccess;
}

// Fetches what the kernel has counted: levels, and the last one's queues.
int fetch_loop(g500_lab *lab) {
	Memory &m = lab->memory;
	Search &search = lab->search;
	ull sums[3];
	Counters ring[kRing];
	G500_TRY(cudaMemcpyAsync(sums, m.sums.get(), sizeof sums, cudaMemcpyDeviceToHost, search.stream));
	G500_TRY(cudaMemcpyAsync(ring, m.ring.get(), sizeof ring, cudaMemcpyDeviceToHost, search.stream));
	G500_TRY(cudaStreamSynchronize(search.stream));
	for (const ull queued : ring[sums[0] % kRing].queued)
		if (lab->strategy.shape != kTopology && queued > lab->vertex_room()) search.outcome = G500_LAB_QUEUE_FULL;
	const size_t n = std::min<size_t>(sums[0], kMostRecords);
	search.levels.resize(n);
	const size_t bytes = n * sizeof(g500_lab_level);
	G500_TRY(cudaMemcpyAsync(search.levels.data(), m.records.get(), bytes, cudaMemcpyDeviceToHost, search.stream));
	G500_TRY(cudaStreamSynchronize(search.stream));
	search.loop_levels = (u32)sums[0], search.loop_vertices = sums[1], search.loop_edges = sums[2];
	return cudaSuccess;
}

int search_on_device(g500_lab *lab) {
	Memory &m = lab->memory;
	Search &search = lab->search;
	const Kernel kernel = kernel_of(lab->strategy);
	int blocks;
	G500_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, lab->shared_bytes()));
	const Launch how = {std::max(blocks, 1) * lab->processors, kThreads, search.stream, lab->shared_bytes()};
	G500_TRY(cudaMemsetAsync(m.barrier, 0, sizeof(GridBarrier), search.stream));
	G500_TRY(cudaMemsetAsync(m.ring, 0, kRing * sizeof(Counters), search.stream));
	const bool queues = lab->strategy.shape != kTopology;
	const DeviceLoop loop = {m.barrier, m.ring, m.records, m.sums, {m.vertices[0], m.vertices[1]},
		queues ? lab->vertex_room() : 0, (int)lab->group_class()};
	search.launches++;
	G500_LAUNCH_BY("loop_kernel", launch_cooperative(kernel, how, lab->level(0), loop));
	G500_TRY(cudaStreamSynchronize(search.stream));
	return cudaSuccess;
}

} // namespace g500::lab
