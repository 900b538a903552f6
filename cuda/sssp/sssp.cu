// SPDX-License-Identifier: Apache-2.0

// Kernel 3: the host side. far_paths.cu has the parts for ranks that are not peers.
#include <algorithm>
#include <cmath>
#include <new>
#include <type_traits>
#include <vector>

#include "common/check.cuh"
#include "common/launch.cuh"
#include "sssp/result.cuh"
#include "sssp/search.cuh"
#include "sssp/sssp.cuh"

using namespace g500;

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

int find_heaviest(const g500_graph &graph, float *heaviest, cudaStream_t stream) {
	Array<u32> bits;
	G500_TRY(bits.alloc_zeroed(1, stream));
	G500_LAUNCH(heaviest_kernel, thread_for(graph.non_isolated, stream), graph.rows, graph.weighted_cols,
	            graph.non_isolated, bits.get());
	return read_back(heaviest, bits, sizeof *heaviest, stream);
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

} // namespace

} // namespace g500::sssp

using namespace g500::sssp;

namespace {

constexpr u32 kMostBlocks = 4096; // of a search
constexpr u64 kPiece = 256;       // bytes: alignment of arrays in one allocation

} // namespace

int g500_sssp::begin(const g500_graph &of, const g500_tree_levels *trees, const g500_sssp_policy &given,
                     cudaStream_t stream) {
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
	return find_heaviest(of, &graph.heaviest, stream);
}

int g500_sssp::connect(const g500_sssp_ranks &known, cudaStream_t stream) {
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
	return known.windows ? connect_peers(known, stream) : far.open(*this, given_.sweeps, known.listed, stream);
}

