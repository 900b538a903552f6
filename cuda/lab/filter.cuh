// Contraction: which ends of edges are new. Merrill, Garland, Grimshaw (PPoPP 2012), section 4.2: the lookup of a
// vertex' status, without atomics, lets a few duplicates pass; two culls look for those among what a warp and a block
// have just seen. Each lets at least one of equal vertices pass, in favour of one that gets through the culls after it.
//
// A vertex with a label of an earlier level never passes. Of equal vertices in one level those pass that are looked up
// before the first of them has written its label: about the time of one access to memory. Hence duplicates are few only
// where a level takes many times as long, so that a block goes through many tiles (g500_lab::over).
#pragma once

#include "lab/state.cuh"

namespace g500::lab {

constexpr u32 kHash = 128; // places in a warp's table

// FilterShared is in shared memory; the block's history lies behind it.
struct FilterShared {
	u32 hash[kWarps][kHash];
};

// Filter is a thread's part in it. All lanes of a warp call passes together.
class Filter {
public:
	__device__ Filter(const Level &level, FilterShared &sh, u32 *history)
		: level(level), table(sh.hash[threadIdx.x / 32]), past(history) {
		if (level.cull & kHistoryCull)
			for (u32 i = threadIdx.x; i < level.history; i += kThreads) past[i] = kNone;
		__syncthreads();
	}

	// Whether the vertex at the end of an edge is new; to is kNone in a lane without an edge. A vertex that is new gets
	// its distance and parent. Reads a byte of the mask and a 4 B label an edge, writes both for what is new.
	__device__ inline bool passes(u32 from, u32 to) {
		bool fresh = to != kNone;
		if (level.lookup == kMask || level.lookup == kMaskAlone) fresh = passes_mask(fresh, to);
		const bool unlabelled = fresh && __ldcg(level.visited.label() + to) == kNone;
		if (level.lookup == kSwap) return passes_culls(unlabelled, to) && swaps(from, to);
		__syncwarp(); // a warp reads before it writes, as warps did when this was devised
		if (unlabelled) level.visited.reach(to, level.depth, from);
		return passes_culls(level.lookup == kMaskAlone ? fresh : unlabelled, to);
	}

	// The same where the labels are another GPU's: by the mask, if there is one, and culls. Nothing is labelled.
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

	// Whether a vertex' bit is not set yet; sets it at once, so that later lookups see it. Races: several may find it
	// unset, and bits that others set in the same byte at the same time may be lost.
	__device__ inline bool passes_mask(bool has, u32 to) const {
		u8 *const byte = level.visited.mask + to / 8;
		const u8 bits = has ? __ldcg(byte) : 0, bit = 1u << (to & 7);
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

	// Races: a place is overwritten by any of its vertices; a vertex that is read back was recorded by a thread that
	// went on with it.
	__device__ inline bool remember(u32 to) {
		u32 *const place = past + (to & (level.history - 1));
		if (*(volatile u32 *)place == to) return false;
		*(volatile u32 *)place = to;
		return true;
	}

	// Of the lanes that read their own vertex back, the one whose number stays goes on.
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
