// Kernel 2: direction-optimizing breadth-first search in one cooperative launch; levels are separated by grid
// barriers, and every decision is taken on the device.
#include <new>

#include "check.cuh"
#include "search.cuh"
#include "search_bottomup.cuh"
#include "search_columns.cuh"
#include "search_labels.cuh"
#include "search_topdown.cuh"

namespace cg = cooperative_groups;

namespace g500 {

namespace {

// The direction rule, the same for every search key (Beamer et al., SC 2012, section 5).
constexpr u64 kAlpha = 24;        // to bottom-up when the frontier has more than 1/kAlpha of the edges not yet looked at
constexpr u64 kBeta = 64;         // back when the frontier has fewer than 1/kBeta of the vertices
constexpr u32 kCheapSweep = 6000000; // with fewer vertices a sweep costs less than listing the frontier for top-down
constexpr u64 kShortQueue = 1 << 10; // queues up to this may be searched top-down however small the graph
constexpr u64 kFewEdges = 200000; // below this top-down is cheap whatever the rule says

union Shared {
	TopDownShared top_down;
	BottomUpShared bottom_up;
};

// What every block knows of the search; all blocks compute the same.
struct Progress {
	int level = 0;
	int current = 0;        // visited[current] is the newest bitmap
	int queue = 0;          // queue[queue] holds the frontier, top-down
	u64 unexplored = 0;     // edges that no top-down level has looked at
	u64 frontier = 0, edges = 0;
	bool small = false;     // the queue is laid out in shared memory
	bool bottom_up = false; // direction of the level
	bool swept = false;     // there was a bottom-up level
};

__device__ inline u64 read_now(const ull *p) { return *(const volatile ull *)p; }

// Adds a level to the trace, and sets the clock to its end.
__device__ void record(const State &s, const Progress &at, u64 &clock) {
	if (blockIdx.x || threadIdx.x || at.level >= kTraceLevels) return;
	const u64 t = now_ns();
	s.trace[at.level] = {at.bottom_up, at.frontier, at.bottom_up ? 0 : at.edges, t - clock};
	*s.trace_length = at.level + 1;
	clock = t;
}

// Clears the state and puts the root into the frontier. A root without an edge has no hub id: the frontier stays
// empty.
__device__ void start(const Columns &g, const State &s, u32 root_hub, cg::grid_group &grid) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	const uint4 zero = make_uint4(0, 0, 0, 0);
	for (u32 i = thread; i < g.padded / kGroup; i += threads) {
		((uint4 *)s.visited[0])[i] = zero;
		if (root_hub / kGroup == i) s.visited[0][word_of(root_hub)] = 1u << bit_of(root_hub);
	}
	if (thread < kRing) s.counters[thread] = {thread == 0 && root_hub != kNone, 0, 0, 0};
	if (thread == 0 && root_hub != kNone) {
		s.parent[root_hub] = g.labels[root_hub];
		s.queue[0][0] = root_hub;
	}
	grid.sync();
}

// Gives the queue's vertices the numbers of their edges.
__device__ void lay_out(const Columns &g, const State &s, Shared &sh, Progress &at, Counters *c, cg::grid_group &grid) {
	at.small = at.frontier <= kSmallQueue;
	if (at.small) {
		at.edges = lay_out_small_queue(g, sh.top_down, s.queue[at.queue], at.frontier);
		return;
	}
	lay_out_queue(g, sh.top_down, s.queue[at.queue], at.frontier, s.queue[at.queue ^ 1], s.offsets, &c->laid);
	grid.sync();
	at.queue ^= 1;
	at.edges = read_now(&c->laid) & kEdgeMask;
}

// Decides the direction of a level after a top-down one, which needs its edges and so lays the queue out.
__device__ void plan_after_top_down(const Columns &g, const State &s, Shared &sh, Progress &at, cg::grid_group &grid) {
	Counters *c = s.counters + at.level % kRing;
	at.frontier = read_now(&c->queued);
	at.bottom_up = at.frontier > s.queue_limit;
	if (at.frontier == 0 || at.bottom_up) return;
	lay_out(g, s, sh, at, c, grid);
	at.unexplored -= at.edges;
	at.bottom_up = at.edges * kAlpha > at.unexplored && at.edges > kFewEdges;
}

// Decides the direction of a level after a bottom-up one, and lists the frontier if it is to be top-down.
__device__ void plan_after_bottom_up(const Columns &g, const State &s, Shared &sh, Progress &at, cg::grid_group &grid) {
	Counters *c = s.counters + at.level % kRing;
	at.frontier = read_now(&c->found);
	at.bottom_up = at.frontier && (at.frontier * kBeta > g.hubs || g.hubs < kCheapSweep);
	if (at.frontier == 0 || at.bottom_up) return;
	rebuild_queue(g, sh.top_down, s.visited[at.current], s.visited[at.current ^ 1], s.queue[at.queue], &c->queued);
	grid.sync();
	lay_out(g, s, sh, at, c, grid);
}

__device__ void search_level(const Columns &g, const State &s, Shared &sh, Progress &at) {
	if (blockIdx.x == 0 && threadIdx.x == 0) s.counters[(at.level + 2) % kRing] = {0, 0, 0, 0};
	Counters *next = s.counters + (at.level + 1) % kRing;
	u32 *visited = s.visited[at.current];
	if (at.bottom_up) {
		bottom_up(g, s, sh.bottom_up, visited, s.visited[at.current ^ 1], !at.swept, &next->found);
		at.swept = true;
		at.current ^= 1;
	} else {
		expand_queue(g, s, sh.top_down, at.queue, at.small ? sh.top_down.offsets : s.offsets, at.frontier, at.edges, visited, at.swept, &next->queued);
		at.queue ^= 1;
	}
}

__global__ void __launch_bounds__(kThreads, kBlocks) search_kernel(const __grid_constant__ Columns g, const __grid_constant__ State s,
                                                                          u32 root) {
	extern __shared__ __align__(16) unsigned char memory[];
	Shared &sh = *reinterpret_cast<Shared *>(memory);
	cg::grid_group grid = cg::this_grid();
	let_next_kernel_start();
	u64 clock = now_ns();
	const u32 root_hub = g.hub_of[root];
	Progress at;
	at.unexplored = g.edges;
	if (blockIdx.x == 0 && threadIdx.x == 0) *s.trace_length = 0;
	start(g, s, root_hub, grid);
	for (;; at.level++) {
		if (at.bottom_up) plan_after_bottom_up(g, s, sh, at, grid);
		else plan_after_top_down(g, s, sh, at, grid);
		if (at.frontier == 0) break;
		search_level(g, s, sh, at);
		grid.sync();
		record(s, at, clock);
	}
	if (blockIdx.x == 0 && threadIdx.x == 0) *s.clock = clock;
	lay_side_by_side(g, s, s.visited[at.current], at.swept ? s.by_other : s.visited[at.current]);
}

} // namespace

} // namespace g500

