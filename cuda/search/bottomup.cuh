// Bottom-up levels: each unvisited vertex looks for a visited neighbour; a visited neighbour of an unvisited
// vertex is in the frontier (cuGraph), so one bitmap is mask and frontier.
// Source: Beamer et al. (SC 2012); Liu and Huang, Enterprise (SC 2015), for ballots that write whole words; Ueno et
// al. (RIKEN's Graph500 code) for first neighbours in a column of their own.
#pragma once

#include "search/search.cuh"
#include "search/world.cuh"

namespace g500 {

constexpr int kGroupsPerWarp = kPad / kGroup; // groups of 128 vertices that a warp sweeps at a time

struct BottomUpShared {
	u32 marked; // vertices that were marked beforehand
	u32 found;
	u32 left[kWarps]; // entries in each warp's list of the rest
	u32 kept;         // entries in the block's list of the rest, while it is made
	u64 base;         // where what the block has found goes in the rank's queue
};

__device__ inline bool any_set(const uint4 &w) { return w.x | w.y | w.z | w.w; }
__device__ inline bool all_set(const uint4 &w) { return (w.x & w.y & w.z & w.w) == ~0u; }

// Appends a warp's misses in one group, a mask of lanes for each of four vertices, to its list of n entries.
__device__ inline void append_missed(u32 *missed, u32 &n, u32 group, const u32 (&lost)[4]) {
	const u32 lane = threadIdx.x & 31, before = (1u << lane) - 1;
#pragma unroll
	for (int j = 0; j < 4; j++) {
		if (lost[j] >> lane & 1) missed[n + __popc(lost[j] & before)] = group * kGroup + lane * 4 + j;
		n += __popc(lost[j]);
	}
}

// Tests the first neighbours of one group, four consecutive vertices a lane; of those that miss, the ones below limit are
// listed. Returns how many hit.
__device__ inline u32 sweep_group(const u32 *old, u32 *now, u32 *missed, u32 &n, u32 limit, u32 group, const uint4 &seen, const uint4 &first) {
	const u32 lane = threadIdx.x & 31;
	const u32 seen4[4] = {seen.x, seen.y, seen.z, seen.w}, first4[4] = {first.x, first.y, first.z, first.w};
	u32 hits[4], lost[4], found = 0;
	bool mine[4], open[4];
#pragma unroll
	for (int j = 0; j < 4; j++) {
		open[j] = !(seen4[j] >> lane & 1) && first4[j] != kNone;
		mine[j] = open[j] && test(old, first4[j]);
	}
#pragma unroll
	for (int j = 0; j < 4; j++) {
		hits[j] = __ballot_sync(~0u, mine[j]);
		lost[j] = __ballot_sync(~0u, open[j] && !mine[j] && group * kGroup + lane * 4 + j < limit);
		found += __popc(hits[j]);
	}
	if (lost[0] | lost[1] | lost[2] | lost[3]) append_missed(missed, n, group, lost);
	if (lane == 0) ((uint4 *)now)[group] = make_uint4(seen4[0] | hits[0], seen4[1] | hits[1], seen4[2] | hits[2], seen4[3] | hits[3]);
	return found;
}

// Tests the first neighbours of all unvisited vertices: mine is this rank's part of the old bitmap. Reads 4 B a vertex
// and 1 bit of the old bitmap, random; writes 1 bit. Vertices that have more neighbours and found none are listed, and
// if it lists the rest, those that have no more as well. The first such level of a search also starts the bitmap of
// those that did not come by their first neighbour: all so far. Returns the length of the warp's list.
__device__ __noinline__ u32 sweep_first(const Columns &g, const State &s, BottomUpShared &sh, const u32 *old, const u32 *mine, u32 *now, u32 *missed,
                                        bool starts, bool lists) {
	const u32 lane = threadIdx.x & 31;
	const u32 warps = gridDim.x * kWarps, sweeps = g.padded / kPad, limit = lists ? g.padded : g.many;
	u32 found = 0, n = 0;
	for (u32 w = blockIdx.x * kWarps + threadIdx.x / 32; w < sweeps; w += warps) {
		uint4 seen[kGroupsPerWarp], first[kGroupsPerWarp];
#pragma unroll
		for (int k = 0; k < kGroupsPerWarp; k++) {
			seen[k] = ((const uint4 *)mine)[w * kGroupsPerWarp + k];
			first[k] = __ldcs((const uint4 *)g.first + (u64)(w * kGroupsPerWarp + k) * 32 + lane);
		}
#pragma unroll
		for (int k = 0; k < kGroupsPerWarp; k++) {
			const u32 group = w * kGroupsPerWarp + k;
			if (starts && lane == 1) ((uint4 *)s.by_other)[group] = seen[k];
			if (!all_set(seen[k])) found += sweep_group(old, now, missed, n, limit, group, seen[k], first[k]);
			else if (lane == 0) ((uint4 *)now)[group] = seen[k];
		}
	}
	if (lane == 0 && found) atomicAdd(&sh.found, found);
	__syncwarp(); // the list and the bitmap are there for all lanes
	return n;
}

// Records that v was found with the parent at this position. Other threads of the warp may write the same word.
template <bool kMany>
__device__ inline void adopt(const Columns &g, const State &s, const World &w, u32 *now, u32 v, u32 parent) {
	atomicOr(now + word_of(v), 1u << bit_of(v));
	atomicOr(s.by_other + word_of(v), 1u << bit_of(v));
	s.parent[v] = kMany ? label_at(w, parent, v) : __ldg(g.labels + parent);
}

// Tests neighbours 2 to 5 of the missed vertices, one 16-byte load each. Those that have more and found none stay in the
// list, and if it lists the rest, those that have no more as well. Returns its length.
template <bool kMany>
__device__ __noinline__ u32 probe_next4(const Columns &g, const State &s, const World &w, BottomUpShared &sh, const u32 *old, u32 *now, u32 *missed, u32 n,
                                        bool lists) {
	constexpr int kEach = 4;
	const u32 lane = threadIdx.x & 31, before = (1u << lane) - 1;
	u32 found = 0, kept = 0;
	for (u32 i0 = lane; i0 - lane < n; i0 += 32 * kEach) {
		u32 v[kEach], parent[kEach];
		uint4 next[kEach];
#pragma unroll
		for (int j = 0; j < kEach; j++) v[j] = i0 + j * 32 < n ? missed[i0 + j * 32] : kNone;
#pragma unroll
		for (int j = 0; j < kEach; j++) next[j] = v[j] != kNone ? __ldg(g.next4 + v[j]) : make_uint4(kNone, kNone, kNone, kNone);
		__syncwarp(); // all have read the round's part of the list, to whose front goes what stays in it
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const u32 c[4] = {next[j].x, next[j].y, next[j].z, next[j].w};
			bool hit[4];
#pragma unroll
			for (int t = 0; t < 4; t++) hit[t] = c[t] != kNone && test(old, c[t]);
			parent[j] = hit[0] ? c[0] : hit[1] ? c[1] : hit[2] ? c[2] : hit[3] ? c[3] : kNone;
		}
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const u32 stays = __ballot_sync(~0u, parent[j] == kNone && (next[j].w != kNone || (lists && v[j] != kNone)));
			if (stays >> lane & 1) missed[kept + __popc(stays & before)] = v[j];
			kept += __popc(stays);
			if (parent[j] == kNone) continue;
			found++;
			adopt<kMany>(g, s, w, now, v[j], parent[j]);
		}
	}
	found = warp_sum(found);
	if (lane == 0 && found) atomicAdd(&sh.found, found);
	__syncwarp();
	return kept;
}

