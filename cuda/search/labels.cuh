// Labels of vertices of any rank.
#pragma once

#include "common/ranks.cuh"
#include "search/form.cuh"

namespace g500 {

// Returns the label of a vertex. Labels of the largest hubs are stored on all ranks, others are read from the owner's
// window. If the owner is remote, the label is deferred: sets the child's bit in ranks.deferred, and returns the global
// id in its memory format, which replaces the label until the search has ended.
template <typename Id>
__device__ inline Id label_at(const Ranks &ranks, Id global_id, u32 child) {
	const u32 rank = rank_of_id(ranks, global_id), local_id = local_id_in(ranks, global_id);
	if (local_id < ranks.known) return label_from<Id>(__ldg(ranks.labels + (u64)rank * ranks.known + local_id), rank);
	if (ranks.windows[rank])
		return label_from<Id>(*in_window<const u32>(ranks, rank, ranks.at.labels + (u64)local_id * sizeof(u32)), rank);
	set(ranks.deferred, child);
	return label_from<Id>(sizeof(Id) == sizeof(u32) ? (u32)global_id : local_id, rank);
}

} // namespace g500
