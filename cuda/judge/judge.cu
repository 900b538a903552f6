// The judge: the specification's five rules for a tree (section "Validation"), on the original edge tuples.

#include <algorithm>
#include <cstring>
#include <new>

#include "judge/judge.cuh"
#include "judge/levels.cuh"
#include "judge/tuples.cuh"

using namespace g500::judge;

struct g500_judge {
	g500_judge_parts parts;
	Split split;
	g500::Array<Tally> tally;

	// The tree before the judge.
	u32 root;
	const u32 *tree; // parents of owned vertices
	u64 first;       // place of the window

	// This rank's slices.
	u8 *marks(int which) const { return (u8 *)(parts.marks[which] + split.rank * split.slice / 32); }
	u32 *levels() const { return parts.levels + split.rank * split.slice / 8; }

	// One rank looks at parents where they are.
	Window window() const {
		return {first, parts.span, split.ranks == 1 ? tree + first : parts.parents, parts.joined};
	}

	u32 slice_blocks() const { return g500::blocks_for(split.slice / 8, kBytesPerBlock); }
	u32 window_blocks() const { return g500::blocks_for(parts.span / 8, kBytesPerBlock); }
	// At least one, which may have nothing to do: a launch without blocks is an error.
	u32 tuple_blocks() const { return std::max(g500::blocks_for(parts.count, kTuplesPerBlock), 1u); }
};

namespace {

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
	g500_judge *j = new (std::nothrow) g500_judge{*parts, split_of(*parts), {}, 0, nullptr, 0};
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

extern "C" int g500_judge_check_labels(g500_judge *j, g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	G500_LAUNCH(check_labels_kernel<<<j->tuple_blocks(), kThreads, 0, stream>>>(j->parts.edges, j->parts.count, j->split.n, j->tally));
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_enter(g500_judge *j, uint32_t root, const uint32_t *d_parents, g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	if (root >= j->parts.vertices || (uintptr_t)d_parents % 16 != 0) return cudaErrorInvalidValue;
	j->root = root;
	j->tree = d_parents;
	if (const int code = clear_tally(j, stream)) return code;
	G500_LAUNCH(enter_kernel<<<j->slice_blocks(), kThreads, 0, stream>>>(j->split, j->tree, root, j->parts.waiting, j->marks(0), j->levels(),
	                                                                    j->tally));
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_descend(g500_judge *j, int from, uint32_t level, g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	if (level == 0 || level > kDeepest) return cudaErrorInvalidValue;
	G500_LAUNCH(descend_kernel<<<j->slice_blocks(), kThreads, 0, stream>>>(j->split, j->tree, j->parts.marks[from], level, j->parts.waiting,
	                                                                      j->marks(1 - from), j->levels(), j->tally));
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_raise_base(g500_judge *j, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	G500_LAUNCH(raise_base_kernel<<<j->slice_blocks(), kThreads, 0, stream>>>(j->split, j->levels()));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

extern "C" int g500_judge_mark_reached(g500_judge *j, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	G500_LAUNCH(mark_reached_kernel<<<j->slice_blocks(), kThreads, 0, stream>>>(j->split, j->tree, j->marks(0)));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

extern "C" int g500_judge_find_stuck(g500_judge *j, g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	G500_LAUNCH(find_stuck_kernel<<<j->slice_blocks(), kThreads, 0, stream>>>(j->split, j->tree, j->parts.marks[0], j->parts.waiting,
	                                                                         j->tally));
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_open_window(g500_judge *j, uint64_t first, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	const u64 span = j->parts.span;
	j->first = first;
	if (j->split.ranks > 1) {
		u32 *const own = j->parts.parents + j->split.rank * span;
		const u64 owned = first < j->split.owned ? std::min(j->split.owned - first, span) : 0;
		G500_TRY(cudaMemcpyAsync(own, j->tree + first, owned * sizeof(u32), cudaMemcpyDeviceToDevice, stream));
		// All ranks' parts have one length and go to the others whole, also the end of one with fewer vertices.
		G500_TRY(cudaMemsetAsync(own + owned, 0xff, (span - owned) * sizeof(u32), stream));
	}
	G500_TRY(cudaMemsetAsync(j->parts.joined, 0, j->split.ranks * span / 8, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

extern "C" int g500_judge_check_tuples(g500_judge *j, int counted, g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	G500_LAUNCH(check_tuples_kernel<<<j->tuple_blocks(), kThreads, 0, stream>>>(j->split, j->parts.edges, j->parts.count, j->parts.levels,
	                                                                           j->window(), counted != 0, j->tally));
	return fetch(j, findings, stream);
}

extern "C" int g500_judge_join_tuples(g500_judge *j, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	G500_LAUNCH(join_tuples_kernel<<<j->tuple_blocks(), kThreads, 0, stream>>>(j->split, j->parts.edges, j->parts.count, j->window()));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

extern "C" int g500_judge_check_joined(g500_judge *j, const uint32_t *d_joined, g500_findings *findings, void *on) {
	const cudaStream_t stream = (cudaStream_t)on;
	G500_LAUNCH(check_joined_kernel<<<j->window_blocks(), kThreads, 0, stream>>>(j->split, j->tree, j->root, j->first, j->parts.span,
	                                                                            (const u8 *)d_joined, j->tally));
	return fetch(j, findings, stream);
}
