// SPDX-License-Identifier: Apache-2.0

// Kernel 3 between ranks that are not peers: the host starts each kernel, and puts exchanges between them on the
// stream (far_paths.cuh). A rank pushes its own vertices over its own edges until nothing changes, and then offers the
// distances of other ranks' vertices to their owners (delta-stepping with owners: Chakaravarthy et al., IPDPS 2014).
// All ranks gather reports, which have the offers if they fit. A kernel reads the reports itself, and sends their sums
// to the host while it works: so a round of a push is one kernel and one exchange. Likewise a report has the words that
// a kernel has listed, if they fit.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

// The numbers that a rank reports.
enum PathSum {
	kOffered, // vertices of other ranks that have become nearer
	kSent,    // those that are sent, because they do not fit into the report
	kChanged, // vertices that the last sweep has changed
	kStillTied, // entries of WordList after a round of ties
	kEnds, // 1 if the rank's host has requested the end, kGaveUp if the rank gives up
	kPathMaxima, // of the following the maximum over the ranks is needed, not the sum
	kListed = kPathMaxima, // offers in the report
	kMost,     // offers, listed or sent
	kLongest,  // largest number of offers that are sent to one rank
	kUnpublished, // entries of WordList
	kNearest,  // complement of the bits of the shortest distance of a landmark
	kFarthest, // bits of the longest distance that is not final after the last sweep
	kPathSums
};

__host__ __device__ inline u32 nearest_in(u64 reported) { return ~(u32)reported; } // bits

// Offer is a path to another rank's vertex, a global id.
struct Offer {
	u32 vertex, parent, bits;
};

// PathReport is a rank's report. Offers or words follow.
struct alignas(16) PathReport {
	u64 sums[kPathSums];
	RootPath root_path; // the first report of the root's owner has it
};

// FarPath is the rank's part of the progress between two kernels.
struct FarPath {
	float nearest, farthest; // of all ranks
	u32 exchange;            // number of the next exchange of offers, over all searches
};

// Far is the memory of such a search.
struct Far {
	unsigned char *reports; // of all ranks
	u64 listed, most_listed; // space for offers in a report: at first, and at most
	uint4 *send, *received; // by rank, `space` each: the number of offers; then their local ids, parents and bits
	u64 space;
	WordList list;
	ull *sent; // by rank: offers that are sent to it
	FarPath *path;
	const u32 *light; // as in Graph, in pushes over light edges; null if ranks do not store them
	const Col *light_edges;
	float window;     // of pushes over light edges
	u64 *look; // host memory: the number of the look, the sums

	// Returns the space for offers in the report of a kernel that has read reports with that many. In the next round of a
	// push most ranks have fewer than twice as many.
	__host__ __device__ u64 listed_after(u64 most) const {
		const u64 twice = 2 * most < most_listed ? 2 * most : most_listed;
		return twice > listed ? twice : listed;
	}
	__host__ __device__ u64 report_bytes(u64 space) const { // a multiple of 16
		return (sizeof(PathReport) + space * sizeof(Offer) + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4);
	}
	__host__ __device__ u64 bytes_with_words(u64 space) const { // the same of a report with words
		return (sizeof(PathReport) + space * sizeof(uint2) + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4);
	}
	// The reports of all ranks have equally many bytes, which differ between two exchanges.
	__host__ __device__ PathReport &report(u32 rank, u64 bytes) const { return *(PathReport *)(reports + rank * bytes); }
	__device__ Offer *offers(u32 rank, u64 bytes) const { return (Offer *)(&report(rank, bytes) + 1); }
	__device__ uint2 *words(u32 rank, u64 bytes) const { return (uint2 *)offers(rank, bytes); }
	__host__ __device__ u64 *look_sums() const { return look + 1; }
};

// What the last exchange has brought into Far.received, or into the reports: seeds are offers to all
// ranks, and reports have seeds or words if they have space for them.
enum { kNothingNew, kSeeds, kReported, kLists, kWords };

// News is the result of an exchange: in Far.received each rank's part is at its number x stride.
struct News {
	int kind;
	u32 begin, end; // local ids
	u64 stride;     // bytes
	u64 space;      // words in a report
};

// The kinds of tasks.
enum {
	kBegin, // clears the state
	kPush,  // a round within the window, until nothing changes on this rank; with light edges first within an empty one
	kPushRest,
	kPushLight, // over the light edges of all ranks, from the seeds or listed vertices below the threshold
	kPull,  // the first sweep over a degree class
	kPullAgain,
	kPullLast,
	kFindParents,
	kSettleTies,
};

// FarTask is the argument of a kernel.
struct FarTask {
	int kind;
	u32 number;    // of the class; push: 1 if offers of complete rows are taken, and then words are listed
	u32 root;      // its label
	u32 look;      // the number of the look at the reports' sums; 0: none
	bool reads;    // the reports have new numbers
	u64 bytes;     // of each report that was gathered
	bool starts;   // push: the first kernel of a push
	bool received; // push: offers that were sent have arrived
	u64 space;     // for words or seeds in the report that the kernel writes
	News news;
};

} // namespace g500::sssp
