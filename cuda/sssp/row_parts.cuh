// Rows of listed vertices between ranks that are not peers: all warps process the long ones, in parts.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// Lists the parts of a vertex's row, if it has several and the list has space. Returns whether it is listed. Called by
// a warp.
__device__ inline bool list_parts(const Context &k, u32 v) {
	const WordList &list = k.state.list;
	const u32 local_id = k.graph.local_id(v), lane = lane_of_thread();
	const u64 parts = (k.graph.rows[local_id + 1] - k.graph.rows[local_id] + k.policy.part - 1) / k.policy.part;
	if (parts <= 1) return false;
	const u64 at = __shfl_sync(~0u, lane == 0 ? (u64)atomicAdd(list.count, (ull)parts) : 0, 0);
	for (u64 i = lane; i < parts && at + i < list.space; i += 32) list.at[at + i] = make_uint2(local_id, (u32)i);
	return at + parts <= list.space;
}

// After all parts are listed, warps call act(vertex, first edge of a part) for these. The list may be used again
// afterwards.
template <typename Act>
__device__ inline void for_parts(Context &k, Act act) {
	grid_barrier(k);
	const u64 parts = min((u64)read_now(k.state.list.count), k.state.list.space);
	for (u64 i = warp_number<kThreads>(); i < parts; i += gridDim.x * kWarps) {
		const uint2 part = __ldcg(k.state.list.at + i);
		act(k.graph.base + part.x, (u64)part.y * k.policy.part);
	}
	grid_barrier(k);
}

} // namespace g500::sssp