using namespace g500;

struct g500_search {
	ColumnStore columns;
	State state{};
	int blocks = 0;
	Array<u32> visited[2], by_other, parent, queue[2], missed, trace_length, result;
	Array<uint2> reached;
	Array<u64> offsets, clock;
	Array<Counters> counters;
	Array<g500_level> trace;

	bool overlap = false; // the device starts a kernel's blocks as those of the kernel before it end (Hopper and later)

	int allocate();
	int size_launch();
	int launch_labels(u32 root, cudaStream_t stream);
};

int g500_search::size_launch() {
	int device, processors, per_processor;
	G500_TRY(cudaGetDevice(&device));
	G500_TRY(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
	G500_TRY(cudaFuncSetAttribute(search_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared)));
	G500_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, search_kernel, kThreads, sizeof(Shared)));
	blocks = processors * kBlocks;
	int major;
	G500_TRY(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
	overlap = major >= 9;
	return per_processor >= kBlocks ? cudaSuccess : cudaErrorLaunchOutOfResources;
}

// Launches the last pass so that it need not wait to be launched when the search ends.
int g500_search::launch_labels(u32 root, cudaStream_t stream) {
	cudaLaunchAttribute early;
	early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
	early.val.programmaticStreamSerializationAllowed = 1;
	cudaLaunchConfig_t config{};
	config.gridDim = (columns.view.vertices + kTile - 1) / kTile;
	config.blockDim = kLabelThreads;
	config.stream = stream;
	config.attrs = &early;
	config.numAttrs = overlap;
	G500_LAUNCH_BY("write_labels_kernel", cudaLaunchKernelEx(&config, write_labels_kernel, columns.view, state, root));
	return cudaSuccess;
}

