// SPDX-License-Identifier: Apache-2.0

// The queue of a search by status, made between levels.
#pragma once

#include "lab/runner.cuh"

namespace g500::lab {

// StatusQueue is the host part of a search on one GPU. Its queues have the vertices of a range, by class. expand and
// refill only launch kernels; the others wait.
class StatusQueue {
public:
	StatusQueue(g500_lab *lab, u32 first, u32 size) : lab(lab), m(lab->memory), first(first), size(size) {}

	int begin();           // makes the queue of the root
	int expand(u32 depth); // searches the level of this depth
	int refill(u32 depth); // makes the queue of the next level
	int end_level();       // counts the level, in lab->seen
	int turn(u32 depth);   // makes the queue of the next level again, to search it bottom-up
	bool is_bottom_up() const { return bottom_up; }
	u64 total() const { return counts[0] + counts[1] + counts[2] + counts[3]; }

private:
	int fill(u32 depth, bool unvisited);
	int make_queue(u32 depth, bool unvisited, bool of_queue);

	g500_lab *lab;
	Memory &m;
	u32 first, size; // of the range
	int now = 0; // the filled queue
	bool bottom_up = false;
	ull counts[kClasses] = {};
};

} // namespace g500::lab
