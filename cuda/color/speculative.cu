// SPDX-License-Identifier: Apache-2.0

// Speculative greedy colouring by work lists (Chen et al., Algorithm 7), in two kernels a round or in one for all
// rounds, and by all vertices (Algorithm 6).
#include "color/first_fit.cuh"

namespace g500::color {

namespace {

template <typename P>
__device__ TileShared<P> &shared() {
	G500_SHARED_MEMORY(memory);
	return *reinterpret_cast<TileShared<P> *>(memory);
}

// The first half of a round: gives each vertex a colour.
template <typename P>
__device__ void fit(const Coloring &k, TileShared<P> &sh, u32 round, u64 n) {
	lab::for_tiles<kBlock>(n, [&](u64 i, bool has) { fit_tile<P>(k, sh, has ? k.vertex(round, i) : kNone); });
}

// The second half: vertices that lose a conflict are in the next list, usually without a colour.
template <typename P>
__device__ void resolve(const Coloring &k, TileShared<P> &sh, u32 round, u64 n) {
	lab::for_tiles<kBlock>(n, [&](u64 i, bool has) {
		const u32 v = has ? k.vertex(round, i) : kNone;
		const bool lost = loses<P>(k, sh, v);
		if (lost && k.clears) k.color[v] = 0;
		push(sh.push, lost, v, k.list(round), k.left(round));
	});
}

template <typename P>
__global__ void __launch_bounds__(kBlock) fit_kernel(Coloring k, u32 round, u64 n) {
	fit<P>(k, shared<P>(), round, n ? n : k.first_items());
}

template <typename P>
__global__ void __launch_bounds__(kBlock) resolve_kernel(Coloring k, u32 round, u64 n) {
	resolve<P>(k, shared<P>(), round, n ? n : k.first_items());
}

// All rounds, with a barrier of all blocks between the halves (Xiao and Feng, IPDPS 2010). The host reads the number of
// rounds after the counters.
template <typename P>
__global__ void __launch_bounds__(kBlock) fused_kernel(Coloring k, GridBarrier *barrier) {
	u32 arrivals = 0;
	u64 n = k.first_items(), conflicts = 0;
	u32 round = 0;
	do {
		if (is_first_thread()) *k.left(round + 1) = 0;
		fit<P>(k, shared<P>(), round, n);
		meet(*barrier, arrivals);
		resolve<P>(k, shared<P>(), round, n);
		meet(*barrier, arrivals);
		n = read_now(k.left(round));
		conflicts += n;
	} while (++round != k.most_rounds && n);
	if (is_first_thread()) k.uncolored[kRing] = round, k.uncolored[kRing + 1] = conflicts;
}

template <typename P>
__global__ void __launch_bounds__(kBlock) topology_fit_kernel(Coloring k) {
	lab::for_tiles<kBlock>(k.g.n, [&](u64 i, bool has) {
		const bool misses = has && k.color_of((u32)i) == 0;
		fit_tile<P>(k, shared<P>(), misses ? (u32)i : kNone);
		if (const u32 lanes = __ballot_sync(~0u, misses); lanes && lane_of_thread() == 0)
			atomicAdd(k.left(0), (ull)__popc(lanes));
	});
}

// A warp processes the 32 vertices of a word of the bitmask.
template <typename P>
__global__ void __launch_bounds__(kBlock) topology_resolve_kernel(Coloring k) {
	lab::for_tiles<kBlock>(k.g.n, [&](u64 i, bool has) {
		const bool open = has && !(k.colored[i / 32] >> i % 32 & 1);
		const bool lost = loses<P>(k, shared<P>(), open ? (u32)i : kNone);
		if (lost) k.color[i] = 0;
		const u32 final = __ballot_sync(~0u, has && !lost);
		if (has && lane_of_thread() == 0) k.colored[i / 32] = final;
	});
}

template <typename P>
struct Methods {
	static constexpr size_t kShared = sizeof(TileShared<P>);

	// The launches of both halves of a round. Each half can have as many threads as run at the same time.
	struct Halves {
		Launch fit, resolve;

		template <typename... A, typename... B>
		cudaError_t over(u64 n, const g500_color *c, const g500_color_method &method, void (*fit_by)(A...),
		                 void (*resolve_by)(B...)) {
			const auto coarsens = [&](u32 part) { return (method.optimisations & part) != 0 || method.partitioned; };
			fit = resolve = {0, kBlock, c->stream, kShared};
			G500_TRY(c->shape(fit_by, n, coarsens(G500_COLOR_COARSEN_FIT), &fit));
			return c->shape(resolve_by, n, coarsens(G500_COLOR_COARSEN_RESOLVE), &resolve);
		}
	};

