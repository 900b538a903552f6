// SPDX-License-Identifier: Apache-2.0

// Searches with a kernel of one thread that launches each level, as in Toedling, Winter, Steinberger, 2019, section V.
// Since compute capability 9.0 a kernel cannot wait for its children, as theirs does. Therefore it launches the kernels
// of the level, one per class, and then itself by a tail launch, which CUDA runs when the kernel and all its children
// have ended. Files with launches of kernels are compiled with -rdc=true (scripts/cuda.mk).
#include "lab/device_launch.cuh"
#include "lab/loop.cuh"

namespace g500::lab {

// One class of a level. Memory and races: expand_contract_kernel.
template <typename Mapping>
__global__ void __launch_bounds__(kThreads) expand_child_kernel(Level k, Classes in, Queue out) {
	G500_SHARED_MEMORY(memory);
	expand_contract<Mapping>(k, *reinterpret_cast<ExpandShared *>(memory), in, out);
}

// Memory and races: classify.
template <typename Append>
__global__ void __launch_bounds__(kThreads) classify_child_kernel(Level k, Frontier in, Queue out) {
	G500_SHARED_MEMORY(memory);
	classify<Append>(k, reinterpret_cast<ExpandShared *>(memory)->append, in, out);
}

// A level over all vertices. Memory and races: push_by_status_kernel.
__global__ void __launch_bounds__(kThreads) push_child_kernel(Level k, u32 share) { push_by_status(k, share); }

// Returns a launch of n threads, but at most of `most.blocks` blocks, unless there is no limit.
__device__ inline Launch of_threads(u64 n, Launch most, bool limited) {
	const u64 blocks = (n + kThreads - 1) / kThreads;
	if (!limited || blocks < most.blocks) most.blocks = (u32)blocks;
	return most;
}

// Launches the kernels of a level.
__device__ inline cudaError_t launch_level(const Level &k, const DeviceLoop &loop, const Launch &most) {
	Progress &now = *loop.progress;
	const Classes in = loop.deferred ? loop.classified(now) : loop.frontier(now);
	const Queue out = loop.deferred ? loop.next_unsorted(now) : loop.next(now);
	for (int c = 0; c < kClasses; c++) {
		if (!in.of[c].n) continue;
		const bool limited = !loop.keeps || k.limits.threads[c] == ~0u;
		const Launch how = loop.capacity ? of_threads(in.of[c].n * k.limits.threads[c], most, limited) : most;
		Classes one{};
		one.of[c] = in.of[c];
		const cudaError_t code = !loop.capacity ? launch_child<push_child_kernel>(how, k, loop.share)
			: k.limits.child ? launch_child<expand_with_children_kernel>(how, k, one, out)
			: loop.keeps ? launch_child<expand_child_kernel<Keeping<Serial>>>(how, k, one, out)
			: launch_child<expand_child_kernel<Serial>>(how, k, one, out);
		if (code != cudaSuccess) return code;
		now.launches++;
		if (!loop.capacity) break;
	}
	return cudaSuccess;
}

// Launches the kernel that divides the frontier into classes.
__device__ inline cudaError_t launch_classification(const Level &k, const DeviceLoop &loop, const Launch &most) {
	Progress &now = *loop.progress;
	const Launch how = of_threads(now.queued[0], most, !loop.keeps);
	const Frontier in = loop.unsorted(now);
	const Queue out = loop.classes(now);
	const cudaError_t code = loop.keeps ? launch_child<classify_child_kernel<RegisterAppender>>(how, k, in, out)
		: launch_child<classify_child_kernel<Appender>>(how, k, in, out);
	if (code == cudaSuccess) now.launches++;
	return code;
}

enum Launched : u32 { kNothing, kClassification, kExpansion };

// Ends a level, and launches the next one and itself after it; with deferred classification also itself between the
// classification and the expansion. If the device refuses deeper nesting, the host launches this kernel again, and the
// search continues.
__global__ void plan_kernel(Level k, DeviceLoop loop, Launch most) {
	Progress &now = *loop.progress;
	now.launches++;
	const bool classified = now.launched == kClassification, expanded = now.launched == kExpansion;
	if (!now.depth) now.begin();
	if (expanded) now.launches += loop.of(now.depth)->children, now.children += loop.of(now.depth)->children;
	if (expanded && !loop.end_level(now, true)) return (void)(now.ended = true);
	now.launched = kNothing;
	if (!classified) *loop.of(now.depth) = *loop.of_classes(now.depth) = {};
	k.depth = now.depth;
	k.counters = loop.of(now.depth);
	const bool classifies = loop.deferred && !classified;
	now.error = classifies ? launch_classification(k, loop, most) : launch_level(k, loop, most);
	if (now.error != cudaSuccess) return;
	now.launched = classifies ? kClassification : kExpansion;
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
