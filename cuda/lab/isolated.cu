// SPDX-License-Identifier: Apache-2.0

// Kernels that only gather, or only look up, as Merrill, Garland, Grimshaw (PPoPP 2012) measure them in section 4. They
// run on the logical frontier of each level, without duplicates, and write no queue. Only they are timed: other kernels
// prepare the rows and the edges of the frontier before.
#include "lab/runner.cuh"

namespace g500::lab {

// RowRange is a row of the frontier.
struct RowRange {
	u64 begin;
	u32 v, n;
};

__device__ inline TileRow range_at(const RowRange *ranges, u64 i, bool has) {
	TileRow row{};
	if (!has) return row;
	const RowRange range = ranges[i];
	row.v = range.v, row.n = range.n, row.begin = range.begin, row.end = ~0ull;
	return row;
}

// KeepEdge loads an edge into a register.
struct KeepEdge {
	u32 sum = 0;
	__device__ inline void operator()(u32, u32 to, u64) { sum += to; }
};

// LookUpEdge counts the ends of edges that pass the lookup.
struct LookUpEdge {
	Filter filter;
	u64 passed = 0;

	__device__ inline void operator()(u32 from, u32 to, u64) { passed += filter.passes(from, to); }
};

// Gathering alone, section 4.1. Reads a 16 B range per vertex and a column per edge. No races: it writes nothing unless
// the sum of the columns has one of 2^32 values, so that the compiler keeps the loads.
template <typename Mapping>
__global__ void __launch_bounds__(kThreads) gather_kernel(Level k, const RowRange *ranges, u64 n) {
	G500_SHARED_MEMORY(memory);
	KeepEdge visit;
	for_tiles(n, [&](u64 i, bool has) {
		gather_tile<Mapping>(k, reinterpret_cast<ExpandShared *>(memory)->gather, range_at(ranges, i, has), visit);
	});
	if (visit.sum == 0x9e3779b9) k.counters->cache_hits = 0;
}

// Lookup alone, section 4.2. Reads 4 B of the queue, 8 B with parents, and a status per edge; writes the status of new
// vertices. Races: filter.cuh.
__global__ void __launch_bounds__(kThreads) lookup_kernel(Level k, Frontier edges) {
	G500_SHARED_MEMORY(memory);
	ExpandShared &sh = *reinterpret_cast<ExpandShared *>(memory);
	Filter filter(k, sh.filter, history_of(sh));
	u64 passed = 0;
	for_tiles(edges.n, [&](u64 i, bool has) { passed += passes(filter, edges, i, has); });
	add_up(passed, &k.counters->scanned);
}

// Both in one kernel, section 4.3. Memory as both, without the queue. Races: filter.cuh.
__global__ void __launch_bounds__(kThreads) fused_kernel(Level k, const RowRange *ranges, u64 n) {
	G500_SHARED_MEMORY(memory);
	ExpandShared &sh = *reinterpret_cast<ExpandShared *>(memory);
	LookUpEdge visit{Filter(k, sh.filter, history_of(sh))};
	for_tiles(n, [&](u64 i, bool has) { gather_tile<ByScan>(k, sh.gather, range_at(ranges, i, has), visit); });
	add_up(visit.passed, &k.counters->scanned);
}

// Makes the frontier of the ends of edges: each vertex that no earlier frontier has, once, with its row. Reads 4 B of
// the queue and a bit per edge; writes 20 B, the label and the bit per new vertex. No races: an atomic claims the bit.
__global__ void __launch_bounds__(kThreads) advance_kernel(Level k, Frontier edges, u32 *claimed, Queue out,
                                                           RowRange *ranges) {
	for_tiles(edges.n, [&](u64 i, bool has) {
		const u32 v = has ? edges.vertices[i] : 0, bit = 1u << (v & 31);
		has = has && !(__ldcg(claimed + v / 32) & bit) && !(atomicOr(claimed + v / 32, bit) & bit);
		const u32 lanes = __ballot_sync(~0u, has);
		if (!lanes) return;
		const u64 at = append_by_warp<u64>(lanes, out.queued);
		if (!has) return;
		k.visited.reach(v, k.depth, edges.parents ? edges.parents[i] : 0);
		out.vertices[at] = v;
		ranges[at] = {k.g.rows[v], v, (u32)k.g.degree(v)};
	});
}

void (*const gather_kernels[])(Level, const RowRange *, u64) = LAB_BY_GATHER(gather_kernel);

// Isolated runs the kernels level by level.
class Isolated {
public:
	explicit Isolated(g500_lab *lab) : lab(lab), m(lab->memory) {}
	~Isolated() {
		for (const cudaEvent_t event : {began, ended})
			if (event) cudaEventDestroy(event);
	}

