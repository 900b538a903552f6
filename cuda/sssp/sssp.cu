// SPDX-License-Identifier: Apache-2.0

// Kernel 3: the host side. far_paths.cuh has the parts for ranks that are not peers.
#include <algorithm>
#include <cmath>
#include <new>
#include <type_traits>
#include <vector>

#include "sssp/far_paths.cuh"
#include "sssp/light.cuh"
#include "sssp/result.cuh"
#include "sssp/sssp.cuh"

namespace g500::sssp {

namespace {

// Finds the largest weight of a graph, as bits: the last weight of each row, which is sorted.
// Map:    one thread per vertex. Reads: 16 B of rows and an edge per vertex. Writes: 4 B in total.
__global__ void heaviest_kernel(const u64 *rows, const Col *cols, u32 vertices, u32 *heaviest) {
	const u32 v = thread_number<kThreads>();
	if (v >= vertices || rows[v] == rows[v + 1]) return;
	const u32 bits = __float_as_uint(cols[rows[v + 1] - 1].weight);
	if (bits > *(volatile u32 *)heaviest) atomicMax(heaviest, bits);
}

// Copies the first two edges of each row outside trees, and a bound of the third weight. Their weights become the
// vertex's words of distance and parent, for derive_detours_kernel.
// Map: one thread per vertex. Reads: 16 B of rows and three edges. Writes: 28 B.
__global__ void first_edges_kernel(const __grid_constant__ Graph graph, const __grid_constant__ State state) {
	const u32 local_id = thread_number<kThreads>();
	if (local_id >= graph.own_non_tree) return;
	const u64 begin = graph.rows[local_id], n = graph.rows[local_id + 1] - begin;
	const uint4 edges = FirstEdges::in_row(graph.cols + begin, n);
	graph.first[local_id] = edges;
	graph.later[local_id] = make_ushort2(0, WeightBound::of(n > 2 ? graph.cols[begin + 2].weight : infinity()));
	state.distance[graph.base + local_id] = edges.y;
	state.parent[graph.base + local_id] = edges.w;
}

// Derives the detours of first and second edges from the words of all vertices that first_edges_kernel has written.
// Map: one thread per vertex. Reads: 20 B and 16 random B. Writes: 6 B.
__global__ void derive_detours_kernel(const __grid_constant__ Graph graph, const __grid_constant__ State state) {
	const u32 local_id = thread_number<kThreads>();
	if (local_id >= graph.own_non_tree) return;
	const FirstEdges edges(graph, local_id);
	const auto derive = [&](const Col &edge) {
		const u32 u = edge.global_id;
		if (u == kNone) return WeightBound::of(infinity());
		return detour_of(edge, __uint_as_float(state.distance[u]), __uint_as_float(state.parent[u]));
	};
	graph.detour[local_id] = derive(edges.of[0]);
	graph.later[local_id].x = derive(edges.of[1]);
}

constexpr u32 kMostBlocks = 4096; // of a search
constexpr u64 kPiece = 256;       // bytes: alignment of arrays in one allocation

// Paths is one rank's searches.
struct Paths : PathsMemory {
	int begin(const g500_graph &of, const g500_tree_levels *trees, const g500_sssp_policy &given, cudaStream_t stream) {
		const u32 own_non_tree = std::min(of.first_leaf, of.non_isolated);
		graph.non_isolated = of.non_isolated;
		graph.owned = of.owned;
		graph.non_tree = of.ranks == 1 ? own_non_tree : of.first_leaf;
		graph.own_non_tree = own_non_tree;
		graph.rank = of.rank;
		graph.shift = of.shift;
		graph.base = of.rank << of.shift;
		graph.mask = (u32)((1ull << of.shift) - 1);
		graph.inner = graph.non_tree;
		graph.levels = 0;
		graph.tree_cols = of.edges - (of.non_isolated - own_non_tree);
		graph.rows = of.rows;
		graph.cols = of.weighted_cols;
		graph.labels = of.labels;
		graph.local_ids = of.local_ids;
		if (trees) {
			graph.inner = trees->begin[trees->levels];
			graph.levels = trees->levels;
			std::copy(trees->begin, trees->begin + trees->levels + 1, graph.level_begin);
		}
		ranks.count = of.ranks;
		ranks.rank = of.rank;
		ranks.shift = of.shift;
		ranks.wait_ns = given.wait_ns;
		given_ = given;
		// Rows of a directed graph have no edges to parents. Therefore nothing is pulled: without landmarks pushes reach all
		// vertices, and hints have the parents of all.
		if (of.directed) given_.landmarks = 0, given_.hinted = ~0u;
		edges_ = of.edges;
		const Launch by_vertex = thread_for(of.non_isolated, stream);
		Array<u32> heaviest; // its bits
		G500_TRY(heaviest.alloc_zeroed(1, stream));
		G500_LAUNCH(heaviest_kernel, by_vertex, of.rows, of.weighted_cols, of.non_isolated, heaviest.get());
		return read_back(&graph.heaviest, heaviest, sizeof graph.heaviest, stream);
	}

