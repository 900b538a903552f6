// Top-down levels with many edges, on one rank: a segmented push (ADR 25). First neighbours are tested as in a sweep;
// the rest applies to vertices that miss.
//
// Most edges of such a frontier belong to few vertices, whose sorted rows cover all local ids. A block processes one
// segment of the vertices at a time (segments.cuh): it reads the part of each such row that leads to the segment, and
// claims vertices in shared memory instead of by a random sector of the bitmap and a global atomic per edge.
//
// The vertices of lowest and of highest degree are processed differently. Edges of frontier vertices whose rows are not
// cut are pushed one by one. The vertices of highest degree, at which 40% of the edges end, search for parents: the
// direction depends on the degree class. Source: Cao et al. (New Sunway's Graph500 code, SC 2022).
#pragma once

#include "search/pull.cuh"
#include "search/push.cuh"

namespace g500 {

// TailRows are the rows that are not cut; other rows count as empty.
struct TailRows : RowsOf<false, OneRank> {
	u32 cut;

	__device__ TailRows(const Context<OneRank> &k)
		: RowsOf<false, OneRank>{k.graph, k.ranks}, cut(k.state.segments.hubs) {}
	__device__ inline u64 length(u32 v) const { return v < cut ? 0 : RowsOf<false, OneRank>::length(v); }
};

// Lists the visited vertices with cut rows, approximately by local id. Vertices visited before the frontier cost some
// unnecessary edges: all their neighbours are visited.
__device__ __noinline__ inline void list_cut_rows(Context<OneRank> &k, ull *listed) {
	const Graph &g = k.graph;
	const State &s = k.state;
	const u32 *const visited = k.visited();
	const u32 words = (s.segments.hubs + kGroup - 1) / kGroup * 4;
	for (u32 i0 = blockIdx.x * kThreads; i0 < words; i0 += gridDim.x * kThreads) {
		const u32 i = i0 + threadIdx.x;
		u32 bits = i < words ? visited[i] : 0;
		u64 at, sum;
		BlockSum(k.push.advance.scan).ExclusiveSum(__popc(bits), at, sum);
		if (threadIdx.x == 0 && sum) k.push.advance.base = atomicAdd(listed, (ull)sum);
		__syncthreads();
		for (at += k.push.advance.base; bits; bits &= bits - 1) {
			const u32 v = vertex_at(i, __ffs(bits) - 1);
			s.cut_rows[at++] = {g.rows[v], v, g.labels[v]};
		}
		__syncthreads();
	}
}

// Pushes the edges of rows that are not cut, one by one. Returns the number of vertices that this thread has claimed.
__device__ __noinline__ inline u32 push_tail(Context<OneRank> &k, u32 *now) {
	ByBlock<TailRows> advance(TailRows(k), k.push.advance, k.edge_queue());
	ClaimEdges<OneRank> visit{k.graph, k.state, k.ranks, now, false};
	u32 found = 0;
	for (Edge tile[kEdgesPerThread]; advance.next(tile); __syncthreads()) {
		const Reached reached = visit(tile);
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) found += reached.own[j] != kNone;
	}
	return found;
}

// Searches for parents of the vertices before the first segment, one per lane, from the second neighbour on. Returns
// the number that this thread has found.
__device__ __noinline__ inline u32 pull_longest(Context<OneRank> &k, u32 *now) {
	const Graph &g = k.graph;
	const u32 *const old = k.visited();
	const u32 longest = k.state.segments.begin[0];
	u32 found = 0;
	for (u32 v = blockIdx.x * kThreads + threadIdx.x; v < longest; v += gridDim.x * kThreads) {
		const bool open = !test(now, v);
		const Words<u32> next = unpack(g.next4[v]);
		u32 parent = kNone;
#pragma unroll
		for (int j = 3; j >= 0; j--)
			if (open && next.of[j] != kNone && test(old, next.of[j])) parent = next.of[j];
		const bool looks = open && parent == kNone && next.of[3] != kNone;
		const u64 begin = looks ? g.rows[v] + 5 : 0, end = looks ? g.rows[v + 1] : 0;
		const u32 later = probe_row(g.cols, old, begin, end);
		if (parent == kNone) parent = later;
		if (parent == kNone) continue;
		found++;
		adopt(k, now, v, parent);
	}
	return found;
}

// RowPart is the part of a row that leads to one segment.
struct RowPart {
	u64 begin; // place in the array of neighbours
	u32 edges;
	u32 label; // of the row's vertex
};

// PartReader reads a warp's parts of a segment, 32 at a time. It loads the bounds of a part one turn before they are
// used, and its row two turns before.
class PartReader {
	const State &s;
	const u32 *cuts;
	u32 rows, at; // length of the list; this lane's next row
	CutRow row, next_row;
	u32 begin, end; // bounds of row's part, relative to the row

	__device__ inline CutRow fetch_row() {
		const u32 i = at;
		at += kThreads;
		return i < rows ? s.cut_rows[i] : CutRow{0, kNone, 0};
	}
	__device__ inline void fetch_cuts() {
		begin = end = 0;
		if (row.v == kNone) return;
		begin = __ldg(cuts + row.v);
		end = __ldg(cuts + s.segments.hubs + row.v);
	}

public:
	__device__ inline PartReader(const State &s, u32 segment, u32 rows)
		: s(s), cuts(s.segments.cuts + (u64)segment * s.segments.hubs), rows(rows), at(threadIdx.x) {
		row = fetch_row();
		next_row = fetch_row();
		fetch_cuts();
	}

