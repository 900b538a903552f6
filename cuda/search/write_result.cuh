// SPDX-License-Identifier: Apache-2.0

// Writing the result in the official form: for each label the parent's label.
#pragma once

#include "common/block.cuh"
#include "common/host_poll.cuh"
#include "search/graph.cuh"
#include "search/result.cuh"

namespace g500 {

constexpr u32 kPending = kNone - 1; // word of a label: the entry is written later, or by the search
constexpr int kLabelThreads = 256;
template <typename Form>
constexpr int kLabelBlocks = Form::kIds64 ? 5 : 6; // per multiprocessor

// ResultLaunchArgs are the arguments for one search: the root's label; its number among the owned labels, or kNone if
// another rank owns it; the value of Overlap.settled after which the search's arrays can be read; and the search's
// number.
struct ResultLaunchArgs {
	u64 root;
	u32 owned_root, settled, number;
};

// SearchEnd describes the end of a search, in a block's shared memory.
template <typename Label>
struct SearchEnd {
	const u32 *visited; // the newest bitmap of all ranks
	u32 all_visited;    // Overlap.all_visited
	bool searching;     // remaining vertices are still searched
	bool last;          // this is the last block
	Label root;
};

// Tile is vertices [begin, end) in tile order: coded ones, listed ones, leaves.
struct Tile {
	u32 number, begin, listed, leaves, end;
	u32 coded; // coded vertices of all tiles up to this one
};

// LabelShared is the shared memory of a block that writes the result.
template <typename Form>
struct LabelShared {
	using Label = typename Form::Label;

	alignas(16) Label parents[kTile]; // labels, by label of a tile's vertex; none between tiles
	u32 runs[kRuns]; // the first local id of each run in the tile, minus its place
	u32 next;        // tile
	SearchEnd<Label> at;
};

// Places are the vertices that a thread processes at a time: in tile order, kLabelThreads apart.
template <typename Form>
struct Places {
	static constexpr u32 kEach = 4, kStep = kLabelThreads * kEach; // vertices of a block at a time
	TileEntry<Form> entry[kEach];

