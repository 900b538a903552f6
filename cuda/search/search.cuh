// What the parts of kernel 2 share: the columns it reads, the state it writes, and the layout of bitmaps.
#pragma once

#include <cstdint>

#include "common/device.cuh"
#include "g500cuda.h"

namespace g500 {

using u32 = uint32_t;
using u64 = uint64_t;
using ull = unsigned long long; // what 64-bit atomics take

constexpr u32 kNone = 0xffffffffu; // no vertex, no label
constexpr u32 kLeft = kNone - 1;   // a place in the result that others write

// The search is one cooperative launch that fills the device, at 64 registers a thread.
constexpr int kThreads = 256;
constexpr int kBlocks = 4; // a multiprocessor
constexpr int kWarps = kThreads / 32;
constexpr int kTraceLevels = 1 << 10; // levels that the trace keeps
constexpr int kRing = 4;              // levels whose counters are kept
constexpr int kCacheLine = 128;       // bytes

// A bitmap holds one bit for each vertex with an edge, by hub id. Bit v sits in word v mod 4 of its group of 128
// vertices, at bit (v div 4) mod 32: a lane that handles four consecutive vertices loads their columns at once,
// and four ballots of a warp are the group's four words.
constexpr u32 kGroup = 128;
constexpr u32 kPad = 2 * kGroup; // vertices are padded to what a warp sweeps at a time

__host__ __device__ inline u32 word_of(u32 v) { return (v >> 7) << 2 | (v & 3); }
__host__ __device__ inline u32 bit_of(u32 v) { return v >> 2 & 31; }
__host__ __device__ inline u32 vertex_at(u32 word, u32 bit) { return (word >> 2) << 7 | bit << 2 | (word & 3); }

__device__ inline bool test(const u32 *bitmap, u32 v) { return bitmap[word_of(v)] >> bit_of(v) & 1; }

// Labels are brought to the result in tiles: a tile's vertices are stored in hub order, in which the bits that
// say how they were reached lie in runs, and each label knows its place among them.
constexpr u32 kTile = 4096;
constexpr uint16_t kNoSlot = 0xffff;

// Columns are derived from the graph once, as part of kernel 1, and never written by a search. Vertices of this rank go
// by hub id here, and neighbours, which may be another rank's, by position (g500_graph).
struct Columns {
	u32 hubs;           // vertices with an edge
	u32 padded;         // the same, rounded up to kPad
	u64 edges;          // directed edges
	u32 owned;          // labels of this rank
	const u64 *rows;    // hubs+1
	const u32 *cols;    // edges
	const u32 *labels;  // hub id -> label
	const u32 *hub_of;  // number of an owned label -> hub id or kNone
	const u32 *first;   // padded: first neighbour, or kNone
	const uint4 *next4; // padded: neighbours 2 to 5, kNone where there are fewer
	u32 many;           // vertices below this id may have a second neighbour, the others have one
	// Vertices by tile, then hub id. Their hub ids are runs of consecutive numbers: place k holds
	// run_offset[r] + k, where r is the run that k lies in.
	const u32 *tile_start; // tiles+1: where a tile's vertices begin
	const u32 *tile_first; // hubs: the label of the vertex' first neighbour
	const uint2 *runs;     // for each 32 places: bits of those that begin a run, number of runs before
	const u32 *run_offset;
	const uint16_t *slot;  // owned labels, padded to kTile: a label's place in its tile, or kNoSlot
};

// Counters of one level, in a ring: a level reads its own, fills the next one's and clears those after. Sums of blocks or of
// warps are added to them, but for handed_out, from which runs of work are taken one by one.
struct Counters {
	ull queued;       // vertices in the queue that the level before filled
	ull queued_edges; // that leave them; on several ranks
	ull found;        // vertices that a bottom-up level found
	ull laid;         // edges (low kEdgeBits) and vertices laid out so far, for the offsets of this level's queue
	ull words;        // changed words that this rank has sent to its peers
	ull level_edges;  // of the rank's frontier, top-down; on several ranks
	ull remaining;    // of them, those for further rounds
	ull outlook;      // about as many edges leave what this rank's part of the frontier reaches; on several ranks
	ull handed_out;   // edges to warps that mark them
	ull own;          // vertices of a frontier in the queues of all ranks that are this rank's
	ull own_edges;    // edges that leave them
	ull listed;       // changed words for messages
	ull groups;       // changed groups on this rank's board
};

// Handover is what search and last pass tell each other (search_handover.cuh).
struct Handover {
	u32 unreached; // what the last pass makes of a vertex that is not among the reached: kNone, or kLeft if others see to it
	u32 processor; // the multiprocessor of the first block
	u32 listed;    // vertices of the rest
	u32 staying;   // blocks that stay

