// SPDX-License-Identifier: Apache-2.0

// The host part of a search: memory, counted launches, and timed levels.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <vector>

#include "common/check.cuh"
#include "common/grid_barrier.cuh"
#include "lab/branches.cuh"
#include "lab/expand.cuh"
#include "pages/pages.h"

namespace g500::lab {

struct Progress; // loop.cuh
struct Shares;   // shares.cu
struct RowRange; // isolated.cu

// SinglePages is a copy of the rows and links of a graph in pages, in which each page is a piece.
struct SinglePages {
	Array<PagedRow> rows;
	Array<PageLink> links;
};

// Memory is the memory of a strategy, without graph and result.
struct Memory {
	Array<u32> vertices[2]; // queues of vertices; with classes each has one queue per class
	Array<u32> edges[2], edge_parents[2];
	Array<u64> offsets; // first edge number of each queued vertex
	Array<u32> chunks;  // first queue entry of each chunk
	Array<u32> bins;    // vertices found by each thread of a status scan
	Array<u64> bin_counts;
	Array<u8> scan; // memory of the prefix sum
	size_t scan_bytes = 0;
	Array<u32> hub_cache;
	Array<u8> mask;
	u64 mask_bytes = 0;
	Array<u8> status;
	Array<u32> claimed; // a bit per vertex, for isolated kernels
	Array<RowRange> ranges;
	Array<GridBarrier> barrier; // of a loop on the device
	Array<g500_lab_level> records;
	Array<Counters> ring;
	Array<Progress> progress;
	u64 bytes = 0; // of all

	template <typename T>
	cudaError_t take(Array<T> &array, u64 n) {
		bytes += n * sizeof(T);
		return array.alloc(n);
	}
	cudaError_t take_mask(u64 n) {
		mask_bytes = n / 8 + 1;
		return take(mask, mask_bytes);
	}
};

// Search is the state and the measurements of one search.
struct Search {
	cudaStream_t stream;
	u32 outcome, launches, level_launches;
	std::chrono::steady_clock::time_point began, level_began;
	u64 cache_hits, children;
	u64 explored; // edges that leave all frontiers so far, if they determine the direction
	std::vector<g500_lab_level> levels;
};

} // namespace g500::lab

struct g500_lab {
	using u32 = g500::u32;
	using u64 = g500::u64;

	g500::Array<u64> rows;
	g500::Array<u32> cols;
	g500::lab::Adjacency g{};
	const g500_pages *pages = nullptr; // of a graph in pages
	g500::lab::SinglePages single;
	bool symmetric = false;
	u32 processors = 0;
	u32 highest_degree = 0;   // 0 if the graph is in pages
	u32 usual_hub_degree = 0; // default: about 1,000 vertices have a larger degree

	g500_lab_strategy strategy{};
	bool ready = false;
	u32 hub_degree = 0;
	u64 hubs = 0;
	g500::Array<u32> distance, parent;
	g500::Array<g500::lab::Counters> counters;
	g500::HostArray<g500::lab::Counters> seen; // copies of the counters on the host
	g500::Array<g500::ull> totals;
	g500::lab::Memory memory;
	g500::lab::Branches branches; // if classes are expanded at the same time
	std::shared_ptr<g500::lab::Shares> shares; // of a partitioned graph, or null
	std::map<std::pair<u32, u32>, std::shared_ptr<g500::lab::Shares>> divided; // kept with their rows, by shape and number
	u32 resident = 0; // blocks that run at the same time

	g500::lab::Search search{};

	// The arguments of the kernels of a level; n is the size of the frontier, 0 if unknown.
	g500::lab::Level level(u32 depth, u64 n = 0) const;

	// The number of threads per vertex if gather is group.
	u32 group_of(u64 n) const;

	// A launch over n items, one thread each, within the limits of tiles and blocks. Few blocks process tiles in sequence,
	// as on the GPUs for which culling was devised, with 14 multiprocessors.
	g500::Launch over(u64 n) const {
		const u64 tile = (u64)g500::kThreads * strategy.tiles, blocks = (n + tile - 1) / tile;
		const u64 most = strategy.blocks && strategy.blocks < resident ? strategy.blocks : most_blocks();
		return {(u32)(blocks < most ? (blocks ? blocks : 1) : most), g500::kThreads, search.stream, shared_bytes()};
	}
	// The number of threads for n vertices of the first class.
	u64 threads_of(u64 n, const g500::lab::Level &k) const {
		return strategy.gather == g500::lab::kDirect ? n * k.group : n;
	}
	// A launch of n threads, but not more than run at the same time, unless each keeps new vertices in registers.
	g500::Launch of_threads(u64 n) const {
		const u64 blocks = (n + g500::kThreads - 1) / g500::kThreads, most = most_blocks();
		return {(u32)(blocks < most ? blocks : most), g500::kThreads, search.stream, shared_bytes()};
	}
	g500::Launch over_all() const { return of_threads((u64)resident * g500::kThreads); }
	u64 most_blocks() const { return keeps() ? 1u << 30 : resident; }
	// Whether threads keep new vertices in registers until their block ends, and each has one vertex of the frontier.
	bool keeps() const {
		using namespace g500::lab;
		return strategy.enqueue == kEnqueueByBlock && strategy.shape != kTwoPhase && strategy.shape != kHybrid;
	}

