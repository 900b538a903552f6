// The result in official form: each label's parent's label, in label order.
#pragma once

#include "search/block.cuh"
#include "search/graph.cuh"
#include "search/result.cuh"

namespace g500 {

constexpr u32 kResidual = kNone - 1; // a place in the result that is written later, or by the search
constexpr int kLabelThreads = 256;
constexpr int kLabelBlocks = 8; // per multiprocessor

// Copies the two bitmaps that say how this rank's vertices were reached into one.
__device__ inline void lay_side_by_side(const Graph &g, const State &s, const u32 *visited, const u32 *not_first) {
	for (u32 i = blockIdx.x * kThreads + threadIdx.x; i < g.padded / 32; i += gridDim.x * kThreads)
		s.reached[i] = make_uint2(visited[i], not_first[i]);
}

// Relabelling is of one search: the root's label, the number of ranks, the root's number among the owned labels, or kNone
// on other ranks than its own, and the blocks that have to be settled.
struct Relabelling {
	u32 root, ranks, owned_root, settled;
};

// Settled is what a block knows of a search whose vertices are settled, in shared memory.
struct Settled {
	const u32 *visited; // the newest bitmap of all ranks
	bool searching;     // but for residual vertices, which are still searched
	bool last;          // the block is the last one
	u32 next;           // tile that the block goes through
};

// Tiles of labels; the last one may have fewer than kTile.
__device__ inline u32 tiles(const Graph &g) { return (g.owned + kTile - 1) / kTile; }

// Tile is vertices [begin, begin+n) in the order by tile.
struct Tile {
	u32 begin, n;
};

// The hub id at a place in the order by tile.
__device__ inline u32 hub_at(const Graph &g, u32 place) {
	const uint4 runs = __ldg(g.runs + place / 32);
	const u32 begun = __popc(runs.x & ((2u << place % 32) - 1));
	return (begun == 0 ? runs.y : __ldg(g.run_offset + runs.z + begun)) + place;
}

// What is first read of a vertex: its words of visited and not_first_parent, or the neighbour of a leaf.
__device__ inline uint2 how_reached(const Graph &g, const State &s, u32 v) {
	if (v < g.hubs) return s.reached[word_of(v)];
	return make_uint2(v != kNone ? __ldcs(g.leaf_neighbour + v) : 0, 0);
}

// Where the second word about a vertex is: the parent of one that did not come by its first neighbour, and for a leaf
// the bitmap in which its neighbour is; null where nothing more has to be known.
__device__ inline const u32 *second_word(const Graph &g, const State &s, const u32 *visited, u32 v, uint2 how) {
	if (v < g.hubs) return how.x & how.y & 1u << bit_of(v) ? s.parent + v : nullptr;
	return v != kNone && !g.is_leaf(how.x) ? visited + word_of(how.x) : nullptr;
}

// The parent of a vertex of the core. Nobody else writes the result of one that has only leaves for neighbours.
__device__ inline u32 parent_in_core(u32 v, uint2 how, u32 first, bool other, u32 word, bool searching) {
	if (!(how.x >> bit_of(v) & 1)) return searching && first != kNone ? kResidual : kNone;
	return other ? word : first;
}

// The parent of a leaf is its neighbour, with that label, if it is reached. Of two leaves that have each other, one is
// reached if the other is the root. While the search goes on, leaves that are not reached wait for its end.
__device__ inline u32 parent_of_leaf(const Graph &g, u32 neighbour, u32 label, u32 word, u32 root, bool searching) {
	if (g.is_leaf(neighbour)) return label == root ? label : kNone;
	if (word >> bit_of(neighbour) & 1) return label;
	return searching ? kResidual : kNone;
}

// Places are what a thread settles at a time: places in the order by tile, kLabelThreads apart.
struct Places {
	static constexpr int kEach = 4;
	u32 v[kEach], first[kEach]; // hub id, or kNone past the tile's end; the first neighbour's label
	uint16_t label[kEach];      // its number in the tile

	// Reads nothing that a search writes.
	__device__ inline void load(const Graph &g, Tile tile, u32 i0) {
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const u32 i = i0 + j * kLabelThreads;
			const bool any = i < tile.n;
			v[j] = any ? hub_at(g, tile.begin + i) : kNone;
			first[j] = any ? __ldcs(g.tile_first + tile.begin + i) : kNone;
			label[j] = any ? __ldcs(g.tile_label + tile.begin + i) : 0;
		}
	}
};

// Finds the parents of vertices from a place on, by their labels' numbers in the tile. The bits that say how a vertex was
// reached lie in runs, and so do the neighbours of leaves.
__device__ inline void settle(const Graph &g, const State &s, const Settled &at, u32 root, const Places &places,
                              u32 place, u32 *parents) {
	constexpr int kEach = Places::kEach;
	u32 word[kEach];
	uint2 how[kEach];
	bool more[kEach];
#pragma unroll
	for (int j = 0; j < kEach; j++) how[j] = how_reached(g, s, places.v[j]);
#pragma unroll
	for (int j = 0; j < kEach; j++) {
		const u32 *second = second_word(g, s, at.visited, places.v[j], how[j]);
		more[j] = second;
		word[j] = second ? *second : 0;
	}
#pragma unroll
	for (int j = 0; j < kEach; j++) {
		const u32 v = places.v[j], first = places.first[j];
		if (v == kNone) continue;
		const bool in_core = v < g.hubs;
		const u32 parent = in_core ? parent_in_core(v, how[j], first, more[j], word[j], at.searching)
		                           : parent_of_leaf(g, how[j].x, first, word[j], root, at.searching);
		parents[places.label[j]] = parent;
		if (!in_core && parent == kResidual)
			s.waiting_leaves[atomicAdd(&s.overlap->waiting, 1)] = place + j * kLabelThreads;
	}
}

