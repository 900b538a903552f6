// SPDX-License-Identifier: Apache-2.0

// Implementation of the API: graphs, preparation of strategies, and searches.
#include "lab/lab.h"

#include <algorithm>
#include <functional>
#include <new>

#include "lab/runner.cuh"
#include "lab/status.cuh"
#include "pages/state.cuh"

using namespace g500::lab;
using g500::kNone;
using g500::kThreads;
using g500::kWarps;
using g500::u32;
using g500::u64;
using g500::u8;
using g500::ull;

namespace {

// Puts the root into the first frontier. In a queue of edges the root is the end of an edge, and is not visited yet.
__global__ void start_kernel(Visited visited, u32 root, Queue queue, bool visit) {
	if (threadIdx.x) return;
	if (visit) visited.reach(root, 0, root);
	if (queue.vertices) queue.vertices[0] = root;
	if (queue.parents) queue.parents[0] = root;
}

// Counts reached vertices, the edges that leave them, and the reached vertices that are queued: the root, whose label
// is its own number or 0, and those with more edges than drop. Reads the result and two row offsets per vertex.
__global__ void __launch_bounds__(kThreads) count_result_kernel(Adjacency g, Visited visited, u32 drop, ull *totals) {
	const u32 *const label = visited.label();
	u64 vertices = 0, edges = 0, queued = 0;
	for (u64 v = blockIdx.x * kThreads + threadIdx.x; v < g.n; v += gridDim.x * kThreads)
		if (label[v] != kNone) {
			vertices++;
			edges += g.degree((u32)v);
			queued += !drop || g.degree((u32)v) > drop || label[v] == (visited.distance ? 0 : (u32)v);
		}
	g500::add_up(vertices, totals);
	g500::add_up(edges, totals + 1);
	g500::add_up(queued, totals + 2);
}

// Counts vertices with a degree above hub_degree. Reads two row offsets per vertex.
__global__ void __launch_bounds__(kThreads) count_hubs_kernel(Adjacency g, u32 hub_degree, ull *hubs) {
	u64 count = 0;
	for (u64 v = blockIdx.x * kThreads + threadIdx.x; v < g.n; v += gridDim.x * kThreads)
		count += g.degree((u32)v) > hub_degree;
	g500::add_up(count, hubs);
}

// Returns the number of queues of edges of a shape.
int edge_queues(u32 shape) {
	if (shape == kDeviceSearch || shape == kTwoPhase || shape == kIsolated) return 1;
	return shape == kContractExpand || shape == kHybrid ? 2 : 0;
}

// Whether the parts of a strategy are compatible with each other and with the graph.
bool fits(const g500_lab &lab) {
	const g500_lab_strategy &s = lab.strategy;
	if (s.direction != kTopDown && !(lab.by_status() && lab.symmetric)) return false;
	if (s.status == kBytes && !(lab.by_status() && s.loop == kOnHost)) return false;
	if (lab.shared_bytes() > 48 << 10) return false; // what a block has without being asked for
	if (s.shape == kIsolated && (lab.g.paged || s.drop_degree)) return false;
	if (s.shape == kIsolated && s.isolate == kFusedKernel && s.gather != kByScan) return false;
	if (s.drop_degree && (lab.by_status() || !lab.symmetric)) return false;
	if (s.shape == kDeviceSearch && lab.g.paged) return false; // its chunks need contiguous rows
	const bool divided = s.shape == kPartitioned || lab.divides_status();
	if (divided ? lab.g.paged || s.lookup == kMaskAlone : s.gpus > 1) return false;
	if (s.bin_from && (s.bin_from < 32 || s.shape != kExpandContract)) return false;
	const bool lists = s.long_rows == kList;
	if ((s.gather == kDirect || lists || s.supports == kByTable) && s.shape != kExpandContract) return false;
	if ((s.gather == kDirect || lists) && s.loop != kOnHost) return false;
	if (lists && s.gather != kByGroup && s.gather != kByWarpScan) return false;
	if (s.supports == kByTable && lab.g.paged) return false; // its highest degree is unknown
	const bool has_children = s.gather == kSerial ? s.loop != kOnDevice : s.gather == kDirect;
	if (s.child_from && (s.shape != kExpandContract || !has_children)) return false;
	if (s.child_from && (s.cull & kHistoryCull || s.warp_from || s.block_from || s.bin_from)) return false;
	const bool sorts = s.shape == kDeferredClasses || s.shape == kImmediateClasses;
	const bool keeps = (sorts || s.shape == kExpandContract) && s.gather == kSerial && s.loop != kOnDevice;
	const bool contracts = s.shape == kTwoPhase || s.shape == kHybrid;
	if (s.enqueue == kEnqueueByBlock && ((!keeps && !contracts) || s.child_from)) return false;
	if (s.shape == kDeferredClasses) return s.gather == kSerial || s.loop == kOnHost;
	return s.loop == kOnHost || s.shape == kExpandContract || s.shape == kImmediateClasses || s.shape == kTopology;
}

// Returns the degree that about 1,000 vertices exceed.
u32 degree_of_hubs(const g500_lab_graph &graph) {
	constexpr u32 kHubs = 1000;
	if (graph.vertices <= kHubs) return 0;
	std::vector<u64> degrees(graph.vertices);
	for (u32 v = 0; v < graph.vertices; v++) degrees[v] = graph.offsets[v + 1] - graph.offsets[v];
	std::nth_element(degrees.begin(), degrees.begin() + kHubs, degrees.end(), std::greater<u64>());
	return (u32)degrees[kHubs];
}

// Sets the supports for long rows by the highest degree (Busato and Bombieri, table 2). threads is the number that the
// device runs at the same time; half of it, as a power of two, is the least degree of the supplementary queues.
void set_by_table(g500_lab_strategy &s, u32 highest, u64 threads) {
	u32 half = 32;
	while (4ull * half <= threads) half *= 2;
	s.warp_from = highest > 32 ? 33 : 0;
	s.block_from = highest > kThreads ? kThreads + 1 : 0;
	s.bin_from = highest > half ? half : 0;
}

// Makes a laboratory; fill sets its graph.
template <typename Fill>
int create(g500_lab **result, Fill fill) {
	*result = nullptr;
	g500_lab *const lab = new (std::nothrow) g500_lab;
	if (!lab) return cudaErrorMemoryAllocation;
	const auto prepare = [&]() -> int {
		int device, processors;
		G500_TRY(cudaGetDevice(&device));
		G500_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
		lab->processors = processors;
		G500_TRY(lab->counters.alloc(2));
		G500_TRY(lab->seen.alloc(2));
		G500_TRY(lab->totals.alloc(3));
		return fill(*lab);
	};
	const int code = prepare();
	if (code) delete lab;
	else *result = lab;
	return code;
}

} // namespace

