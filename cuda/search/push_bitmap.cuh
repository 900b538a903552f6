// Top-down levels with many edges, on several ranks: the frontier sets the bits of its neighbours in a bitmap, and
// writes a parent hint for those with the longest rows, which are few, so that what is written for them stays in the
// caches. For the others their owners look, as in a bottom-up level, but in which every look finds a parent. Vertices
// whose first neighbour is in the frontier are not pushed at all (first_neighbour_edges.cu): owners look at the first
// neighbours of all that are unvisited (ADR 13).
//
// It saves what costs most in large top-down levels, a parent and a place in a queue for each vertex at random places
// of memory, and between ranks 64 bits a vertex; and what costs most in bottom-up levels after a small frontier, the
// vertices that look in vain, and long rows in which hardly an edge leads to the frontier.
#pragma once

#include "search/pull.cuh"
#include "search/push.cuh"

namespace g500 {

// BitPush visits an edge's end: it sets the vertex' bit. It is kept in registers: what it is made of would be loaded
// again after each store.
template <typename Form>
struct BitPush {
	using Id = typename Form::Id;

	typename Form::Neighbours cols;
	const u32 *first_neighbour_edges;
	u32 *bitmap, *hints;
	ParentArray<Form> parent;
	u32 hinted_own, hinted_remote, rank, shift;

	__device__ explicit BitPush(const Context<Form> &k)
		: cols(neighbours<Form>(k.graph)), first_neighbour_edges(k.state.first_neighbour_edges), bitmap(k.state.pushed),
		  hints(in_window<u32>(k.ranks, k.ranks.rank, k.ranks.at.hints)), parent(parents<Form>(k.state)),
		  hinted_own(k.state.hinted_own), hinted_remote(k.state.hinted_remote), rank(k.ranks.rank),
		  shift(k.ranks.shift) {}

	// Whether an edge leads to a vertex by its first neighbour, which is for the owner to look at.
	__device__ bool is_first(u64 edge) const {
		return first_neighbour_edges && __ldg(first_neighbour_edges + edge / 32) >> edge % 32 & 1;
	}

