// Searches with a kernel of one thread that launches each level, as in Toedling, Winter, Steinberger, 2019, section V.
// Since compute capability 9.0 a kernel cannot wait for its children, as theirs does. Therefore it launches the kernels
// of the level, one per class, and then itself by a tail launch, which CUDA runs when the kernel and all its children
// have ended. Only this file is compiled with -rdc=true (scripts/cuda.mk).
#include "common/device_launch.cuh"
#include "lab/loop.cuh"

namespace g500::lab {

// One class of a level. Memory and races: expand_contract_kernel.
__global__ void __launch_bounds__(kThreads) expand_child_kernel(Level k, Classes in, Queue out) {
	G500_SHARED_MEMORY(memory);
	expand_contract<Serial>(k, *reinterpret_cast<ExpandShared *>(memory), in, out);
}

// A level over all vertices. Memory and races: push_by_status_kernel.
__global__ void __launch_bounds__(kThreads) push_child_kernel(Level k, u32 share) { push_by_status(k, share); }

// Launches the kernels of a level, with at most `most.blocks` blocks each.
__device__ inline cudaError_t launch_level(const Level &k, const DeviceLoop &loop, const Launch &most) {
	Progress &now = *loop.progress;
	const Classes in = loop.frontier(now);
	for (int c = 0; c < kClasses; c++) {
		if (!now.queued[c]) continue;
		const u64 blocks = (now.queued[c] * k.limits.threads[c] + kThreads - 1) / kThreads;
		Launch how = most;
		if (loop.capacity && blocks < most.blocks) how.blocks = (u32)blocks;
		Classes one{};
		one.of[c] = in.of[c];
		const cudaError_t code = loop.capacity ? launch_child<expand_child_kernel>(how, k, one, loop.next(now))
		                                   : launch_child<push_child_kernel>(how, k, loop.share);
		if (code != cudaSuccess) return code;
		now.launches++;
		if (!loop.capacity) break;
	}
	return cudaSuccess;
}

// Ends a level, and launches the next one and itself after it. If the device refuses deeper nesting, the host launches
// this kernel again, and the search continues.
__global__ void plan_kernel(Level k, DeviceLoop loop, Launch most) {
	Progress &now = *loop.progress;
	now.launches++;
	if (!now.depth) now.begin();
	else if (now.expanded && !loop.end_level(now, true)) return (void)(now.ended = true);
	now.expanded = false;
	*loop.of(now.depth) = {};
	k.depth = now.depth;
	k.counters = loop.of(now.depth);
	now.error = launch_level(k, loop, most);
	if (now.error != cudaSuccess) return;
	now.expanded = true;
	launch_tail<plan_kernel>({1, 1, nullptr}, k, loop, most);
}

int search_by_tail_launches(g500_lab *lab, const DeviceLoop &loop) {
	const cudaStream_t stream = lab->search.stream;
	Progress end{};
	do {
		const ull before = end.launches;
		G500_LAUNCH(plan_kernel, Launch{1, 1, stream}, lab->level(1), loop, lab->over_all());
		G500_TRY(read_back(&end, loop.progress, sizeof end, stream));
		if (!end.ended && end.launches == before + 1) return end.error;
	} while (!end.ended);
	return cudaSuccess;
}

} // namespace g500::lab