// By degree: the power of two nearest to the mean degree (Busato and Bombieri, section 3.1). By frontier: so that all
// threads of the device have work, from 4 to 32 (BFS-4K, TPDS 2015).
u32 g500_lab::group_of(u64 n) const {
	if (strategy.grouping == kFixed) return strategy.group;
	const bool frontier = strategy.grouping == kByFrontier && n;
	const u64 aim = frontier ? (u64)resident * kThreads / n : g.m / g.n;
	u32 group = frontier ? 4 : 1;
	while (group < 32 && 2 * aim > 3ull * group) group *= 2;
	return group;
}

Level g500_lab::level(u32 depth, u64 n) const {
	const g500_lab_strategy &s = strategy;
	Limits of = limits();
	if (depth == 0) of.drop = 0; // the root is queued, whatever its degree
	const Visited visited = {distance, parent, memory.mask, memory.status};
	return {g, visited, counters, depth, s.lookup, s.cull, s.history, group_of(n), of,
		slots_at()};
}

// With classes, warp_from and block_from are the limits of classes; otherwise the limits of gathering. Bins double.
Limits g500_lab::limits() const {
	const g500_lab_strategy &s = strategy;
	Limits limits = {s.warp_from, s.block_from, {}, {1, 32, kThreads, ~0u}, 0, s.drop_degree, s.child_from};
	if (s.shape == kImmediateClasses || s.shape == kDeferredClasses || s.shape == kStatusQueue) {
		limits = {0, 0, {0, s.warp_from, s.block_from, s.grid_from}, {1, 32, kThreads, ~0u}, 0, s.drop_degree, 0};
		while (!s.warp_from && limits.threads[limits.least] < row_threads()) limits.least++;
	} else if (s.bin_from) {
		for (int c = 1; c < kClasses; c++) limits.from[c] = limits.threads[c] = s.bin_from << (c - 1);
	}
	return limits;
}

