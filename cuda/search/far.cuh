// SPDX-License-Identifier: Apache-2.0

// The search between ranks that are not peers, or whose ids have 64 bits, level by level: the host starts each kernel,
// and puts exchanges between them on the stream (far_search.cuh). Kernels never wait for other ranks. A rank's kernels
// keep their progress in device memory, and report to all ranks in a block of memory, which ranks gather; the sums of
// all blocks reach the host through mapped memory: the host looks at them to choose the next step.
#pragma once

#include "common/bitmap.cuh"
#include "search/progress.cuh"

namespace g500 {

// The counters that a rank reports.
enum FarSum {
	kFarFrontier, // vertices of this rank in the level's frontier; after a sweep unknown
	kFarEdges,    // their edges, in a top-down level
	kFarClaims,   // top-down: claimed vertices, of which several ranks may claim the same; bottom-up: found vertices
	kFarEstimate, // top-down: estimated edges of the claimed vertices, in sixteenths; last levels: edges of the found ones
	kFarOpenHubs, // blocks that have left hubs unvisited in a sweep
	kFarSent,     // pairs for other ranks
	kFarUnsent,   // pairs that did not fit
	kFarRoot,     // first level: 1 + the root's global id, from its owner, unless it is a leaf
	kFarEnds,     // 1 if the rank's host has requested the end, kGaveUp if the rank gives up
	kFarMaxima,   // of the following the maximum over the ranks is needed, not the sum
	kFarLongest = kFarMaxima, // largest number of pairs for one rank
	kFarQueued,   // vertices of this rank that it has reached
	kFarListed,   // claimed or found vertices in the report; kNotListed if it has none
	kFarSums,
};

constexpr u64 kNotListed = ~0ull;

// FarEntry is a claimed or found vertex in a report, by global id. The label is its parent's, as in pairs.
template <typename Id>
struct alignas(2 * sizeof(Id)) FarEntry {
	Id vertex;
	u32 label;
};

// FarBlock is a rank's report. If ranks list vertices in reports, the counts of its pairs by rank follow, and then
// entries: if every rank's claims fit there, pairs need not be sent.
struct alignas(16) FarBlock {
	u64 sums[kFarSums];

	__device__ u32 *pairs() { return (u32 *)(this + 1); }
	__device__ const u32 *pairs() const { return (const u32 *)(this + 1); }
};

// FarTrial is the nanoseconds of all-gathers and all-to-alls: of short messages, which last as long as their latency,
// and of long ones. Each rank sends each other rank one of bytes[].
struct FarTrial {
	u64 bytes[2], ns[2][2];

	// Returns the nanoseconds of exchanges of messages of that many bytes.
	double gather(double message) const { return time(ns[0], message); }
	double all_to_all(double message) const { return time(ns[1], message); }

private:
	double time(const u64 (&of)[2], double message) const {
		const double more = of[1] > of[0] ? (double)(of[1] - of[0]) : 0, longer = (double)(bytes[1] - bytes[0]);
		return (double)of[0] + (message > bytes[0] && longer > 0 ? more * (message - (double)bytes[0]) / longer : 0);
	}
};

// FarShare is what all ranks know of a rank before the first search.
struct alignas(16) FarShare {
	u64 hubs;   // Segments.hubs; 0 without segments
	ull ghosts; // number of its ghosts
	FarTrial trial;
};

// Ghosts are vertices whose bits other ranks read after all hubs are visited (far_ghosts.cuh).
struct Ghosts {
	u32 *lists; // of all ranks' ghosts: local ids in any order, then kNone; null if ranks exchange all bits
	u32 each;   // entries of each list: a multiple of kGroup

	__host__ __device__ u64 bits_bytes() const { return each / 8; } // of each rank's ghosts
	// Returns the bytes that are gathered from each rank: the bits, and a FarBlock after a sweep.
	__host__ __device__ u64 bytes() const { return bits_bytes() + sizeof(FarBlock); }
};

// Returns whether a level searches for parents of listed vertices only.
__host__ __device__ inline bool searches_remaining(Step step) { return step == kDecide || step == kPullRemaining; }

// FarRank is the rank's part of the progress between two kernels.
struct FarRank {
	int queue;        // Progress.queue
	u32 queued;       // vertices of the numbered queue
	u64 queued_edges; // their edges
	u32 remaining;    // vertices in the list of remaining vertices, with gaps; it is in the other queue
	u64 busy;         // nanoseconds of the search's kernels so far
	u32 open;         // vertices in the list of those that lack bits (far_queries.cuh)
};

// FarTask is the argument of a kernel.
struct FarTask {
	Shared at;
	u64 root;   // its label
	u32 round;  // number of rounds of pairs before, over all searches
	u32 look;   // number of the look
	bool again; // push: another round of the same level
	bool lists; // push: the frontier is what the last sweep has found
	bool exchanged; // tail: some rank has sent pairs
	bool reports; // claimed or found vertices are listed in the report, as many as fit
	u32 hubs;     // in a level that processes hubs separately: of each rank, the vertices with lower local ids; else 0
	u64 list_bytes; // of each rank's list of new vertices (far_kernels.cuh)
	bool leaves;    // queries: for leaves, not for vertices of the non-leaf subgraph

	// Returns the groups that are gathered of each part of the bitmap, of which all ranks have `all`.
	__host__ __device__ u32 groups(u32 all) const {
		const u32 of_hubs = (hubs + kGroup - 1) / kGroup;
		return hubs > 0 && of_hubs < all ? of_hubs : all;
	}
};

// Far is the memory of such a search.
struct Far {
	bool on;
	unsigned char *blocks; // of all ranks, in device memory
	u64 block_bytes;       // of each
	u64 entries_at;        // place of the entries in each
	u32 most_entries;      // in each; 0 on many ranks, whose reports have no counts of pairs either
	unsigned char *parts;  // gathered parts of the bitmap: without space between them, each with a FarBlock at its end;
	                       // or their hubs
	u64 part_bytes;        // of each, with the FarBlock
	bool queries;          // ranks have the bits of all ranks' hubs only, and query others (far_queries.cuh)
	u32 groups;            // of each part that all ranks have: complete parts, or with queries those of hubs
	u32 *replies;          // with queries: bits by rank, to send and then to receive; each in reply_bytes
	u64 reply_bytes;
	unsigned char *hub_neighbours; // gathered once: HubNeighbours.bits of all ranks, as parts; null without hubs
	u64 *chunks;           // by block: chunk with which it continues a push
	FarRank *rank;
	u64 *look;             // host memory: the number of the look, FarRank.busy, the sums, pairs to each rank and from each

	__device__ FarBlock *block(u32 rank) const { return (FarBlock *)(blocks + rank * block_bytes); }
	template <typename Id>
	__device__ FarEntry<Id> *entries(u32 rank) const {
		return (FarEntry<Id> *)(blocks + rank * block_bytes + entries_at);
	}
	__host__ __device__ u64 *look_sums() const { return look + 2; }
	__host__ __device__ u64 *look_pairs() const { return look_sums() + kFarSums; }
	__host__ __device__ u64 bits_bytes() const { return part_bytes - sizeof(FarBlock); }
	// Returns the bytes that are gathered of each part.
	__host__ __device__ u64 gathered_bytes(const FarTask &task) const {
		return task.hubs > 0 ? task.groups(groups) * sizeof(uint4) : part_bytes;
	}
};

} // namespace g500
