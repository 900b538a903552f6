// What searches have whose loop over levels is on the device: counters of a level, of the one before and of the one
// after, and the records of levels.
#pragma once

#include <algorithm>

#include "lab/runner.cuh"
#include "lab/status.cuh"

namespace g500::lab {

constexpr int kRing = 3;              // counters
constexpr u32 kMostRecords = 1 << 16; // levels that are recorded one by one

// Progress is how far a search has come. All zeros stand for a search that has not begun.
struct Progress {
	ull queued[kClasses]; // the frontier
	ull depth;            // of the vertices that it reaches
	u64 began;            // its level, in nanoseconds
	ull vertices, edges;  // of the levels that have ended
	ull launches;
	bool expanded, ended; // the frontier; the search. Of a loop from kernel to kernel
	cudaError_t error;    // of the last launch

	__device__ void begin() {
		queued[0] = 1; // the root is in the first class, whatever its degree
		depth = 1;
		began = now_ns();
	}
};

// DeviceLoop is what a loop has beside its level.
struct DeviceLoop {
	GridBarrier *barrier;
	Counters *counters; // kRing
	g500_lab_level *records;
	Progress *progress; // at the end, or between two kernels
	u32 *vertices[2];
	u64 room;  // of a queue; 0 where there is none
	u32 share; // threads that share a vertex, without a queue
	bool sorted;

	__device__ Counters *of(u64 depth) const { return counters + depth % kRing; }
	__device__ const u32 *queue(u64 depth, int c) const { return vertices[(depth - 1) % 2] + c * room; }

	__device__ Classes frontier(const Progress &now) const {
		Classes in;
		for (int c = 0; c < kClasses; c++) in.of[c] = {queue(now.depth, c), nullptr, now.queued[c], nullptr};
		return in;
	}
	__device__ Queue next(const Progress &now) const {
		return {vertices[now.depth % 2], nullptr, room, of(now.depth)->queued, nullptr, sorted};
	}

	// Takes what a level that has ended has counted; false if it was the last one, or a queue is full.
	__device__ bool end_level(Progress &now, bool records_it) const {
		Counters *const seen = of(now.depth);
		ull n = now.queued[0] + now.queued[1] + now.queued[2] + now.queued[3], sum = 0;
		bool full = false;
		for (int c = 0; c < kClasses; c++) {
			now.queued[c] = read_now(seen->queued + c);
			sum += now.queued[c];
			full |= room && now.queued[c] > room;
		}
		if (records_it) {
			if (!room) n = read_now(&seen->scanned);
			const u64 at = now_ns(), inspected = read_now(&seen->edges);
			if (now.depth <= kMostRecords) records[now.depth - 1] = {0, 0, n, inspected, at - now.began};
			now.began = at, now.vertices += n, now.edges += inspected;
		}
		if (full || !sum) return false;
		now.depth++;
		return true;
	}
};

int search_by_tail_launches(g500_lab *lab, const DeviceLoop &loop);

} // namespace g500::lab
