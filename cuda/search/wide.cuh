// The 64-bit form, for graphs with more vertices than 32-bit ids name (ADR 26). Positions have 64 bits, in which they
// are the places of bits in a bitmap; labels are rank << 32 | number at that rank. In memory either is a 32-bit word
// and a 16-bit rank. Files that compile kernels for this form include this one, others have nothing of it.
#pragma once

#include "search/graph.cuh"
#include "search/hub_neighbours.cuh"
#include "search/state.cuh"

namespace g500 {

// WideColumn is an array of positions: the hub id of each, and in another array its rank.
struct WideColumn {
	const u32 *hubs;
	const u16 *ranks;
	u32 shift;

	__device__ WideColumn operator+(u64 n) const { return {hubs + n, ranks + n, shift}; }
};

// WideFour are four such positions side by side.
struct WideFour {
	uint4 hubs;
	ushort4 ranks;
	u32 shift;
};

// Its kernels are for ranks in query mode, too.
struct Wide {
	static constexpr bool kMany = true, kWide = true, kReplicates = false, kQueries = true;
	using Id = u64;
	using Column = WideColumn;
	using Four = WideFour;
};

__device__ inline u64 wide_position(u32 hub, u32 rank, u32 shift) {
	return hub == kNone ? kNoId<u64> : (u64)rank << shift | hub;
}

__device__ inline u64 load_position(const WideColumn &at) {
	return wide_position(__ldg(at.hubs), __ldg(at.ranks), at.shift);
}

__device__ inline Words<u64> unpack(const WideFour &w) {
	return {wide_position(w.hubs.x, w.ranks.x, w.shift), wide_position(w.hubs.y, w.ranks.y, w.shift),
	        wide_position(w.hubs.z, w.ranks.z, w.shift), wide_position(w.hubs.w, w.ranks.w, w.shift)};
}

__device__ inline bool is_full(const WideFour &four) { return four.hubs.w != kNone; }

template <>
__device__ inline WideColumn columns<Wide>(const Graph &g) { return {g.cols, g.col_ranks, g.shift}; }

template <>
__device__ inline WideFour first_neighbours<Wide>(const Graph &g, u64 i) {
	return {__ldcs((const uint4 *)g.first + i), __ldcs((const ushort4 *)g.first_ranks + i), g.shift};
}

template <>
__device__ inline WideFour next_neighbours<Wide>(const Graph &g, u32 v) {
	if (v == kNone) return {make_uint4(kNone, kNone, kNone, kNone), ushort4{}, g.shift};
	return {__ldg(g.next4 + v), __ldg(g.next4_ranks + v), g.shift};
}

template <>
__device__ inline u64 tile_vertex<Wide>(const Graph &g, u32 place) {
	return wide_position(__ldcs(g.tile_vertex + place), __ldcs(g.tile_vertex_ranks + place), g.shift);
}

template <>
__device__ inline u64 tile_first<Wide>(const Graph &g, u32 place) {
	return label_from<u64>(__ldcs(g.tile_first + place), __ldcs(g.tile_first_ranks + place));
}

template <>
__device__ inline OtherVertex<Wide> other_vertex<Wide>(const Graph &g, const HubNeighbours &hubs, u32 i) {
	const uint2 other = __ldcs(hubs.others + i);
	return {other.x, wide_position(other.y, __ldcs(hubs.other_ranks + i), g.shift)};
}

template <>
struct ParentColumn<Wide> {
	u32 *words;
	u16 *ranks;

	__device__ void store(u32 v, u64 label) const {
		words[v] = (u32)label;
		ranks[v] = (u16)(label >> 32);
	}
	__device__ u64 load(u32 v) const { return label_from<u64>(words[v], ranks[v]); }
};

template <>
__device__ inline ParentColumn<Wide> parents<Wide>(const State &s) { return {s.parent, s.parent_ranks}; }

} // namespace g500
