// SPDX-License-Identifier: Apache-2.0

// FirstFit and ConflictResolve (Chen et al., Algorithms 4 and 5) for a tile of vertices, one or kNone per thread. A
// vertex of degree d has one of the first d+1 colours, which are searched window by window.
#pragma once

#include "color/color_set.cuh"
#include "color/state.cuh"

namespace g500::color {

constexpr u32 kSerialColors = 128; // of a window, if one thread processes the row
constexpr u32 kWideColors = 1024;  // if a warp or a block processes the row
constexpr u32 kNarrow = 32;        // degree from which a warp processes a row; shorter rows need only this window

template <bool kBits, u32 kMost>
struct SetOf {
	using Type = MaskSet<kMost>;
};
template <u32 kMost>
struct SetOf<true, kMost> {
	using Type = BitSet<kMost>;
};

// Parts are the optimisations that change the code. kLdg applies to rows of single threads, which are otherwise read by
// plain loads; shared rows are always read through the read-only cache.
template <bool kBits, bool kLdg, bool kBalanced>
struct Parts {
	static constexpr bool kTogether = kBalanced;
	using Serial = typename SetOf<kBits, kSerialColors>::Type;
	using Narrow = typename SetOf<kBits, kNarrow>::Type;
	using Wide = typename SetOf<kBits, kWideColors>::Type;

