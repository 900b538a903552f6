// The judge: the specification's rules for trees and shortest paths (section "Validation"), on the original edge
// tuples.
#include <algorithm>
#include <cstring>
#include <new>

#include "judge/judge.cuh"
#include "judge/levels.cuh"
#include "judge/paths.cuh"
#include "judge/tuples.cuh"

using g500::Launch;
using g500::u32;
using g500::u64;
using g500::u8;
using g500::ull;
using namespace g500::judge;

struct g500_judge {
	g500_judge_parts parts;
	Split split;
	g500::Array<Tally> tally;

	Tree tree;
	const float *distances; // of all ranks; shortest paths only
	u64 first;              // place of the window

	// This rank's slices, with those of marks[which].
	OwnSlices own(int which) const {
		const u64 begin = split.rank * split.slice; // place
		return {parts.waiting, (u8 *)(parts.marks[which] + begin / 32), parts.levels + begin / 8};
	}

	Places places() const { return {first, parts.span}; } // of the window

	// One rank alone reads the parents of the tree itself.
	Window window() const {
		const Parents own{tree.parents.at(first), tree.parents.wide}, gathered{parts.parents, false};
		return {places(), split.ranks == 1 ? own : gathered, parts.joined};
	}

	// Launches over the places of a slice, and over the places of the window.
	Launch over_slice(cudaStream_t stream) const {
		return {g500::blocks_for(split.slice / 8, kBytesPerBlock), kThreads, stream};
	}
	Launch over_window(cudaStream_t stream) const {
		return {g500::blocks_for(parts.span / 8, kBytesPerBlock), kThreads, stream};
	}
};

