// SPDX-License-Identifier: Apache-2.0

// The other ranks of a search, and the addresses of their memory.
//
// Two ranks are peers if each can write into the other's device memory (NVLink, PCIe). Their CPUs are not involved
// between two levels. Other ranks are remote: their hosts make the exchanges between levels (search/far.cuh).
#pragma once

#include "common/bitmap.cuh"
#include "common/block.cuh"
#include "common/grid_barrier.cuh"
#include "common/packed_row.cuh"

namespace g500 {

// The counters that a rank publishes at a rank barrier, and which are added up over all ranks (barriers.cuh).
enum { kVertices, kEdges, kPairs, kWords, kEstimate, kUnsent, kCounters };

// Window is the part of a rank's memory that its peers write. Offsets are in bytes and the same on all ranks.
struct Window {
	u64 counters;   // kCounters words per rank, for even and for odd barriers
	u64 visited[2]; // bitmaps, each with the parts of all ranks
	u64 pairs;      // `capacity` pairs per rank, for even and for odd rounds
	u64 labels;     // labels of this rank's vertices by local id, as in Graph
	u64 bytes;
};

// PeerGraph is a peer's graph, at this rank's addresses.
struct PeerGraph {
	const u64 *rows;
	const u32 *cols, *local_ids;
	const u64 *packed; // the peer's addresses of packed rows; or null
	const u64 *moves;  // by chunk: this rank's address minus the peer's

	// Returns this rank's address of a packed row.
	__device__ u64 address(u32 v) const {
		const u64 there = packed[v];
		return there + moves[there >> kAddressBits];
	}
};

// Ranks describes the other ranks of a search.
struct Ranks {
	u32 count, rank, shift; // see g500_graph: count is P
	Parts64 parts64;        // with 64-bit ids
	u64 part;               // bits from one rank's part of a bitmap to the next one's
	u64 base;               // global id of this rank's local id 0: the first bit of its part of a bitmap
	u64 non_leaf, edges;    // vertices and edges of the non-leaf subgraph, of all ranks
	u32 groups;             // of the largest rank's part of a bitmap
	u64 capacity;           // pairs from each rank for which the window has space
	u64 round_pairs;        // limit of pairs from one rank to another per round; the same on all ranks
	u32 known;              // number of labels per rank in `labels`
	const u32 *labels;      // by rank, then local id below known, as in Graph
	u64 replicated_edges;   // limit of a replicated frontier's edges
	const PeerGraph *graphs; // by rank, including this one; null if ranks do not read each other's graphs
	const u32 *degrees;      // mean degree of each degree class, in sixteenths; the same on all ranks
	unsigned char *window;         // this rank's own
	unsigned char *const *windows; // by rank, including this one; null for a remote rank
	Window at;
	u64 *const *send;     // by rank: buffers of its pairs, for even and for odd rounds
	u64 *const *receive;  // by rank: buffers of pairs from it
	u32 *deferred; // bitmap by local id: the stored parent is a global id; its label is still unknown
	ull *sent;     // pairs for each rank, then those that did not fit, for even and for odd rounds
	GridBarrier *barrier;
	Control *control; // host memory
	u64 wait_ns;      // time limit of a wait for another rank
};

// The time limit of a wait for a rank's own blocks is this multiple of wait_ns: they may work long between two
// barriers.
constexpr u64 kOwnPatience = 12;

// Gives this rank's search up. Returns whether this is the first such call.
__device__ inline bool give_up(const Ranks &ranks, const g500_stall &reason) {
	return give_up(*ranks.barrier, *ranks.control, reason);
}

// Returns whether the host has requested the end of the search; then the next barrier of all ranks publishes it. Reads
// host memory.
__device__ inline bool heed_host(const Ranks &ranks) {
	if (!*(const volatile u32 *)&ranks.control->ends) return false;
	*(volatile u32 *)&ranks.barrier->ends = 1;
	return true;
}

constexpr u64 kGaveUp = 1ull << 32; // in sums over ranks: a rank gives up; above the number of ranks

constexpr u32 kLevelsPerLook = 64; // levels or rounds of a search between two checks of the host's request

__device__ inline u32 local_id_in(const Ranks &ranks, u32 global_id) { return global_id & ((1u << ranks.shift) - 1); }
__device__ inline u32 local_id_in(const Ranks &ranks, u64 global_id) { return ranks.parts64.local_id(global_id); }
__device__ inline u32 rank_of_id(const Ranks &ranks, u32 global_id) { return global_id >> ranks.shift; }
__device__ inline u32 rank_of_id(const Ranks &ranks, u64 global_id) { return ranks.parts64.rank(global_id); }

// Returns the k-th rank after this one: if all ranks start with the next one, their accesses spread over all ranks.
__device__ inline u32 rank_after(const Ranks &ranks, u32 k) {
	return ranks.rank + k < ranks.count ? ranks.rank + k : ranks.rank + k - ranks.count;
}

template <typename T>
__device__ inline T *in_window(const Ranks &ranks, u32 rank, u64 offset) {
	return reinterpret_cast<T *>(ranks.windows[rank] + offset);
}

// Buffers of pairs for a rank and from a rank. A pair is a local id of the receiver (low half) and its parent's label,
// with 64-bit labels the label's number on the sender. In levels for remaining unvisited vertices it is the global id
// of a found vertex.
__device__ inline u64 *send_buffer(const Ranks &ranks, u32 to, u32 round) {
	return ranks.send[(round & 1) * ranks.count + to];
}
__device__ inline const u64 *receive_buffer(const Ranks &ranks, u32 from, u32 round) {
	return ranks.receive[(round & 1) * ranks.count + from];
}

// Finds the sender of pair number i. `upto` has the numbers of pairs up to and including each rank's.
__device__ inline u32 sender_of(const u32 *upto, u32 ranks, u32 i) {
	return first_not(0u, ranks - 1, [=](u32 rank) { return upto[rank] <= i; });
}

// PairBins is a block's counts of pairs by rank, in shared memory: 64 KiB for 8,192 ranks (ADR 65).
struct PairBins {
	union { // a block sends pairs, or takes them
		u32 *base; // place of the block's pairs in a rank's buffer
		u32 *upto; // received pairs of the ranks up to and including each
	};
	u32 *count; // pairs in the chunk; zero between chunks

	__host__ __device__ static constexpr u64 bytes(u32 ranks) { return ranks * 2 * sizeof(u32); }

	__device__ void place(void *at, u32 ranks) {
		base = reinterpret_cast<u32 *>(at);
		count = base + ranks;
	}
};

} // namespace g500
