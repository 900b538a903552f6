// The barriers of a rank's blocks. They are counted, so that a block may do something between coming and waiting.
#pragma once

#include "search/search.cuh"

namespace g500 {

// Meeting is what the blocks of a rank share at its barriers, and what it keeps from one search to the next. What all
// blocks look at while they wait lies in a cache line of its own.
struct Meeting {
	alignas(kCacheLine) u32 arrived;      // blocks that have come to barriers, ever
	alignas(kCacheLine) u32 failed;       // a rank did not answer: nobody waits any longer
	alignas(kCacheLine) u64 last_arrival; // when the last block came to the last barrier of all ranks
	u32 arrivals; // blocks that had come to barriers when the last search ended
	u32 turn;     // barriers of all ranks until then
	u32 round;    // the same for exchanges of pairs: what comes in this search must not come where that is which came last
	u32 first;    // which bitmap the next search begins with
};

// One thread of a block lets it come to a barrier. Who knows that it has come sees what it wrote before, and it sees what those
// wrote that came before it. Returns how many have come, ever.
__device__ inline u32 arrive(Meeting &meeting) { return count_in(&meeting.arrived) + 1; }

// Waits until so many blocks have come, ever; false if there is no use in it since a rank did not answer. All blocks of a rank
// run, so that they come unless they have ended for that reason.
__device__ inline bool await_arrivals(const Meeting &meeting, u32 arrivals) {
	for (u32 polls = 1; (int)(look(&meeting.arrived) - arrivals) < 0; polls++)
		if (polls % 256 == 0 && *(const volatile u32 *)&meeting.failed) return false;
	load_acquire(&meeting.arrived);
	return true;
}

} // namespace g500
