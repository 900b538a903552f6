// Top-down levels with many edges: the frontier marks its neighbours in a bitmap. Vertices with long rows, State.high of
// each rank, get their parents along with that, by pairs if they are another rank's; they are few, and what is written for
// them stays in the caches. For the others their owners look, as in a bottom-up level, but in which every look finds a
// parent. It saves what costs most in large top-down levels, a parent and a place in a queue for each vertex at random
// places of memory, and between ranks 64 bits a vertex; and what costs most in bottom-up levels after a small frontier, the
// vertices that look in vain, and long rows in which hardly an edge leads to the frontier.
#pragma once

#include "search_bottomup.cuh"
#include "search_topdown.cuh"

namespace g500 {

// Sends the block's far ones to their owners.
__device__ inline void tell_far(const World &w, const Bins &bins, const Reached &reached, u32 round, ull *sent) {
	u32 slot[kEdgesPerThread];
	count_far(w, bins, reached, slot);
	__syncthreads();
	reserve_far(w, bins, sent);
	__syncthreads();
	send_far(w, bins, round, reached, slot);
}

// Marks the far end of an edge whose bit is not known to be set. Returns whether its owner must be told of the parent.
template <bool kMany>
__device__ inline bool mark(const Columns &g, const State &s, const World &w, const FrontierEdge &edge, u32 *marks) {
	const u32 hub = kMany ? hub_of_position(w, edge.to) : edge.to, bit = 1u << bit_of(edge.to);
	u32 *word = marks + word_of(edge.to);
	if (hub < s.high && kMany && rank_of_position(w, edge.to) != w.rank) return !(atomicOr(word, bit) & bit);
	if (hub < s.high) s.parent[hub] = __ldg(g.labels + edge.from);
	atomicOr(word, bit);
	return false;
}

// Marks the far ends of the frontier's edges that are not visited, as far as this rank knows. What the caches know of the
// bitmaps may be old, which costs no more than an atomic in vain. Reads 4 B column an edge and a sector of each bitmap;
// writes a bit for each vertex that is marked, and for those with long rows 4 B parent, or 8 B to their owner.
template <bool kMany>
__device__ __noinline__ void mark_edges(const Columns &g, const State &s, const World &w, const Bins &bins, TopDownShared &sh, const u32 *queue,
                                        const u64 *offsets, u32 n, u64 laid, const u32 *visited, u32 round, ull *sent) {
	u32 *marks = s.marks;
	for (u64 e0 = (u64)blockIdx.x * kChunk; e0 < laid; e0 += (u64)gridDim.x * kChunk) {
		FrontierEdge edge[kEdgesPerThread];
		u32 known[kEdgesPerThread];
		Reached reached;
		bool any = false;
		load_edges(g, sh, queue, offsets, n, laid, e0, min(e0 + kChunk, laid), edge);
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const u32 word = word_of(edge[j].to);
			known[j] = edge[j].to != kNone ? visited[word] | marks[word] : ~0u;
		}
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			reached.far[j] = kNone;
			if (known[j] >> bit_of(edge[j].to) & 1 || !mark<kMany>(g, s, w, edge[j], marks)) continue;
			reached.far[j] = edge[j].to;
			reached.label[j] = __ldg(g.labels + edge[j].from);
			any = true;
		}
		// The next chunk's part of the queue goes where this one's was.
		if (__syncthreads_or(any)) tell_far(w, bins, reached, round, sent);
	}
}

// Takes in the parents that other ranks have sent, but for vertices visited before, which they need not know.
// Reads 8 B a pair and a sector of the bitmap; writes 4 B.
__device__ __noinline__ void take_parents(const State &s, const World &w, const Bins &bins, const u32 *mine, u32 round) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	for (u32 i = thread; i < bins.upto[w.ranks - 1]; i += threads) {
		const u64 pair = pair_at(w, bins, round, i);
		if (!test(mine, (u32)pair)) s.parent[(u32)pair] = pair >> 32;
	}
}

__device__ inline uint4 operator|(const uint4 &a, const uint4 &b) { return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w); }
__device__ inline uint4 without(const uint4 &a, const uint4 &b) { return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w); }

