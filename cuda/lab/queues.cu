// SPDX-License-Identifier: Apache-2.0

// Searches with queues of vertices, and with a queue of edges (Merrill, Garland, Grimshaw, PPoPP 2012, section 5).
#include <algorithm>

#include "lab/runner.cuh"

namespace g500::lab {

// Two-phase contraction, section 5.3: a queue of edges in, one of vertices out. Reads 4 B of the queue, 8 B with
// parents, and a status per edge; writes 4 B of the queue and the status per new vertex. With registers, a prefix sum
// per tile gives the places in the queue. Races: filter.cuh.
template <typename Append>
__global__ void __launch_bounds__(kThreads) contract_kernel(Level k, Frontier in, Queue out) {
	G500_SHARED_MEMORY(memory);
	ExpandShared &sh = *reinterpret_cast<ExpandShared *>(memory);
	ClaimVertexOf<Append> visit(k, sh, out);
	for_tiles(in.size(), [&](u64 i, bool has) {
		const bool fresh = passes(visit.filter, in, i, has);
		visit.append(fresh, has ? in.vertices[i] : kNone);
		if (std::is_same<Append, RegisterAppender>::value) visit.append.finish();
	});
	visit.append.finish();
}

using Kernel = void (*)(Level, Frontier, Queue);
const Kernel expand_kernels[] = LAB_BY_GATHER(expand_kernel);
const Kernel contract_expand_kernels[] = LAB_BY_GATHER(contract_expand_kernel);
void (*const expand_contract_kernels[])(Level, Classes, Queue) = LAB_BY_GATHER(expand_contract_kernel);

// Returns the kernel of a strategy with queues of vertices.
auto expand_contract_by(const g500_lab_strategy &s) -> void (*)(Level, Classes, Queue) {
	if (s.child_from) return s.gather == kDirect ? expand_groups_with_children_kernel : expand_with_children_kernel;
	if (s.enqueue == kEnqueueByBlock) return expand_contract_kernel<Keeping<Serial>>;
	if (s.gather == kDirect) return expand_contract_kernel<Direct>;
	if (s.long_rows != kList) return expand_contract_kernels[s.gather];
	return s.gather == kByGroup ? expand_contract_kernel<Listed<ByGroup>> : expand_contract_kernel<Listed<ByWarpScan>>;
}

// Each level reads a queue, or one per class, and writes others. The root is in the first class, whatever its degree.
int search_by_vertices(g500_lab *lab) {
	Memory &m = lab->memory;
	const u64 capacity = lab->vertex_capacity();
	const auto kernel = expand_contract_by(lab->strategy);
	u64 counts[kClasses] = {1}, n = 1;
	for (u32 depth = 1; n; depth++) {
		lab->begin_level();
		Classes in;
		for (int c = 0; c < kClasses; c++)
			in.of[c] = {m.vertices[(depth - 1) % 2] + c * capacity, nullptr, counts[c], nullptr};
		const Queue out = {m.vertices[depth % 2], nullptr, capacity, lab->counters.get()->queued, nullptr, lab->sorts()};
		const Level k = lab->level(depth, n);
		if (const int code = launch_classes(lab, "expand_contract_kernel", kernel, k, in, out)) return code;
		if (const int code = lab->end_level(n, false)) return code;
		n = lab->queued_within(capacity);
		std::copy_n(lab->seen->queued, kClasses, counts);
	}
	return cudaSuccess;
}

// Memory and races: classify.
template <typename Append>
__global__ void __launch_bounds__(kThreads) classify_kernel(Level k, Frontier in, Queue out) {
	G500_SHARED_MEMORY(memory);
	classify<Append>(k, reinterpret_cast<ExpandShared *>(memory)->append, in, out);
}

// Each level begins with one queue, which is divided into four.
int search_deferred(g500_lab *lab) {
	Memory &m = lab->memory;
	const u64 capacity = lab->vertex_capacity();
	Counters *const counters = lab->counters;
	const Queue sorted = {m.vertices[1], nullptr, capacity, counters[1].queued, nullptr, true};
	const Queue out = {m.vertices[0], nullptr, capacity, counters->queued};
	const auto kernel = expand_contract_by(lab->strategy);
	const Kernel sort = lab->strategy.enqueue == kEnqueueByBlock ? classify_kernel<RegisterAppender>
		: classify_kernel<Appender>;
	Classes classes;
	for (int c = 0; c < kClasses; c++)
		classes.of[c] = {m.vertices[1] + c * capacity, nullptr, capacity, sorted.queued + c};
	u64 n = 1;
	for (u32 depth = 1; n; depth++) {
		lab->begin_level();
		const Level k = lab->level(depth, n);
		const Frontier in = {m.vertices[0], nullptr, n, nullptr};
		LAB_LAUNCH(lab, "classify_kernel", sort, lab->over(n), k, in, sorted);
		if (const int code = launch_classes(lab, "expand_contract_kernel", kernel, k, classes, out)) return code;
		if (const int code = lab->end_level(n, false)) return code;
		n = lab->queued_within(capacity);
	}
	return cudaSuccess;
}

int contract(g500_lab *lab, u32 depth, const Frontier &in, const Queue &out) {
	const bool by_block = lab->strategy.enqueue == kEnqueueByBlock;
	const Kernel kernel = by_block ? contract_kernel<RegisterAppender> : contract_kernel<Appender>;
	LAB_LAUNCH(lab, "contract_kernel", kernel, lab->over(in.n), lab->level(depth), in, out);
	return cudaSuccess;
}

int expand(g500_lab *lab, u32 depth, const Frontier &in, const Queue &out) {
	LAB_LAUNCH(lab, "expand_kernel", expand_kernels[lab->strategy.gather], lab->over_all(), lab->level(depth), in, out);
	return cudaSuccess;
}

// The root is the end of the first edge. A level of two kernels needs one queue of edges and one of vertices, for which
// shape hybrid uses its other queue of edges: storage is n+m and 2m, as in sections 5.3 and 5.4.
int search_by_edges(g500_lab *lab) {
	Memory &m = lab->memory;
	const u32 shape = lab->strategy.shape;
	const u64 capacity = lab->edge_capacity();
	const u64 below = lab->strategy.fused_below ? lab->strategy.fused_below : (u64)lab->over(~0u).blocks * kThreads;
	u64 n = 1;
	u32 now = 0;
	for (u32 depth = 0; n; depth++) {
		lab->begin_level();
		ull *const queued = lab->counters.get()->queued;
		const bool fused = shape == kContractExpand || (shape == kHybrid && n <= below);
		const u32 other = 1 - now, to = fused ? other : now;
		const Frontier in = {m.edges[now], m.edge_parents[now], n, nullptr};
		const Queue out = {m.edges[to], m.edge_parents[to], capacity, queued};
		const Queue between = {shape == kHybrid ? m.edges[other] : m.vertices[0], nullptr,
			shape == kHybrid ? capacity : lab->vertex_capacity(), queued + 1};
		if (fused) {
			const Kernel kernel = contract_expand_kernels[lab->strategy.gather];
			LAB_LAUNCH(lab, "contract_expand_kernel", kernel, lab->over(n), lab->level(depth), in, out);
		} else {
			const Frontier found = {between.vertices, nullptr, between.capacity, between.queued};
			if (const int code = contract(lab, depth, in, between)) return code;
			if (const int code = expand(lab, depth, found, out)) return code; // overwrites the edges
		}
		if (const int code = lab->end_level(0, false)) return code;
		n = lab->seen->queued[0];
		if (n > capacity || lab->seen->queued[1] > between.capacity) lab->search.outcome = G500_LAB_QUEUE_FULL;
		if (lab->search.outcome != G500_LAB_DONE) n = 0;
		now = to;
	}
	return cudaSuccess;
}

} // namespace g500::lab
