// The form with 64-bit ids, for graphs with more vertices than 32-bit ids can address (ADR 26). Global ids are 64-bit
// bit numbers of a bitmap; labels are rank << 32 | number on that rank. In memory each is a 32-bit word and a 16-bit
// rank field. Only files that compile kernels of this form include this one.
#pragma once

#include "search/graph.cuh"
#include "search/hub_neighbours.cuh"
#include "search/state.cuh"

namespace g500 {

// NeighbourArray64 is an array of global ids: local ids, and their rank fields in a second array.
struct NeighbourArray64 {
	const u32 *local_ids;
	const u16 *ranks;
	u32 shift;

	__device__ NeighbourArray64 operator+(u64 n) const { return {local_ids + n, ranks + n, shift}; }
};

// Four64 is four consecutive global ids.
struct Four64 {
	uint4 local_ids;
	ushort4 ranks;
	u32 shift;
};

// The kernels with 64-bit ids also support query mode.
struct Ids64 {
	static constexpr bool kMany = true, kIds64 = true, kReplicates = false, kQueries = true, kFar = false;
	using Id = u64;
	using Neighbours = NeighbourArray64;
	using Four = Four64;
};

__device__ inline u64 global_id64(u32 local_id, u32 rank, u32 shift) {
	return local_id == kNone ? kNoId<u64> : (u64)rank << shift | local_id;
}

__device__ inline u64 load_global_id(const NeighbourArray64 &at) {
	return global_id64(__ldg(at.local_ids), __ldg(at.ranks), at.shift);
}

__device__ inline Words<u64> unpack(const Four64 &w) {
	const uint4 &v = w.local_ids;
	return {global_id64(v.x, w.ranks.x, w.shift), global_id64(v.y, w.ranks.y, w.shift),
	        global_id64(v.z, w.ranks.z, w.shift), global_id64(v.w, w.ranks.w, w.shift)};
}

__device__ inline bool is_full(const Four64 &four) { return four.local_ids.w != kNone; }

template <>
__device__ inline NeighbourArray64 neighbours<Ids64>(const Graph &g) { return {g.cols, g.col_ranks, g.shift}; }

template <>
__device__ inline Four64 first_neighbours<Ids64>(const Graph &g, u64 i) {
	return {__ldcs((const uint4 *)g.first + i), __ldcs((const ushort4 *)g.first_ranks + i), g.shift};
}

template <>
__device__ inline Four64 next_neighbours<Ids64>(const Graph &g, u32 v) {
	if (v == kNone) return {make_uint4(kNone, kNone, kNone, kNone), ushort4{}, g.shift};
	return {__ldg(g.next4 + v), __ldg(g.next4_ranks + v), g.shift};
}

template <>
__device__ inline u64 tile_vertex<Ids64>(const Graph &g, u32 place) {
	return global_id64(__ldcs(g.tile_vertex + place), __ldcs(g.tile_vertex_ranks + place), g.shift);
}

template <>
__device__ inline u64 tile_first<Ids64>(const Graph &g, u32 place) {
	return label_from<u64>(__ldcs(g.tile_first + place), __ldcs(g.tile_first_ranks + place));
}

template <>
__device__ inline OtherVertex<Ids64> other_vertex<Ids64>(const Graph &g, const HubNeighbours &hubs, u32 i) {
	const uint2 other = __ldcs(hubs.others + i);
	return {other.x, global_id64(other.y, __ldcs(hubs.other_ranks + i), g.shift)};
}

template <>
struct ParentArray<Ids64> {
	u32 *words;
	u16 *ranks;

	__device__ void store(u32 v, u64 label) const {
		words[v] = (u32)label;
		ranks[v] = (u16)(label >> 32);
	}
	__device__ u64 load(u32 v) const { return label_from<u64>(words[v], ranks[v]); }
};

template <>
__device__ inline ParentArray<Ids64> parents<Ids64>(const State &s) { return {s.parent, s.parent_ranks}; }

} // namespace g500