	template <typename T>
	static __device__ T read(const T *at) {
		return kLdg ? __ldg(at) : *at;
	}
};

struct PushShared {
	u64 sum[kBlock / kLanes];
	u64 first;
};

template <typename P, bool kTogether = P::kTogether>
struct TileShared {
	PushShared push;
};
template <typename P>
struct TileShared<P, true> {
	PushShared push;
	lab::GatherSharedOf<kBlock> gather;
	typename P::Narrow narrow[kBlock];
	typename P::Wide wide[kBlock / 32]; // the block uses the first one
	u32 own[kBlock];               // colours of the tile
	bool lost[kBlock];
};

// Returns the necessary size of a window that begins with colour `base`, for a row of n edges.
__device__ inline u32 window(u64 n, u32 base, u32 most) { return (u32)min((u64)most, n + 2 - base); }

// Returns the first colour that no neighbour has. One thread, which clears all colours of the set for each vertex, as
// the program of the paper does (github.com/chenxuhao/csrcolor, ac44f03). A self-loop forbids no colour.
template <typename P>
__device__ inline u32 fit_alone(const Coloring &k, u32 v) {
	const u64 begin = P::read(k.g.rows + v), end = P::read(k.g.rows + v + 1);
	typename P::Serial set;
	for (u32 base = 1;; base += set.kColors) {
		const u32 n = window(end - begin, base, set.kColors);
		set.open(set.kColors, 0, 1);
		for (u64 e = begin; e < end; e++) {
			const u32 to = P::read(k.g.cols + e);
			if (const u32 c = k.color_of(to) - base; c < n && to != v) set.forbid(c);
		}
		if (const u32 found = set.first(n); found != kNone) return base + found;
	}
}

// The same for several threads with one row.
template <typename Set, typename Sync>
__device__ inline void fit_together(const Coloring &k, Set &set, const lab::TileRow &row, u32 threads, Sync sync) {
	const u32 own = threadIdx.x % threads;
	for (u32 base = 1, found = kNone; found == kNone; base += set.kColors) {
		const u32 n = window(row.n, base, set.kColors);
		const auto visit = [&](u32, u32 to, u64) {
			if (to == kNone || to == row.v) return;
			if (const u32 c = k.color_of(to) - base; c < n) set.forbid_together(c);
		};
		set.open(n, own, threads);
		sync();
		lab::share_row(k.g, row, own, threads, visit);
		sync();
		found = set.first(n);
		sync();
		if (own == 0 && found != kNone) k.color[row.v] = base + found;
	}
}

// The row of the vertex of a thread. Its place has the number of the thread in the upper half.
__device__ inline lab::TileRow tile_row(const Coloring &k, u32 v) {
	lab::TileRow row = lab::row_at(k.g, v);
	row.place = (u64)threadIdx.x << 32;
	return row;
}

// Gives each vertex of the tile the first colour that no neighbour has.
template <typename P>
__device__ void fit_tile(const Coloring &k, TileShared<P> &sh, u32 v) {
	if constexpr (!P::kTogether) {
		const u32 c = v == kNone ? 0 : fit_alone<P>(k, v);
		__syncwarp(); // all lanes write at the same time
		if (v != kNone) k.color[v] = c;
	} else {
		lab::TileRow row = tile_row(k, v);
		const bool narrow = v != kNone && row.n < kNarrow;
		lab::for_rows_of_block(sh.gather, row, kBlock, [&](const lab::TileRow &one) {
			fit_together(k, sh.wide[0], one, kBlock, [] { __syncthreads(); });
		});
		lab::for_rows_of_warp(row, kNarrow, [&](const lab::TileRow &one) {
			fit_together(k, sh.wide[threadIdx.x / 32], one, 32, [] { __syncwarp(); });
		});
		const u32 n = narrow ? row.n + 1 : 0;
		typename P::Narrow &set = sh.narrow[threadIdx.x];
		set.open(n, 0, 1);
		const auto visit = [&](u32 from, u32 to, u64 place) {
			if (to == kNone || to == from) return;
			if (const u32 c = k.color_of(to) - 1; c < kNarrow) sh.narrow[place >> 32].forbid_together(c);
		};
		__syncthreads();
		lab::ByScan::gather(k, sh.gather, row, visit);
		if (narrow) k.color[v] = 1 + set.first(n);
		__syncthreads(); // before the sets of the next tile
	}
}

// Whether a vertex loses a conflict with a neighbour of the same colour: the smaller number loses; with the heuristic
// the smaller degree, and among equal degrees the smaller number.
__device__ inline bool loses_to(const Coloring &k, u32 v, u32 to) {
	if (k.by_degree) {
		const u64 own = k.g.degree(v), other = k.g.degree(to);
		if (own != other) return own < other;
	}
	return v < to;
}

// Whether the vertex of the thread loses a conflict.
template <typename P>
__device__ bool loses(const Coloring &k, TileShared<P> &sh, u32 v) {
	if constexpr (!P::kTogether) {
		if (v == kNone) return false;
		const u32 own = k.color_of(v);
		const u64 begin = P::read(k.g.rows + v), end = P::read(k.g.rows + v + 1);
		for (u64 e = begin; e < end; e++)
			if (const u32 to = P::read(k.g.cols + e); k.color_of(to) == own && loses_to(k, v, to)) return true;
		return false;
	} else {
		lab::TileRow row = tile_row(k, v);
		sh.own[threadIdx.x] = v == kNone ? 0 : k.color_of(v);
		sh.lost[threadIdx.x] = false;
		__syncthreads();
		const auto visit = [&](u32 from, u32 to, u64 place) {
			if (to == kNone || k.color_of(to) != sh.own[place >> 32]) return;
			if (loses_to(k, from, to)) sh.lost[place >> 32] = true;
		};
		lab::gather_by_block(k.g, sh.gather, row, kBlock, visit);
		lab::gather_by_warp(k.g, row, kNarrow, visit);
		lab::ByScan::gather(k, sh.gather, row, visit);
		__syncthreads();
		return sh.lost[threadIdx.x];
	}
}

// Appends the vertices of the threads with has to a list: a prefix sum, and one atomic per block.
__device__ inline void push(PushShared &sh, bool has, u32 v, u32 *list, ull *count) {
	u64 before, sum;
	block_scan(sh.sum, (u64)has, before, sum);
	if (threadIdx.x == 0 && sum) sh.first = atomicAdd(count, (ull)sum);
	__syncthreads();
	if (has) list[sh.first + before] = v;
}

} // namespace g500::color