// Gives the leaves that have waited for the end of the search their parents.
__device__ inline void settle_waiting(const Graph &g, const State &s, const Settled &at, u32 ranks) {
	const u32 n = *(volatile u32 *)&s.overlap->waiting;
	for (u32 i = threadIdx.x; i < n; i += kLabelThreads) {
		const u32 place = __ldcg(s.waiting_leaves + i), leaf = hub_at(g, place), neighbour = g.leaf_neighbour[leaf];
		const bool is_reached = __ldcg(at.visited + word_of(neighbour)) >> bit_of(neighbour) & 1;
		store_result(s, g.labels[leaf] / ranks, is_reached ? g.tile_first[place] : kNone);
	}
}

// Writes a tile's parents in label order, from an owned label on, 16 bytes a thread at a time.
template <typename Word>
__device__ inline void write_tile(const State &s, const u32 *parents, u64 owned) {
	constexpr u32 kAtOnce = sizeof(uint4) / sizeof(Word);
#pragma unroll
	for (u32 i = threadIdx.x * kAtOnce; i < kTile; i += kLabelThreads * kAtOnce) {
		u32 parent[kAtOnce];
		bool written = true;
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) {
			parent[j] = parents[i + j];
			written = written && parent[j] != kResidual;
		}
		if (written) {
			store_16_bytes<Word>(s, owned + i, parent);
			continue;
		}
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++)
			if (parent[j] != kResidual) store_result(s, owned + i + j, parent[j]);
	}
}

// Whether so many blocks have settled their vertices, in all searches. What they wrote before is to be seen from then
// on.
__device__ inline bool is_settled(const State &s, u32 blocks) { return load_acquire(&s.overlap->settled) == blocks; }

// Adds the relabelling to the trace, as far as it takes longer than the search.
__device__ inline void record_relabelling(const State &s) {
	const u32 n = (*s.trace_length)++;
	s.trace[n] = {G500_RELABEL, 0, 0, now_ns() - *s.level_ended};
}

// The vertices of a tile; none past the last tile.
__device__ inline Tile tile_at(const Graph &g, u32 number) {
	if (number >= tiles(g)) return {0, 0};
	const u32 begin = __ldg(g.tile_start + number);
	return {begin, __ldg(g.tile_start + number + 1) - begin};
}

// A block that has no more tiles arrives. Whether it is the last one: all others have then listed what waits.
__device__ inline bool is_last_block(const State &s, Settled &at) {
	__syncthreads();
	if (threadIdx.x == 0) at.last = fetch_add_acq_rel(&s.overlap->relabelled) == gridDim.x - 1;
	__syncthreads();
	return at.last;
}

// Blocks take tiles one by one. Reads about 7 B a vertex with an edge, and 4 B more a leaf; two bits a vertex, in runs,
// and a word of the bitmap for each leaf, at random; writes a word a label. The last block ends after the search, so that
// no next one can begin before that.
//
// By programmatic dependent launch blocks may run before the search has ended. They read nothing that it writes before
// they have either seen that it is settled, by an acquiring load of what its blocks release, or waited for all of it.
template <typename Word>
__global__ void __launch_bounds__(kLabelThreads, kLabelBlocks)
relabel_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, Relabelling search) {
	G500_SHARED_MEMORY(memory);
	Settled &at = *reinterpret_cast<Settled *>(memory);
	u32 *parents = reinterpret_cast<u32 *>(memory + sizeof(Settled)); // kTile: in label order
	if (threadIdx.x == 0) {
		if (!is_settled(s, search.settled)) await_previous_kernel();
		at = {s.overlap->visited, s.overlap->searching, false, atomicAdd(&s.overlap->next_tile, 1)};
	}
	__syncthreads();
	u32 number = at.next;
	Tile tile = tile_at(g, number);
	while (number < tiles(g)) {
		Places places;
		places.load(g, tile, threadIdx.x);
		for (u32 i = threadIdx.x; i < kTile; i += kLabelThreads) parents[i] = kNone;
		__syncthreads();
		if (threadIdx.x == 0) at.next = atomicAdd(&s.overlap->next_tile, 1);
		for (u32 i = threadIdx.x; i < tile.n; i += kLabelThreads * Places::kEach) {
			settle(g, s, at, search.root, places, tile.begin + i, parents);
			places.load(g, tile, i + kLabelThreads * Places::kEach);
		}
		__syncthreads();
		const u32 next = at.next;
		tile = tile_at(g, next);
		write_tile<Word>(s, parents, (u64)number * kTile);
		__syncthreads(); // a root without an edge is its own parent all the same
		if (threadIdx.x == 0 && search.owned_root != kNone && search.owned_root / kTile == number)
			store_result(s, search.owned_root, search.root);
		number = next;
	}
	if (!is_last_block(s, at)) return;
	await_previous_kernel();
	settle_waiting(g, s, at, search.ranks);
	if (threadIdx.x == 0) record_relabelling(s);
}

constexpr u64 kRelabelShared = sizeof(Settled) + kTile * sizeof(u32);

} // namespace g500
