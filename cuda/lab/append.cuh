// SPDX-License-Identifier: Apache-2.0

// Appends new vertices to a queue, to a queue per degree class, or to a queue with numbered edges. A warp collects 32
// vertices before it reserves their places by one atomic, in all strategies.
#pragma once

#include "common/block_sum.cuh"
#include "lab/state.cuh"

namespace g500::lab {

struct AppendShared {
	u32 stage[kWarps][64];
};

// Appender adds vertices to a queue. All lanes of a warp call it together.
class Appender {
public:
	__device__ Appender(const Level &level, AppendShared &sh, const Queue &out)
		: level(level), out(out), stage(sh.stage[threadIdx.x / 32]) {}

	__device__ inline void operator()(bool has, u32 v) {
		has = has && (out.offsets ? level.g.degree(v) > level.limits.drop : level.keeps(v));
		const u32 lanes = __ballot_sync(~0u, has);
		if (!lanes) return;
		const u32 place = append_in_warp(lanes, held);
		if (has) stage[place] = v;
		__syncwarp();
		if (held >= 32) flush(32);
	}

	// Adds the collected vertices.
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
		if (out.offsets) return number(lane < n, v);
		if (!out.sorted) return write(lane < n, v, 0);
		const u32 own = lane < n ? level.limits.class_of(level.g.degree(v)) : kNone;
		for (u32 k = 0; k < kClasses; k++) write(own == k, v, k);
	}

	// The unordered prefix sum of Busato and Bombieri, section 3.3: one atomic reserves places and edge numbers together.
	__device__ void number(bool has, u32 v) {
		const u64 own = has ? (1ull << kEdgeBits) + level.g.degree(v) : 0;
		const u64 upto = warp_scan(own);
		u64 base = 0;
		if (lane_of_thread() == 31) base = atomicAdd(out.queued, (ull)upto);
		const u64 at = __shfl_sync(~0u, base, 31) + upto - own;
		if (!has || at >> kEdgeBits >= out.capacity) return;
		out.vertices[at >> kEdgeBits] = v;
		out.offsets[at >> kEdgeBits] = at & kEdgeMask;
	}

	// Writes the vertices of one class.
	__device__ void write(bool has, u32 v, u32 k) {
		const u32 lanes = __ballot_sync(~0u, has);
		if (!lanes) return;
		const u64 at = append_by_warp<u64>(lanes, out.queued + k);
		if (has && at < out.capacity) out.vertices[k * out.capacity + at] = v;
	}

	const Level &level;
	const Queue out;
	u32 *stage;
	u32 held = 0;
};

} // namespace g500::lab