	// The root is the end of the first edge.
	int search() {
		const u32 what = lab->strategy.isolate;
		for (cudaEvent_t *event : {&began, &ended}) G500_TRY(cudaEventCreateWithFlags(event, cudaEventDefault));
		G500_TRY(cudaMemsetAsync(m.claimed, 0, (lab->g.n / 32 + 1) * sizeof(u32), lab->search.stream));
		for (u64 edges = 1, depth = 0; edges; depth++) {
			u64 vertices = 0;
			if (const int code = prepare((u32)depth, vertices, edges)) return code;
			if (!vertices) break;
			lab->begin_level();
			if (const int code = timed((u32)depth + 1, vertices, edges)) return code;
			// After a lookup, the vertices that pass; the root has passed before.
			if (const int code = lab->end_level(what == kGatherAlone ? vertices : depth == 0, false)) return code;
			float milliseconds;
			G500_TRY(cudaEventElapsedTime(&milliseconds, began, ended));
			g500_lab_level &level = lab->search.levels.back();
			level.edges = edges, level.nanoseconds = (u64)(milliseconds * 1e6);
		}
		return cudaSuccess;
	}

private:
	// Replaces the edges of a level by its frontier and the edges that leave it.
	int prepare(u32 depth, u64 &vertices, u64 &edges) {
		const Queue frontier = {m.vertices[0], nullptr, lab->g.n, lab->counters.get()->queued};
		LAB_LAUNCH(lab, "advance_kernel", advance_kernel, lab->over_all(), lab->level(depth), ends(edges), m.claimed,
		           frontier, m.ranges);
		if (const int code = fetch()) return code;
		vertices = lab->seen->queued[0];
		const Frontier found = {m.vertices[0], nullptr, vertices, nullptr};
		const Queue out = {m.edges[0], m.edge_parents[0], lab->edge_capacity(), lab->counters.get()->queued};
		if (const int code = expand(lab, depth, found, out)) return code;
		if (const int code = fetch()) return code;
		edges = lab->seen->queued[0];
		return cudaSuccess;
	}

	Frontier ends(u64 edges) const { return {m.edges[0], m.edge_parents[0], edges, nullptr}; }

	// Copies the counters to the host and clears them.
	int fetch() {
		G500_TRY(read_back(&*lab->seen, lab->counters, sizeof(Counters), lab->search.stream));
		return cudaMemsetAsync(lab->counters, 0, sizeof(Counters), lab->search.stream);
	}

	int timed(u32 depth, u64 vertices, u64 edges) {
		const g500_lab_strategy &s = lab->strategy;
		const Level k = lab->level(depth);
		G500_TRY(cudaEventRecord(began, lab->search.stream));
		if (s.isolate == kGatherAlone || s.isolate == kSeparate)
			LAB_LAUNCH(lab, "gather_kernel", gather_kernels[s.gather], lab->over(vertices), k, m.ranges, vertices);
		if (s.isolate == kFusedKernel)
			LAB_LAUNCH(lab, "fused_kernel", fused_kernel, lab->over(vertices), k, m.ranges, vertices);
		if (s.isolate == kLookupAlone || s.isolate == kSeparate)
			LAB_LAUNCH(lab, "lookup_kernel", lookup_kernel, lab->over(edges), k, ends(edges));
		return cudaEventRecord(ended, lab->search.stream);
	}

	g500_lab *lab;
	Memory &m;
	cudaEvent_t began = nullptr, ended = nullptr;
};

int allocate_isolated(g500_lab *lab) {
	Memory &m = lab->memory;
	G500_TRY(m.take(m.claimed, lab->g.n / 32 + 1));
	return m.take(m.ranges, lab->g.n);
}

int search_isolated(g500_lab *lab) { return Isolated(lab).search(); }

} // namespace g500::lab