	int connect(const g500_sssp_ranks &known, cudaStream_t stream) {
		edges_ = known.edges;
		graph.heaviest = known.heaviest;
		graph.labels = known.d_labels;
		state.distance = known.d_distances;
		state.parent = known.d_parents;
		if (known.windows) {
			blocks = known.blocks;
			ranks.window = (unsigned char *)known.windows[ranks.rank];
		}
		G500_TRY(allocate(stream));
		return known.windows ? connect_peers(known, stream) : far.open(given_.sweeps, known.listed, stream);
	}

	int allocate(cudaStream_t stream) {
		const float larger = (float)edges_ / (float)(1ull << 31); // than the graph of the policy
		float window = graph.heaviest * (float)given_.window * 1e-6f / std::max(cbrtf(larger), 1e-6f);
		// If the heaviest weight is an integer above 1, all weights and distances are integers, and each edge adds at least
		// 1. On the official graph of scale 22 with weights from 1 to 255, windows of 1 to 4 gave 30, 50, 91 and 129 GTEPS.
		if (graph.heaviest > 1 && graph.heaviest == floorf(graph.heaviest)) window = ceilf(window) + 2;
		const bool is_far = ranks.count > 1 && !ranks.window;
		policy = {window, std::min(given_.landmarks, graph.non_tree), given_.sweeps, given_.classes, hinted(), given_.part,
		          is_far ? hinted() : 0};
		if (ranks.count == 1) {
			G500_TRY(held.alloc(graph.inner, state.distance));
			G500_TRY(held.alloc(graph.own_non_tree, state.parent));
		}
		G500_TRY(held.alloc(graph.own_non_tree, graph.first, graph.detour, graph.later));
		G500_LAUNCH(first_edges_kernel, thread_for(graph.own_non_tree, stream), graph, state);
		const u64 parts = is_far ? ranks.count : 1, bytes = lay_out(nullptr, parts);
		unsigned char *memory = ranks.window;
		if (!memory) G500_TRY(held.alloc(bytes, memory));
		lay_out(memory, parts);
		const u64 queues = blocks * (is_far ? 1 : ranks.count); // one block's for one rank
		state.depth = (u32)((slots() + queues - 1) / queues);
		G500_TRY(cudaMemsetAsync(memory, 0, bytes, stream));
		G500_TRY(cudaMemsetAsync(state.slots, 0xff, queues * state.depth * sizeof(u64), stream)); // kNothing
		G500_TRY(held.alloc((u64)blocks * kWarps, state.open));
		G500_TRY(held.alloc(frontier_capacity(graph.own_non_tree), state.reach));
		const size_t often = std::min(given_.resident, graph.own_non_tree) * sizeof(u32);
		G500_TRY(resident.set_aside(state.distance + graph.base, often));
		if (is_far) G500_TRY(held.alloc(places(), state.remote));
		G500_TRY(held.alloc_zeroed(stream, 1, state.epochs, ranks.barrier));
		G500_TRY(held.alloc(G500_SSSP_STEPS, state.trace));
		G500_TRY(open(state, stream));
		const u64 labels = (u64)tiles_of(graph.owned) * kTile;
		G500_TRY(held.alloc(labels, state.parents, state.distances));
		G500_TRY(derive_tile_order(graph, ranks.count, held, &order, stream));
		return cudaStreamSynchronize(stream);
	}

