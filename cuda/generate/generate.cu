// SPDX-License-Identifier: Apache-2.0

// The official Kronecker generator, bit by bit (Graph500 specification, section "Generating the Edge List"). The Go
// package kronecker is the same generator on the CPU, and documents the reference code's additions to the
// specification.
//
// Edge i has its own stream, which starts i*2^64 draws after the seeded state. A thread finds the start of its first
// edge's stream with one matrix per bit of i, and the start of each further stream with one matrix.

#include "common/block.cuh"
#include "common/check.cuh"
#include "generate/generate.h"
#include "generate/mrg.cuh"

namespace {

using namespace g500;
using namespace g500::mrg;

// The initiator in units of 1/10000: a draw's remainder picks (0,1) below 1900, (1,0) below 3800, (0,0) below 9500,
// else (1,1). Draws below kTooLow are drawn again, so that every remainder is equally likely.
constexpr u32 kAllParts = 10000, kEnd01 = 1900, kEnd10 = 3800, kEnd00 = 9500;
constexpr u32 kTooLow = kModulus % kAllParts;

constexpr int kLog2Lanes = 5;
constexpr int kRun = 64; // edges per thread, which amortize finding its first stream

// strides[k] is the step from an edge's stream to the stream of the edge 2^k further on: 2^(64+k) draws. The values are
// the same for every graph, so concurrent launches do not disturb each other.
constexpr int kStrides = 64;
__constant__ Matrix strides[kStrides];

// Scrambler replaces the random permutation of labels that the specification requires: a bijection on the lowest
// `scale` bits, made of odd multiplications and bit reversals.
struct Scrambler {
	u64 add, mul0, mul1;
	int unused; // bits of a word above the scale
};

// Graph is the parameters that all edges share.
struct Graph {
	int scale;
	State first; // start of the stream of edge 0 of the launch
	Scrambler scrambler;
};

// Returns the scrambled label of vertex v. A product's low bits depend only on the low bits of its factors; the
// reversal after each product moves them to the top, and drops those above the scale.
__device__ u64 label(const Scrambler &s, u64 v) {
	v = (v + s.add) * s.mul0;
	v = __brevll(v) >> s.unused;
	v *= s.mul1;
	return __brevll(v) >> s.unused;
}

// Returns a draw's remainder modulo kAllParts as a fraction in units of 2^-32: the high half of draw*2^64/10000 modulo
// 2^64 (Lemire, Kaser, Kurz: Faster remainder by direct computation, Software: Practice and Experience 49, 2019). Its
// error is below one unit and the distance of remainders is 429,496, so comparisons with share() are exact.
__device__ u32 remainder_share(u32 draw) {
	constexpr u64 per_part = ~0ull / kAllParts + 1;
	return __umulhi(draw, (u32)per_part) + draw * (u32)(per_part >> 32);
}
__host__ __device__ constexpr u32 share(u64 part) { return (u32)((part << 32) / kAllParts); }

__device__ u32 highest_bit(u32 x) { return x ? 0x80000000u >> __clz(x) : 0; }
__device__ u64 highest_bit(u64 x) { return x ? 1ull << 63 >> __clzll(x) : 0; }

// Draws one edge, most significant bits of its ends first, and leaves the stream at the draw of its weight. Word holds
// `scale` bits. As long as both ends are equal, (1,0) must become (0,1): that can concern only the highest bit in which
// they differ, and is done at the end.
template <typename Word>
__device__ g500_edge draw_edge(const Graph &g, State &stream) {
	constexpr u32 tgt_width = share(kEnd01) - share(kEnd00); // from (1,1), beyond the total, to the end of (0,1)
	Word differ = 0, tgt = 0;                                // bits in which the ends differ; the second end
#pragma unroll 5
	for (int level = 0; level < g.scale; level++) {
		u32 draw = next(stream);
		while (draw < kTooLow) draw = next(stream);
		const u32 part = remainder_share(draw);
		differ = differ << 1 | (part < share(kEnd10));
		tgt = tgt << 1 | (part - share(kEnd00) < tgt_width);
	}
	const Word src = tgt ^ differ, flip = src & highest_bit(differ);
	const u64 u = label(g.scrambler, src ^ flip), v = label(g.scrambler, tgt ^ flip);
	return {(u32)u, (u32)v, (u32)(u >> 32) | (u32)(v >> 32) << 16};
}

// Draws a weight. The draw is rounded to single precision before it is scaled, as in the reference code, so the largest
// 63 draws give exactly 1.
__device__ float draw_weight(State &stream) {
	constexpr double unit = 4.65661287524579692e-10; // 1/(2^31-1)
	return (float)((double)(float)next(stream) * unit);
}

// Returns the start of the stream n edges after the stream of s.
__device__ State skip_edges(State s, u64 n) {
	for (int k = 0; n; k++, n >>= 1) {
		if (n & 1) s = apply(strides[k], s);
	}
	return s;
}

// Makes count edges from the launch's first one on.
// Map:    one thread for kRun edges; a warp makes a run of kLanes*kRun edges, kLanes consecutive ones at a time.
// Writes: 12 B per edge, and 4 B of weight if requested; coalesced.
// Work:   an edge takes `scale` draws of about 20 instructions, and 25 products for the step to the next stream.
template <typename Word>
__global__ void __launch_bounds__(kThreads) generate_kernel(Graph g, u64 count, g500_edge *edges, float *weights) {
	const u64 thread = thread_number<kThreads>();
	u64 at = thread / kLanes * (kLanes * kRun) + thread % kLanes;
	if (at >= count) return;
	const u64 end = at + kLanes * kRun < count ? at + kLanes * kRun : count;
	State stream = skip_edges(g.first, at);
	for (; at < end; at += kLanes) {
		State draws = stream;
		edges[at] = draw_edge<Word>(g, draws);
		if (weights != nullptr) weights[at] = draw_weight(draws);
		stream = apply(strides[kLog2Lanes], stream);
	}
}

// Transitions are the powers of one draw by squaring that skips use: element k is 2^k draws.
struct Transitions {
	Matrix of[128 + 8]; // the longest skip is 50*2^128 draws
	Transitions() {
		of[0] = one_draw();
		for (int k = 1; k < 128 + 8; k++) of[k] = squared(of[k - 1]);
	}
	// Returns the state n*2^shift draws after s.
	State skip(State s, u64 n, int shift) const {
		for (int k = shift; n; k++, n >>= 1) {
			if (n & 1) s = apply(of[k], s);
		}
		return s;
	}
};

// Makes a word of two draws. The factor is 2^32-1, as in the reference code, not 2^32.
u64 draw_word(State &s) {
	const u64 high = next(s);
	return high * 0xffffffffu + next(s);
}

// Draws the scrambler's constants from a state far from the streams of all edges.
Scrambler new_scrambler(const Transitions &t, const State &seed, int scale) {
	State s = t.skip(t.skip(seed, 50, 128), 7, 64);
	const u64 val0 = draw_word(s), val1 = draw_word(s);
	return {val0 + val1, val0 | 0x4519840211493211u, val1 | 0x3050852102c843a5u, 64 - scale};
}

// Drops the high bits of tuples with labels below 2^32.
// Map:    one thread per tuple. Reads: 12 B per tuple. Writes: 8 B per tuple.
__global__ void pack_kernel(const g500_edge *edges, u64 count, g500_edge32 *packed) {
	const u64 i = thread_number<kThreads>();
	if (i < count) packed[i] = {edges[i].low_u, edges[i].low_v};
}

// Restores 12-byte tuples.
// Map:    one thread per tuple. Reads: 8 B per tuple. Writes: 12 B per tuple.
__global__ void unpack_kernel(const g500_edge32 *packed, u64 count, g500_edge *edges) {
	const u64 i = thread_number<kThreads>();
	if (i < count) edges[i] = {packed[i].u, packed[i].v, 0};
}

} // namespace

