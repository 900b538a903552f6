// SPDX-License-Identifier: Apache-2.0

// Contraction finds new vertices at the ends of edges (Merrill, Garland, Grimshaw, PPoPP 2012, section 4.2). The lookup
// of the status of a vertex without atomics lets some duplicates pass. Two culls search for duplicates among the
// vertices that a warp and a block have processed just before. Each cull lets at least one of several equal vertices
// pass.
//
// A vertex with a label of an earlier level never passes. Equal vertices of one level pass if they are looked up before
// the first of them has written its label, that is within the latency of one memory access. Therefore duplicates are
// few only if a level takes much longer, because each block processes many tiles (g500_lab::over).
#pragma once

#include "lab/state.cuh"

namespace g500::lab {

constexpr u32 kHash = 128; // entries of the table of a warp

// FilterShared is in shared memory; the history of the block follows it.
struct FilterShared {
	u32 hash[kWarps][kHash];
};

// Filter is the filter of one thread. All lanes of a warp call passes together.
class Filter {
public:
	__device__ Filter(const Level &level, FilterShared &sh, u32 *history)
		: level(level), table(sh.hash[threadIdx.x / 32]), past(history) {
		if (level.cull & kHistoryCull)
			for (u32 i = threadIdx.x; i < level.history; i += kThreads) past[i] = kNone;
		__syncthreads();
	}

	// Whether the vertex at the end of an edge is new; to is kNone in a lane without an edge. A new vertex gets its
	// distance and parent. Reads a byte of the mask and a 4 B label per edge, writes both per new vertex. Labels are read
	// through the L2 cache, where other multiprocessors write them.
	__device__ inline bool passes(u32 from, u32 to) {
		bool fresh = to != kNone;
		if (level.lookup == kMask || level.lookup == kMaskAlone) fresh = passes_mask(fresh, to);
		const bool unlabelled = fresh && __ldcg(level.visited.label() + to) == kNone;
		if (level.lookup == kSwap) return passes_culls(unlabelled, to) && swaps(from, to);
		__syncwarp(); // all lanes read before one writes, as on GPUs of 2012
		if (unlabelled) level.visited.reach(to, level.depth, from);
		return passes_culls(level.lookup == kMaskAlone ? fresh : unlabelled, to);
	}

	// Filters by the mask, if there is one, and by culls, if the labels are on another GPU. Writes no label.
	__device__ inline bool passes_unlabelled(u32 to) {
		const bool has = to != kNone;
		return passes_culls(level.visited.mask ? passes_mask(has, to) : has, to);
	}

private:
	__device__ inline bool passes_culls(bool fresh, u32 to) {
		if (level.cull & kHistoryCull) fresh = fresh && remember(to);
		if (level.cull & kWarpCull) fresh = alone_in_warp(fresh, to);
		return fresh;
	}

	// Whether the bit of a vertex is not set; sets it, so that later lookups see it. Reads through the L1 cache, as the
	// texture cache of the paper (section 4.2): bits that other multiprocessors have set are missing until the byte leaves
	// the cache, at the latest at the end of the kernel. Races: several threads may find it unset; bits that other threads
	// set in the same byte at the same time may be lost.
	__device__ inline bool passes_mask(bool has, u32 to) const {
		u8 *const byte = level.visited.mask + to / 8;
		const u8 bits = has ? __ldca(byte) : 0, bit = 1u << (to & 7);
		const bool unset = has && !(bits & bit);
		__syncwarp();
		if (unset) *byte = bits | bit;
		return unset;
	}

	__device__ inline bool swaps(u32 from, u32 to) const {
		const Visited &at = level.visited;
		const u32 label = at.distance ? level.depth : from;
		if (atomicCAS(at.label() + to, kNone, label) != kNone) return false;
		if (at.distance && at.parent) at.parent[to] = from;
		return true;
	}

	// Races: vertices overwrite each other in an entry; the thread that recorded a vertex lets it pass.
	__device__ inline bool remember(u32 to) {
		u32 *const place = past + (to & (level.history - 1));
		if (*(volatile u32 *)place == to) return false;
		*(volatile u32 *)place = to;
		return true;
	}

	// Of the lanes that read their own vertex back, the last one to write its number lets the vertex pass.
	__device__ inline bool alone_in_warp(bool fresh, u32 to) {
		u32 *const place = table + (to & (kHash - 1));
		if (fresh) *place = to;
		__syncwarp();
		const bool same = fresh && *place == to;
		__syncwarp();
		if (same) *place = lane_of_thread();
		__syncwarp();
		const bool twice = same && *place != lane_of_thread();
		__syncwarp();
		return fresh && !twice;
	}

	const Level &level;
	u32 *table, *past;
};

} // namespace g500::lab
