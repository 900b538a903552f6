// SPDX-License-Identifier: Apache-2.0

// Enterprise (Liu and Huang, SC 2015): between two levels a queue is made from the status array, in one of three ways
// (section 4.1), in degree classes (4.2). Hubs determine the direction; bottom-up levels have a cache of hubs (4.3).
#include <algorithm>

#include "common/cub.cuh"
#include "lab/status.cuh"
#include "lab/status_queue.cuh"

namespace g500::lab {

// Bins has the vertices that each thread finds, by class: class c of thread t begins at (c * threads + t) * portion.
struct Bins {
	u32 *vertices;
	u64 *counts; // one 0, then classes * threads; summed up: where each class of a thread begins, and the end
	u32 threads;
	u64 portion; // vertices that a thread tests
};

// kLeastPortion is the least number of vertices that a thread tests, so that interleaved and blocked scans differ. The
// 256 x 256 threads of section 4.3 test as many on Kron-20-512.
constexpr u32 kLeastPortion = 16;

// Scan has the parameters of a scan of the status array or of a queue.
struct Scan {
	const u32 *queue; // to scan; null for the vertices from `first`
	u32 first;
	u64 n;
	bool blocked;   // each thread scans consecutive entries, so that their order remains; otherwise interleaved
	bool unvisited; // searches for unvisited vertices; otherwise for the frontier
	u32 hub_degree;
	u32 *hub_cache; // receives the hubs of the frontier, or null
	u32 cache_mask;
};

// Queue generation, first step: each thread writes the vertices that it finds to its own bins. Reads a status per
// tested vertex and two row offsets per found vertex; writes 4 B per found vertex. Races: hubs overwrite each other in
// the cache.
__global__ void __launch_bounds__(kThreads) fill_bins_kernel(Level k, Scan scan, Bins bins) {
	const u32 thread = thread_number<kThreads>();
	u64 count[kClasses] = {}, edges = 0, hubs = 0;
	for (u64 j = 0; j < bins.portion; j++) {
		const u64 i = scan.blocked ? thread * bins.portion + j : j * bins.threads + thread;
		if (i >= scan.n) continue;
		const u32 v = scan.queue ? scan.queue[i] : scan.first + (u32)i;
		const bool in_frontier = k.visited.is_at(v, k.depth - 1);
		if (!in_frontier && !(scan.unvisited && k.visited.is_unseen(v))) continue;
		const u64 degree = k.g.degree(v);
		if (in_frontier) {
			edges += degree;
			hubs += degree > scan.hub_degree;
			if (scan.hub_cache && degree > scan.hub_degree) scan.hub_cache[v & scan.cache_mask] = v;
			if (scan.unvisited) continue;
		}
		const u32 c = k.limits.class_of(degree);
#pragma unroll
		for (u32 d = 0; d < kClasses; d++) // keeps the counts in registers
			if (c == d) bins.vertices[((u64)d * bins.threads + thread) * bins.portion + count[d]++] = v;
	}
	for (int d = 0; d < kClasses; d++) bins.counts[(u64)d * bins.threads + thread + 1] = count[d];
	if (thread == 0) bins.counts[0] = 0;
	add_up(edges, &k.counters->frontier_edges);
	add_up(hubs, &k.counters->hubs);
}

// Queue generation, last step: each thread copies its bins to the places of the prefix sum. Reads and writes 4 B per
// vertex. No races: every bin has its own places.
__global__ void __launch_bounds__(kThreads) copy_bins_kernel(Level k, Bins bins, u32 *queue) {
	const u32 thread = thread_number<kThreads>();
	for (int c = 0; c < kClasses; c++) {
		const u64 bin = (u64)c * bins.threads + thread, begin = bins.counts[bin], end = bins.counts[bin + 1];
		for (u64 i = begin; i < end; i++) queue[i] = bins.vertices[bin * bins.portion + i - begin];
		const u64 *const of_class = bins.counts + (u64)c * bins.threads;
		if (thread == 0) k.counters[1].queued[c] = of_class[bins.threads] - of_class[0];
	}
}

// A top-down level by classes: marks new vertices. Reads 4 B of the queue and two row offsets per vertex, a column and
// a status per edge. Races: status.cuh, MarkVertex.
__global__ void __launch_bounds__(kThreads) push_classes_kernel(Level k, Classes in) {
	G500_SHARED_MEMORY(memory);
	MarkVertex visit{k};
	expand_classes<Serial>(k, *reinterpret_cast<GatherShared *>(memory), in, visit);
	add_up(visit.found, k.counters->queued);
}

// A bottom-up level by classes of unvisited vertices. Reads 4 B of the queue and two row offsets per vertex, and a
// column and a status per neighbour up to the first visited one. Races: if all blocks share a vertex, several may write
// its parent, and each is right.
__global__ void __launch_bounds__(kThreads) pull_classes_kernel(Level k, Classes in, HubCache hubs) {
	G500_SHARED_MEMORY(memory);
	Puller puller(k, *reinterpret_cast<PullShared *>(memory), hubs);
#pragma unroll 1
	for (int c = kClasses - 1; c >= 0; c--) {
		const Frontier frontier = in.at(c);
		share_vertices(frontier.size(), k.limits.threads_of(c), [&](u64 i, bool has, u32 own, u32 threads) {
			puller.find(row_at(k.g, has ? frontier.vertices[i] : kNone), own, threads);
		});
	}
	count_level(k, 0, puller.probes, puller.found);
	add_up(puller.hits, &k.counters->cache_hits);
}

int StatusQueue::begin() {
	lab->begin_level();
	return fill(1, false);
}

int StatusQueue::turn(u32 depth) {
	bottom_up = true;
	return fill(depth, true);
}

int StatusQueue::expand(u32 depth) {
	Classes in;
	u64 first = 0;
	for (int c = 0; c < kClasses; first += counts[c++])
		in.of[c] = {m.vertices[now] + first, nullptr, counts[c], nullptr};
	const Level k = lab->level(depth);
	const HubCache hubs = {m.hub_cache, lab->strategy.hub_cache};
	return bottom_up ? launch_classes(lab, "pull_classes_kernel", pull_classes_kernel, k, in, hubs)
	                 : launch_classes(lab, "push_classes_kernel", push_classes_kernel, k, in);
}

int StatusQueue::refill(u32 depth) {
	return make_queue(depth, bottom_up, bottom_up && lab->strategy.refilling == kFilter);
}

int StatusQueue::end_level() {
	if (const int code = lab->end_level(total(), bottom_up)) return code;
	std::copy_n(lab->seen[1].queued, kClasses, counts);
	return cudaSuccess;
}

// Makes a queue that belongs to no level, and waits for its size.
int StatusQueue::fill(u32 depth, bool unvisited) {
	if (const int code = make_queue(depth, unvisited, false)) return code;
	const cudaStream_t stream = lab->search.stream;
	G500_TRY(cudaMemsetAsync(lab->counters, 0, sizeof(Counters), stream));
	return read_back(counts, lab->counters.get()[1].queued, sizeof counts, stream);
}

// Makes the queue of the vertices at distance depth - 1, or of the unvisited vertices: from all vertices of the range,
// or from the queue before, whose order remains (figure 7c).
int StatusQueue::make_queue(u32 depth, bool unvisited, bool of_queue) {
	const u64 n = of_queue ? total() : size;
	const Launch how = lab->of_threads(std::max<u64>((n + kLeastPortion - 1) / kLeastPortion, 1));
	const u32 threads = how.blocks * kThreads, places = lab->strategy.hub_cache;
	const Bins bins = {m.bins, m.bin_counts, threads, (n + threads - 1) / threads};
	const bool caches = unvisited && places;
	if (caches) G500_TRY(cudaMemsetAsync(m.hub_cache, 0xff, places * sizeof(u32), lab->search.stream));
	const bool blocked = of_queue || (unvisited && lab->strategy.switching == kBlocked);
	const Scan scan = {of_queue ? m.vertices[now].get() : nullptr, first, n, blocked, unvisited, lab->hub_degree,
		caches ? m.hub_cache.get() : nullptr, places - 1};
	LAB_LAUNCH(lab, "fill_bins_kernel", fill_bins_kernel, how, lab->level(depth), scan, bins);
	const size_t bin_count = (size_t)kClasses * threads + 1;
	G500_LAUNCH_BY("DeviceScan", sum_up(m.scan.get(), m.scan_bytes, m.bin_counts.get(), bin_count,
		lab->search.stream));
	lab->search.level_launches += 2; // of the prefix sum
	now = 1 - now;
	LAB_LAUNCH(lab, "copy_bins_kernel", copy_bins_kernel, how, lab->level(depth), bins, m.vertices[now]);
	return cudaSuccess;
}

int allocate_status_queue(g500_lab *lab) {
	Memory &m = lab->memory;
	const u64 threads = (u64)lab->resident * kThreads, n = lab->g.n;
	for (auto &queue : m.vertices) G500_TRY(m.take(queue, n));
	G500_TRY(m.take(m.bins, kClasses * (n + threads)));
	G500_TRY(m.take(m.bin_counts, kClasses * threads + 1));
	const size_t counts = kClasses * threads + 1;
	G500_TRY(sum_up(nullptr, m.scan_bytes, m.bin_counts.get(), counts, lab->search.stream));
	G500_TRY(m.take(m.scan, m.scan_bytes));
	if (lab->strategy.hub_cache) G500_TRY(m.take(m.hub_cache, lab->strategy.hub_cache));
	return cudaSuccess;
}

int search_by_status_queue(g500_lab *lab) {
	StatusQueue queue(lab, 0, lab->g.n);
	if (const int code = queue.begin()) return code;
	for (u32 depth = 1; queue.total() && (depth == 1 || lab->seen->queued[0]); depth++) {
		if (const int code = queue.expand(depth)) return code;
		if (const int code = queue.refill(depth + 1)) return code;
		if (const int code = queue.end_level()) return code;
		lab->begin_level(); // the time of a queue belongs to the level that reads it
		if (queue.is_bottom_up() || !lab->turns_bottom_up()) continue;
		if (const int code = queue.turn(depth + 1)) return code;
	}
	return cudaSuccess;
}

} // namespace g500::lab
