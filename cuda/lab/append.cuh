// Where vertices go that are new: a queue, or a queue for each class of degrees. A warp collects 32 vertices before it
// reserves their places by one atomic, whichever strategy it works for.
#pragma once

#include "lab/state.cuh"

namespace g500::lab {

struct AppendShared {
	u32 stage[kWarps][64];
};

// Appender adds vertices to a queue; with kSorts to one for each class. All lanes of a warp call it together.
template <bool kSorts>
class Appender {
public:
	__device__ Appender(const Level &level, AppendShared &sh, const Queue &out)
		: level(level), out(out), stage(sh.stage[threadIdx.x / 32]) {}

	__device__ inline void operator()(bool has, u32 v) {
		if (level.limits.drop && has) has = level.g.degree(v) > level.limits.drop;
		const u32 lanes = __ballot_sync(~0u, has);
		if (!lanes) return;
		if (has) stage[held + __popc(lanes & lanes_below())] = v;
		held += __popc(lanes);
		__syncwarp();
		if (held >= 32) flush(32);
	}

	// Adds what has been collected.
	__device__ void finish() {
		if (held) flush(held);
	}

private:
	__device__ void flush(u32 n) {
		const u32 lane = lane_of_thread();
		const u32 v = stage[lane], later = stage[lane + 32];
		__syncwarp();
		stage[lane] = later;
		held -= n;
		__syncwarp();
		if (!kSorts) return write(lane < n, v, 0);
		const int own = lane < n ? level.limits.class_of(level.g.degree(v)) : -1;
		for (int k = 0; k < kClasses; k++) write(own == k, v, k);
	}

	// Writes the vertices of one class. Classes lie one after the other, with equal room.
	__device__ void write(bool has, u32 v, int k) {
		const u32 lanes = __ballot_sync(~0u, has);
		if (!lanes) return;
		u64 base = 0;
		if (lane_of_thread() == 0) base = atomicAdd(out.queued + k, (ull)__popc(lanes));
		base = __shfl_sync(~0u, base, 0) + __popc(lanes & lanes_below());
		if (has && base < out.room) out.vertices[k * out.room + base] = v;
	}

	const Level &level;
	const Queue out;
	u32 *stage;
	u32 held = 0;
};

} // namespace g500::lab
