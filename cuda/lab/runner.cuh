// The host's side of a search: memory, launches that are counted, and levels that are timed.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "common/check.cuh"
#include "common/grid_barrier.cuh"
#include "lab/branches.cuh"
#include "lab/expand.cuh"

namespace g500::lab {

struct Progress; // loop.cuh
struct Shares;   // shares.cu

// Memory is what strategies take beside graph and result.
struct Memory {
	Array<u32> vertices[2]; // queues of vertices; with classes each is one queue a class
	Array<u32> edges[2], edge_parents[2];
	Array<u64> offsets; // of a queue of vertices whose edges are numbered
	Array<u32> chunks;  // queue places where chunks begin
	Array<u32> bins;    // of the threads that look for a frontier among statuses
	Array<u64> bin_counts;
	Array<u8> scan; // what the prefix sum takes
	size_t scan_bytes = 0;
	Array<u32> hub_cache;
	Array<u8> mask;
	u64 mask_bytes = 0;
	Array<GridBarrier> barrier; // of a loop on the device, and what it counts
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

// Search is one search under way, and what was measured of it.
struct Search {
	cudaStream_t stream;
	u32 outcome, launches, level_launches;
	std::chrono::steady_clock::time_point began, level_began;
	u64 cache_hits;
	u64 explored; // edges that leave the frontiers so far, where a direction is chosen by them
	std::vector<g500_lab_level> levels;
};

} // namespace g500::lab

struct g500_lab {
	using u32 = g500::u32;
	using u64 = g500::u64;

	g500::Array<u64> rows;
	g500::Array<u32> cols;
	g500::lab::Adjacency g{};
	bool symmetric = false;
	u32 processors = 0;
	u32 usual_hub_degree = 0; // about a thousand vertices have more edges

	g500_lab_strategy strategy{};
	bool ready = false;
	u32 hub_degree = 0;
	u64 hubs = 0;
	g500::Array<u32> distance, parent;
	g500::Array<g500::lab::Counters> counters;
	g500::HostArray<g500::lab::Counters> seen; // those of the last level, and of classes or a queue
	g500::Array<g500::ull> totals;
	g500::lab::Memory memory;
	g500::lab::Branches branches; // made where classes are expanded at the same time
	std::shared_ptr<g500::lab::Shares> shares; // of a partitioned graph; else null
	u32 resident = 0; // blocks that run at once

	g500::lab::Search search{};

	// What a level's kernels are handed, where the frontier has so many vertices; 0 where the host does not know.
	g500::lab::Level level(u32 depth, u64 n = 0) const;

	// The threads that share a vertex, where gather is group.
	u32 group_of(u64 n) const;

	// A launch over n items, a thread each, within what a strategy allows of blocks. Where blocks are few, tiles come
	// one after the other, as on the GPUs for which culling was devised: 14 multiprocessors, and not 132.
	g500::Launch over(u64 n) const {
		const u64 tile = (u64)g500::kThreads * strategy.tiles, blocks = (n + tile - 1) / tile;
		const u64 most = strategy.blocks && strategy.blocks < resident ? strategy.blocks : resident;
		return {(u32)(blocks < most ? (blocks ? blocks : 1) : most), g500::kThreads, search.stream, shared_bytes()};
	}
	// A launch of so many threads, or as many as run at once; all of them where the host does not know the work.
	g500::Launch of_threads(u64 n) const {
		const u64 blocks = (n + g500::kThreads - 1) / g500::kThreads;
		return {(u32)(blocks < resident ? blocks : resident), g500::kThreads, search.stream, shared_bytes()};
	}
	g500::Launch over_all() const { return of_threads((u64)resident * g500::kThreads); }

	// Of the kernels that filter, or of those by status.
	size_t shared_bytes() const;

	// The vertices that a queue has room for, and the edges.
	u64 vertex_room() const { return (u64)g.n * strategy.vertex_room / 100; }
	u64 edge_room() const { return g.m * strategy.edge_room / 100 + 1; }

	// The threads that share a vertex by its status.
	u32 row_threads() const {
		using namespace g500::lab;
		return strategy.gather == kByWarp ? 32 : strategy.gather == kByBlock ? g500::kThreads : 1;
	}
	bool by_status() const { return strategy.shape == g500::lab::kTopology || strategy.shape == g500::lab::kStatusQueue; }
	// Whether new vertices go into a queue for each class.
	bool sorts() const { return strategy.shape == g500::lab::kImmediateClasses || strategy.bin_from; }
	g500::lab::Limits limits() const;

	int allocate();
	int clear(); // labels, mask and counters
	int start(u32 root);
	void begin_level();
	int end_level(u64 vertices, bool bottom_up); // waits, and fetches the counters
	u64 queued_within(u64 room);                 // the vertices queued in the last level, or 0 if a queue is full
	bool turns_bottom_up();                      // whether the frontier found last asks for that
	int count_result(g500_lab_totals *totals);
};

// Launches a kernel of a search and counts it. Returns from the function around it if that fails.
#define LAB_LAUNCH(lab, name, kernel, ...)                                                                             \
	do {                                                                                                               \
		(lab)->search.level_launches++;                                                                                \
		G500_LAUNCH_BY(name, g500::launch(kernel, __VA_ARGS__));                                                       \
	} while (0)

namespace g500::lab {

// Launches a kernel for a frontier in classes: for all of them, or one for each that has vertices, at the same time.
template <typename... P>
int launch_classes(g500_lab *lab, const char *name, void (*kernel)(Level, Classes, P...), const Level &k,
                   const Classes &in, const As<P> &...rest) {
	if (lab->strategy.classes == kFused) {
		const bool alone = !in.of[1].n && !in.of[2].n && !in.of[3].n;
		LAB_LAUNCH(lab, name, kernel, alone ? lab->over(in.of[0].n) : lab->over_all(), k, in, rest...);
		return cudaSuccess;
	}
	G500_TRY(lab->branches.fork(lab->search.stream));
	for (int c = 0; c < kClasses; c++) {
		if (!in.of[c].n) continue;
		Classes one{};
		one.of[c] = in.of[c];
		Launch how = c ? lab->of_threads(in.of[c].n * k.limits.threads[c]) : lab->over(in.of[c].n);
		how.stream = lab->branches.of(c);
		LAB_LAUNCH(lab, name, kernel, how, k, one, rest...);
	}
	return lab->branches.join(lab->search.stream);
}

// The searches, by shape. They begin with the root visited, and leave the result.
int search_by_vertices(g500_lab *lab);
int search_by_edges(g500_lab *lab);
int search_by_shares(g500_lab *lab);
int search_by_chunks(g500_lab *lab);
int search_deferred(g500_lab *lab);
int search_by_status(g500_lab *lab);
int search_by_status_queue(g500_lab *lab);
int allocate_status_queue(g500_lab *lab);

// The halves of a two-phase level: a queue of edges to one of vertices, and that to one of edges.
int contract(g500_lab *lab, u32 depth, const Frontier &in, const Queue &out);
int expand(g500_lab *lab, u32 depth, const Frontier &in, const Queue &out);

// What partitioned graphs need beside: shares made ready, the root in its owner's, and the result in one piece.
int allocate_shares(g500_lab *lab);
int start_shares(g500_lab *lab, u32 root);
int join_shares(g500_lab *lab);

// The same with the loop on the device, for some shapes.
int search_on_device(g500_lab *lab);
int fetch_loop(g500_lab *lab, g500_lab_totals *totals);
int allocate_loop(g500_lab *lab);

} // namespace g500::lab