	__device__ inline Places(const Graph &g, const Tile &tile, u32 place) {
#pragma unroll
		for (u32 j = 0; j < kEach; j++) {
			const u32 at = place + j * kLabelThreads;
			const bool is_there = at < tile.end;
			entry[j].load(g, at, is_there, at - tile.coded, is_there && at >= tile.listed);
		}
	}
};

// Finds the parents of non-leaf vertices of a tile. The search never writes the result of a vertex with only leaves as
// neighbours.
template <typename Form>
__device__ inline void find_non_leaf_parents(const State &s, LabelShared<Form> &sh, Places<Form> &places, u32 place,
                                             const Tile &tile) {
	using Label = typename Form::Label;
	constexpr u32 kEach = Places<Form>::kEach;
	const u32 unreached = sh.at.searching ? kPending : kNone;
	u32 how[kEach];
#pragma unroll
	for (u32 j = 0; j < kEach; j++) {
		const u32 at = place + j * kLabelThreads;
		if (at < tile.listed) places.entry[j].vertex = sh.runs[places.entry[j].run()] + at;
		how[j] = at < tile.leaves ? reached_at(s.reached, places.entry[j].vertex) : kUnreached;
	}
#pragma unroll
	for (u32 j = 0; j < kEach; j++) {
		TileEntry<Form> &entry = places.entry[j]; // of a leaf unchanged; else first becomes the parent
		const bool is_non_leaf = place + j * kLabelThreads < tile.leaves;
		const bool is_unreached = how[j] == kUnreached && is_non_leaf && entry.first != kNone;
		const Label otherwise = is_unreached ? (Label)unreached : entry.first_label();
		entry.set_first(how[j] == kNotFirstParent ? parents<Form>(s)[entry.vertex] : otherwise);
	}
#pragma unroll
	for (u32 j = 0; j < kEach; j++)
		if (place + j * kLabelThreads < tile.leaves)
			sh.parents[places.entry[j].label_in_tile()] = places.entry[j].first_label();
}

// Finds the parents of leaves of a tile: a leaf's neighbour, if that is reached. A leaf whose neighbour is a leaf is
// reached if the neighbour is the root. While the search continues, unreached leaves are listed until its end.
template <typename Form>
__device__ inline void find_leaf_parents(const Graph &g, const State &s, LabelShared<Form> &sh,
                                         const Places<Form> &places, u32 place, const Tile &tile) {
	using Label = typename Form::Label;
#pragma unroll
	for (u32 j = 0; j < Places<Form>::kEach; j++) {
		const u32 at = place + j * kLabelThreads;
		const TileEntry<Form> &entry = places.entry[j];
		if (at < tile.leaves || at >= tile.end) continue;
		const u32 local_id = entry.vertex & g.local_mask;
		const bool in_pair = local_id >= g.first_leaf;
		const bool is_visited = local_id < sh.at.all_visited;
		const bool is_reached =
			in_pair ? entry.first_label() == sh.at.root : is_visited || test(sh.at.visited, entry.neighbour(g));
		const bool waits = !is_reached && !in_pair && sh.at.searching;
		sh.parents[entry.label_in_tile()] = is_reached ? entry.first_label() : waits ? (Label)kPending : kNoId<Label>;
		if (!waits) continue;
		const u32 owned = tile.number * kTile + entry.label_in_tile();
		s.waiting_leaves[atomicAdd(&s.overlap->waiting, 1)] = make_uint2(at, owned);
	}
}

// Finds the parents of a tile, whose first places are given.
template <typename Form>
__device__ inline void find_parents_of_tile(const Graph &g, const State &s, LabelShared<Form> &sh, const Tile &tile,
                                            Places<Form> &places) {
	for (u32 place = tile.begin + threadIdx.x;;) {
		if (place < tile.leaves) find_non_leaf_parents(s, sh, places, place, tile);
		if (place + Places<Form>::kStep > tile.leaves) find_leaf_parents(g, s, sh, places, place, tile);
		place += Places<Form>::kStep;
		if (place >= tile.end) return;
		places = Places<Form>(g, tile, place);
	}
}

// Writes the results of the listed leaves after the end of the search.
template <typename Form>
__device__ inline void write_waiting_leaves(const Graph &g, const State &s, const SearchEnd<typename Form::Label> &at) {
	const u32 n = *(volatile u32 *)&s.overlap->waiting;
	for (u32 i = threadIdx.x; i < n; i += kLabelThreads) {
		const uint2 leaf = __ldcg(s.waiting_leaves + i);
		TileEntry<Form> entry;
		entry.load(g, leaf.x, true, leaf.x - g.tile_start[leaf.y / kTile].w, true);
		const auto neighbour = entry.neighbour(g); // no leaf
		const bool is_reached = __ldcg(at.visited + word_of(neighbour)) >> bit_of(neighbour) & 1;
		store_result(s, leaf.y, is_reached ? entry.first_label() : kNoId<typename Form::Label>);
	}
}

// Writes a tile's parents by label, from an owned label on, 16 bytes per thread at a time, and clears them.
template <typename Word, typename Form>
__device__ inline void write_tile(const State &s, const ResultLaunchArgs &search, LabelShared<Form> &sh, u64 owned) {
	using Label = typename Form::Label;
	constexpr u32 kAtOnce = sizeof(uint4) / sizeof(Word);
	const u32 owned_root = search.owned_root - (u32)owned;
	const auto write = [&](u32 i) {
		Label parent[kAtOnce];
		bool written = true;
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++) {
			const bool is_root = i + j == owned_root; // even if it has no edge
			parent[j] = is_root ? (Label)search.root : sh.parents[i + j];
			written = written && (u32)parent[j] != kPending;
			sh.parents[i + j] = kNoId<Label>;
		}
		if (written) return store_16_bytes<Word>(s, owned + i, parent);
#pragma unroll
		for (u32 j = 0; j < kAtOnce; j++)
			if ((u32)parent[j] != kPending) store_result(s, owned + i + j, parent[j]);
	};
	const u32 first = threadIdx.x * kAtOnce, step = kLabelThreads * kAtOnce;
	if constexpr (Form::kLabels64) {
#pragma unroll 1 // else registers spill
		for (u32 i = first; i < kTile; i += step) write(i);
	} else {
#pragma unroll
		for (u32 i = first; i < kTile; i += step) write(i);
	}
}