u32 g500_lab::slots_at() const {
	return sizeof(ExpandShared) + (strategy.cull & kHistoryCull ? strategy.history * sizeof(u32) : 0);
}

size_t g500_lab::shared_bytes() const {
	if (by_status()) return std::max(sizeof(GatherShared), sizeof(PullShared) + strategy.hub_cache * sizeof(u32));
	return slots_at() + (strategy.gather == kByWarpScan ? kWarps * sizeof(ScanSlots) : 0);
}

void g500_lab::release() {
	distance.free(), parent.free();
	memory.~Memory();
	new (&memory) Memory{};
	release_shares(this);
}

int g500_lab::allocate() {
	const u64 n = g.n;
	const bool parents = strategy.output == kParent;
	release();
	if (parents) G500_TRY(parent.alloc(n));
	if (!parents || by_status()) G500_TRY(distance.alloc(n));
	if (strategy.shape == kPartitioned) return allocate_shares(this);
	if (divides_status()) return allocate_status_shares(this);
	if (strategy.lookup == kMask || strategy.lookup == kMaskAlone) G500_TRY(memory.take_mask(n));
	if (strategy.status == kBytes) G500_TRY(memory.take(memory.status, n));
	if (strategy.classes == kConcurrent) G500_TRY(branches.create());
	if (strategy.child_from) G500_TRY(allow_children());
	const u32 shape = strategy.shape;
	if (shape == kStatusQueue) return allocate_status_queue(this);
	if (strategy.loop != kOnHost) G500_TRY((cudaError_t)allocate_loop(this));
	if (shape == kTopology) return cudaSuccess;
	if (shape == kIsolated) G500_TRY((cudaError_t)allocate_isolated(this));
	const u64 first = sorts() ? kClasses : 1, second = shape == kDeferredClasses ? kClasses : first;
	if (edge_queues(shape) < 2) G500_TRY(memory.take(memory.vertices[0], first * vertex_capacity()));
	if (shape == kDeviceSearch) G500_TRY(memory.take(memory.offsets, vertex_capacity()));
	else if (!edge_queues(shape)) G500_TRY(memory.take(memory.vertices[1], second * vertex_capacity()));
	for (int i = 0; i < edge_queues(shape); i++) {
		G500_TRY(memory.take(memory.edges[i], edge_capacity()));
		if (parents) G500_TRY(memory.take(memory.edge_parents[i], edge_capacity()));
	}
	if (shape == kDeviceSearch) G500_TRY(memory.take(memory.chunks, edge_capacity() / kThreads + 2));
	return cudaSuccess;
}

int g500_lab::clear() {
	for (u32 *words : {distance.get(), parent.get()})
		if (words) G500_TRY(cudaMemsetAsync(words, 0xff, g.n * sizeof(u32), search.stream));
	if (memory.mask) G500_TRY(cudaMemsetAsync(memory.mask, 0, memory.mask_bytes, search.stream));
	if (memory.status) G500_TRY(cudaMemsetAsync(memory.status, Visited::kUnseen, g.n, search.stream));
	return cudaMemsetAsync(counters, 0, 2 * sizeof(Counters), search.stream);
}

int g500_lab::start(u32 root) {
	if (shares) return divides_status() ? start_status_shares(this, root) : start_shares(this, root);
	G500_TRY((cudaError_t)clear());
	const bool edges = edge_queues(strategy.shape) && strategy.shape != kDeviceSearch;
	const Queue first = {edges ? memory.edges[0] : memory.vertices[0], memory.edge_parents[0], 1, nullptr};
	search.level_launches = 0;
	const g500::Launch one = {1, 32, search.stream};
	LAB_LAUNCH(this, "start_kernel", start_kernel, one, level(0).visited, root, first, !edges);
	search.launches = search.level_launches;
	return cudaSuccess;
}

