// SPDX-License-Identifier: Apache-2.0

// The vertices that are not final, in lists of the warps that pull them.
#pragma once

#include "sssp/row_pull.cuh"

namespace g500::sssp {

// ClassRange is a degree class: local ids from begin to end-1, the same on all ranks.
struct ClassRange {
	u32 begin, end;
};

// Returns class i. Each class is four times as large as the one before, and a multiple of 32 local ids.
__host__ __device__ inline ClassRange class_range(u32 non_tree, u32 classes, u32 i) {
	const auto upto = [=](u32 n) { return n == classes ? non_tree : (non_tree >> 2 * (classes - n)) & ~31u; };
	return {i == 0 ? 0 : upto(i), upto(i + 1)};
}

// OpenLists are a warp's two lists of vertices that are not final: those that only one edge may improve, and the
// others, which must read their rows again. So the lanes of a warp do similar work. Warps get chunks of 32 vertices in
// turn. The lists share memory for all of a warp's vertices, one from the front and one from the back. That memory is
// unused until the sweeps are over, the frontier that the last sweep does not fill and the result, except for distances
// and bounds.
class OpenLists {
public:
	__device__ inline explicit OpenLists(Context &k)
		: warps(gridDim.x * kWarps), k(k), memory(k.lists[threadIdx.x / 32]) {
		const u64 begin = capacity_before(warp()), end = capacity_before(warp() + 1);
		if (lane_of_thread() == 0)
			memory = {k.frontier(k.at.rounds + 1) + begin, k.state.reach + begin, (uint2 *)k.state.parents + begin,
			          (u32)(end - begin)};
		__syncwarp();
	}

	// Returns the lengths of the lists after the last sweep: by edge and by row.
	__device__ inline uint2 lengths_before() const { return __ldcg(k.state.open + warp()); }
	__device__ inline OpenVertex by_edge(u32 i) const {
		const uint2 edge = __ldcg(memory.edges + i), both = __ldcg(memory.reach + i);
		const Col only{edge.x, __uint_as_float(edge.y)};
		return {__ldcg(memory.vertices + i), __uint_as_float(both.x), only, __uint_as_float(both.y)};
	}
	__device__ inline u32 by_row(u32 i) const { return __ldcg(memory.vertices + (memory.capacity - 1 - i)); }

	// Append the lanes' open vertices. All lanes must have read the entries that this overwrites.
	__device__ inline void add_by_edge(const OpenVertex &open, bool is_open) {
		const u32 i = append_in_warp(__ballot_sync(~0u, is_open), length.x);
		if (!is_open) return;
		memory.vertices[i] = open.vertex;
		memory.reach[i] = make_uint2(__float_as_uint(open.distance), __float_as_uint(open.bound));
		memory.edges[i] = make_uint2(open.edge.global_id, __float_as_uint(open.edge.weight));
	}
	__device__ inline void add_by_row(u32 v, bool is_open) {
		const u32 i = append_in_warp(__ballot_sync(~0u, is_open), length.y);
		if (is_open) memory.vertices[memory.capacity - 1 - i] = v;
	}
	__device__ inline void add(const OpenVertex &open, bool is_open) {
		const bool by_edge = open.edge.global_id != kNone;
		add_by_edge(open, is_open && by_edge);
		add_by_row(open.vertex, is_open && !by_edge);
	}
	__device__ inline void go_on() { length = lengths_before(); }
	__device__ inline void keep() const {
		if (lane_of_thread() == 0) k.state.open[warp()] = length;
	}

	__device__ inline u32 length_now() const { return length.x + length.y; }

	// Copies both lists to an array.
	__device__ inline void copy(u32 *to) const {
		__syncwarp(); // other lanes' entries are visible
		for (u32 i = lane_of_thread(); i < length_now(); i += 32)
			to[i] = memory.vertices[i < length.x ? i : memory.capacity - 1 - (i - length.x)];
	}

	const u32 warps; // of all blocks

	// Returns the beginning of the warp's first chunk of a class, which may be beyond the class's end; the next chunk is
	// 32 x warps local ids later.
	__device__ inline u32 first_chunk(const ClassRange &of) const {
		const u32 first = of.begin / 32;
		return 32 * (first + (warp() + warps - first % warps) % warps);
	}

private:
	Context &k;
	ListMemory &memory;
	uint2 length{0, 0};

	__device__ static inline u32 warp() { return blockIdx.x * kWarps + threadIdx.x / 32; } // number in the grid

	// Returns the number of vertices of the warps before one.
	__device__ inline u64 capacity_before(u32 of) const {
		const u32 chunks = (k.graph.own_non_tree + 31) / 32;
		return 32 * ((u64)of * (chunks / warps) + min(of, chunks % warps));
	}
};

} // namespace g500::sssp