	// Waits, and reads a counter of the round.
	static int take(g500_color *c, u32 slot, u64 *count) {
		G500_TRY(cudaMemcpyAsync(&*c->seen, c->counters + slot, sizeof(ull), cudaMemcpyDeviceToHost, c->stream));
		G500_TRY(cudaMemsetAsync(c->counters, 0, kRing * sizeof(ull), c->stream));
		G500_TRY(cudaStreamSynchronize(c->stream));
		*count = *c->seen;
		return cudaSuccess;
	}

	static int data(g500_color *c, const Coloring &k, const g500_color_method &method) {
		u64 n = 0; // length of the list; 0 in the first round
		do {
			Halves half;
			const u32 round = c->totals.rounds++;
			G500_TRY(half.over(n ? n : k.g.n, c, method, fit_kernel<P>, resolve_kernel<P>));
			G500_LAUNCH(fit_kernel<P>, half.fit, k, round, n);
			G500_LAUNCH(resolve_kernel<P>, half.resolve, k, round, n);
			if (const int code = take(c, round % kRing, &n)) return code;
			c->totals.conflicts += n, c->totals.launches += 2;
		} while (n && c->totals.rounds != k.most_rounds);
		return cudaSuccess;
	}

	static int fused(g500_color *c, const Coloring &k, const g500_color_method &) {
		Launch how = {0, kBlock, c->stream, kShared, Launch::kCooperative};
		G500_TRY(c->shape(fused_kernel<P>, k.g.n, true, &how));
		G500_LAUNCH_BY("fused_kernel", launch(fused_kernel<P>, how, k, c->barrier.get()));
		G500_TRY(read_back(&*c->seen, c->counters + kRing, 2 * sizeof(ull), c->stream));
		c->totals.rounds = (u32)c->seen[0], c->totals.conflicts = c->seen[1], c->totals.launches = 1;
		return cudaSuccess;
	}

	static int topology(g500_color *c, const Coloring &k, const g500_color_method &method) {
		Halves half;
		G500_TRY(half.over(k.g.n, c, method, topology_fit_kernel<P>, topology_resolve_kernel<P>));
		G500_TRY(cudaMemsetAsync(k.colored, 0, (k.g.n / 32 + 1) * sizeof(u32), c->stream));
		u64 changed, fits = 0;
		do {
			G500_LAUNCH(topology_fit_kernel<P>, half.fit, k);
			G500_LAUNCH(topology_resolve_kernel<P>, half.resolve, k);
			if (const int code = take(c, 0, &changed)) return code;
			fits += changed, c->totals.rounds++, c->totals.launches += 2;
		} while (changed);
		c->totals.conflicts = fits - k.g.n;
		return cudaSuccess;
	}
};

using Method = int (*)(g500_color *, const Coloring &, const g500_color_method &);

// The methods for one set of parts.
struct Chosen {
	Method data, fused, topology;
};

template <typename P>
constexpr Chosen with() {
	return {Methods<P>::data, Methods<P>::fused, Methods<P>::topology};
}

constexpr Chosen by_parts[2][2][2] = { // bits, read-only loads, balance
	{{with<Parts<0, 0, 0>>(), with<Parts<0, 0, 1>>()}, {with<Parts<0, 1, 0>>(), with<Parts<0, 1, 1>>()}},
	{{with<Parts<1, 0, 0>>(), with<Parts<1, 0, 1>>()}, {with<Parts<1, 1, 0>>(), with<Parts<1, 1, 1>>()}},
};

} // namespace

int color_speculatively(g500_color *c, const g500_color_method &method) {
	const auto has = [&](u32 part) { return (method.optimisations & part) != 0; };
	const Coloring k = {c->g, c->color, has(G500_COLOR_RESOLVE), c->counters, {c->lists[0], c->lists[1]}, c->marks,
		method.rounds, method.partitioned != 0, !has(G500_COLOR_KEEP)};
	const Chosen &chosen = by_parts[has(G500_COLOR_BITSET)][has(G500_COLOR_LDG)][has(G500_COLOR_BALANCE)];
	if (method.algorithm == G500_COLOR_TOPOLOGY) return chosen.topology(c, k, method);
	return (has(G500_COLOR_FUSE) ? chosen.fused : chosen.data)(c, k, method);
}

} // namespace g500::color