// Lays out the arrays that peers access, from an address on; without peers they are this rank's own. Hints and stamps
// have `parts` parts. Returns the number of bytes, which is the same on all ranks.
u64 g500_sssp::lay_out(unsigned char *memory, u64 parts) {
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

int g500_sssp::allocate(cudaStream_t stream) {
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
	G500_TRY(held.alloc(graph.own_non_tree, graph.first));
	G500_TRY(held.alloc(graph.own_non_tree, graph.detour));
	G500_TRY(held.alloc(graph.own_non_tree, graph.later));
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
	G500_TRY(held.alloc_zeroed(1, state.epochs, stream));
	G500_TRY(held.alloc_zeroed(1, ranks.barrier, stream));
	G500_TRY(held.alloc(G500_SSSP_STEPS, state.trace));
	G500_TRY(Searching::open(state, ranks, stream));
	const u64 labels = (u64)tiles_of(graph.owned) * kTile;
	G500_TRY(held.alloc(labels, state.parents));
	G500_TRY(held.alloc(labels, state.distances));
	G500_TRY(derive_tile_order(graph, ranks.count, held, &order, stream));
	return cudaStreamSynchronize(stream);
}

int g500_sssp::derive_detours(cudaStream_t stream) {
	G500_LAUNCH(derive_detours_kernel, thread_for(graph.own_non_tree, stream), graph, state);
	G500_TRY(cudaMemsetAsync(state.parent, 0xff, places() * sizeof(u32), stream)); // kUnknown
	G500_TRY(index_light(stream));
	return cudaStreamSynchronize(stream);
}

// Computes the number of blocks. Loads the kernels that are queued after a search: CUDA loads a kernel at its first
// use, and may then wait for the device; ranks of this process that wait for each other there would block it.
int g500_sssp::size_launch(u32 sharers) {
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

// Launches a search that starts at doorbell ring number `ring`.
cudaError_t g500_sssp::launch_search(u32 ring, cudaStream_t stream) const {
	const size_t shared = Context::bytes(ranks.count);
	const Launch full_grid{blocks, kThreads, stream, shared, false, resident.view()};
	const auto kernel = ranks.count > 1 ? search_kernel<PeerRanks> : search_kernel<OneRank>;
	return launch_cooperative(kernel, full_grid, graph, state, ranks, policy, ring);
}

int g500_sssp::run(u32 root, cudaStream_t stream) {
	const auto launch = [&](u32 ring) { return launch_search(ring, stream); };
	G500_LAUNCH_BY(ranks.count > 1 ? "sssp_peer_kernel" : "sssp_kernel", doorbell.begin(root, launch));
	return finish(root, stream);
}

int g500_sssp::finish(u32 root, cudaStream_t stream) {
	constexpr size_t kShared = sizeof(TileOfResult);
	const Launch a_block_each{tiles_of(graph.owned), kResultThreads, stream, kShared, false, resident.view()};
	G500_LAUNCH_BY("sssp_write_result_kernel", launch(write_result_kernel, a_block_each, graph, state, policy, order));
	const Launch one_block{1, kRootPathThreads, stream};
	return G500_START_BY("store_root_path_kernel",
	                     launch(store_root_path_kernel, one_block, graph, state, root, ranks.count, ++searches));
}

int g500_sssp::connect_peers(const g500_sssp_ranks &known, cudaStream_t stream) {
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

uint64_t g500_sssp_window_bytes(g500_sssp *search) { return search->lay_out(nullptr, 1); }

uint32_t g500_sssp_blocks(const g500_sssp *search) { return search->blocks; }

int g500_sssp_begin(g500_sssp *search, uint32_t root, g500_wanted *wanted, void *stream) {
	search->far_root = root;
	return search->start([&] { return search->far.begin(root, *wanted, (cudaStream_t)stream); });
}

int g500_sssp_next(g500_sssp *search, g500_wanted *wanted, void *stream) {
	int code = search->far.next(*wanted, (cudaStream_t)stream);
	if (!code && wanted->kind == G500_SEARCH_DONE) code = search->finish(search->far_root, (cudaStream_t)stream);
	return search->keep(code);
}

void g500_sssp_fail(g500_sssp *search) { search->keep(G500_ENDED_EARLY); }

float g500_sssp_heaviest(const g500_sssp *search) { return search->graph.heaviest; }

int g500_sssp_connect(g500_sssp *search, const g500_sssp_ranks *ranks, void *stream) {
	return search->connect(*ranks, (cudaStream_t)stream);
}

int g500_sssp_derive_detours(g500_sssp *search, void *stream) { return search->derive_detours((cudaStream_t)stream); }

int g500_sssp_create(const g500_graph *graph, const g500_tree_levels *levels, const g500_sssp_policy *policy,
                     uint32_t sharers, g500_sssp **out, void *stream) {
	*out = nullptr;
	if (sharers == 0 || graph->first_leaf > kMostNumbered || (levels && graph->ranks > 1)) return cudaErrorInvalidValue;
	g500_sssp *s = new (std::nothrow) g500_sssp;
	if (!s) return cudaErrorMemoryAllocation;
	int code = s->begin(*graph, levels, *policy, (cudaStream_t)stream);
	if (!code) code = s->size_launch(sharers);
	if (!code && graph->ranks == 1) code = s->allocate((cudaStream_t)stream);
	if (!code && graph->ranks == 1) code = s->derive_detours((cudaStream_t)stream);
	if (code) delete s;
	else *out = s;
	return code;
}

void g500_sssp_free(g500_sssp *search) { delete search; }

int g500_sssp_cancel_prelaunch(g500_sssp *search) { return search->doorbell.cancel(); }

int g500_sssp_prelaunch(g500_sssp *search, void *stream) {
	const auto launch = [&](u32 ring) { return search->launch_search(ring, (cudaStream_t)stream); };
	return search->start([&] { return search->prelaunch(search->prelaunches(), launch); });
}

int g500_sssp_run(g500_sssp *search, uint32_t root, void *stream) {
	return search->start([&] { return search->run(root, (cudaStream_t)stream); });
}

int g500_sssp_await(g500_sssp *search, void *stream) { return search->keep(search->await(true, (cudaStream_t)stream)); }

const g500_stall *g500_sssp_stall(const g500_sssp *search) { return &search->stall(); }

void g500_sssp_end(g500_sssp *search) { search->end(); }

const int64_t *g500_sssp_parents(const g500_sssp *search) { return (const int64_t *)search->state.parents; }

const float *g500_sssp_distances(const g500_sssp *search) { return search->state.distances; }

int g500_sssp_trace(g500_sssp *search, g500_sssp_step *steps, void *stream) {
	const cudaStream_t on = (cudaStream_t)stream;
	const size_t bytes = G500_SSSP_STEPS * sizeof *steps;
	return read_back(steps, search->state.trace, bytes, on);
}
