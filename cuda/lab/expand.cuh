// SPDX-License-Identifier: Apache-2.0

// The kernels of Merrill, Garland, Grimshaw (PPoPP 2012), section 5: expansion of vertices into edges, contraction of
// edges into vertices, and both in one kernel, in either order. Thread i of a block has item i of the block's tile.
#pragma once

#include "lab/append.cuh"
#include "lab/classes.cuh"
#include "lab/filter.cuh"

namespace g500::lab {

// ExpandShared is the shared memory of a block; the history follows it.
struct ExpandShared {
	GatherShared gather;
	FilterShared filter;
	AppendShared append;
};

__device__ inline u32 *history_of(ExpandShared &sh) { return reinterpret_cast<u32 *>(&sh + 1); }

// ClaimVertexOf filters the end of an edge, and appends new vertices to a queue.
template <typename Append>
struct ClaimVertexOf {
	Filter filter;
	Append append;

	__device__ ClaimVertexOf(const Level &k, ExpandShared &sh, const Queue &out)
		: filter(k, sh.filter, history_of(sh)), append(k, sh.append, out) {}

	__device__ inline void operator()(u32 from, u32 to, u64) { append(filter.passes(from, to), to); }
};
using ClaimVertex = ClaimVertexOf<Appender>;

// The appender of a mapping.
template <typename Mapping>
using AppenderOf = std::conditional_t<kKeeps<Mapping>, RegisterAppender, Appender>;

// CopyEdge writes an edge to its place in a queue of edges.
struct CopyEdge {
	const Queue &out;

	__device__ inline void operator()(u32 from, u32 to, u64 place) const {
		if (to == kNone) return;
		out.vertices[place] = to;
		if (out.parents) out.parents[place] = from;
	}
};

// Expands vertices and filters their neighbours.
template <typename Mapping>
__device__ inline void expand_contract(const Level &k, ExpandShared &sh, const Classes &in, const Queue &out) {
	ClaimVertexOf<AppenderOf<Mapping>> visit(k, sh, out);
	expand_classes<Mapping>(k, sh.gather, in, visit);
	visit.append.finish();
}

// Expand-contract, section 5.1: vertices in, vertices out, in one class or several. With a sorted queue each new vertex
// is appended to the queue of its class (immediate classification of Toedling, Winter, Steinberger, section III-B).
// Reads 4 B of the queue and two row offsets per vertex, a column and a status per edge; writes 4 B of the queue and
// the status per new vertex. Races: filter.cuh.
template <typename Mapping>
__global__ void __launch_bounds__(kThreads) expand_contract_kernel(Level k, Classes in, Queue out) {
	G500_SHARED_MEMORY(memory);
	expand_contract<Mapping>(k, *reinterpret_cast<ExpandShared *>(memory), in, out);
}

// Deferred classification, one thread per vertex (Toedling, Winter, Steinberger, 2019, section III-B). Reads 4 B of the
// queue and two row offsets per vertex, writes 4 B to the queue of its class. No races: atomics reserve places.
template <typename Append>
__device__ inline void classify(Level k, AppendShared &sh, const Frontier &in, const Queue &out) {
	k.limits.drop = 0; // the kernel that queued the vertices has dropped others
	Append append(k, sh, out);
	for_tiles(in.size(), [&](u64 i, bool has) { append(has, has ? in.vertices[i] : kNone); });
	append.finish();
}

// Expand-contract, in which a thread launches a kernel for a long row: one thread or a group per vertex (children.cu).
__global__ void expand_with_children_kernel(Level k, Classes in, Queue out);
__global__ void expand_groups_with_children_kernel(Level k, Classes in, Queue out);

// Writes the rows of a tile to a queue of edges: one atomic reserves places for all of them.
template <typename Mapping>
__device__ inline u64 expand_tile(const Level &k, ExpandShared &sh, TileRow row, const Queue &out) {
	u64 before, sum;
	block_scan(sh.gather.scan, (u64)row.n, before, sum);
	if (threadIdx.x == 0) sh.gather.base = atomicAdd(out.queued, (ull)sum);
	__syncthreads();
	const u64 base = sh.gather.base, edges = row.n;
	row.place = base + before;
	CopyEdge copy{out};
	if (base + sum <= out.capacity) gather_tile<Mapping>(k, sh.gather, row, copy);
	__syncthreads(); // before the base of the next tile
	return edges;
}

// Two-phase expansion, section 5.3: a queue of vertices in, one of edges out. Reads 4 B of the queue and two row
// offsets per vertex and a column per edge; writes 4 B per edge, 8 B with parents. No races: every edge has its own
// place.
template <typename Mapping>
__global__ void __launch_bounds__(kThreads) expand_kernel(Level k, Frontier in, Queue out) {
	G500_SHARED_MEMORY(memory);
	ExpandShared &sh = *reinterpret_cast<ExpandShared *>(memory);
	u64 edges = 0;
	for_tiles(in.size(), [&](u64 i, bool has) {
		edges += expand_tile<Mapping>(k, sh, row_at(k.g, has ? in.vertices[i] : kNone), out);
	});
	add_up(edges, &k.counters->edges);
	if (is_first_thread()) k.counters->scanned = in.size();
}

// Filters an edge of a queue.
__device__ inline bool passes(Filter &filter, const Frontier &in, u64 i, bool has) {
	return filter.passes(has && in.parents ? in.parents[i] : 0, has ? in.vertices[i] : kNone);
}

// Contract-expand, section 5.2: a queue of edges in, one of edges out. It reads and writes as contract_kernel and
// expand_kernel do, without the queue of vertices. counters->scanned counts expanded vertices. Races: filter.cuh.
template <typename Mapping>
__global__ void __launch_bounds__(kThreads) contract_expand_kernel(Level k, Frontier in, Queue out) {
	G500_SHARED_MEMORY(memory);
	ExpandShared &sh = *reinterpret_cast<ExpandShared *>(memory);
	Filter filter(k, sh.filter, history_of(sh));
	u64 edges = 0, vertices = 0;
	for_tiles(in.size(), [&](u64 i, bool has) {
		const bool fresh = passes(filter, in, i, has), expanded = fresh && k.keeps(in.vertices[i]);
		vertices += expanded;
		edges += expand_tile<Mapping>(k, sh, row_at(k.g, expanded ? in.vertices[i] : kNone), out);
	});
	add_up(edges, &k.counters->edges);
	add_up(vertices, &k.counters->scanned);
}

} // namespace g500::lab
