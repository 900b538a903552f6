// SPDX-License-Identifier: Apache-2.0

// The validator: the specification's rules for trees and shortest paths (section "Validation"), on the original edge
// tuples.
#include <algorithm>
#include <new>

#include "common/cub.cuh"
#include "validate/tuples.cuh"
#include "validate/validate.cuh"

using namespace g500;
using namespace g500::validate;

struct g500_validator : Validation {
	const float *distances = nullptr; // of all ranks; shortest paths only
	u64 first = 0;          // first place of the window
	u32 near = 0;           // code of the first level with a near code
	u64 stride = 0;         // of packed parents
	Array<u32> before; // of packed parents, and the number of all
	Array<char> temp;  // for counting these
	size_t temp_bytes = 0;

	// Returns this rank's slices, with marks[which].
	OwnSlices own(int which) const {
		const u64 begin = split.rank * split.slice; // place
		return {parts.inner, parts.leaves, (u8 *)(parts.marks[which] + begin / 32), parts.levels + begin / 8};
	}

	Levels levels() const { return {parts.near, parts.levels, near}; }

	Places places() const { return {first, parts.span}; } // of the window

	// Returns the argument of kernels over tuples, with labels of 32 or 64 bits.
	template <typename Label, bool kAlone = false, bool kDirected = false>
	Split<Label, kAlone, kDirected> split_of() const {
		return {split.ranks, split.rank, (Label)split.n, split.owned, split.slice, split.reciprocal};
	}

	// Returns the parents of the window. A single rank reads them in the tree itself.
	Parents parents() const {
		if (split.ranks == 1) return {tree.parents.at(first), tree.parents.entries64};
		return {parts.parents, parts.labels64 != 0};
	}

	template <typename Split>
	Window<Split> window(const Split &) const {
		return {places(), parents(), packed(), parts.hints, parts.joined};
	}

	Packed packed() const { return {parts.reached, before, parts.span, stride}; }
	u64 words() const { return split.ranks * parts.span / 32; } // of reached

	// Replaces the bits of each word by those of all words up to it.
	cudaError_t count_before(void *temporary, size_t &bytes) const {
		return sum_up(temporary, bytes, before + 1, words(), stream);
	}

	int allocate() {
		if (split.ranks == 1) return cudaSuccess;
		G500_TRY(before.alloc(words() + 1));
		G500_TRY(cudaMemsetAsync(before, 0, sizeof(u32), stream));
		G500_TRY(count_before(nullptr, temp_bytes));
		return temp.alloc(temp_bytes);
	}

	// Calls act with the split of a kernel over tuples with 32-bit labels.
	template <typename Act>
	int by_split32(Act act) const {
		const bool alone = split.ranks == 1 && parts.span == split.slice;
		if (parts.directed) return alone ? act(split_of<u32, true, true>()) : act(split_of<u32, false, true>());
		return alone ? act(split_of<u32, true>()) : act(split_of<u32>());
	}

	// The same for labels of any length.
	template <typename Act>
	int by_split(Act act) const {
		if (!parts.labels64) return by_split32(act);
		return parts.directed ? act(split_of<u64, false, true>()) : act(split_of<u64>());
	}

	// Return launches over the places of a slice and of the window, and over tuples.
	Launch over_slice() const { return {blocks_for(split.slice / 8, kBytesPerBlock), kThreads, stream}; }
	Launch over_window(u32 slices = 1) const {
		return {blocks_for(slices * parts.span / 8, kBytesPerBlock), kThreads, stream};
	}
	Launch over_tuples(u64 count) const { return {blocks_for(count, kTuplesPerBlock), kTupleThreads, stream}; }
};

// Returns tuples in the format of a kernel's split.
template <typename Split>
static TuplesOf<typename Split::Label> tuples_for(const Split &, const void *d_edges, u64 count) {
	return {(decltype(TuplesOf<typename Split::Label>::edges))d_edges, count};
}