// Returns whether Overlap.settled has reached this value. The blocks' earlier writes are visible then.
__device__ inline bool is_final(const State &s, u32 blocks) { return load_acquire(&s.overlap->settled) == blocks; }

// Adds writing the result to the trace: the time after the last level.
__device__ inline void record_result(const State &s) {
	const u32 n = (*s.trace_length)++;
	s.trace[n] = {G500_WRITE_RESULT, 0, 0, now_ns() - *s.level_ended};
}

// Returns a tile; an empty one after the last tile.
__device__ inline Tile tile_at(const Graph &g, u32 number) {
	if (number >= tiles_of(g.owned)) return {number};
	const uint4 tile = __ldg(g.tile_start + number);
	return {number, tile.x, tile.y, tile.z, __ldg(&g.tile_start[number + 1].x), tile.w};
}

// Loads this thread's entry of a tile's table of runs.
__device__ inline u32 run_at(const Graph &g, const Tile &tile) {
	const bool brings = threadIdx.x < kRuns && tile.number < tiles_of(g.owned);
	return brings ? __ldcs(g.tile_run + tile.number * kRuns + threadIdx.x) : 0;
}

// Records that a block has no more tiles. Returns whether it is the last block; all other blocks have then listed their
// leaves.
template <typename Label>
__device__ inline bool is_last_block(const State &s, SearchEnd<Label> &at) {
	__syncthreads();
	if (threadIdx.x == 0) at.last = fetch_add_acq_rel(&s.overlap->finished) == gridDim.x - 1;
	__syncthreads();
	return at.last;
}

// Writes the result. Blocks take tiles dynamically. Reads 6 B per vertex with an edge, with 64-bit labels 8 B; 4 B more
// if it is not coded, with 64-bit ids 6 B; 128 B per tile; two bits per non-leaf vertex, and the parent's label of
// those not found from their first neighbour, in runs; a random word of the bitmap per leaf. Writes one entry per
// label. The last block ends after the search, so the next search cannot start before.
//
// With programmatic dependent launch, blocks may run before the search has ended. They read a search's output only
// after an acquiring load of Overlap.settled, which its blocks release, or after the search has completed.
template <typename Word, typename Form>
__global__ void __launch_bounds__(kLabelThreads, kLabelBlocks<Form>)
write_result_kernel(const __grid_constant__ Graph g, const __grid_constant__ State s, ResultLaunchArgs search) {
	G500_SHARED_MEMORY(memory);
	using Label = typename Form::Label;
	LabelShared<Form> &sh = *reinterpret_cast<LabelShared<Form> *>(memory);
	Tile tile = tile_at(g, blockIdx.x);
	Places<Form> places(g, tile, tile.begin + threadIdx.x);
	if (threadIdx.x < kRuns) sh.runs[threadIdx.x] = run_at(g, tile);
	for (u32 i = threadIdx.x; i < kTile; i += kLabelThreads) sh.parents[i] = kNoId<Label>;
	if (threadIdx.x == 0) {
		if (!is_final(s, search.settled)) await_previous_kernel();
		sh.at = {s.overlap->visited, s.overlap->all_visited, s.overlap->searching, false, (Label)search.root};
	}
	__syncthreads();
	while (tile.number < tiles_of(g.owned)) {
		if (threadIdx.x == 0) sh.next = gridDim.x + atomicAdd(&s.overlap->next_tile, 1);
		find_parents_of_tile(g, s, sh, tile, places);
		__syncthreads();
		const u32 number = tile.number;
		tile = tile_at(g, sh.next);
		places = Places<Form>(g, tile, tile.begin + threadIdx.x);
		const u32 run = run_at(g, tile);
		write_tile<Word>(s, search, sh, (u64)number * kTile);
		if (threadIdx.x < kRuns) sh.runs[threadIdx.x] = run;
		__syncthreads();
	}
	if (!is_last_block(s, sh.at)) return;
	await_previous_kernel();
	write_waiting_leaves<Form>(g, s, sh.at);
	__syncthreads();
	if (threadIdx.x != 0) return;
	record_result(s);
	complete(s.completed, search.number);
}

template <typename Form>
constexpr u64 kResultShared = sizeof(LabelShared<Form>);

} // namespace g500
