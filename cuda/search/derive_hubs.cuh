// SPDX-License-Identifier: Apache-2.0

// Derives segments, and vertices with a hub as first neighbour (hub_arrays.cuh).
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "common/cub.cuh"
#include "search/hub_arrays.cuh"

namespace g500 {

constexpr u64 kListShare = 4; // lists have at most 1/kListShare of the edges
constexpr u64 kMostLists = INT32_MAX; // one more are summed by CUB, which counts in int

// Returns the number of edges of v to hubs, which are the first ones of its row.
__device__ inline u64 hubs_of(const Graph &g, const Segments &s, u32 v) {
	const u64 n = g.rows[v + 1] - g.rows[v];
	return first_not((u64)0, n, [&](u64 i) { return (neighbour(g, v, i) & g.local_mask) < s.hubs; });
}

// Counts the edges of each bucket to hubs, without first neighbours. One thread per non-leaf vertex.
__global__ void count_edges_kernel(const __grid_constant__ Graph g, Segments s, ull *buckets) {
	const u32 v = thread_number<kBucket>();
	const u64 edges = v < g.non_leaf ? hubs_of(g, s, v) : 0;
	add_up(edges > 0 ? edges - 1 : 0, buckets + v / kBucket);
}

// Counts the entries of each list; or with kFills fills each list from its end, to which its cut points at first. One
// thread per vertex of a segment.
template <bool kFills>
__global__ void list_entries_kernel(const __grid_constant__ Graph g, Segments s) {
	const u32 v = s.first + thread_number<kBucket>();
	if (v >= g.non_leaf) return;
	const u32 low = first_not(0u, s.count, [&](u32 segment) { return s.begin[segment] <= v; }) - 1;
	const u64 hubs = hubs_of(g, s, v);
	for (u64 i = 1; i < hubs; i++) {
		const u32 word = neighbour(g, v, i), rank = g.col_ranks ? g.col_ranks[g.rows[v] + i] : word >> g.shift;
		u32 *const cut = s.cuts + (u64)low * s.lists + s.number(rank, word & g.local_mask);
		if (kFills) s.ends[atomicSub(cut, 1) - 1] = (u16)(v - s.begin[low]);
		else atomicAdd(cut, 1);
	}
}

// Returns the bounds of segments from local id `first` to `end`. A segment ends where the edges so far exceed another
// equal share of `count`, or before its vertices exceed kSegment. So there are at most `count` segments, and one more
// for each kSegment vertices.
inline std::vector<u32> find_bounds(const std::vector<u64> &buckets, u32 first, u32 end, u32 count) {
	const u64 share = std::accumulate(buckets.begin() + first / kBucket, buckets.end(), 0ull) / count + 1;
	u64 edges = 0, next = share;
	std::vector<u32> bounds{first};
	for (size_t b = first / kBucket; b < buckets.size(); b++) {
		const u32 at = (u32)b * kBucket;
		if (edges >= next || at + kBucket - bounds.back() > kSegment) {
			bounds.push_back(at);
			next = (edges / share + 1) * share;
		}
		edges += buckets[b];
	}
	if (bounds.back() < end) bounds.push_back(end);
	return bounds;
}

// Tests the first neighbours of a chunk with one warp. Sets the bits of vertices whose first neighbour is a hub and
// counts the others; or, if their list is allocated, fills it.
__global__ void __launch_bounds__(kBucket)
look_at_chunks_kernel(const __grid_constant__ Graph g, HubNeighbours hubs, u32 *total) {
	const u32 chunk = warp_number<kBucket>(), lane = lane_of_thread();
	const u32 begin = chunk * kHubChunk, end = min(begin + kHubChunk, g.padded);
	u32 n = 0; // other vertices so far
	for (u32 v = begin + lane; v - lane < end; v += 32) {
		const u32 first = g.first[v];
		const bool is_hub = first != kNone && (g.first_ranks ? first : first & g.local_mask) < hubs.limit;
		const bool is_other = first != kNone && !is_hub;
		const u32 place = append_in_warp(__ballot_sync(~0u, is_other), n);
		if (hubs.others && is_other) {
			const u32 at = hubs.chunks[chunk].x + place;
			hubs.others[at] = make_uint2(v, first);
			if (hubs.other_ranks) hubs.other_ranks[at] = g.first_ranks[v];
		}
		if (!hubs.others && is_hub) set(hubs.bits, v);
	}
	if (lane != 0 || hubs.others || begin >= end) return;
	const u32 at = atomicAdd(total, n);
	hubs.chunks[chunk] = make_uint2(at, at + n);
}

inline int count_edges(const Graph &g, const Segments &s, std::vector<u64> &buckets, cudaStream_t stream) {
	Array<ull> counts;
	buckets.resize(blocks_for(g.non_leaf, kBucket));
	G500_TRY(counts.alloc_zeroed(buckets.size(), stream));
	G500_LAUNCH(count_edges_kernel, thread_for(g.non_leaf, stream, kBucket), g, s, counts.get());
	return read_back(buckets.data(), counts, buckets.size() * sizeof(u64), stream);
}

inline int fill_lists(const Graph &g, u64 edges, Arrays &held, Segments &s, cudaStream_t stream) {
	const u64 lists = (u64)s.count * s.lists;
	G500_TRY(held.alloc_zeroed(stream, lists + 1, s.cuts));
	G500_TRY(held.alloc(edges, s.ends));
	if (edges == 0) return cudaStreamSynchronize(stream);
	const Launch one_thread_each = thread_for(g.non_leaf - s.first, stream, kBucket);
	G500_LAUNCH_BY("count_entries_kernel", launch(list_entries_kernel<false>, one_thread_each, g, s));
	G500_TRY(with_memory(Array<char>(), "sum_entries (CUB)", stream, [&](void *memory, size_t &bytes) {
		return sum_up(memory, bytes, s.cuts, lists + 1, stream);
	}));
	G500_LAUNCH_BY("fill_lists_kernel", launch(list_entries_kernel<true>, one_thread_each, g, s));
	return cudaStreamSynchronize(stream);
}

// Divides the vertices from about s->first on into about s->count segments with equally many edges to hubs, of which
// each of `ranks` ranks has at most s->hubs; into at most one more for each kSegment vertices. Uses fewer hubs if their
// lists would have more than 25% of the edges, or if there would be 2^31 lists. Synchronous.
inline int derive_segments(const Graph &g, u32 ranks, Arrays &held, Segments *s, cudaStream_t stream) {
	s->first = std::min(s->first, g.padded) / kBucket * kBucket;
	std::vector<u64> buckets; // edges to hubs
	std::vector<u32> bounds;
	u64 edges;
	for (;; s->hubs = s->hubs / 2 / kGroup * kGroup) {
		if (const int code = count_edges(g, *s, buckets, stream)) return code;
		bounds = find_bounds(buckets, s->first, g.padded, s->count);
		edges = std::accumulate(buckets.begin() + s->first / kBucket, buckets.end(), 0ull);
		const u64 lists = (bounds.size() - 1) * ranks * s->hubs;
		if (edges <= std::min<u64>(g.non_leaf_edges / kListShare, kNone) && lists < kMostLists) break;
	}
	s->lists = ranks * s->hubs;
	s->count = (u32)bounds.size() - 1;
	G500_TRY(held.alloc(bounds.size(), s->begin));
	G500_TRY(cudaMemcpyAsync(s->begin, bounds.data(), bounds.size() * sizeof(u32), cudaMemcpyHostToDevice, stream));
	return fill_lists(g, edges, held, *s, stream);
}

// Derives the arrays, with the vertices below hubs->limit as hubs. Synchronous.
inline int derive_hub_neighbours(const Graph &g, Arrays &held, HubNeighbours *hubs, cudaStream_t stream) {
	const u32 n = blocks_for(g.padded, kHubChunk);
	const Launch a_warp_each = thread_for(n * 32ull, stream, kBucket);
	Array<u32> total;
	G500_TRY(total.alloc_zeroed(1, stream));
	G500_TRY(held.alloc_zeroed(stream, g.padded / 32, hubs->bits));
	G500_TRY(held.alloc(n, hubs->chunks));
	G500_LAUNCH(look_at_chunks_kernel, a_warp_each, g, *hubs, total.get());
	G500_TRY(read_back(&hubs->count, total, sizeof hubs->count, stream));
	G500_TRY(held.alloc(hubs->count, hubs->others));
	if (g.first_ranks) G500_TRY(held.alloc(hubs->count, hubs->other_ranks));
	G500_LAUNCH(look_at_chunks_kernel, a_warp_each, g, *hubs, total.get());
	return cudaStreamSynchronize(stream); // before the counter is freed
}

} // namespace g500