void g500_lab::begin_level() {
	search.level_launches = 0;
	search.level_began = std::chrono::steady_clock::now();
}

int g500_lab::end_level(u64 vertices, bool bottom_up) {
	G500_TRY(cudaMemcpyAsync(&*seen, counters.get(), 2 * sizeof(Counters), cudaMemcpyDeviceToHost, search.stream));
	G500_TRY(cudaMemsetAsync(counters, 0, 2 * sizeof(Counters), search.stream));
	G500_TRY(cudaStreamSynchronize(search.stream));
	const auto took = std::chrono::steady_clock::now() - search.level_began;
	search.level_launches += (u32)seen->children;
	search.levels.push_back({bottom_up, search.level_launches, vertices + seen->scanned, seen->edges,
		(u64)std::chrono::nanoseconds(took).count()});
	search.launches += search.level_launches;
	search.cache_hits += seen->cache_hits, search.children += seen->children;
	return cudaSuccess;
}

u64 g500_lab::queued_within(u64 capacity) {
	u64 sum = 0;
	for (const ull queued : seen->queued) {
		sum += queued;
		if (queued > capacity) search.outcome = G500_LAB_QUEUE_FULL;
	}
	return search.outcome == G500_LAB_DONE ? sum : 0;
}

bool g500_lab::turns_bottom_up() {
	search.explored += seen->frontier_edges;
	const u64 unexplored = g.m > search.explored ? g.m - search.explored : 0;
	switch (strategy.direction) {
	case kByAlpha: return seen->frontier_edges * strategy.alpha > unexplored;
	case kByGamma: return seen->hubs * 100 > hubs * strategy.gamma;
	}
	return false;
}

int g500_lab::count_result(g500_lab_totals *totals_of) {
	ull counted[3];
	const Visited visited = {distance, parent, nullptr, nullptr};
	G500_TRY(cudaMemsetAsync(totals, 0, sizeof counted, search.stream));
	G500_LAUNCH(count_result_kernel, over_all(), g, visited, strategy.drop_degree, totals);
	G500_TRY(read_back(counted, totals, sizeof counted, search.stream));
	totals_of->reached = counted[0];
	totals_of->reached_edges = counted[1];
	const u64 once = counted[2], expanded = totals_of->vertices;
	totals_of->repeated_vertices = !by_status() && expanded > once ? expanded - once : 0;
	return cudaSuccess;
}

extern "C" int g500_lab_create(const g500_lab_graph *graph, g500_lab **result, void *on) {
	if (graph->vertices == 0 || graph->vertices >= kNone) return cudaErrorInvalidValue;
	return create(result, [&](g500_lab &lab) -> int {
		const cudaStream_t stream = (cudaStream_t)on;
		G500_TRY(lab.rows.alloc(graph->vertices + 1ull));
		G500_TRY(lab.cols.alloc(graph->edges));
		const size_t row_bytes = (graph->vertices + 1ull) * sizeof(u64), col_bytes = graph->edges * sizeof(u32);
		G500_TRY(cudaMemcpyAsync(lab.rows.get(), graph->offsets, row_bytes, cudaMemcpyHostToDevice, stream));
		G500_TRY(cudaMemcpyAsync(lab.cols.get(), graph->columns, col_bytes, cudaMemcpyHostToDevice, stream));
		G500_TRY(cudaStreamSynchronize(stream));
		lab.g = {{graph->vertices, graph->edges, lab.rows, lab.cols}};
		lab.symmetric = graph->symmetric != 0;
		lab.usual_hub_degree = degree_of_hubs(*graph);
		for (u32 v = 0; v < graph->vertices; v++)
			lab.highest_degree = std::max(lab.highest_degree, (u32)(graph->offsets[v + 1] - graph->offsets[v]));
		return cudaSuccess;
	});
}

extern "C" int g500_lab_create_on_pages(const g500_pages *pages, g500_lab **result) {
	return create(result, [&](g500_lab &lab) -> int {
		lab.pages = pages;
		lab.g = pages->adjacency();
		return cudaSuccess;
	});
}

extern "C" void g500_lab_free(g500_lab *lab) { delete lab; }

