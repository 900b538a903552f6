// SPDX-License-Identifier: Apache-2.0

// Top-down levels with many edges: a segmented push (ADR 25). First neighbours are tested as in a sweep; the rest
// applies to vertices that miss.
//
// Most edges of such a frontier belong to few vertices, hubs, whose neighbours are everywhere. A block processes one
// segment of the rank's vertices at a time (hub_arrays.cuh): it reads the frontier hubs' lists of neighbours in the
// segment, and claims these in shared memory instead of by a random sector of the bitmap and a global atomic per edge.
// Each rank claims only its own vertices, so ranks do not wait for each other before the level ends.
//
// The vertices of lowest and of highest degree are processed differently. Other frontier vertices have short rows: each
// rank reads all of them, and claims its own vertices one by one. The vertices of highest degree, at which 40% of the
// edges end, search for parents: the direction depends on the degree class. Source: Cao et al. (New Sunway's Graph500
// code, SC 2022).
#pragma once

#include "search/pull.cuh"
#include "search/push_tail.cuh"

namespace g500 {

// Lists the visited hubs, approximately by number. Hubs visited before the frontier cost some unnecessary edges: all
// their neighbours are visited.
template <typename Form>
__device__ __noinline__ void list_hubs(Context<Form> &k, ull *listed) {
	const Segments &segments = k.state.segments;
	const u32 words = segments.hubs / 32, all = segments.lists / 32;
	for (u32 i0 = blockIdx.x * kThreads; i0 < all; i0 += gridDim.x * kThreads) {
		const u32 i = i0 + threadIdx.x, rank = i / words, word = i % words;
		const auto base = (typename Form::Id)(rank * k.ranks.part);
		u32 bits = i < all ? k.visited()[base / 32 + word] : 0;
		u64 at, sum;
		block_scan(k.push.advance.scan, __popc(bits), at, sum);
		if (threadIdx.x == 0 && sum) k.push.advance.base = atomicAdd(listed, (ull)sum);
		__syncthreads();
		for (at += k.push.advance.base; bits; bits &= bits - 1) {
			const u32 local_id = vertex_at(word, __ffs(bits) - 1);
			const u32 label = (u32)label_of_parent(k, base + local_id, kNone);
			k.state.listed_hubs[at++] = {segments.number(rank, local_id), label};
		}
		__syncthreads();
	}
}

// Searches for parents of the vertices before the first segment, one per lane, from the second neighbour on. Returns
// the number that this thread has found.
template <typename Form>
__device__ __noinline__ u32 pull_longest(Context<Form> &k, u32 *now) {
	using Id = typename Form::Id;
	const Graph &g = k.graph;
	const u32 *const old = k.visited();
	const u32 longest = k.state.segments.first;
	u32 found = 0;
	for (u32 v = blockIdx.x * kThreads + threadIdx.x; v < longest; v += gridDim.x * kThreads) {
		const bool open = !test(now, v);
		const Words<Id> next = unpack(next_neighbours<Form>(g, v));
		Id parent = kNoId<Id>;
#pragma unroll
		for (int j = 3; j >= 0; j--)
			if (open && !is_none(next.of[j]) && test(old, next.of[j])) parent = next.of[j];
		const bool looks = open && is_none(parent) && !is_none(next.of[3]);
		const Id later = probe_row<Form>(g, old, looks ? v : kNone, 5, AllNeighbours{});
		if (is_none(parent)) parent = later;
		if (is_none(parent)) continue;
		found++;
		adopt(k, now, v, parent);
	}
	return found;
}

// Part is a frontier hub's list of neighbours in one segment.
template <typename Label>
struct Part {
	u32 begin; // place in Segments.ends
	u32 edges;
	Label label; // of the hub
};

// PartReader reads a warp's parts of a segment, 32 at a time. It loads the bounds of a part one turn before they are
// used, and its hub two turns before.
template <typename Label>
class PartReader {
	const Segments &segments;
	const ListedHub *listed;
	const u32 *cuts;
	u32 hubs, at; // length of the list; this lane's next hub
	ListedHub hub, next_hub;
	u32 begin, end; // bounds of the hub's part

	__device__ inline ListedHub fetch_hub() {
		const u32 i = at;
		at += kThreads;
		return i < hubs ? listed[i] : ListedHub{kNone, 0};
	}
	__device__ inline void fetch_cuts() {
		begin = end = 0;
		if (hub.number == kNone) return;
		begin = __ldg(cuts + hub.number);
		end = __ldg(cuts + hub.number + 1);
	}

public:
	__device__ inline PartReader(const State &s, u32 segment, u32 hubs)
		: segments(s.segments), listed(s.listed_hubs), cuts(s.segments.cuts + (u64)segment * s.segments.lists),
		  hubs(hubs), at(threadIdx.x) {
		hub = fetch_hub();
		next_hub = fetch_hub();
		fetch_cuts();
	}

	__device__ inline Part<Label> next() {
		const Part<Label> part{begin, end - begin, label_from<Label>(hub.label, segments.rank(hub.number))};
		hub = next_hub;
		next_hub = fetch_hub();
		fetch_cuts();
		return part;
	}
};

// NumberedParts are the parts that a warp has read, one per lane without empty ones, and their edges' numbers.
template <typename Label>
struct NumberedParts {
	Label label;
	u32 start;     // number of the part's first edge; `edges` if there is no part
	u32 first_end; // place of the part's edge number 0, as if it had one
	u32 edges;     // of all parts

