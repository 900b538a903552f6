// SPDX-License-Identifier: Apache-2.0

// Appends new vertices to a queue, to a queue per degree class, or to a queue with numbered edges. A warp collects 32
// vertices in shared memory before it reserves their places by one atomic; or threads keep vertices in registers until
// the block reserves places for all of them (Toedling, Winter, Steinberger, 2019, section III-A).
#pragma once

#include "common/block.cuh"
#include "lab/state.cuh"

namespace g500::lab {

struct AppendShared {
	u32 stage[kWarps][64];
	BlockSum sum;
	u64 base; // of the block in a queue
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

// RegisterAppender adds vertices to a queue, or to one per class. Each thread keeps the first vertices that it finds in
// registers; a warp collects the others, as Appender does.
class RegisterAppender {
public:
	__device__ RegisterAppender(const Level &level, AppendShared &sh, const Queue &out)
		: level(level), out(out), sh(sh), others(level, sh, out) {}

	__device__ inline void operator()(bool has, u32 v) {
		const bool keeps = has && kept < kRegisters && level.keeps(v);
#pragma unroll
		for (u32 i = 0; i < kRegisters; i++)
			if (keeps && i == kept) own[i] = v;
		kept += keeps;
		others(has && !keeps, v);
	}

	// Adds the collected vertices. All threads of the block call it together. An exclusive sum over the block gives each
	// thread its places, after one atomic per class; a class without a vertex in the block has none.
	__device__ void finish() {
		others.finish();
		u32 classes[kRegisters];
#pragma unroll
		for (u32 i = 0; i < kRegisters; i++)
			classes[i] = i >= kept ? kNone : out.sorted ? level.limits.class_of(level.g.degree(own[i])) : 0;
		for (u32 k = 0; k < (out.sorted ? kClasses : 1); k++) {
			u32 n = 0;
#pragma unroll
			for (u32 i = 0; i < kRegisters; i++) n += classes[i] == k;
			if (__syncthreads_or(n)) write(k, n, classes);
		}
		kept = 0;
	}

private:
	static constexpr u32 kRegisters = 4; // the edges that a thread of each class inspects, in the paper

	// Writes the n vertices of this thread that have class k.
	__device__ void write(u32 k, u32 n, const u32 (&classes)[kRegisters]) {
		u64 before, sum;
		block_scan(sh.sum, (u64)n, before, sum);
		if (threadIdx.x == 0) sh.base = atomicAdd(out.queued + k, (ull)sum);
		__syncthreads();
		u64 at = sh.base + before;
#pragma unroll
		for (u32 i = 0; i < kRegisters; i++) {
			if (classes[i] != k) continue;
			if (at < out.capacity) out.vertices[k * out.capacity + at] = own[i];
			at++;
		}
		__syncthreads(); // before the next sum
	}

	const Level &level;
	const Queue out;
	AppendShared &sh;
	Appender others;
	u32 own[kRegisters] = {};
	u32 kept = 0;
};

} // namespace g500::lab