	int derive_detours(cudaStream_t stream) {
		G500_LAUNCH(derive_detours_kernel, thread_for(graph.own_non_tree, stream), graph, state);
		G500_TRY(cudaMemsetAsync(state.parent, 0xff, places() * sizeof(u32), stream)); // kUnknown
		u32 *light = nullptr;
		G500_TRY(index_light(*this, light, stream));
		if (light) far.push_over(light);
		return cudaStreamSynchronize(stream);
	}

	// Computes the number of blocks. Loads the kernels that are queued after a search: CUDA loads a kernel at its first
	// use, and may then wait for the device; ranks of this process that wait for each other there would block it.
	int size_launch(u32 sharers) {
		constexpr auto kShared = cudaFuncAttributeMaxDynamicSharedMemorySize;
		G500_TRY(cudaFuncSetAttribute((const void *)write_result_kernel, kShared, (int)sizeof(TileOfResult)));
		G500_TRY(cudaFuncSetAttribute((const void *)store_root_path_kernel, kShared, 0));
		std::vector<const void *> kernels{(const void *)search_kernel<OneRank>};
		if (ranks.count > 1)
			kernels = {(const void *)search_kernel<PeerRanks>, far_path_kernel_address()};
		const int bytes = (int)(ranks.count > 1 ? far_path_shared(ranks.count) : Context::bytes(ranks.count));
		int device, processors, per_processor = kBlocks;
		G500_TRY(cudaGetDevice(&device));
		G500_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
		for (const void *kernel : kernels) {
			int fit;
			G500_TRY(cudaFuncSetAttribute(kernel, kShared, bytes));
			G500_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, kThreads, bytes));
			per_processor = std::min(per_processor, fit);
		}
		blocks = std::min(processors * per_processor / sharers, kMostBlocks);
		return blocks > 0 ? cudaSuccess : cudaErrorLaunchOutOfResources;
	}

	// Returns the bytes of the window, which is the same on all ranks.
	u64 window_bytes() { return lay_out(nullptr, 1); }

	bool prelaunches() const override { return given_.prelaunch; }
	bool publishes() const override { return true; }

	cudaError_t launch_search(u32 ring, cudaStream_t stream) const override {
		const size_t shared = Context::bytes(ranks.count);
		const Launch full_grid{blocks, kThreads, stream, shared, Launch::kCooperative, resident.view()};
		const auto kernel = ranks.count > 1 ? search_kernel<PeerRanks> : search_kernel<OneRank>;
		return launch(kernel, full_grid, graph, state, ranks, policy, ring);
	}

	int run(u64 root, cudaStream_t stream) override {
		G500_LAUNCH_BY(ranks.count > 1 ? "sssp_peer_kernel" : "sssp_kernel", ring(root, stream));
		return finish((u32)root, stream);
	}

	int begin_driven(u64 root, g500_wanted &wanted, cudaStream_t stream) override {
		far_root = (u32)root;
		return far.begin(far_root, wanted, stream);
	}

	int next(g500_wanted &wanted, cudaStream_t stream) override {
		G500_TRY(far.next(wanted, stream));
		return wanted.kind == G500_SEARCH_DONE ? finish(far_root, stream) : (int)cudaSuccess;
	}

private:
	int finish(u32 root, cudaStream_t stream) {
		constexpr size_t kShared = sizeof(TileOfResult);
		const Launch a_block_each{tiles_of(graph.owned), kResultThreads, stream, kShared, Launch::kPlain, resident.view()};
		G500_LAUNCH_BY("sssp_write_result_kernel", launch(write_result_kernel, a_block_each, graph, state, policy, order));
		const Launch one_block{1, kRootPathThreads, stream};
		return G500_START_BY("store_root_path_kernel",
		                     launch(store_root_path_kernel, one_block, graph, state, root, ranks.count, ++searches));
	}

	int connect_peers(const g500_sssp_ranks &known, cudaStream_t stream) {
		const u64 n = ranks.count;
		void **addresses;
		G500_TRY(held.alloc(3 * n, addresses));
		const void *const arrays[] = {known.windows, known.distances, known.parents};
		for (u64 i = 0; i < 3; i++)
			G500_TRY(cudaMemcpyAsync(addresses + i * n, arrays[i], n * sizeof(void *), cudaMemcpyHostToDevice, stream));
		ranks.windows = (unsigned char *const *)addresses;
		state.peers.distance = (u32 *const *)(addresses + n);
		state.peers.parent = (u32 *const *)(addresses + 2 * n);
		return cudaStreamSynchronize(stream);
	}