	__device__ inline explicit NumberedParts(const Part<Label> &part) {
		const u32 lane = lane_of_thread(), parts = __ballot_sync(~0u, part.edges > 0);
		const u32 from = find_bit(parts, lane);
		u32 n = __shfl_sync(~0u, part.edges, from);
		label = __shfl_sync(~0u, part.label, from);
		first_end = __shfl_sync(~0u, part.begin, from);
		if (lane >= __popc(parts)) n = 0;
		const u32 end = warp_scan(n);
		start = end - n;
		first_end -= start;
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

// A block's segment in a segmented push.
template <typename Form>
struct Segment {
	const u16 *ends;               // Segments.ends
	u32 *bits;                     // of its vertices, in shared memory
	typename Form::Label *parents; // labels, by place in the segment
};

// Claims the vertices that a warp's parts reach in a segment. Returns the number that this thread has claimed.
template <typename Form>
__device__ inline u32 push_parts(const Segment<Form> &segment, const NumberedParts<typename Form::Label> &parts) {
	constexpr u32 kAtOnce = 4;
	u32 found = 0, started = 0;
	for (u32 e0 = 0; e0 < parts.edges; e0 += 32 * kAtOnce) {
		u32 to[kAtOnce];
		typename Form::Label label[kAtOnce];
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) {
			const u32 owner = parts.owner(e0 + 32 * j, started), e = e0 + 32 * j + lane_of_thread();
			const u32 first_end = __shfl_sync(~0u, parts.first_end, owner);
			label[j] = __shfl_sync(~0u, parts.label, owner);
			to[j] = e < parts.edges ? __ldg(segment.ends + (u32)(first_end + e)) : kNone;
		}
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) {
			if (to[j] == kNone) continue;
			u32 *const word = segment.bits + word_of(to[j]);
			const u32 bit = 1u << bit_of(to[j]);
			if (*(volatile u32 *)word & bit || atomicOr(word, bit) & bit) continue;
			segment.parents[to[j]] = label[j];
			found++;
		}
	}
	return found;
}

// Claims the vertices of a segment, with all threads of the block. Reads 2 B of neighbour per edge and 8 B per part;
// writes a bit per vertex and 4 B per claimed vertex.
template <typename Form>
__device__ __noinline__ u32 push_segment(Context<Form> &k, u32 segment, u32 hubs, u32 *now) {
	const State &s = k.state;
	u32 *bits = k.segment.bits;
	const u32 first = s.segments.begin[segment], words = (s.segments.begin[segment + 1] - first) / 32;
	for (u32 i = threadIdx.x; i < words; i += kThreads) bits[i] = now[first / 32 + i];
	__syncthreads();
	u32 found = 0;
	using Label = typename Form::Label;
	PartReader<Label> reader(s, segment, hubs);
	const Segment<Form> at{s.segments.ends, bits, parents<Form>(s) + first};
	for (u32 i0 = threadIdx.x & ~31u; i0 < hubs; i0 += kThreads)
		found += push_parts(at, NumberedParts<Label>(reader.next()));
	__syncthreads();
	for (u32 i = threadIdx.x; i < words; i += kThreads) now[first / 32 + i] = bits[i];
	return found;
}

// Pushes by segments. Blocks take segments dynamically.
template <typename Form>
__device__ __noinline__ u32 push_segments(Context<Form> &k, u32 *now) {
	Counters *c = k.counters(k.at.level);
	const u32 hubs = (u32)read_now(&c->hubs);
	u32 found = 0;
	for (;;) {
		by_one_thread([&] { k.segment.next = (u32)atomicAdd(&c->taken, 1ull); });
		const u32 segment = k.segment.next;
		if (segment >= k.state.segments.count) return found;
		found += push_segment(k, segment, hubs, now);
	}
}

// Sweeps the first neighbours, and lists the visited hubs.
template <typename Form>
__device__ __noinline__ void sweep_and_list(Context<Form> &k, const Sweep sweep) {
	if (threadIdx.x == 0) k.pull.found = 0;
	__syncthreads();
	sweep_first<Form>(k.graph, k.pull, sweep, 0);
	__syncthreads();
	if (threadIdx.x == 0 && k.pull.found) atomicAdd(&k.counters(k.at.level + 1)->found, (ull)k.pull.found);
	__syncthreads();
	list_hubs(k, &k.counters(k.at.level)->hubs);
}

// Sweeps the first neighbours, then pushes to the vertices that missed.
template <typename Form>
__device__ __noinline__ void level_push_segments(Context<Form> &k) {
	const Sweep sweep = sweep_of(k);
	sweep_and_list(k, sweep);
	number_tail(k, k.state.segments.hubs);
	grid_barrier(k);
	if (k.at.failed) return; // the queue is not numbered
	u32 found = push_tail(k, k.state.segments.hubs, sweep.now);
	if (k.at.failed) return;
	found += pull_longest(k, sweep.now);
	found += push_segments(k, sweep.now);
	add_up(found, &k.counters(k.at.level + 1)->found);
	if (Form::kMany) grid_barrier(k); // each block sends the words that it has swept, which others have changed
	by_one_thread([&] { k.at.sweeps++; });
	finish_sweep(k);
}

} // namespace g500