	// Shared memory of a block, and the part of it before the slots of warp scans.
	size_t shared_bytes() const;
	u32 slots_at() const;

	// The capacities of a queue of vertices, and of a queue of edges.
	u64 vertex_capacity() const { return (u64)g.n * strategy.vertex_capacity / 100; }
	u64 edge_capacity() const { return g.m * strategy.edge_capacity / 100 + 1; }

	// The number of threads per vertex in searches by status.
	u32 row_threads() const {
		using namespace g500::lab;
		return strategy.gather == kByWarp ? 32 : strategy.gather == kByBlock ? g500::kThreads : 1;
	}
	bool by_status() const { return strategy.shape == g500::lab::kTopology || strategy.shape == g500::lab::kStatusQueue; }
	// Whether a search by status queues runs on several GPUs.
	bool divides_status() const { return strategy.shape == g500::lab::kStatusQueue && strategy.gpus > 1; }
	// Whether there is a queue per class.
	bool sorts() const { return strategy.shape == g500::lab::kImmediateClasses || strategy.bin_from; }
	g500::lab::Limits limits() const;

	int allocate();
	void release(); // frees the memory of a strategy
	int clear(); // labels, mask and counters
	int start(u32 root);
	void begin_level();
	int end_level(u64 vertices, bool bottom_up); // waits, and copies the counters to the host
	u64 queued_within(u64 capacity);                 // vertices queued in the last level, 0 if a queue is full
	bool turns_bottom_up();                      // whether the next level is bottom-up
	int count_result(g500_lab_totals *totals);
};

// Launches a kernel of a search and counts it. Returns from the enclosing function if the launch fails.
#define LAB_LAUNCH(lab, name, kernel, ...)                                                                             \
	do {                                                                                                               \
		(lab)->search.level_launches++;                                                                                \
		G500_LAUNCH_BY(name, g500::launch(kernel, __VA_ARGS__));                                                       \
	} while (0)

namespace g500::lab {

// Launches one kernel for all classes of a frontier, or one per non-empty class at the same time.
template <typename... P>
int launch_classes(g500_lab *lab, const char *name, void (*kernel)(Level, Classes, P...), const Level &k,
                   const Classes &in, const As<P> &...rest) {
	if (lab->strategy.classes == kFused) {
		const bool alone = !in.of[1].n && !in.of[2].n && !in.of[3].n;
		LAB_LAUNCH(lab, name, kernel, alone ? lab->over(lab->threads_of(in.of[0].n, k)) : lab->over_all(), k, in, rest...);
		return cudaSuccess;
	}
	G500_TRY(lab->branches.fork(lab->search.stream));
	for (int c = 0; c < kClasses; c++) {
		if (!in.of[c].n) continue;
		Classes one{};
		one.of[c] = in.of[c];
		const bool all = k.limits.threads[c] == ~0u || in.of[c].counted; // the host does not know how many
		Launch how = all ? lab->over_all() : c ? lab->of_threads(in.of[c].n * k.limits.threads[c])
			: lab->over(lab->threads_of(in.of[c].n, k));
		how.stream = lab->branches.of(c);
		LAB_LAUNCH(lab, name, kernel, how, k, one, rest...);
	}
	return lab->branches.join(lab->search.stream);
}

// The searches, by shape. The root is visited before.
int search_by_vertices(g500_lab *lab);
int search_by_edges(g500_lab *lab);
int search_by_shares(g500_lab *lab);
int search_by_chunks(g500_lab *lab);
int search_deferred(g500_lab *lab);
int search_by_status(g500_lab *lab);
int search_by_status_queue(g500_lab *lab);
int search_isolated(g500_lab *lab);
int allocate_status_queue(g500_lab *lab);
int allocate_isolated(g500_lab *lab);

// The halves of a two-phase level: from edges to vertices, and from vertices to edges.
int contract(g500_lab *lab, u32 depth, const Frontier &in, const Queue &out);
int expand(g500_lab *lab, u32 depth, const Frontier &in, const Queue &out);

// Sets the graph to pages that are walked as the strategy does.
int choose_walk(g500_lab *lab);

// For partitioned graphs: allocate the shares, release them but for their rows, set the root in the share of its owner,
// and assemble the result.
int allocate_shares(g500_lab *lab);
void release_shares(g500_lab *lab);
int start_shares(g500_lab *lab, u32 root);
int join_shares(g500_lab *lab);

// The same for searches by status queues on several GPUs.
int allocate_status_shares(g500_lab *lab);
int start_status_shares(g500_lab *lab, u32 root);
int search_by_status_shares(g500_lab *lab);
int join_status_shares(g500_lab *lab);

// Searches with the loop on the device, for some shapes.
int search_on_device(g500_lab *lab);
cudaError_t allow_children(); // to wait on the device in large numbers
int fetch_loop(g500_lab *lab, g500_lab_totals *totals);
int allocate_loop(g500_lab *lab);

} // namespace g500::lab
