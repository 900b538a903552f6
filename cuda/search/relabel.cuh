// The result in official form: each label's parent's label, in label order.
#pragma once

#include <cuda_pipeline.h>

#include "search/block.cuh"
#include "search/graph.cuh"
#include "search/reached.cuh"
#include "search/result.cuh"

namespace g500 {

constexpr u32 kResidual = kNone - 1; // a place in the result that is written later, or by the search
constexpr int kLabelThreads = 256;
constexpr int kLabelBlocks = 8; // per multiprocessor

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

// Tile is vertices [begin, end) in the order by tile; leaves are the last.
struct Tile {
	u32 begin, leaves, end;
};

// The hub id at a place in the order by tile, from the runs of the 32 places around it.
__device__ inline u32 hub_at(const Graph &g, const uint4 &runs, u32 place) {
	const u32 begun = __popc(runs.x & ((2u << place % 32) - 1));
	return (begun == 0 ? runs.y : __ldg(g.run_offset + runs.z + begun)) + place;
}

// Stage is what the graph has of a tile's vertices, in shared memory. It is copied there while the tile before is written.
struct Stage {
	uint4 runs[kTile / 32 + 1];
	u32 first[kTile + 4];      // from the last multiple of four places on
	uint16_t label[kTile + 8]; // from the last multiple of eight

	__device__ inline void copy(const Graph &g, Tile tile) {
		if (tile.begin == tile.end) return;
		copy_column(runs, g.runs, tile.begin / 32, (tile.end + 31) / 32);
		copy_column(first, g.tile_first, tile.begin & ~3u, tile.end);
		copy_column(label, g.tile_label, tile.begin & ~7u, tile.end);
		__pipeline_commit();
	}

	__device__ inline u32 hub(const Graph &g, Tile tile, u32 place) const {
		return hub_at(g, runs[place / 32 - tile.begin / 32], place);
	}
	__device__ inline u32 first_of(Tile tile, u32 place) const { return first[place - (tile.begin & ~3u)]; }
	__device__ inline u32 label_of(Tile tile, u32 place) const { return label[place - (tile.begin & ~7u)]; }

private:
	// Copies elements [begin, end) and what fills 16 bytes after them; columns have room for that at their ends.
	template <typename T>
	__device__ static inline void copy_column(T *to, const T *column, u32 begin, u32 end) {
		constexpr u32 kAtOnce = sizeof(uint4) / sizeof(T);
		for (u32 i = begin + threadIdx.x * kAtOnce; i < end; i += kLabelThreads * kAtOnce)
			__pipeline_memcpy_async(to + (i - begin), column + i, sizeof(uint4));
	}
};

// LabelShared is what a block of the relabelling has in shared memory.
struct LabelShared {
	Stage stage;
	u32 parents[kTile]; // of a tile, in label order; kNone between tiles
	Settled at;
};

// Finds the parents of a tile's vertices of the core. The bits that say how a vertex was reached lie in runs. Nobody else
// writes the result of a vertex that has only leaves for neighbours.
__device__ inline void settle_core(const Graph &g, const State &s, LabelShared &sh, Tile tile) {
	constexpr int kEach = 4;
	const u32 unreached = sh.at.searching ? kResidual : kNone;
	for (u32 place = tile.begin + threadIdx.x; place < tile.leaves; place += kLabelThreads * kEach) {
		u32 v[kEach], reached[kEach], parent[kEach];
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const u32 at = place + j * kLabelThreads;
			v[j] = at < tile.leaves ? sh.stage.hub(g, tile, at) : kNone;
		}
#pragma unroll
		for (int j = 0; j < kEach; j++) reached[j] = v[j] != kNone ? reached_at(s.reached, v[j]) : kUnreached;
#pragma unroll
		for (int j = 0; j < kEach; j++) parent[j] = reached[j] == kByOther ? s.parent[v[j]] : unreached;
#pragma unroll
		for (int j = 0; j < kEach; j++) {
			const u32 at = place + j * kLabelThreads;
			if (at >= tile.leaves) continue;
			const u32 first = sh.stage.first_of(tile, at);
			const bool is_first = reached[j] == kByFirst || first == kNone && reached[j] == kUnreached;
			sh.parents[sh.stage.label_of(tile, at)] = is_first ? first : parent[j];
		}
	}
}