	// Writes the parent hint of a vertex that is among those with the longest rows: in its place if it is this rank's, or
	// where its owner can fetch it.
	__device__ void hint(Id global_id, Id label) const {
		const u32 local_id = (u32)global_id & ((1u << shift) - 1), of = (u32)(global_id >> shift);
		if (of == rank && local_id < hinted_own) parent.store(local_id, label);
		if (of != rank && local_id < hinted_remote) hints[(u64)of * hinted_remote + local_id] = (u32)label;
	}
};

// Pushes the ends of a part of a row into the bitmap, edges [begin, end), with a warp. What the caches know of the
// bitmap may be old, which costs no more than an atomic and a hint in vain.
template <typename Form>
__device__ __noinline__ void push_row(const BitPush<Form> bits, u64 begin, u64 end, typename Form::Id label) {
	using Id = typename Form::Id;
	constexpr u32 kAtOnce = 4;
	for (u64 e0 = begin + lane_of_thread(); e0 < end; e0 += 32 * kAtOnce) {
		Id to[kAtOnce];
		u32 known[kAtOnce];
#pragma unroll
		for (u32 i = 0; i < kAtOnce; i++)
			to[i] = e0 + 32 * i < end ? load_global_id(bits.cols + (e0 + 32 * i)) : kNoId<Id>;
#pragma unroll
		for (u32 i = 0; i < kAtOnce; i++)
			if (e0 + 32 * i < end && bits.is_first(e0 + 32 * i)) to[i] = kNoId<Id>;
#pragma unroll
		for (u32 i = 0; i < kAtOnce; i++) known[i] = !is_none(to[i]) ? bits.bitmap[word_of(to[i])] : ~0u;
#pragma unroll
		for (u32 i = 0; i < kAtOnce; i++) {
			const u32 bit = 1u << bit_of(to[i]);
			if (known[i] & bit) continue;
			atomicOr(bits.bitmap + word_of(to[i]), bit);
			bits.hint(to[i], label);
		}
	}
}

// Pushes the ends of the frontier's edges. The bitmap begins with what this rank knows to be visited. Reads 4 B column
// and a bit an edge, and a sector of the bitmap; writes a bit for each vertex that is pushed, and 4 B for each hint.
template <typename Form>
__device__ __noinline__ void push_into_bitmap(Context<Form> &k) {
	const Graph &g = k.graph;
	const BitPush<Form> bits(k);
	ull *taken = &k.counters(k.at.level)->taken;
	for_runs_by_warp(g, k.edge_queue(), taken, [&](u32 v, u64 begin, u64 end) {
		push_row(bits, begin, end, own_label<Form>(g, v));
	});
}

// PushedSweep is what a warp reads of the kPad vertices that it sweeps at a time: a word of each bitmap in each of the
// first lanes.
struct PushedSweep {
	u32 seen, own, theirs; // pushed by this rank; by peers alone
};

template <typename Form>
__device__ inline PushedSweep load_pushed(const Context<Form> &k, const u32 *mine, u32 at) {
	const Ranks &ranks = k.ranks;
	const u32 lane = lane_of_thread(), word = at * kSweepWords + lane;
	PushedSweep sweep{};
	if (lane < kSweepWords) {
		sweep.seen = mine[word];
		sweep.own = k.state.pushed[ranks.base / 32 + word];
		for (u32 r = 0; r < ranks.count; r++)
			if (is_peer(ranks, r)) sweep.theirs |= __ldcg((const u32 *)pushed_in(ranks, ranks.rank, r) + word);
	}
	sweep.own &= ~sweep.seen;
	sweep.theirs &= ~(sweep.own | sweep.seen);
	return sweep;
}

// OpenVertices are those of a warp's turn that have no parent yet: a word of them in each of the first lanes.
struct OpenVertices {
	u32 at; // of the turn
	u32 unvisited, pushed;
};

// Tests the first neighbours of open vertices; of the pushed ones those that miss are listed. Returns the words of
// those that hit.
template <typename Form>
__device__ inline u32 sweep_open(const Graph &g, const Sweep &sweep, u32 &n, const OpenVertices &open) {
	const u32 lane = lane_of_thread();
	u32 hits = 0;
	typename Form::Four first[kGroupsPerWarp];
#pragma unroll
	for (int i = 0; i < kGroupsPerWarp; i++)
		first[i] = first_neighbours<Form>(g, (u64)(open.at * kGroupsPerWarp + i) * 32 + lane);
#pragma unroll
	for (int i = 0; i < kGroupsPerWarp; i++) {
		const auto first4 = unpack(first[i]);
		u32 lost[4];
#pragma unroll
		for (int j = 0; j < 4; j++) {
			const bool looks = __shfl_sync(~0u, open.unvisited, i * 4 + j) >> lane & 1 && !is_none(first4.of[j]);
			const u32 hit = __ballot_sync(~0u, looks && test(sweep.old, first4.of[j]));
			lost[j] = __shfl_sync(~0u, open.pushed, i * 4 + j) & ~hit;
			if (lane == i * 4 + j) hits = hit;
		}
		if (lost[0] | lost[1] | lost[2] | lost[3])
			append_missed(sweep.missed, n, open.at * kGroupsPerWarp + i, lost);
	}
	return hits;
}

// Fetches the parent hints that peers have for open vertices of a group, each from the first peer that has pushed it.
// Reads up to 512 B from a peer.
template <typename Form>
__device__ __noinline__ void fetch_hints(const State &s, const Ranks &ranks, u32 group, uint4 open) {
	const u32 lane = lane_of_thread(), v = group * kGroup + lane * 4;
	for (u32 r = 0; r < ranks.count && any_set(open); r++) {
		if (!is_peer(ranks, r)) continue;
		const uint4 theirs = __ldcg(pushed_in(ranks, ranks.rank, r) + group), there = without(open, without(open, theirs));
		const Words<u32> of = unpack(there);
		const u32 *hints = in_window<u32>(ranks, r, ranks.at.hints) + (u64)ranks.rank * s.hinted_remote + v;
		if ((there.x | there.y | there.z | there.w) >> lane & 1) {
			const Words<u32> label = unpack(__ldcv((const uint4 *)hints));
#pragma unroll
			for (int j = 0; j < 4; j++)
				if (of.of[j] >> lane & 1) store_parent<Form>(s, v + j, label_from<typename Form::Id>(label.of[j], r));
		}
		open = without(open, there);
	}
}

// The four words of a group, from the lanes that have them.
__device__ inline uint4 group_of_lanes(u32 words, int i) {
	return make_uint4(__shfl_sync(~0u, words, i * 4), __shfl_sync(~0u, words, i * 4 + 1),
	                  __shfl_sync(~0u, words, i * 4 + 2), __shfl_sync(~0u, words, i * 4 + 3));
}

// Takes in the pushed vertices, in the same order and with the same lists as sweep_first; some have hints. While the
// vertices of one turn are taken in, those of the next are on their way. Reads the bitmaps, and 4 B a vertex. Returns
// the length of the warp's list.
template <typename Form>
__device__ __noinline__ u32 sweep_pushed(Context<Form> &k, const Sweep sweep) {
	const Graph &g = k.graph;
	const State &s = k.state;
	const u32 lane = lane_of_thread();
	const u32 warps = gridDim.x * kWarps, sweeps = g.padded / kPad;
	u32 found = 0, n = 0, at = blockIdx.x * kWarps + threadIdx.x / 32;
	PushedSweep next{};
	if (at < sweeps) next = load_pushed(k, sweep.mine, at);
	for (; at < sweeps; at += warps) {
		const PushedSweep turn = next;
		if (at + warps < sweeps) next = load_pushed(k, sweep.mine, at + warps);
		const u32 group = at * kGroupsPerWarp + lane / 4, word = at * kSweepWords + lane;
		const u32 fetched = group < s.hinted_remote / kGroup ? turn.theirs : 0;
		const u32 hinted = (group < s.hinted_own / kGroup ? turn.own : 0) | fetched;
		const u32 pushed = turn.own | turn.theirs, open = lane < kSweepWords ? ~(turn.seen | hinted) : 0;
		const u32 hits = __any_sync(~0u, open) ? sweep_open<Form>(g, sweep, n, {at, open, pushed & open}) : 0;
		if (lane < kSweepWords) {
			sweep.now[word] = turn.seen | pushed | hits;
			if (sweep.starts || hits) sweep.first_parent[word] = (sweep.starts ? 0 : sweep.first_parent[word]) | hits;
			found += __popc(pushed | hits);
		}
		if (__any_sync(~0u, fetched))
			for (int i = 0; i < kGroupsPerWarp; i++)
				fetch_hints<Form>(s, k.ranks, at * kGroupsPerWarp + i, group_of_lanes(fetched, i));
	}
	found = warp_sum(found);
	if (lane == 0 && found) atomicAdd(&k.pull.pushed, found);
	__syncwarp(); // the list and the bitmap are there for all lanes
	return n;
}

// Finds parents for the pushed vertices that have none, as level_pull does for those that are not visited.
template <typename Form>
__device__ void take_pushed(Context<Form> &k) {
	const Sweep sweep = sweep_of(k);
	if (threadIdx.x == 0) k.pull.pushed = k.pull.found = 0;
	__syncthreads();
	u32 n = sweep_pushed(k, sweep);
	n = probe_next4(k, sweep, n);
	probe_rows(k, sweep, n);
	__syncthreads();
	if (threadIdx.x == 0 && k.pull.pushed) atomicAdd(&k.counters(k.at.level + 1)->found, (ull)k.pull.pushed);
}

// Sends each peer what this rank has pushed of its vertices; if they do not know all visited vertices, these too.
template <typename Form>
__device__ void exchange_pushed(Context<Form> &k) {
	const u64 began = now_ns();
	Counters *c = k.counters(k.at.level);
	if (is_first_thread()) c->level_edges = k.at.queued_edges;
	add_up((k.at.synchronized ? 0 : send_visited(k)) + send_pushed(k.state, k.ranks), &c->words);
	count_exchange(k, began);
	rank_barrier(k, {{&c->queued, &c->level_edges, nullptr, &c->words}});
	if (k.at.failed) return;
	alone([&] { k.at.edges = k.sums.of[kEdges]; });
	count_words(k, c);
}

template <typename Form>
__device__ __noinline__ void level_push_bitmap(Context<Form> &k) {
	for_groups(k, [&](auto group) { ((uint4 *)k.state.pushed)[group] = ((const uint4 *)k.visited())[group]; });
	grid_barrier(k);
	push_into_bitmap(k);
	grid_barrier(k);
	exchange_pushed(k);
	if (k.at.failed) return;
	take_pushed(k);
	finish_sweep(k);
}

} // namespace g500