int g500_generate(const g500_kronecker *graph, uint64_t first, uint64_t count, g500_edge *d_edges, float *d_weights,
                  void *stream) {
	const int scale = graph->scale;
	constexpr u64 block_edges = (u64)kThreads * kRun;
	const u64 blocks = (count + block_edges - 1) / block_edges;
	if (scale < 1 || scale > 47 || blocks > 0x7fffffffu) return cudaErrorInvalidValue;
	if (count == 0) return cudaSuccess;
	const cudaStream_t on = (cudaStream_t)stream;
	const Transitions transitions;
	G500_TRY(cudaMemcpyToSymbolAsync(strides, &transitions.of[64], sizeof strides, 0, cudaMemcpyHostToDevice, on));
	const State seed = seeded(graph->seed1, graph->seed2);
	const Graph g = {scale, transitions.skip(seed, first, 64), new_scrambler(transitions, seed, scale)};
	const auto kernel = scale <= 32 ? generate_kernel<u32> : generate_kernel<u64>;
	const Launch how{(u32)blocks, kThreads, on};
	return G500_START_BY("generate_kernel", launch(kernel, how, g, count, d_edges, d_weights));
}

int g500_pack_edges(const g500_edge *d_edges, uint64_t count, g500_edge32 *d_packed, void *stream) {
	return G500_START(pack_kernel, thread_for(count, (cudaStream_t)stream), d_edges, count, d_packed);
}

int g500_unpack_edges(const g500_edge32 *d_packed, uint64_t count, g500_edge *d_edges, void *stream) {
	return G500_START(unpack_kernel, thread_for(count, (cudaStream_t)stream), d_packed, count, d_edges);
}
