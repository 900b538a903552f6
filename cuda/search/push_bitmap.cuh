// Top-down levels with many edges, on several ranks. The frontier sets the bits of its neighbours in a bitmap, and
// writes parent hints for the vertices of highest degree, which are few, so the hints stay in the cache. The owners of
// other pushed vertices search for parents, as in a bottom-up level, but every search succeeds. Vertices whose first
// neighbour is in the frontier are not pushed (first_neighbour_edges.cu): owners test the first neighbours of all
// unvisited vertices (ADR 13).
//
// This avoids the main costs of large top-down levels: random writes of a parent and a queue entry per vertex, and 64
// bits per vertex between ranks. It also avoids the main costs of a bottom-up level after a small frontier: vertices
// that search in vain, and long rows with few edges to the frontier.
#pragma once

#include "search/pull.cuh"
#include "search/push.cuh"

namespace g500 {

// BitPush sets the bit of an edge's end. Its members are copies, because references would be reloaded after each store.
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

	// Returns whether an edge leads to a vertex by its first neighbour, which the owner tests.
	__device__ bool is_first(u64 edge) const {
		return first_neighbour_edges && __ldg(first_neighbour_edges + edge / 32) >> edge % 32 & 1;
	}

	// Writes the parent hint of a hinted vertex: in this rank's array of parents, or in the window for the owner to
	// fetch.
	__device__ void hint(Id global_id, Id label) const {
		const u32 local_id = (u32)global_id & ((1u << shift) - 1), of = (u32)(global_id >> shift);
		if (of == rank && local_id < hinted_own) parent.store(local_id, label);
		if (of != rank && local_id < hinted_remote) hints[(u64)of * hinted_remote + local_id] = (u32)label;
	}
};

// Pushes the ends of edges [begin, end), a part of one row, into the bitmap. Called by a warp. The L1 cache may have
// old words of the bitmap; that costs only unnecessary atomics and hints.
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

// Pushes the ends of the frontier's edges. The bitmap starts with the visited vertices that this rank knows. Reads 4 B
// of neighbour, a bit and a sector of the bitmap per edge; writes a bit per pushed vertex and 4 B per hint.
template <typename Form>
__device__ __noinline__ void push_into_bitmap(Context<Form> &k) {
	const Graph &g = k.graph;
	const BitPush<Form> bits(k);
	ull *taken = &k.counters(k.at.level)->taken;
	for_runs_by_warp(g, k.edge_queue(), taken, [&](u32 v, u64 begin, u64 end) {
		push_row(bits, begin, end, own_label<Form>(g, v));
	});
}

// PushedSweep is a warp's input for kPad vertices: one word of each bitmap in each of the first lanes.
struct PushedSweep {
	u32 seen, own, theirs; // visited; pushed by this rank; pushed only by peers
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

// OpenVertices are the vertices of a warp's turn without a parent: one word in each of the first lanes.
struct OpenVertices {
	u32 at; // number of the turn
	u32 unvisited, pushed;
};

// Tests the first neighbours of open vertices, and lists the pushed ones that miss. Returns the words of hits.
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

// Fetches peers' parent hints for open vertices of a group, each from the first peer that has pushed the vertex. Reads
// up to 512 B per peer.
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

// Returns the four words of a group from the lanes that have them.
__device__ inline uint4 group_of_lanes(u32 words, int i) {
	return make_uint4(__shfl_sync(~0u, words, i * 4), __shfl_sync(~0u, words, i * 4 + 1),
	                  __shfl_sync(~0u, words, i * 4 + 2), __shfl_sync(~0u, words, i * 4 + 3));
}

// Sweeps the pushed vertices, in the order and with the lists of sweep_first; some have parent hints. Loads the words
// of the next turn before it processes one. Reads the bitmaps and 4 B per vertex. Returns the length of the warp's
// list.
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
	__syncwarp(); // the list and the bitmap are visible to all lanes
	return n;
}

// Finds the parents of pushed vertices without hints, as level_pull does for unvisited vertices.
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

// Sends each peer the pushed bits of its vertices and, if peers lack visited vertices, this rank's visited bits.
template <typename Form>
__device__ void exchange_pushed(Context<Form> &k) {
	const u64 began = now_ns();
	Counters *c = k.counters(k.at.level);
	if (is_first_thread()) c->level_edges = k.at.queued_edges;
	add_up((k.at.synchronized ? 0 : send_visited(k)) + send_pushed(k.state, k.ranks), &c->words);
	count_exchange(k, began);
	rank_barrier(k, {{&c->queued, &c->level_edges, nullptr, &c->words}});
	if (k.at.failed) return;
	by_one_thread([&] { k.at.edges = k.sums.of[kEdges]; });
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