constexpr u64 kLongRow = 128;

// Looks for a visited vertex in one row with a whole warp.
__device__ inline u32 probe_long_row(const Columns &g, const u32 *old, u64 at, u64 end) {
	const u32 lane = threadIdx.x & 31;
	for (; at < end; at += 64) {
		const u32 a = at + lane < end ? __ldg(g.cols + at + lane) : kNone;
		const u32 b = at + 32 + lane < end ? __ldg(g.cols + at + 32 + lane) : kNone;
		const u32 hit_a = __ballot_sync(~0u, a != kNone && test(old, a));
		const u32 hit_b = __ballot_sync(~0u, b != kNone && test(old, b));
		if (hit_a) return __shfl_sync(~0u, a, __ffs(hit_a) - 1);
		if (hit_b) return __shfl_sync(~0u, b, __ffs(hit_b) - 1);
	}
	return kNone;
}

// Looks for a visited vertex in columns [begin, end), for each lane of a warp in its own. Short rows take a thread each,
// with eight loads under way, since it is latency that counts there; rows of kLongRow and more are left to the whole warp.
// Both stop at the first hit.
__device__ inline u32 probe_row(const Columns &g, const u32 *old, u64 begin, u64 end) {
	constexpr u32 kAtOnce = 8;
	const u32 lane = threadIdx.x & 31;
	u32 parent = kNone;
	for (u32 rest = __ballot_sync(~0u, end - begin >= kLongRow); rest; rest &= rest - 1) {
		const int owner = __ffs(rest) - 1;
		const u32 hit = probe_long_row(g, old, __shfl_sync(~0u, begin, owner), __shfl_sync(~0u, end, owner));
		if (lane == owner) parent = hit;
	}
	if (end - begin < kLongRow)
		for (u64 at = begin; at < end && parent == kNone; at += kAtOnce) {
			u32 c[kAtOnce];
#pragma unroll
			for (u32 k = 0; k < kAtOnce; k++) c[k] = at + k < end ? __ldg(g.cols + at + k) : kNone;
#pragma unroll
			for (u32 k = 0; k < kAtOnce; k++)
				if (parent == kNone && c[k] != kNone && test(old, c[k])) parent = c[k];
		}
	return parent;
}