	__device__ inline RowPart next() {
		const RowPart part{row.begin + begin, end - begin, row.label};
		row = next_row;
		next_row = fetch_row();
		fetch_cuts();
		return part;
	}
};

// NumberedParts are the parts that a warp has read, one per lane without empty ones, and their edges' numbers.
struct NumberedParts {
	u32 label;
	u32 start;     // number of the part's first edge; `edges` if there is no part
	u64 first_col; // place of the part's edge number 0, as if it had one
	u32 edges;     // of all parts

	__device__ inline explicit NumberedParts(const RowPart &part) {
		const u32 lane = lane_of_thread(), parts = __ballot_sync(~0u, part.edges > 0);
		const u32 from = find_bit(parts, lane);
		u32 n = __shfl_sync(~0u, part.edges, from);
		label = __shfl_sync(~0u, part.label, from);
		first_col = __shfl_sync(~0u, part.begin, from);
		if (lane >= __popc(parts)) n = 0;
		const u32 end = warp_scan(n);
		start = end - n;
		first_col -= start;
		edges = __shfl_sync(~0u, end, 31);
	}

	// Returns the lane whose part has this lane's edge, among the 32 edges from number `first` on. `started` is the
	// number of parts that begin before these edges, and is advanced to the next 32.
	__device__ inline u32 owner(u32 first, u32 &started) const {
		const u32 begins = warp_or(start - first < 32 && start < edges ? 1u << (start - first) : 0);
		const u32 lane = started + __popc(begins & (lanes_below() << 1 | 1)) - 1;
		started += __popc(begins);
		return lane;
	}
};

// Claims the vertices that a warp's parts reach in the segment that begins at local id `first`. The segment's bits are
// in shared memory. Returns the number that this thread has claimed.
__device__ inline u32 push_parts(const Graph &g, const State &s, u32 *bits, u32 first, const NumberedParts &parts) {
	constexpr u32 kAtOnce = 4;
	u32 found = 0, started = 0;
	for (u32 e0 = 0; e0 < parts.edges; e0 += 32 * kAtOnce) {
		u32 to[kAtOnce], label[kAtOnce];
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) {
			const u32 owner = parts.owner(e0 + 32 * j, started), e = e0 + 32 * j + lane_of_thread();
			const u64 first_col = __shfl_sync(~0u, parts.first_col, owner);
			label[j] = __shfl_sync(~0u, parts.label, owner);
			to[j] = e < parts.edges ? __ldg(g.cols + first_col + e) : kNone;
		}
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) {
			if (to[j] == kNone) continue;
			u32 *const word = bits + word_of(to[j] - first);
			const u32 bit = 1u << bit_of(to[j]);
			if (*(volatile u32 *)word & bit || atomicOr(word, bit) & bit) continue;
			s.parent[to[j]] = label[j];
			found++;
		}
	}
	return found;
}

// Claims the vertices of a segment, with all threads of the block. Reads 4 B of neighbour per edge and 8 B per part of
// a row; writes a bit per vertex and 4 B per claimed vertex.
__device__ __noinline__ inline u32 push_segment(Context<OneRank> &k, u32 segment, u32 rows, u32 *now) {
	const State &s = k.state;
	u32 *bits = k.segment.bits;
	const u32 first = s.segments.begin[segment], words = (s.segments.begin[segment + 1] - first) / 32;
	for (u32 i = threadIdx.x; i < words; i += kThreads) bits[i] = now[first / 32 + i];
	__syncthreads();
	u32 found = 0;
	PartReader reader(s, segment, rows);
	for (u32 i0 = threadIdx.x & ~31u; i0 < rows; i0 += kThreads)
		found += push_parts(k.graph, s, bits, first, NumberedParts(reader.next()));
	__syncthreads();
	for (u32 i = threadIdx.x; i < words; i += kThreads) now[first / 32 + i] = bits[i];
	return found;
}

// Pushes by segments. Blocks take segments dynamically.
__device__ __noinline__ inline u32 push_segments(Context<OneRank> &k, u32 *now) {
	Counters *c = k.counters(k.at.level);
	const u32 rows = (u32)read_now(&c->cut_rows);
	u32 found = 0;
	for (;;) {
		by_one_thread([&] { k.segment.next = (u32)atomicAdd(&c->taken, 1ull); });
		const u32 segment = k.segment.next;
		if (segment >= k.state.segments.count) return found;
		found += push_segment(k, segment, rows, now);
	}
}

// Sweeps the first neighbours, then pushes to the vertices that missed.
__device__ __noinline__ inline void level_push_segments(Context<OneRank> &k) {
	Counters *c = k.counters(k.at.level);
	ull *total = &k.counters(k.at.level + 1)->found;
	const Sweep sweep = sweep_of(k);
	if (threadIdx.x == 0) k.pull.found = 0;
	__syncthreads();
	sweep_first<OneRank>(k.graph, k.pull, sweep, 0);
	__syncthreads();
	if (threadIdx.x == 0 && k.pull.found) atomicAdd(total, (ull)k.pull.found);
	__syncthreads();
	list_cut_rows(k, &c->cut_rows);
	number_queue(k, TailRows(k), &c->tail);
	grid_barrier(k);
	u32 found = push_tail(k, sweep.now);
	grid_barrier(k);
	if (k.at.failed) return;
	found += pull_longest(k, sweep.now);
	found += push_segments(k, sweep.now);
	add_up(found, total);
	by_one_thread([&] { k.at.sweeps++; });
	finish_sweep(k);
}

} // namespace g500