extern "C" int g500_lab_prepare(g500_lab *lab, const g500_lab_strategy *strategy, void *stream) {
	lab->ready = false;
	lab->strategy = *strategy;
	if (!fits(*lab)) return cudaErrorInvalidValue;
	lab->search = {(cudaStream_t)stream};
	if (const int code = choose_walk(lab)) return code;
	int blocks;
	const auto kernel = count_result_kernel;
	G500_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kThreads, lab->shared_bytes()));
	lab->resident = std::max(blocks, 1) * lab->processors;
	if (strategy->supports == kByTable)
		set_by_table(lab->strategy, lab->highest_degree, (u64)lab->resident * kThreads);
	int code = lab->allocate();
	if (code == cudaErrorMemoryAllocation && !lab->divided.empty()) {
		lab->release();
		lab->divided.clear(); // rows of shares that other strategies have left
		code = lab->allocate();
	}
	if (code) return code;
	lab->hub_degree = strategy->hub_degree ? strategy->hub_degree : lab->usual_hub_degree;
	G500_TRY(cudaMemsetAsync(lab->totals, 0, sizeof(ull), lab->search.stream));
	G500_LAUNCH(count_hubs_kernel, lab->over_all(), lab->g, lab->hub_degree, lab->totals);
	G500_TRY(read_back(&lab->hubs, lab->totals, sizeof(ull), lab->search.stream));
	lab->ready = true;
	return cudaSuccess;
}

extern "C" int g500_lab_run(g500_lab *lab, uint32_t root, g500_lab_totals *totals, void *stream) {
	if (!lab->ready || root >= lab->g.n) return cudaErrorInvalidValue;
	Search &search = lab->search;
	search = {(cudaStream_t)stream};
	G500_TRY(cudaStreamSynchronize(search.stream));
	search.began = std::chrono::steady_clock::now();
	if (const int code = lab->start(root)) return code;
	int code = cudaErrorInvalidValue;
	if (lab->strategy.loop != kOnHost) code = search_on_device(lab);
	else switch (lab->strategy.shape) {
	case kExpandContract:
	case kImmediateClasses: code = search_by_vertices(lab); break;
	case kContractExpand:
	case kTwoPhase:
	case kHybrid: code = search_by_edges(lab); break;
	case kDeviceSearch: code = search_by_chunks(lab); break;
	case kDeferredClasses: code = search_deferred(lab); break;
	case kTopology: code = search_by_status(lab); break;
	case kStatusQueue:
		code = lab->divides_status() ? search_by_status_shares(lab) : search_by_status_queue(lab);
		break;
	case kPartitioned: code = search_by_shares(lab); break;
	case kIsolated: code = search_isolated(lab); break;
	}
	if (code) return code;
	const auto took = std::chrono::steady_clock::now() - search.began;
	u64 isolated = 0; // the time of isolated kernels
	*totals = {search.outcome, (u32)search.levels.size(), (u64)std::chrono::nanoseconds(took).count(), search.launches};
	if (lab->strategy.loop != kOnHost) {
		G500_TRY((cudaError_t)fetch_loop(lab, totals));
	} else for (const g500_lab_level &level : search.levels) {
		totals->edges += level.edges;
		if (!level.bottom_up) totals->vertices += level.vertices;
		isolated += level.nanoseconds;
	}
	if (lab->strategy.shape == kIsolated) totals->nanoseconds = isolated;
	totals->cache_hits = search.cache_hits, totals->children = search.children;
	totals->queue_bytes = lab->memory.bytes;
	if (lab->shares) G500_TRY((cudaError_t)(lab->divides_status() ? join_status_shares(lab) : join_shares(lab)));
	return lab->count_result(totals);
}

extern "C" int g500_lab_levels(const g500_lab *lab, g500_lab_level *levels, int max) {
	const int n = std::min((int)lab->search.levels.size(), max);
	std::copy_n(lab->search.levels.begin(), n, levels);
	return n;
}

extern "C" const uint32_t *g500_lab_distances(const g500_lab *lab) {
	return lab->strategy.output == kDistance ? lab->distance.get() : nullptr;
}

extern "C" const uint32_t *g500_lab_parents(const g500_lab *lab) { return lab->parent; }
