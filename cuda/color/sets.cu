// SPDX-License-Identifier: Apache-2.0

// Colouring by independent sets: Jones-Plassmann, in which the local maxima of random priorities of each round are a
// set (Chen et al., Algorithm 3); and the multi-hash method, in which the local maxima and minima of several hash
// functions are pairs of sets (section 2.3; Naumov, Castonguay, Cohen, 2015).
#include "color/first_fit.cuh"

namespace g500::color {

namespace {

constexpr u32 kHashes = 4; // per round; neither paper states the number

// Returns a hash of a vertex, a different one for each number: the finaliser of MurmurHash3, twice.
__device__ inline u32 hash(u32 v, u32 number) {
	u32 x = v + 1 + number * 0x9e3779b9;
	for (int turn = 0; turn < 2; turn++) {
		x = (x ^ x >> 16) * 0x85ebca6b;
		x = (x ^ x >> 13) * 0xc2b2ae35;
		x ^= x >> 16;
	}
	return x;
}

// One round gives colours from `first` on: to the maxima of one hash, or to the maxima and minima of several. A vertex
// that another thread has coloured in this round still counts as a neighbour without a colour.
template <u32 kOf, bool kMinima>
__global__ void __launch_bounds__(kBlock) set_kernel(Coloring k, u32 round, u32 first, u64 n) {
	G500_SHARED_MEMORY(memory);
	PushShared &sh = *reinterpret_cast<PushShared *>(memory);
	lab::for_tiles<kBlock>(n, [&](u64 i, bool has) {
		const u32 v = has ? k.vertex(round, i) : kNone;
		u32 maxima = has ? (1u << kOf) - 1 : 0, minima = kMinima ? maxima : 0;
		for (u64 e = has ? k.g.rows[v] : 0; has && e < k.g.rows[v + 1] && (maxima | minima); e++) {
			const u32 to = k.g.cols[e], color = k.color_of(to);
			if (to == v || (color && color < first)) continue;
			for (u32 h = 0; h < kOf; h++) {
				const u32 own = hash(v, round * kOf + h), other = hash(to, round * kOf + h);
				const bool is_above = own > other || (own == other && v > to);
				(is_above ? minima : maxima) &= ~(1u << h);
			}
		}
		if (maxima) k.color[v] = first + __ffs(maxima) - 1;
		else if (minima) k.color[v] = first + kOf + __ffs(minima) - 1;
		push(sh, has && !(maxima | minima), v, k.list(round), k.left(round));
		__syncthreads();
	});
}

} // namespace

int color_by_sets(g500_color *c, const g500_color_method &method) {
	const bool one = method.algorithm == G500_COLOR_JP;
	const auto kernel = one ? set_kernel<1, false> : set_kernel<kHashes, true>;
	const Coloring k = {c->g, c->color, false, c->counters, {c->lists[0], c->lists[1]}, nullptr, 0, false, true};
	for (u64 n = c->g.n; n;) {
		Launch how = {0, kBlock, c->stream, sizeof(PushShared)};
		const u32 round = c->totals.rounds++;
		G500_TRY(c->shape(kernel, n, false, &how));
		G500_LAUNCH_BY("set_kernel", launch(kernel, how, k, round, 1 + round * (one ? 1 : 2 * kHashes), n));
		G500_TRY(cudaMemcpyAsync(&*c->seen, c->counters + round % kRing, sizeof(ull), cudaMemcpyDeviceToHost, c->stream));
		G500_TRY(cudaMemsetAsync(c->counters, 0, kRing * sizeof(ull), c->stream));
		G500_TRY(cudaStreamSynchronize(c->stream));
		n = *c->seen, c->totals.launches++;
	}
	return cudaSuccess;
}

} // namespace g500::color