// Tests the neighbours after the fifth. If it lists the rest, those that found one leave a gap in the list.
template <bool kMany>
__device__ __noinline__ void probe_rows(const Columns &g, const State &s, const World &w, BottomUpShared &sh, const u32 *old, u32 *now, u32 *missed, u32 n,
                                        bool lists) {
	const u32 lane = threadIdx.x & 31;
	u32 found = 0;
	for (u32 i0 = 0; i0 < n; i0 += 32) {
		const u32 v = i0 + lane < n ? missed[i0 + lane] : kNone;
		const u64 end = v != kNone ? g.rows[v + 1] : 0, begin = v != kNone ? min((u64)g.rows[v] + 5, end) : 0;
		const u32 parent = probe_row(g, old, begin, end);
		if (parent != kNone) {
			found++;
			adopt<kMany>(g, s, w, now, v, parent);
			if (lists) missed[i0 + lane] = kNone;
		}
	}
	found = warp_sum(found);
	if (lane == 0 && found) atomicAdd(&sh.found, found);
}

// Sends a group of 16 bytes to all peers and takes it into this rank's own copy, if it differs from that. What the peers have
// is what that copy has: it was filled so two levels ago. Returns the words that were sent, to one peer.
__device__ inline u32 send_group(const World &w, u64 bitmap, u64 group, const uint4 &fresh) {
	uint4 *own = in_window<uint4>(w, w.rank, bitmap) + w.base / kGroup + group;
	const uint4 had = *own;
	if (fresh.x == had.x && fresh.y == had.y && fresh.z == had.z && fresh.w == had.w) return 0;
	*own = fresh;
	for (u32 i = 1; i < w.ranks; i++) {
		const u32 r = w.rank + i < w.ranks ? w.rank + i : w.rank + i - w.ranks; // not all to the same one at once
		if (w.windows[r]) in_window<uint4>(w, r, bitmap)[w.base / kGroup + group] = fresh;
	}
	return sizeof(uint4) / sizeof(u32);
}

// Does something with each group that the block has swept.
template <typename Do>
__device__ inline void for_swept(const Columns &g, Do act) {
	constexpr u32 kBlockGroups = kWarps * kGroupsPerWarp; // side by side in a bitmap, since a block's warps sweep side by side
	const u32 groups = g.padded / kGroup, turns = kThreads / kBlockGroups;
	for (u32 t = threadIdx.x / kBlockGroups;; t += turns) {
		const u64 group = ((u64)t * gridDim.x + blockIdx.x) * kBlockGroups + threadIdx.x % kBlockGroups;
		if (group >= groups) break;
		act(group);
	}
}

// Sends the words of the block's vertices that have changed to all peers.
__device__ __noinline__ void send_fresh(const Columns &g, const State &s, const World &w, u64 bitmap, ull *words) {
	u32 sent = 0;
	for_swept(g, [&](u64 group) { sent += send_group(w, bitmap, group, __ldcg((const uint4 *)s.fresh + group)); });
	sent = warp_sum(sent);
	if ((threadIdx.x & 31) == 0 && sent) atomicAdd(words, (ull)sent);
}

// Lays out how the block's vertices were reached, for the last pass: visited and by_other in pairs of words.
__device__ __noinline__ void lay_swept(const Columns &g, const State &s, const u32 *visited) {
	for_swept(g, [&](u64 group) {
		const uint4 seen = __ldcg((const uint4 *)visited + group), other = __ldcg((const uint4 *)s.by_other + group);
		uint4 *reached = (uint4 *)s.reached + 2 * group;
		reached[0] = make_uint4(seen.x, other.x, seen.y, other.y);
		reached[1] = make_uint4(seen.z, other.z, seen.w, other.w);
	});
}

// Each warp has a list of missed vertices, with room for all that it sweeps.
__device__ inline u64 list_room(const Columns &g) { return (g.padded / kPad + gridDim.x * kWarps - 1) / (gridDim.x * kWarps) * kPad; }

// Where the lists of a block's warps begin.
__device__ inline u32 *missed_lists(const Columns &g, const State &s) { return s.missed + blockIdx.x * kWarps * list_room(g); }
__device__ inline u32 *missed_list(const Columns &g, const State &s) { return missed_lists(g, s) + threadIdx.x / 32 * list_room(g); }

// One bottom-up level: old is the newest bitmap of all ranks, now is made of this rank's part of it, mine. A warp finishes
// its own vertices without waiting for others. If it lists the rest, those that no one has found stay in the warps' lists,
// sh.left entries with gaps.
template <bool kMany>
__device__ void bottom_up(const Columns &g, const State &s, const World &w, BottomUpShared &sh, const u32 *old, const u32 *mine, u32 *now, bool starts,
                          bool lists, ull *found) {
	u32 *missed = missed_list(g, s);
	if (threadIdx.x == 0) sh.found = 0;
	__syncthreads();
	u32 n = sweep_first(g, s, sh, old, mine, now, missed, starts, lists);
	n = probe_next4<kMany>(g, s, w, sh, old, now, missed, n, lists);
	probe_rows<kMany>(g, s, w, sh, old, now, missed, n, lists);
	if (threadIdx.x % 32 == 0) sh.left[threadIdx.x / 32] = n;
	__syncthreads();
	if (threadIdx.x == 0 && sh.found) atomicAdd(found, (ull)sh.found);
}

} // namespace g500
