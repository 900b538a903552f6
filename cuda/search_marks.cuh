// Top-down levels with many edges: the frontier marks its neighbours in a bitmap, and their owners then look for the
// parents of the marked ones as in a bottom-up level, in which every look finds one. It saves what costs most in large
// top-down levels, a parent and a place in a queue for each vertex at random places of memory, and between ranks 64 bits
// a vertex; and what costs most in bottom-up levels after a small frontier, the vertices that look in vain.
#pragma once

#include "search_bottomup.cuh"
#include "search_topdown.cuh"

namespace g500 {

// Marks the far ends of the frontier's edges that are not visited, as far as this rank knows. What the caches know of the
// bitmaps may be old, which costs no more than an atomic in vain. Reads 4 B column an edge and a sector of each bitmap;
// writes a bit for each vertex that is marked.
__device__ __noinline__ void mark_edges(const Columns &g, TopDownShared &sh, const u32 *queue, const u64 *offsets, u32 n, u64 laid, const u32 *visited,
                                        u32 *marks) {
	for (u64 e0 = (u64)blockIdx.x * kChunk; e0 < laid; e0 += (u64)gridDim.x * kChunk) {
		FrontierEdge edge[kEdgesPerThread];
		u32 known[kEdgesPerThread];
		load_edges(g, sh, queue, offsets, n, laid, e0, min(e0 + kChunk, laid), edge);
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const u32 word = word_of(edge[j].to);
			known[j] = edge[j].to != kNone ? visited[word] | marks[word] : ~0u;
		}
#pragma unroll
		for (int j = 0; j < kEdgesPerThread; j++) {
			const u32 bit = 1u << bit_of(edge[j].to);
			if (!(known[j] & bit)) atomicOr(marks + word_of(edge[j].to), bit);
		}
		__syncthreads(); // the next chunk's part of the queue goes where this one's was
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

// Takes in the marked vertices, in the same order and with the same lists as sweep_first. Reads the bitmaps, and 4 B a
// vertex in groups with a marked one.
template <bool kMany>
__device__ __noinline__ void sweep_marked(const Columns &g, const State &s, const World &w, BottomUpShared &sh, const u32 *old, const u32 *mine, u32 *now,
                                          u32 *missed, bool starts) {
	const u32 lane = threadIdx.x & 31;
	const u32 warps = gridDim.x * kWarps, sweeps = g.padded / kPad;
	u32 found = 0;
	for (u32 at = blockIdx.x * kWarps + threadIdx.x / 32; at < sweeps; at += warps)
#pragma unroll
		for (int k = 0; k < kGroupsPerWarp; k++) {
			const u32 group = at * kGroupsPerWarp + k;
			const uint4 seen = ((const uint4 *)mine)[group];
			const uint4 marked = without(marks_of<kMany>(s, w, group), seen);
			if (starts && lane == 1) ((uint4 *)s.by_other)[group] = seen;
			if (lane == 0) ((uint4 *)now)[group] = seen | marked;
			if (!any_set(marked)) continue;
			found += __popc(marked.x) + __popc(marked.y) + __popc(marked.z) + __popc(marked.w);
			take_group(g, sh, old, missed, group, marked);
		}
	if (lane == 0 && found) atomicAdd(&sh.marked, found);
}

// Finds parents for the marked vertices, as bottom_up does for those that are not visited.
template <bool kMany>
__device__ void take_marked(const Columns &g, const State &s, const World &w, BottomUpShared &sh, const u32 *old, const u32 *mine, u32 *now, bool starts, ull *found) {
	u32 *missed = missed_list(g, s);
	if (threadIdx.x == 0) sh.marked = sh.missed = sh.kept = sh.found = 0;
	__syncthreads();
	sweep_marked<kMany>(g, s, w, sh, old, mine, now, missed, starts);
	__syncthreads();
	probe_next4<kMany>(g, s, w, sh, old, now, missed, sh.missed);
	__syncthreads();
	probe_rows<kMany>(g, s, w, sh, old, now, missed, sh.kept);
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
