// SPDX-License-Identifier: Apache-2.0

// State of searches with the loop over levels on the device: counters of three consecutive levels, and records of all.
#pragma once

#include <algorithm>

#include "lab/runner.cuh"
#include "lab/status.cuh"

namespace g500::lab {

constexpr int kRing = 3;              // sets of counters: of the previous, the present and the next level
constexpr u32 kMostRecords = 1 << 16; // levels with a record of their own

// Progress is the progress of a search. All zeros mean that it has not begun.
struct Progress {
	ull queued[kClasses]; // the frontier
	ull depth;            // of the vertices that the level reaches
	u64 began;            // time of the level, ns
	ull vertices, edges;  // of all finished levels
	ull launches, children; // kernels; of these, by threads for rows
	u32 launched; // the last step of the level. For tail launches
	bool ended;
	cudaError_t error;    // of the last launch

	__device__ void begin() {
		queued[0] = 1; // the root is in the first class
		depth = 1;
		began = now_ns();
	}
};

// DeviceLoop has the arguments of a loop, except the level.
struct DeviceLoop {
	GridBarrier *barrier;
	Counters *counters; // kRing, and kRing for classes
	g500_lab_level *records;
	Progress *progress; // at the end, or between two kernels
	u32 *vertices[2];
	u64 capacity;  // of a queue; 0 for searches by status
	u32 share;     // threads per vertex, in searches by status
	bool sorted;   // each queue has classes
	bool deferred; // the first queue has new vertices, the second one their classes
	bool keeps;    // threads keep new vertices in registers, and launches have all threads of their class

	__device__ Counters *of(u64 depth) const { return counters + depth % kRing; }
	__device__ Counters *of_classes(u64 depth) const { return of(depth) + kRing; }
	__device__ const u32 *queue(u64 depth, int c) const { return vertices[(depth - 1) % 2] + c * capacity; }

	__device__ Classes frontier(const Progress &now) const {
		Classes in;
		for (int c = 0; c < kClasses; c++) in.of[c] = {queue(now.depth, c), nullptr, now.queued[c], nullptr};
		return in;
	}
	__device__ Queue next(const Progress &now) const {
		return {vertices[now.depth % 2], nullptr, capacity, of(now.depth)->queued, nullptr, sorted};
	}

	// For deferred classification: the new vertices, as a frontier and as a queue, and their classes, in the same way.
	__device__ Frontier unsorted(const Progress &now) const { return {vertices[0], nullptr, now.queued[0], nullptr}; }
	__device__ Queue next_unsorted(const Progress &now) const {
		return {vertices[0], nullptr, capacity, of(now.depth)->queued};
	}
	__device__ Classes classified(const Progress &now) const {
		Classes in;
		for (int c = 0; c < kClasses; c++)
			in.of[c] = {vertices[1] + c * capacity, nullptr, read_now(of_classes(now.depth)->queued + c), nullptr};
		return in;
	}
	__device__ Queue classes(const Progress &now) const {
		return {vertices[1], nullptr, capacity, of_classes(now.depth)->queued, nullptr, true};
	}

	// Reads the counters of a finished level. Returns false if it was the last level, or a queue is full.
	__device__ bool end_level(Progress &now, bool records_it) const {
		Counters *const seen = of(now.depth);
		ull n = now.queued[0] + now.queued[1] + now.queued[2] + now.queued[3], sum = 0;
		bool full = false;
		for (int c = 0; c < kClasses; c++) {
			now.queued[c] = read_now(seen->queued + c);
			sum += now.queued[c];
			full |= capacity && now.queued[c] > capacity;
		}
		if (records_it) {
			if (!capacity) n = read_now(&seen->scanned);
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