namespace {

// A launch over tuples. It has at least one block, also without tuples: a launch without blocks is an error.
Launch over_tuples(u64 count, cudaStream_t stream) {
	return {std::max(g500::blocks_for(count, kTuplesPerBlock), 1u), kThreads, stream};
}

Split split_of(const g500_judge_parts &parts) {
	Split split = {parts.ranks, parts.rank, (u32)parts.vertices, 0, parts.slice, 0};
	split.owned = parts.vertices > parts.rank ? (u32)((parts.vertices - parts.rank - 1) / parts.ranks) + 1 : 0;
	split.reciprocal = parts.ranks > 1 ? ~0ull / parts.ranks + 1 : 0;
	return split;
}

// Clears the tally: no offence, all counts zero.
int clear_tally(g500_judge *j, cudaStream_t stream) {
	Tally *tally = j->tally;
	G500_TRY(cudaMemsetAsync(tally, 0, sizeof *tally, stream));
	G500_TRY(cudaMemsetAsync(tally->worst, 0xff, sizeof tally->worst, stream));
	return cudaSuccess;
}

// Waits for the kernels launched so far, and fetches what they have found.
int fetch(const g500_judge *j, g500_findings *findings, cudaStream_t stream) {
	G500_TRY(cudaMemcpyAsync(findings, j->tally.get(), sizeof *findings, cudaMemcpyDeviceToHost, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

} // namespace

extern "C" int g500_judge_create(const g500_judge_parts *parts, g500_judge **judge, void *stream) {
	*judge = nullptr;
	if (parts->vertices > kNone || parts->slice * parts->ranks < parts->vertices) return cudaErrorInvalidValue;
	if (parts->slice % 128 != 0 || parts->span % 128 != 0 || parts->rank >= parts->ranks) return cudaErrorInvalidValue;
	g500_judge *j = new (std::nothrow) g500_judge{*parts, split_of(*parts), {}, {}, nullptr, 0};
	if (j == nullptr) return cudaErrorMemoryAllocation;
	int code = j->tally.alloc(1);
	if (code == cudaSuccess) code = clear_tally(j, (cudaStream_t)stream);
	if (code != cudaSuccess) {
		delete j;
		return code;
	}
	*judge = j;
	return cudaSuccess;
}

extern "C" void g500_judge_free(g500_judge *judge) { delete judge; }

extern "C" int g500_judge_check_labels(g500_judge *j, const g500_edge *d_edges, uint64_t count,
                                       g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	const Tuples tuples = {d_edges, count};
	G500_LAUNCH(check_labels_kernel, over_tuples(count, stream), tuples, j->split.n, j->tally);
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_enter(g500_judge *j, uint32_t root, const void *d_parents, int bits, g500_findings *findings,
                                void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	if (root >= j->parts.vertices || (uintptr_t)d_parents % 16 != 0) return cudaErrorInvalidValue;
	if (bits != 32 && bits != 64) return cudaErrorInvalidValue;
	j->tree = {{d_parents, bits == 64}, root};
	if (const int code = clear_tally(j, stream)) return code;
	G500_LAUNCH(enter_kernel, j->over_slice(stream), j->split, j->tree, j->own(0), j->tally);
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_descend(g500_judge *j, int from, uint32_t level, g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	if (level == 0 || level > kDeepest) return cudaErrorInvalidValue;
	const u32 *const above = j->parts.marks[from];
	const OwnSlices own = j->own(1 - from);
	G500_LAUNCH(descend_kernel, j->over_slice(stream), j->split, j->tree.parents, above, level, own, j->tally);
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_raise_base(g500_judge *j, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	G500_LAUNCH(raise_base_kernel, j->over_slice(stream), j->split, j->own(0).levels);
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

extern "C" int g500_judge_mark_reached(g500_judge *j, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	G500_LAUNCH(mark_reached_kernel, j->over_slice(stream), j->split, j->tree.parents, j->own(0).marks);
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

extern "C" int g500_judge_find_stuck(g500_judge *j, g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	const u32 *const reached = j->parts.marks[0];
	const u8 *const waiting = j->parts.waiting;
	G500_LAUNCH(find_stuck_kernel, j->over_slice(stream), j->split, j->tree.parents, reached, waiting, j->tally);
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_open_window(g500_judge *j, uint64_t first, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	const u64 span = j->parts.span;
	j->first = first;
	if (j->split.ranks > 1) {
		uint4 *const own = (uint4 *)(j->parts.parents + j->split.rank * span);
		G500_LAUNCH(gather_parents_kernel, j->over_window(stream), j->split, j->tree.parents, j->places(), own);
	}
	G500_TRY(cudaMemsetAsync(j->parts.joined, 0, j->split.ranks * span / 8, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

extern "C" int g500_judge_check_tuples(g500_judge *j, const g500_edge *d_edges, uint64_t count, int counted,
                                       g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	const Tuples tuples = {d_edges, count};
	const u32 *const levels = j->parts.levels;
	const Launch how = over_tuples(count, stream);
	G500_LAUNCH(check_tuples_kernel, how, j->split, tuples, levels, j->window(), counted != 0, j->tally);
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_join_tuples(g500_judge *j, const g500_edge *d_edges, const float *d_weights, uint64_t count,
                                      void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	const Tuples tuples = {d_edges, count};
	const Launch how = over_tuples(count, stream);
	if (d_weights == nullptr) {
		G500_LAUNCH(join_tuples_kernel<AnyLength>, how, j->split, tuples, AnyLength{}, j->window());
	} else {
		const Lengths lengths = {d_weights, j->distances};
		G500_LAUNCH(join_tuples_kernel<Lengths>, how, j->split, tuples, lengths, j->window());
	}
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

extern "C" int g500_judge_check_joined(g500_judge *j, const uint32_t *d_joined, int rule, g500_findings *findings,
                                       void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	if (rule <= 0 || rule >= G500_RULES) return cudaErrorInvalidValue;
	const Joined joined = {j->places(), (const u8 *)d_joined, rule};
	G500_LAUNCH(check_joined_kernel, j->over_window(stream), j->split, j->tree, joined, j->tally);
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_check_distances(g500_judge *j, const float *d_distances, g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	j->distances = d_distances;
	if (j->split.ranks > 1) {
		float *const own = j->parts.distances + j->split.rank * j->split.slice;
		const size_t bytes = j->split.owned * sizeof *own;
		G500_TRY(cudaMemcpyAsync(own, d_distances, bytes, cudaMemcpyDeviceToDevice, stream));
		j->distances = j->parts.distances;
	}
	const Launch how = over_tuples(j->split.owned, stream);
	G500_LAUNCH(check_distances_kernel, how, j->split, j->tree, d_distances, j->tally);
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_check_path_tuples(g500_judge *j, const g500_edge *d_edges, const float *d_weights,
                                            uint64_t count, g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	const Tuples tuples = {d_edges, count};
	const Lengths lengths = {d_weights, j->distances};
	const Launch how = over_tuples(count, stream);
	G500_LAUNCH(check_path_tuples_kernel, how, j->split, tuples, lengths, j->window(), j->tally);
	return fetch(j, findings, stream);
}
