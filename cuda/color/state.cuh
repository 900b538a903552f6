// SPDX-License-Identifier: Apache-2.0

// Arguments of the kernels of colouring, and the host part of a run.
#pragma once

#include <chrono>

#include "color/color.h"
#include "common/check.cuh"
#include "lab/meet.cuh"
#include "lab/gather.cuh"

namespace g500::color {

using lab::Csr;

constexpr u32 kBlock = 128; // threads of a block of the algorithms of Chen et al. (section 3.2)
constexpr int kRing = 3; // counters of conflicts: this round, the one before and the one after

// Coloring is a graph with the present colours of its vertices: from 1 on, 0 for none.
struct Coloring {
	Csr g;
	u32 *color;     // n
	bool by_degree; // of two vertices in conflict the one of larger degree keeps its colour
	ull *uncolored; // kRing: vertices without a colour after a round
	u32 *lists[2];  // n each: work lists, alternating
	u32 *colored;   // a bit per vertex: its colour is final (Algorithm 6)
	u32 most_rounds;
	bool partitioned;
	bool clears; // a vertex that loses a conflict loses its colour at once ("Color Clearing", section 3.1)

	// Other threads change colours: the L1 cache may have old ones.
	__device__ u32 color_of(u32 v) const { return __ldcg(color + v); }

	__device__ ull *left(u32 round) const { return uncolored + round % kRing; }
	// The list that a round fills. Constant indices keep kernel arguments out of local memory.
	__device__ u32 *list(u32 round) const { return round % 2 ? lists[1] : lists[0]; }

	// Returns the i-th vertex of a round. The list of the first round has all vertices; if they are partitioned, each
	// thread has consecutive vertices.
	__device__ u32 vertex(u32 round, u64 i) const {
		if (round > 0) return list(round - 1)[i];
		if (!partitioned) return (u32)i;
		const u64 threads = (u64)gridDim.x * kBlock, run = (g.n + threads - 1) / threads;
		const u64 v = i % threads * run + i / threads;
		return i / threads < run && v < g.n ? (u32)v : kNone;
	}
	// Returns the number of items of the first round, including items for which vertex() returns kNone.
	__device__ u64 first_items() const {
		const u64 threads = (u64)gridDim.x * kBlock;
		return partitioned ? (g.n + threads - 1) / threads * threads : g.n;
	}
};

} // namespace g500::color

struct g500_color {
	using u32 = g500::u32;
	using u64 = g500::u64;

	g500::Array<u64> rows;
	g500::Array<u32> cols;
	g500::lab::Csr g{};
	u32 processors = 0;

	g500::Array<u32> color, lists[2], marks; // n each; marks: a bit or a state (llf.cu) per vertex
	g500::Array<g500::ull> counters;
	g500::HostArray<g500::ull> seen;
	g500::Array<g500::GridBarrier> barrier;
	g500::Array<g500::u16> keys[2]; // of G500_COLOR_LLF
	g500::Array<u32> waiting;       // m
	g500::Array<int> narrow;        // n+1: rows of G500_COLOR_CSRCOLOR
	g500::Array<float> values;      // m
	g500::Array<g500::u8> sort;
	size_t sort_bytes = 0;

	cudaStream_t stream = nullptr;
	g500_color_totals totals{};

	// Sets the blocks of a launch over n vertices: one thread each, or as many threads as run at the same time.
	template <typename... P>
	cudaError_t shape(void (*kernel)(P...), u64 n, bool resident, g500::Launch *how) const {
		int blocks;
		G500_TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, (int)how->threads, how->shared));
		const u32 most = (blocks > 0 ? blocks : 1) * processors, own = g500::blocks_for(n, how->threads);
		how->blocks = resident && most < own ? most : own;
		return cudaSuccess;
	}
};

namespace g500::color {

// The algorithms. All vertices are without a colour before.
int color_speculatively(g500_color *c, const g500_color_method &method);
int color_by_sets(g500_color *c, const g500_color_method &method);
int prepare_order(g500_color *c); // allocates memory for color_in_order
int color_in_order(g500_color *c);
int prepare_csrcolor(g500_color *c); // allocates memory for color_by_csrcolor, which measures its time itself
int color_by_csrcolor(g500_color *c);

} // namespace g500::color