int g500_search::allocate() {
	const Columns &g = columns.view;
	const u64 padded = g.padded ? g.padded : kPad;
	const u64 tiles = (g.vertices + kTile - 1) / kTile;
	// Each block's list of missed vertices must hold all that the block sweeps.
	const u64 warps = (u64)blocks * kThreads / 32;
	const u64 missed_length = ((padded / kPad + warps - 1) / warps) * kPad * warps;
	state.queue_limit = (u32)(padded / kBeta > kShortQueue ? padded / kBeta : kShortQueue);
	G500_TRY(offsets.alloc(state.queue_limit));
	state.offsets = offsets;
	for (int i = 0; i < 2; i++) {
		G500_TRY(visited[i].alloc(padded / 32));
		G500_TRY(queue[i].alloc(padded));
		state.visited[i] = visited[i];
		state.queue[i] = queue[i];
		G500_TRY(cudaMemset(visited[i], 0, padded / 8));
	}
	G500_TRY(by_other.alloc(padded / 32));
	G500_TRY(cudaMemset(by_other, 0, padded / 8));
	G500_TRY(parent.alloc(padded));
	G500_TRY(missed.alloc(missed_length));
	G500_TRY(counters.alloc(kRing));
	G500_TRY(trace.alloc(kTraceLevels + 1)); // and the last pass
	G500_TRY(cudaMemset(trace, 0, (kTraceLevels + 1) * sizeof(g500_level))); // its padding is copied too
	G500_TRY(clock.alloc(1));
	state.clock = clock;
	G500_TRY(trace_length.alloc(1));
	G500_TRY(reached.alloc(padded / 32));
	G500_TRY(result.alloc(tiles * kTile));
	state.by_other = by_other;
	state.parent = parent;
	state.missed = missed;
	state.counters = counters;
	state.trace = trace;
	state.trace_length = trace_length;
	state.reached = reached;
	state.result = result;
	return cudaSuccess;
}

extern "C" int g500_search_create(const g500_graph *graph, g500_search **out, void *stream) {
	*out = nullptr;
	if (graph->vertices >= kNone) return cudaErrorInvalidValue;
	g500_search *s = new (std::nothrow) g500_search;
	if (!s) return cudaErrorMemoryAllocation;
	int code = s->columns.derive(*graph, (cudaStream_t)stream);
	if (!code) code = s->size_launch();
	if (!code) code = s->allocate();
	if (code) {
		delete s;
		return code;
	}
	*out = s;
	return cudaSuccess;
}

extern "C" void g500_search_free(g500_search *s) { delete s; }

extern "C" int g500_search_run(g500_search *s, uint32_t root, void *stream) {
	void *arguments[] = {&s->columns.view, &s->state, &root};
	G500_LAUNCH_BY("search_kernel", cudaLaunchCooperativeKernel((const void *)search_kernel, dim3(s->blocks), dim3(kThreads), arguments, sizeof(Shared), (cudaStream_t)stream));
	return s->launch_labels(root, (cudaStream_t)stream);
}

extern "C" const uint32_t *g500_search_parents(const g500_search *s) { return s->result; }

extern "C" int g500_search_trace(g500_search *s, g500_level *levels, int max, int *count) {
	u32 length = 0;
	G500_TRY(cudaMemcpy(&length, s->trace_length, sizeof length, cudaMemcpyDeviceToHost));
	*count = (int)length < max ? (int)length : max;
	G500_TRY(cudaMemcpy(levels, s->trace, *count * sizeof(g500_level), cudaMemcpyDeviceToHost));
	return cudaSuccess;
}