// Takes the marked vertices of one group in, and lists those that their first neighbour has not reached.
__device__ inline void take_group(const Columns &g, BottomUpShared &sh, const u32 *old, u32 *missed, u32 group, const uint4 &marked) {
	const u32 lane = threadIdx.x & 31;
	const uint4 first = __ldcs((const uint4 *)g.first + (u64)group * 32 + lane);
	const u32 marked4[4] = {marked.x, marked.y, marked.z, marked.w}, first4[4] = {first.x, first.y, first.z, first.w};
	u32 lost[4];
#pragma unroll
	for (int j = 0; j < 4; j++) lost[j] = __ballot_sync(~0u, marked4[j] >> lane & 1 && !test(old, first4[j]));
	if (lost[0] | lost[1] | lost[2] | lost[3]) append_missed(sh, missed, group, lost);
}

// What all ranks have marked of a group of this rank's vertices: marks of its own, and what has come from peers.
template <bool kMany>
__device__ inline uint4 marks_of(const State &s, const World &w, u32 group) {
	if (!kMany) return ((const uint4 *)s.marks)[group];
	uint4 marked = ((const uint4 *)s.marks)[w.base / kGroup + group];
	for (u32 r = 0; r < w.ranks; r++)
		if (is_peer(w, r)) marked = marked | __ldcg(marks_in(w, w.rank, r) + group);
	return marked;
}

// Takes in the marked vertices, in the same order and with the same lists as sweep_first; those with long rows have their
// parents. Reads the bitmaps, and 4 B a
// vertex in groups with a marked one.
template <bool kMany>
__device__ __noinline__ void sweep_marked(const Columns &g, const State &s, const World &w, BottomUpShared &sh, const u32 *old, const u32 *mine, u32 *now,
                                          u32 *missed, bool starts) {
	const u32 lane = threadIdx.x & 31;
	const u32 warps = gridDim.x * kWarps, sweeps = g.padded / kPad;
	const uint4 none = make_uint4(0, 0, 0, 0);
	u32 found = 0;
	for (u32 at = blockIdx.x * kWarps + threadIdx.x / 32; at < sweeps; at += warps)
#pragma unroll
		for (int k = 0; k < kGroupsPerWarp; k++) {
			const u32 group = at * kGroupsPerWarp + k;
			const uint4 seen = ((const uint4 *)mine)[group];
			const uint4 marked = without(marks_of<kMany>(s, w, group), seen);
			const bool settled = group < s.high / kGroup, any = any_set(marked);
			uint4 *by_other = (uint4 *)s.by_other + group;
			if (lane == 1 && (starts || (settled && any))) *by_other = (starts ? seen : *by_other) | (settled ? marked : none);
			if (lane == 0) ((uint4 *)now)[group] = seen | marked;
			if (!any) continue;
			found += __popc(marked.x) + __popc(marked.y) + __popc(marked.z) + __popc(marked.w);
			if (!settled) take_group(g, sh, old, missed, group, marked);
		}
	if (lane == 0 && found) atomicAdd(&sh.marked, found);
}

// Finds parents for the marked vertices that have none, as bottom_up does for those that are not visited.
template <bool kMany>
__device__ void take_marked(const Columns &g, const State &s, const World &w, BottomUpShared &sh, const u32 *old, const u32 *mine, u32 *now, bool starts, ull *found) {
	u32 *missed = missed_list(g, s);
	if (threadIdx.x == 0) sh.marked = sh.missed = sh.kept = sh.found = 0;
	__syncthreads();
	sweep_marked<kMany>(g, s, w, sh, old, mine, now, missed, starts);
	__syncthreads();
	probe_next4<kMany>(g, s, w, sh, old, now, missed, sh.missed, false);
	__syncthreads();
	probe_rows<kMany>(g, s, w, sh, old, now, missed, sh.kept, false);
	__syncthreads();
	if (threadIdx.x == 0 && sh.marked) atomicAdd(found, (ull)sh.marked);
}

// Sends each peer what this rank has marked of its vertices. Returns the words that this thread has sent, to one peer.
__device__ inline u32 send_marks(const State &s, const World &w) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	u32 sent = 0;
	for (u32 k = 1; k < w.ranks; k++) {
		const u32 r = w.rank + k < w.ranks ? w.rank + k : w.rank + k - w.ranks; // not all to the same one at once
		if (!is_peer(w, r)) continue;
		const uint4 *of_peer = (const uint4 *)s.marks + ((u64)r << w.shift) / kGroup;
		uint4 *there = marks_in(w, r, w.rank);
		sent = 0;
		for (u32 i = thread; i < w.groups; i += threads, sent += sizeof(uint4) / sizeof(u32)) there[i] = __ldcg(of_peer + i);
	}
	return sent;
}

} // namespace g500