int g500_validator_create(const g500_validator_parts *parts, g500_validator **validator, void *stream) {
	*validator = nullptr;
	const u64 most = parts->labels64 ? 1ull << 48 : kNone<u32>;
	if (parts->vertices > most || parts->slice * parts->ranks < parts->vertices) return cudaErrorInvalidValue;
	if (parts->slice % 128 != 0 || parts->span % 128 != 0 || parts->rank >= parts->ranks) return cudaErrorInvalidValue;
	Split<u64> split = split_among(parts->ranks, parts->rank, parts->vertices);
	split.slice = parts->slice;
	auto *const v = new (std::nothrow) g500_validator{{(cudaStream_t)stream, split, *parts}};
	return v ? created(v, validator, v->allocate()) : (int)cudaErrorMemoryAllocation;
}

void g500_validator_free(g500_validator *validator) { delete validator; }

int g500_validator_check_labels(g500_validator *v, const g500_edge *d_edges, uint64_t count, g500_findings *findings) {
	const TuplesOf<u64> tuples = {d_edges, count};
	return G500_CHECK(v, findings, check_labels_kernel, v->over_tuples(count), tuples, v->split.n, v->tally);
}

int g500_validator_enter(g500_validator *v, uint64_t root, const void *d_parents, int bits, g500_findings *findings) {
	if ((uintptr_t)d_parents % 16 != 0) return cudaErrorInvalidValue;
	G500_TRY(v->enter(root, d_parents, bits));
	u32 *const inner = v->parts.marks[1];
	G500_TRY((int)cudaMemsetAsync(inner, 0, v->split.ranks * v->split.slice / 8, v->stream));
	return G500_CHECK(v, findings, enter_kernel, v->over_slice(), v->split, v->tree, v->own(0), inner, v->tally);
}

int g500_validator_separate_inner(g500_validator *v, const uint32_t *d_inner) {
	const Split<u64> &split = v->split;
	const u64 place = v->tree.root / split.ranks, root = v->tree.root % split.ranks == split.rank ? place : kNoParent;
	G500_LAUNCH(separate_inner_kernel, v->over_slice(), split.slice, split.ranks, (const u8 *)d_inner, root, v->own(0));
	return cudaStreamSynchronize(v->stream);
}

int g500_validator_descend(g500_validator *v, int from, uint32_t level, g500_findings *findings) {
	if (level == 0 || level > kDeepest) return cudaErrorInvalidValue;
	G500_LAUNCH(descend_kernel, v->over_slice(), v->split, v->tree.parents, v->parts.marks[from], level, v->own(1 - from),
	            v->tally);
	return v->fetch(findings);
}

int g500_validator_settle_leaves(g500_validator *v, g500_findings *findings) {
	G500_LAUNCH(settle_leaves_kernel, v->over_slice(), v->split, v->tree.parents, v->parts.levels, v->own(0), v->tally);
	return v->fetch(findings);
}

int g500_validator_raise_base(g500_validator *v) {
	G500_TRY(cudaMemsetAsync(v->tally.get()->sizes, 0, sizeof(Tally::sizes), v->stream));
	G500_LAUNCH(raise_base_kernel, v->over_slice(), v->split.slice, v->own(0).levels);
	return cudaStreamSynchronize(v->stream);
}

int g500_validator_mark_reached(g500_validator *v) {
	const Places all{0, v->split.slice};
	G500_LAUNCH(mark_reached_kernel, v->over_slice(), all, v->split.owned, v->tree.parents, v->own(0).marks);
	return cudaStreamSynchronize(v->stream);
}

int g500_validator_find_stuck(g500_validator *v, g500_findings *findings) {
	return G500_CHECK(v, findings, find_stuck_kernel, v->over_slice(), v->split, v->tree.parents, v->parts.marks[0],
	                  v->own(0), v->tally);
}

int g500_validator_open_window(g500_validator *v, uint64_t first) {
	v->first = first;
	u8 *const own = (u8 *)(v->parts.reached + v->split.rank * (v->parts.span / 32));
	if (v->split.ranks > 1)
		G500_LAUNCH(mark_reached_kernel, v->over_window(), v->places(), v->split.owned, v->tree.parents, own);
	return cudaStreamSynchronize(v->stream);
}

