// Top-down levels with many edges: the frontier marks its neighbours in a bitmap, and notes a parent for those with the
// longest rows, which are few, so that what is written for them stays in the caches. For the others their owners look, as
// in a bottom-up level, but in which every look finds a parent. Vertices whose first neighbour is in the frontier are not
// marked at all (search_firsts.cu): owners look at the first neighbours of all that are unvisited.
//
// It saves what costs most in large top-down levels, a parent and a place in a queue for each vertex at random places of
// memory, and between ranks 64 bits a vertex; and what costs most in bottom-up levels after a small frontier, the vertices
// that look in vain, and long rows in which hardly an edge leads to the frontier.
#pragma once

#include "search/bottomup.cuh"
#include "search/topdown.cuh"

namespace g500 {

constexpr u32 kRun = 1024;     // edges side by side that a warp marks at a time,
constexpr u32 kLastRun = 256;  // and towards the end, so that warps end together

// Marker is what marks and notes go to. It is kept in registers: what it is made of would be loaded again after each store.
template <bool kMany>
struct Marker {
	const u32 *cols, *firsts;
	u32 *marks, *parent, *notes;
	u32 high, noted, rank, shift;

	__device__ Marker(const Columns &g, const State &s, const World &w)
		: cols(g.cols), firsts(s.firsts), marks(s.marks), parent(s.parent), notes(kMany ? in_window<u32>(w, w.rank, w.at.notes) : nullptr),
		  high(s.high), noted(s.noted), rank(w.rank), shift(w.shift) {}

	// Whether an edge leads to a vertex by its first neighbour, which is for the owner to look at.
	__device__ bool is_first(u64 edge) const { return firsts && __ldg(firsts + edge / 32) >> edge % 32 & 1; }

