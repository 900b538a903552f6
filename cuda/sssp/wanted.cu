// SPDX-License-Identifier: Apache-2.0

#include "sssp/wanted.cuh"

#include <algorithm>
#include <vector>

#include "sssp/search.cuh"

namespace g500::sssp {

namespace {

// Marks the vertices above this rank's leaves, and the ends of the first two edges of its other vertices, that other
// ranks own, from a local id on.
// Map: one thread per vertex. Reads: 8 or 16 B. Writes: up to two random bits.
__global__ void mark_wanted_kernel(const __grid_constant__ Graph g, u32 first, u32 *marks) {
	const u32 local_id = thread_number<kThreads>();
	const auto mark = [&](u32 v) {
		if (v != kNone && !g.owns(v) && g.local_id(v) >= first) set(marks, v);
	};
	if (local_id >= g.non_isolated) return;
	if (local_id >= g.own_non_tree) return mark(g.above(local_id).global_id);
	for (const Col &edge : FirstEdges(g, local_id).of) mark(edge.global_id);
}

// Lists the marked vertices of another rank, while there is space, and counts them all. Marks others, from a local id
// on, as unsent.
// Map: one thread per local id. Reads: 1 bit. Writes: 4 B per listed vertex, or a bit.
__global__ void list_wanted_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, const u32 *marks,
                                   u32 first, u32 base, u32 *count) {
	const u32 local_id = thread_number<kThreads>(), v = base + local_id;
	const bool wanted = local_id >= first && local_id < g.non_tree;
	const bool is_marked = wanted && test(marks, v);
	const u32 at = append_by_warp<u32>(__ballot_sync(~0u, is_marked), count);
	if (is_marked && at < g.non_tree) s.wanted[at] = v;
	else if (wanted) set(s.unsent, v);
}

} // namespace

int WantedStore::list(const g500_sssp &by, State &s, cudaStream_t stream) {
	const Graph &g = by.graph;
	if (by.ranks.count < kFewestThatWant || by.policy.copied > by.policy.classes) return cudaSuccess;
	const u64 words = by.places() / 32;
	const u32 first = first_wanted(g, by.policy);
	Array<u32> marks, count;
	G500_TRY(marks.alloc_zeroed(words, stream));
	G500_TRY(count.alloc_zeroed(1, stream));
	G500_TRY(unsent_.alloc_zeroed(words, s.unsent, stream));
	if (by.policy.landmarks > 0) // else nothing is pulled
		G500_LAUNCH(mark_wanted_kernel, thread_for(g.non_isolated, stream), g, first, marks.get());
	for (u32 r = 0; r < by.ranks.count; r++) {
		G500_LAUNCH(list_wanted_kernel, thread_for(g.non_tree, stream), g, s, marks.get(), first, r << g.shift, count.get());
		G500_TRY(cudaMemcpyAsync(s.wanted_end + r, count, sizeof(u32), cudaMemcpyDeviceToDevice, stream));
	}
	return cudaStreamSynchronize(stream);
}

int WantedStore::copy(const g500_sssp &by, void *const *windows, const Wanted *&wanted, cudaStream_t stream) {
	const u32 n = by.ranks.count, own = by.ranks.rank, space = by.graph.non_tree;
	const auto in_window = [&](u32 r, u32 *at) { return (u32 *)((u8 *)windows[r] + ((u8 *)at - by.ranks.window)); };
	std::vector<Wanted> of(n);
	std::vector<u32> ends(n), place(n + 1);
	for (u32 r = 0; r < n; r++) {
		if (r != own) {
			G500_TRY(read_back(ends.data(), in_window(r, by.state.wanted_end), n * sizeof(u32), stream));
			const u32 begin = std::min(own > 0 ? ends[own - 1] : 0, space);
			of[r] = {nullptr, std::min(ends[own], space) - begin, begin};
		}
		place[r + 1] = place[r] + of[r].count;
	}
	G500_TRY(ids_.alloc(place[n]));
	for (u32 r = 0; r < n; r++) {
		of[r].ids = ids_ + place[r];
		const u32 *const from = in_window(r, by.state.wanted) + of[r].place;
		G500_TRY(cudaMemcpyAsync(ids_ + place[r], from, of[r].count * sizeof(u32), cudaMemcpyDeviceToDevice, stream));
	}
	G500_TRY(of_.alloc(n, wanted));
	G500_TRY(cudaMemcpyAsync(of_, of.data(), n * sizeof(Wanted), cudaMemcpyHostToDevice, stream));
	return cudaStreamSynchronize(stream);
}

} // namespace g500::sssp
