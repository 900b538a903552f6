// The level after all hubs are visited (ADR 72). Every rank knows which vertices of all ranks have a hub as first
// neighbour: those that are not visited yet are reached from it, which needs no search and no exchange of bits. The
// other vertices (hub_neighbours.cuh) search for a parent as remaining vertices do, in this level and later.
#pragma once

#include "search/pull_remaining.cuh"

namespace g500 {

// Decides this rank's vertices with a hub as first neighbour: counts the unvisited ones and writes how they and the
// visited ones were reached. Lists the block's part of the other unvisited vertices. Reads three bits per vertex, and
// 8 B and a bit for each vertex without a hub; writes two bits per vertex.
template <typename Form>
__device__ __noinline__ void decide(Context<Form> &k) {
	const HubNeighbours &hubs = k.state.hubs;
	const u32 *visited = k.own_part(k.visited());
	const u32 n = (u32)count_of(hubs.count), each = (n + gridDim.x - 1) / gridDim.x;
	const u32 begin = min(blockIdx.x * each, n), end = min(begin + each, n);
	const u32 open = close_gaps(k.pull, k.at.remaining, end - begin, [&](u32 i) {
		const u32 v = __ldcs(&hubs.others[begin + i].x);
		return test(visited, v) ? kNone : v;
	});
	by_one_thread([&] {
		k.at.remaining_count = open;
		k.at.first_unvisited = kNone;
		k.at.decided = true;
	});
	const u32 found = lay_out_swept(k.graph, k.state, visited, hubs.bits, &k.at.first_unvisited);
	add_up(found, &k.counters(k.at.level + 1)->found);
}

// Sets the bits of all ranks' vertices with a hub as first neighbour or, with queries, of this rank's; and of this
// rank's those found from it.
template <typename Form>
__device__ __noinline__ void set_hub_neighbours(Context<Form> &k) {
	const Ranks &ranks = k.ranks;
	const Far &far = k.state.far;
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	for (u32 r = 0; r < ranks.count; r++) {
		if (far.queries && r != ranks.rank) continue;
		const void *bits = far.queries ? (const void *)k.state.hubs.bits : far.hub_neighbours + r * far.part_bytes;
		const uint4 *from = (const uint4 *)bits;
		uint4 *to = (uint4 *)k.visited() + r * ranks.part / kGroup, *first = (uint4 *)k.state.first_parent;
		for (u32 i = thread; i < (far.queries ? k.graph.padded / kGroup : ranks.groups); i += threads) {
			const uint4 now = to[i], more = from[i];
			to[i] = with(now, more);
			if (r == ranks.rank && i < k.graph.padded / kGroup) first[i] = with(first[i], without(more, now));
		}
	}
}

} // namespace g500
