// The level after all hubs are visited, in a search between ranks that are not peers (far.cuh). Every rank knows which
// vertices of all ranks have a hub as first neighbour: those that are not visited yet are found, without an exchange of
// bits. The other vertices (hub_neighbours.cuh) search for a parent as remaining vertices do, in this level and later.
#pragma once

#include "search/pull_remaining.cuh"

namespace g500 {

// Counts this rank's unvisited vertices with a hub as first neighbour, and lists the block's share of the other
// unvisited vertices. Reads two bits per vertex, and 8 B and a bit for each other vertex.
template <typename Form>
__device__ __noinline__ void list_others(Context<Form> &k) {
	const HubNeighbours &hubs = k.state.hubs;
	const u32 *visited = k.own_part(k.visited());
	const u32 each = (hubs.count + gridDim.x - 1) / gridDim.x;
	const u32 begin = min(blockIdx.x * each, hubs.count), end = min(begin + each, hubs.count);
	const u32 open = close_gaps(k.pull, k.at.remaining, end - begin, [&](u32 i) {
		const u32 v = __ldcs(&hubs.others[begin + i].x);
		return test(visited, v) ? kNone : v;
	});
	by_one_thread([&] { k.at.remaining_count = open; });
	u32 found = 0;
	for_swept_groups(k.graph, [&](u64 group) {
		found += bits_in(without(((const uint4 *)hubs.bits)[group], ((const uint4 *)visited)[group]));
	});
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