int g500_validator_number_parents(g500_validator *v, uint64_t *count) {
	const u64 words = v->parts.span / 32, first = v->split.rank * words;
	u32 begin, end;
	G500_LAUNCH(count_bits_kernel, thread_for(v->words(), v->stream), v->parts.reached, v->words(), v->before + 1);
	G500_LAUNCH_BY("count_before (CUB)", v->count_before(v->temp, v->temp_bytes));
	G500_TRY(read_back(&begin, v->before + first, sizeof begin, v->stream));
	G500_TRY(read_back(&end, v->before + first + words, sizeof end, v->stream));
	*count = end - begin;
	return cudaSuccess;
}

int g500_validator_pack_parents(g500_validator *v, uint64_t stride) {
	v->stride = stride;
	return G500_START(pack_parents_kernel, v->over_window(), v->split, v->tree.parents, v->places(), v->packed(),
	                  Parents{v->parts.parents, v->parts.labels64 != 0});
}

int g500_validator_hint_parents(g500_validator *v) {
	const u64 slots = v->split.ranks * v->parts.span, owned = v->split.owned;
	G500_LAUNCH(hint_parents_kernel, v->over_window(v->split.ranks), slots, v->parents(), v->packed(),
	            owned - std::min(owned, v->first), (u64 *)v->parts.hints);
	return cudaMemsetAsync(v->parts.joined, 0, slots / 8, v->stream);
}

int g500_validator_narrow_levels(g500_validator *v, uint32_t first) {
	const u64 slots = v->split.ranks * v->split.slice;
	if (v->parts.labels64) return cudaSuccess;
	v->near = first;
	const Launch how{blocks_for(slots / 16, kBytesPerBlock), kThreads, v->stream};
	return G500_START(narrow_levels_kernel, how, slots, v->levels(), v->parts.near);
}

int g500_validator_check_tuples(g500_validator *v, const void *d_edges, uint64_t count, int counted,
                                g500_findings *findings) {
	return v->by_split([&](const auto &split) {
		using Of = std::decay_t<decltype(split)>;
		return G500_CHECK(v, findings, check_tuples_kernel<Of>, v->over_tuples(count), split,
		                  tuples_for(split, d_edges, count), v->levels(), v->window(split), counted != 0, v->tally);
	});
}

int g500_validator_join_tuples(g500_validator *v, const void *d_edges, const float *d_weights, uint64_t count) {
	if (d_weights && v->parts.labels64) return cudaErrorInvalidValue;
	const Lengths lengths = {d_weights, v->distances};
	G500_TRY(v->by_split([&](const auto &split) {
		const auto tuples = tuples_for(split, d_edges, count);
		return G500_START(join_tuples_kernel<std::decay_t<decltype(split)>>, v->over_tuples(count), split, tuples, lengths,
		                  v->window(split));
	}));
	return cudaStreamSynchronize(v->stream);
}

int g500_validator_check_joined(g500_validator *v, const uint32_t *d_joined, int rule, g500_findings *findings) {
	if (rule <= 0 || rule >= G500_RULES) return cudaErrorInvalidValue;
	return G500_CHECK(v, findings, check_joined_kernel, v->over_window(), v->split, v->tree, v->places(),
	                  (const u8 *)d_joined, rule, v->tally);
}

int g500_validator_check_distances(g500_validator *v, const float *d_distances, g500_findings *findings) {
	if (v->parts.labels64) return cudaErrorInvalidValue;
	v->distances = d_distances;
	if (v->split.ranks > 1) {
		float *const own = v->parts.distances + v->split.rank * v->split.slice;
		const size_t bytes = v->split.owned * sizeof *own;
		G500_TRY((int)cudaMemcpyAsync(own, d_distances, bytes, cudaMemcpyDeviceToDevice, v->stream));
		v->distances = v->parts.distances;
	}
	return G500_CHECK(v, findings, check_distances_kernel, v->over(v->split.owned), v->split, v->tree, d_distances,
	                  v->tally);
}

int g500_validator_check_path_tuples(g500_validator *v, const g500_edge32 *d_edges, const float *d_weights,
                                     uint64_t count, g500_findings *findings) {
	const Lengths lengths = {d_weights, v->distances};
	const TuplesOf<u32> tuples = {d_edges, count};
	return v->by_split32([&](const auto &split) {
		using Of = std::decay_t<decltype(split)>;
		return G500_CHECK(v, findings, check_path_tuples_kernel<Of>, v->over_tuples(count), split, tuples, lengths,
		                  v->window(split), v->tally);
	});
}