	__device__ void begin(u32 first) { processor = first, listed = staying = 0; }
};

// State of a search, all device memory. Bitmaps are by position; on one rank a position is a hub id.
struct State {
	u32 *visited[2]; // bitmaps: one is current, the other as it was before the last bottom-up level
	u32 *marks;      // bitmap: vertices that a top-down level has marked (search_marks.cuh)
	const u32 *firsts; // bitmap of edges: they lead to a vertex by its first neighbour; null with pairs alone and without peers
	u32 high;        // own vertices below this hub id get their parents as they are marked; a multiple of kGroup
	u32 noted;       // the same for other ranks' vertices: fewer, since their parents have to be fetched
	u32 *fresh;      // what a bottom-up level makes of this rank's part; on one rank that of the next bitmap itself
	u32 *by_other;   // bitmap: reached, but not by the first neighbour; from the first bottom-up level on
	u32 *parent;     // by hub id: the parent's label, for those
	u32 *queue[2];   // the frontier, top-down
	u64 *offsets;    // of the queue that is laid out: edges that leave the vertices before
	u32 queue_limit; // queues longer than this are never laid out
	int exchange;    // G500_EXCHANGE_*
	u32 *missed;     // bottom-up: vertices that the first neighbour did not settle, a share for each warp
	Counters *counters; // kRing
	g500_level *trace;
	u32 *trace_length;
	u64 *clock;      // when the last level of the search ended
	uint2 *reached;  // words of visited and by_other in pairs, for the last pass
	u32 *result; // owned labels: the parent's label, or kNone
	Handover *handover;
	bool early; // the last pass may begin before the search has ended
};

__device__ inline u32 warp_sum(u32 x) {
#if __CUDA_ARCH__ >= 800
	return __reduce_add_sync(~0u, x);
#else
	for (int d = 16; d; d /= 2) x += __shfl_xor_sync(~0u, x, d);
	return x;
#endif
}

// Programmatic dependent launch: once all blocks of a kernel let it, the blocks of the next kernel in the stream take the
// places of those that end. What was written before, and fenced, they are taken to see, which holds on the devices
// measured, though CUDA promises it only after a wait for the whole of this kernel; for the rest they do wait. Without it
// both do nothing.
__device__ inline void let_next_kernel_start() {
#if __CUDA_ARCH__ >= 900
	cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__device__ inline void wait_for_last_kernel() {
#if __CUDA_ARCH__ >= 900
	cudaGridDependencySynchronize();
#endif
}

// Finds the last place in offsets[0, n) that is not above edge, with one warp: 32 probes a round.
__device__ inline u32 find_vertex(const u64 *offsets, u32 n, u64 edge) {
	const u32 lane = threadIdx.x & 31;
	u32 low = 0, high = n;
	while (high - low > 1) {
		const u32 step = (high - low + 31) / 32;
		const u32 at = low + step * lane;
		const u32 below = __ballot_sync(~0u, at < high && offsets[at] <= edge);
		low += step * (31 - __clz(below));
		high = min(high, low + step);
	}
	return low;
}

__device__ inline u64 read_now(const ull *p) { return *(const volatile ull *)p; }

} // namespace g500
