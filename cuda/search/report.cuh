// Claimed vertices in a rank's report (far.cuh): few enough of them need no other exchange.
#pragma once

#include "search/emit.cuh"
#include "search/state.cuh"

namespace g500 {

// ReportedQueue lists the claimed vertices of all ranks in this rank's report, as many as fit, and emits them to
// `emit`. Afterwards *listed is their number, or more than fit.
template <typename Emit, typename Id>
struct ReportedQueue {
	const Emit &emit;
	FarEntry<Id> *entries; // of this rank's report; null if it lists none
	u32 most;
	Id base; // global id of this rank's local id 0
	ull *listed;
	mutable bool full = false;

	__device__ inline bool operator()(const ReachedAs<Id> &reached) const {
		if (entries && !full) {
#pragma unroll
			for (int j = 0; j < kEdgesPerThread; j++) {
				const bool own = reached.own[j] != kNone;
				list(own ? base + reached.own[j] : reached.remote[j], own ? 0 : reached.label[j]);
			}
		}
		return emit(reached);
	}

private:
	__device__ inline void list(Id vertex, u32 label) const {
		const u64 place = append_by_warp<u64>(__ballot_sync(~0u, !is_none(vertex)), listed);
		if (!is_none(vertex) && place < most) entries[place] = {vertex, label};
		full = full || __any_sync(~0u, place > most);
	}
};

} // namespace g500