	// Notes the parent of a vertex that is among those with the longest rows: in its place if it is this rank's, or where
	// its owner can fetch it.
	__device__ void note(u32 position, u32 label) const {
		const u32 hub = kMany ? position & ((1u << shift) - 1) : position, of = kMany ? position >> shift : rank;
		if (of == rank && hub < high) parent[hub] = label;
		if (kMany && of != rank && hub < noted) notes[(u64)of * noted + hub] = label;
	}
};

// Marks vertices in a part of a row, edges [begin, end), with a warp. What the caches know of the bitmap may be old, which costs
// no more than an atomic and a note in vain.
template <bool kMany>
__device__ __noinline__ void mark_row(const Marker<kMany> marker, u64 begin, u64 end, u32 label) {
	constexpr u32 kAtOnce = 4;
	for (u64 e0 = begin + (threadIdx.x & 31); e0 < end; e0 += 32 * kAtOnce) {
		u32 to[kAtOnce], known[kAtOnce];
#pragma unroll
		for (u32 k = 0; k < kAtOnce; k++) to[k] = e0 + 32 * k < end ? __ldg(marker.cols + e0 + 32 * k) : kNone;
#pragma unroll
		for (u32 k = 0; k < kAtOnce; k++)
			if (e0 + 32 * k < end && marker.is_first(e0 + 32 * k)) to[k] = kNone;
#pragma unroll
		for (u32 k = 0; k < kAtOnce; k++) known[k] = to[k] != kNone ? marker.marks[word_of(to[k])] : ~0u;
#pragma unroll
		for (u32 k = 0; k < kAtOnce; k++) {
			const u32 bit = 1u << bit_of(to[k]);
			if (known[k] & bit) continue;
			atomicOr(marker.marks + word_of(to[k]), bit);
			marker.note(to[k], label);
		}
	}
}

// Marks the far ends of the frontier's edges. Marks begin with what this rank knows to be visited. Runs are handed out to
// the warps one by one, since those at the end of a row, whose vertices hardly anybody has marked, take several times as
// long as those at its front; the last quarter goes out in smaller ones. Reads 4 B column and a bit an edge, and a sector of
// the bitmap; writes a bit for each vertex that is marked, and 4 B parent for those with the longest rows.
template <bool kMany>
__device__ __noinline__ void mark_edges(const Columns &g, const State &s, const World &w, const u32 *queue, const u64 *offsets, u32 n, u64 laid, ull *handed_out) {
	const u64 warps = gridDim.x * kWarps, last = laid - laid / 4;
	const Marker<kMany> marker(g, s, w);
	u64 next, run = kRun;
	for (u64 e0 = (blockIdx.x * kWarps + threadIdx.x / 32) * kRun; e0 < laid; e0 = __shfl_sync(~0u, next, 0)) {
		const u64 end = min(e0 + run, laid);
		run = e0 < last ? kRun : kLastRun;
		if ((threadIdx.x & 31) == 0) next = warps * kRun + atomicAdd(handed_out, (ull)run); // comes while this one is marked
		u32 i = find_vertex(offsets, n, e0);
		for (u64 e = e0; e < end; i++) {
			const u64 stop = min(i + 1 < n ? offsets[i + 1] : laid, end);
			const u32 v = queue[i];
			const u64 row = g.rows[v] - offsets[i];
			mark_row(marker, row + e, row + stop, __ldg(g.labels + v));
			e = stop;
		}
	}
}

__device__ inline uint4 without(const uint4 &a, const uint4 &b) { return make_uint4(a.x & ~b.x, a.y & ~b.y, a.z & ~b.z, a.w & ~b.w); }

// MarkedSweep is what a warp reads of the kPad vertices that it sweeps at a time: a word of each bitmap in each of the
// first lanes, and the first neighbours.
struct MarkedSweep {
	u32 seen, own, theirs; // marked by this rank; by peers alone
};

constexpr u32 kSweepWords = kPad / 32;

template <bool kMany>
__device__ inline MarkedSweep load_marked(const Columns &g, const State &s, const World &w, const u32 *mine, u32 at) {
	const u32 lane = threadIdx.x & 31, word = at * kSweepWords + lane;
	MarkedSweep sweep{};
	if (lane < kSweepWords) {
		sweep.seen = mine[word];
		sweep.own = s.marks[(kMany ? w.base / 32 : 0) + word];
		for (u32 r = 0; kMany && r < w.ranks; r++)
			if (is_peer(w, r)) sweep.theirs |= __ldcg((const u32 *)marks_in(w, w.rank, r) + word);
	}
	sweep.own &= ~sweep.seen;
	sweep.theirs &= ~(sweep.own | sweep.seen);
	return sweep;
}

// Tests the first neighbours of unvisited vertices, a word of them in each of the first lanes; of the marked ones those that
// miss are listed. Returns the words of those that hit.
__device__ inline u32 sweep_unvisited(const u32 *old, u32 *missed, u32 &n, u32 at, u32 unvisited, u32 marked, const Columns &g) {
	const u32 lane = threadIdx.x & 31;
	u32 hits = 0;
	uint4 first[kGroupsPerWarp];
#pragma unroll
	for (int k = 0; k < kGroupsPerWarp; k++) first[k] = __ldcs((const uint4 *)g.first + (u64)(at * kGroupsPerWarp + k) * 32 + lane);
#pragma unroll
	for (int k = 0; k < kGroupsPerWarp; k++) {
		const u32 first4[4] = {first[k].x, first[k].y, first[k].z, first[k].w};
		u32 lost[4];
#pragma unroll
		for (int j = 0; j < 4; j++) {
			const bool asks = __shfl_sync(~0u, unvisited, k * 4 + j) >> lane & 1 && first4[j] != kNone;
			const u32 hit = __ballot_sync(~0u, asks && test(old, first4[j]));
			lost[j] = __shfl_sync(~0u, marked, k * 4 + j) & ~hit;
			if (lane == k * 4 + j) hits = hit;
		}
		if (lost[0] | lost[1] | lost[2] | lost[3]) append_missed(missed, n, at * kGroupsPerWarp + k, lost);
	}
	return hits;
}

// Fetches the parents that peers have noted for open vertices of a group, each from the first peer that has one. Reads up
// to 512 B from a peer.
__device__ __noinline__ void fetch_notes(const State &s, const World &w, u32 group, uint4 open) {
	const u32 lane = threadIdx.x & 31, v = group * kGroup + lane * 4;
	for (u32 r = 0; r < w.ranks && any_set(open); r++) {
		if (!is_peer(w, r)) continue;
		const uint4 theirs = __ldcg(marks_in(w, w.rank, r) + group), there = without(open, without(open, theirs));
		const u32 of[4] = {there.x, there.y, there.z, there.w};
		const u32 *notes = in_window<u32>(w, r, w.at.notes) + (u64)w.rank * s.noted + v;
		if ((there.x | there.y | there.z | there.w) >> lane & 1) {
			const uint4 noted = __ldcv((const uint4 *)notes);
			const u32 label[4] = {noted.x, noted.y, noted.z, noted.w};
#pragma unroll
			for (int j = 0; j < 4; j++)
				if (of[j] >> lane & 1) s.parent[v + j] = label[j];
		}
		open = without(open, there);
	}
}

// The four words of a group, from the lanes that have them.
__device__ inline uint4 group_of_lanes(u32 words, int k) {
	return make_uint4(__shfl_sync(~0u, words, k * 4), __shfl_sync(~0u, words, k * 4 + 1), __shfl_sync(~0u, words, k * 4 + 2), __shfl_sync(~0u, words, k * 4 + 3));
}

// Takes in the marked vertices, in the same order and with the same lists as sweep_first; some have parents. While the
// vertices of one turn are taken in, those of the next are on their way. Reads the bitmaps, and 4 B a vertex. Returns the
// length of the warp's list.
template <bool kMany>
__device__ __noinline__ u32 sweep_marked(const Columns &g, const State &s, const World &w, BottomUpShared &sh, const u32 *old, const u32 *mine, u32 *now,
                                         u32 *missed, bool starts) {
	const u32 lane = threadIdx.x & 31;
	const u32 warps = gridDim.x * kWarps, sweeps = g.padded / kPad;
	u32 found = 0, n = 0, at = blockIdx.x * kWarps + threadIdx.x / 32;
	MarkedSweep next{};
	if (at < sweeps) next = load_marked<kMany>(g, s, w, mine, at);
	for (; at < sweeps; at += warps) {
		const MarkedSweep sweep = next;
		if (at + warps < sweeps) next = load_marked<kMany>(g, s, w, mine, at + warps);
		const u32 group = at * kGroupsPerWarp + lane / 4, word = at * kSweepWords + lane;
		const u32 fetched = group < s.noted / kGroup ? sweep.theirs : 0, noted = (group < s.high / kGroup ? sweep.own : 0) | fetched;
		const u32 marked = sweep.own | sweep.theirs, open = lane < kSweepWords ? ~(sweep.seen | noted) : 0;
		const u32 hits = __any_sync(~0u, open) ? sweep_unvisited(old, missed, n, at, open, marked & open, g) : 0;
		if (lane < kSweepWords) {
			now[word] = sweep.seen | marked | hits;
			if (starts || noted) s.by_other[word] = (starts ? sweep.seen : s.by_other[word]) | noted;
			found += __popc(marked | hits);
		}
		if (kMany && __any_sync(~0u, fetched))
			for (int k = 0; k < kGroupsPerWarp; k++) fetch_notes(s, w, at * kGroupsPerWarp + k, group_of_lanes(fetched, k));
	}
	found = warp_sum(found);
	if (lane == 0 && found) atomicAdd(&sh.marked, found);
	__syncwarp(); // the list and the bitmap are there for all lanes
	return n;
}

// Finds parents for the marked vertices that have none, as bottom_up does for those that are not visited.
template <bool kMany>
__device__ void take_marked(const Columns &g, const State &s, const World &w, BottomUpShared &sh, const u32 *old, const u32 *mine, u32 *now, bool starts, ull *found) {
	u32 *missed = missed_list(g, s);
	if (threadIdx.x == 0) sh.marked = sh.found = 0;
	__syncthreads();
	u32 n = sweep_marked<kMany>(g, s, w, sh, old, mine, now, missed, starts);
	n = probe_next4<kMany>(g, s, w, sh, old, now, missed, n, false);
	probe_rows<kMany>(g, s, w, sh, old, now, missed, n, false);
	__syncthreads();
	if (threadIdx.x == 0 && sh.marked) atomicAdd(found, (ull)sh.marked);
}

// Sends each peer what this rank has marked of its vertices. Returns the words that this thread has sent, to one peer.
__device__ __noinline__ u32 send_marks(const State &s, const World &w) {
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