	// Lays out the arrays that peers access, from an address on; without peers they are this rank's own. Hints and stamps
	// have `parts` parts. Returns the number of bytes, which is the same on all ranks.
	u64 lay_out(unsigned char *memory, u64 parts) {
		u64 end = 0, *published;
		const auto take = [&](auto *&array, u64 n) {
			array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(memory + end);
			end += (n * sizeof *array + kPiece - 1) / kPiece * kPiece;
		};
		ranks.at.counters = end;
		take(published, 2 * ranks.count * kCounters);
		take(state.root_path, 1);
		take(state.counters, kRounds);
		take(state.totals, 1);
		take(state.farthest, 2 * ranks.count);
		take(state.hint, parts * hinted());
		take(state.stamp, parts == 1 ? graph.non_tree : parts << graph.shift);
		state.frontier_space = frontier_capacity(graph.non_tree);
		take(state.frontiers, 2 * state.frontier_space);
		take(state.ties, graph.non_tree);
		take(state.tickets, kRounds * ranks.count);
		take(state.slots, slots() + ranks.count * kMostBlocks); // so that all blocks have equally many
		return end;
	}

	u64 slots() const { return std::max<u64>((u64)graph.non_tree * given_.slots / 1000, 1); } // of the queue
	u32 hinted() const { return std::min(given_.hinted, graph.non_tree); }

	g500_sssp_policy given_{};
	u64 edges_ = 0;
	TileOrder order{};
	FarPaths far{*this};
	u32 far_root = 0; // label
};

} // namespace

} // namespace g500::sssp

using namespace g500;
using namespace g500::sssp;

static Paths &of(g500_searching *search) { return static_cast<Paths &>(*search); }

int g500_sssp_create(const g500_graph *graph, const g500_tree_levels *levels, const g500_sssp_policy *policy,
                     uint32_t sharers, g500_searching **out, void *stream) {
	*out = nullptr;
	if (sharers == 0 || graph->first_leaf > kMostNumbered || (levels && graph->ranks > 1)) return cudaErrorInvalidValue;
	Paths *const s = new (std::nothrow) Paths;
	if (!s) return cudaErrorMemoryAllocation;
	int code = s->begin(*graph, levels, *policy, (cudaStream_t)stream);
	if (!code) code = s->size_launch(sharers);
	if (!code && graph->ranks == 1) code = s->allocate((cudaStream_t)stream);
	if (!code && graph->ranks == 1) code = s->derive_detours((cudaStream_t)stream);
	if (code) delete s;
	else *out = s;
	return code;
}

uint64_t g500_sssp_window_bytes(g500_searching *search) { return of(search).window_bytes(); }

uint32_t g500_sssp_blocks(g500_searching *search) { return of(search).blocks; }

float g500_sssp_heaviest(g500_searching *search) { return of(search).graph.heaviest; }

int g500_sssp_connect(g500_searching *search, const g500_sssp_ranks *ranks, void *stream) {
	return of(search).connect(*ranks, (cudaStream_t)stream);
}

int g500_sssp_count_light(g500_searching *search, uint64_t *count, void *stream) {
	return list_light(of(search), nullptr, count, (cudaStream_t)stream);
}

int g500_sssp_store_light(g500_searching *search, uint64_t *d_light, uint64_t most, void *stream) {
	return store_light(of(search), (Col *)d_light, most, (cudaStream_t)stream);
}

int g500_sssp_derive_detours(g500_searching *search, void *stream) {
	return of(search).derive_detours((cudaStream_t)stream);
}

const int64_t *g500_sssp_parents(g500_searching *search) { return (const int64_t *)of(search).state.parents; }

const float *g500_sssp_distances(g500_searching *search) { return of(search).state.distances; }

int g500_sssp_trace(g500_searching *search, g500_sssp_step *steps, void *stream) {
	return read_back(steps, of(search).state.trace, G500_SSSP_STEPS * sizeof *steps, (cudaStream_t)stream);
}