// Finds the parents of a tile's leaves: a leaf's neighbour, if that is reached. Of two leaves that have each other, one is
// reached if the other is the root. While the search goes on, leaves that are not reached wait for its end. Their
// neighbours lie in a run.
__device__ inline void settle_leaves(const Graph &g, const State &s, LabelShared &sh, u32 root, Tile tile) {
	for (u32 place = tile.leaves + threadIdx.x; place < tile.end; place += kLabelThreads) {
		const u32 neighbour = __ldcs(g.leaf_neighbour + sh.stage.hub(g, tile, place));
		const u32 label = sh.stage.first_of(tile, place);
		const bool in_pair = g.is_leaf(neighbour);
		const bool is_reached = in_pair ? label == root : test(sh.at.visited, neighbour);
		const bool waits = !is_reached && !in_pair && sh.at.searching;
		sh.parents[sh.stage.label_of(tile, place)] = is_reached ? label : waits ? kResidual : kNone;
		if (waits) s.waiting_leaves[atomicAdd(&s.overlap->waiting, 1)] = place;
	}
}

// Gives the leaves that have waited for the end of the search their parents.
__device__ inline void settle_waiting(const Graph &g, const State &s, const Settled &at, u32 ranks) {
	const u32 n = *(volatile u32 *)&s.overlap->waiting;
	for (u32 i = threadIdx.x; i < n; i += kLabelThreads) {
		const u32 place = __ldcg(s.waiting_leaves + i), leaf = hub_at(g, g.runs[place / 32], place), neighbour = g.leaf_neighbour[leaf];
		const bool is_reached = __ldcg(at.visited + word_of(neighbour)) >> bit_of(neighbour) & 1;
		store_result(s, g.labels[leaf] / ranks, is_reached ? g.tile_first[place] : kNone);
	}
}

// Writes a tile's parents in label order, from an owned label on, 16 bytes a thread at a time, and takes them away.
template <typename Word>
__device__ inline void write_tile(const State &s, const Relabelling &search, u32 *parents, u64 owned) {
	constexpr u32 kAtOnce = sizeof(uint4) / sizeof(Word);
	const u32 owned_root = search.owned_root - (u32)owned;
#pragma unroll
	for (u32 i = threadIdx.x * kAtOnce; i < kTile; i += kLabelThreads * kAtOnce) {
		u32 parent[kAtOnce];
		bool written = true;
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) {
			parent[j] = i + j == owned_root ? search.root : parents[i + j]; // also if it has no edge
			written = written && parent[j] != kResidual;
			parents[i + j] = kNone;
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
	if (number >= tiles(g)) return {0, 0, 0};
	const uint2 tile = __ldg(g.tile_start + number);
	return {tile.x, tile.y, __ldg(&g.tile_start[number + 1].x)};
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
	LabelShared &sh = *reinterpret_cast<LabelShared *>(memory);
	for (u32 i = threadIdx.x; i < kTile; i += kLabelThreads) sh.parents[i] = kNone;
	u32 number = blockIdx.x;
	Tile tile = tile_at(g, number);
	sh.stage.copy(g, tile);
	if (threadIdx.x == 0) {
		if (!is_settled(s, search.settled)) await_previous_kernel();
		sh.at = {s.overlap->visited, s.overlap->searching};
	}
	while (number < tiles(g)) {
		__pipeline_wait_prior(0);
		__syncthreads();
		if (threadIdx.x == 0) sh.at.next = gridDim.x + atomicAdd(&s.overlap->next_tile, 1);
		settle_core(g, s, sh, tile);
		settle_leaves(g, s, sh, search.root, tile);
		__syncthreads();
		const u64 owned = (u64)number * kTile;
		number = sh.at.next;
		tile = tile_at(g, number);
		sh.stage.copy(g, tile);
		write_tile<Word>(s, search, sh.parents, owned);
	}
	if (!is_last_block(s, sh.at)) return;
	await_previous_kernel();
	settle_waiting(g, s, sh.at, search.ranks);
	if (threadIdx.x == 0) record_relabelling(s);
}

constexpr u64 kRelabelShared = sizeof(LabelShared);

} // namespace g500
