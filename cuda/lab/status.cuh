// SPDX-License-Identifier: Apache-2.0

// Levels by the status array: vertices at the distance of the frontier are expanded, or unvisited vertices look for a
// parent (Liu and Huang, SC 2015, sections 2.1 and 4; Toedling, Winter, Steinberger, section III).
#pragma once

#include "lab/classes.cuh"

namespace g500::lab {

// MarkVertex writes the status of the end of an edge, if the vertex is unvisited. It queues nothing.
struct MarkVertex {
	const Level &k;
	u64 found = 0;

	__device__ inline void operator()(u32 from, u32 to, u64) {
		if (to == kNone || !k.visited.is_unseen(to)) return;
		k.visited.reach(to, k.depth, from); // several threads may: all write right values
		found++;
	}
};

// PullShared is in shared memory; the hub cache follows it.
struct PullShared {
	u32 found; // a parent, or kNone
};

// HubCache has hubs that were visited one level before, indexed by their low bits.
struct HubCache {
	const u32 *ids; // in device memory; null if there is no cache
	u32 places;     // a power of two
};

// Puller searches for parents. All threads that share a vertex call find together.
class Puller {
public:
	__device__ Puller(const Level &k, PullShared &sh, const HubCache &hubs)
		: k(k), sh(sh), cached(reinterpret_cast<u32 *>(&sh + 1)), mask(hubs.places - 1), caches(hubs.ids) {
		if (caches)
			for (u32 i = threadIdx.x; i < hubs.places; i += kThreads) cached[i] = hubs.ids[i];
		__syncthreads();
	}

	// Searches for a neighbour that was visited before this level, and gives the vertex its distance and this parent.
	// Stops at the first step in which a thread of the warp, or of the block, has found one.
	__device__ inline void find(const TileRow &row, u32 own, u32 threads) {
		if (threads <= 32) return find_in_warp(row, own, threads);
		const u32 width = threads / kThreads, part = own / kThreads; // blocks that share the row
		for (u32 i = 0; i * width < (row.n + kThreads - 1) / kThreads; i++) {
			__syncthreads();
			if (threadIdx.x == 0) sh.found = kNone;
			__syncthreads();
			const u32 parent = probe(row, (i * width + part) * kThreads + threadIdx.x);
			if (parent != kNone) sh.found = parent;
			__syncthreads();
			if (sh.found == kNone) continue;
			if (threadIdx.x == 0) reach(row.v, sh.found);
			break;
		}
	}

	u64 probes = 0, found = 0, hits = 0;

private:
	__device__ inline void find_in_warp(const TileRow &row, u32 own, u32 threads) {
		bool looks = true;
		for (u32 i = own; __any_sync(~0u, looks && i < row.n); i += threads) {
			const u32 parent = looks ? probe(row, i) : kNone;
			if (threads == 1) {
				if (parent == kNone) continue;
				reach(row.v, parent);
				looks = false;
				continue;
			}
			const u32 lanes = __ballot_sync(~0u, parent != kNone);
			if (!lanes) continue;
			if (own + 1 == (u32)__ffs(lanes)) reach(row.v, parent);
			looks = false; // in all lanes
		}
	}

	// Returns neighbour i if it was visited before, otherwise kNone. The status of a neighbour in the cache is not read.
	__device__ inline u32 probe(const TileRow &row, u32 i) {
		if (i >= row.n) return kNone;
		probes++;
		const u32 to = __ldg(k.g.cols + row.column(k.g, i));
		if (caches && cached[to & mask] == to) {
			hits++;
			return to;
		}
		return k.visited.is_before(to, k.depth) ? to : kNone;
	}

	__device__ inline void reach(u32 v, u32 parent) {
		k.visited.reach(v, k.depth, parent);
		found++;
	}

	const Level &k;
	PullShared &sh;
	u32 *cached, mask;
	bool caches;
};

// Adds the counts of a thread to the counters of the level.
__device__ inline void count_level(const Level &k, u64 scanned, u64 edges, u64 found) {
	add_up(scanned, &k.counters->scanned);
	add_up(edges, &k.counters->edges);
	add_up(found, k.counters->queued);
}

// One level over all vertices; `share` threads share a vertex. counters->queued[0] counts the vertices found; two
// threads may count the same one.
__device__ inline void push_by_status(const Level &k, u32 share) {
	MarkVertex visit{k};
	u64 edges = 0, scanned = 0;
	share_vertices(k.g.n, share, [&](u64 i, bool has, u32 own, u32 threads) {
		const bool now = has && k.visited.is_at((u32)i, k.depth - 1);
		if (threads >= 32 && !now) return; // equal in all threads that share the vertex
		const TileRow row = row_at(k.g, now ? (u32)i : kNone);
		if (own == 0) edges += row.n, scanned += now;
		share_row(k.g, row, own, threads, visit);
	});
	count_level(k, scanned, edges, visit.found);
}

__device__ inline void pull_by_status(const Level &k, PullShared &sh, u32 share) {
	Puller puller(k, sh, {nullptr, 1});
	u64 scanned = 0;
	share_vertices(k.g.n, share, [&](u64 i, bool has, u32 own, u32 threads) {
		const bool now = has && k.visited.is_unseen((u32)i);
		if (threads >= kThreads) __syncthreads(); // all have read the status before one changes it
		if (threads >= 32 && !now) return;
		if (own == 0) scanned += now;
		puller.find(row_at(k.g, now ? (u32)i : kNone), own, threads);
	});
	count_level(k, scanned, puller.probes, puller.found);
}

} // namespace g500::lab
