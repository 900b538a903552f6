// Validation by messages to owners: the steps.
#include "validate/queries.h"

#include <algorithm>
#include <new>

#include "validate/queries.cuh"

using g500::Launch;
using g500::u64;
using namespace g500::validate;

struct g500_owner_validator : Validation {
	g500_owner_parts parts;

	OwnerView view() const { return {split, tree, parts.levels, parts.joined, parts.directed != 0}; }
};

namespace {

// Returns a launch over n vertices or messages. It has at least one block, because a launch without blocks is an error.
Launch over(u64 n, void *stream) {
	return {std::max(g500::blocks_for(n, kPlacesPerBlock), 1u), kThreads, (cudaStream_t)stream};
}

} // namespace

extern "C" int g500_owner_validator_create(const g500_owner_parts *parts, g500_owner_validator **validator,
                                           void *stream) {
	*validator = nullptr;
	if (parts->vertices > 1ull << 48 || parts->rank >= parts->ranks) return cudaErrorInvalidValue;
	g500_owner_validator *v = new (std::nothrow)
		g500_owner_validator{{split_among(parts->ranks, parts->rank, parts->vertices)}, *parts};
	return v ? created(v, validator, (cudaStream_t)stream) : (int)cudaErrorMemoryAllocation;
}

extern "C" void g500_owner_validator_free(g500_owner_validator *validator) { delete validator; }

extern "C" int g500_owner_enter(g500_owner_validator *v, uint64_t root, const void *d_parents, int bits,
                                g500_findings *findings, void *stream) {
	if (root >= v->split.n || (bits != 32 && bits != 64)) return cudaErrorInvalidValue;
	v->tree = {{d_parents, bits == 64}, root};
	if (const int code = clear_tally(v, (cudaStream_t)stream)) return code;
	const size_t words = (v->split.owned + 31) / 32;
	G500_TRY(cudaMemsetAsync(v->parts.joined, 0, words * sizeof(uint32_t), (cudaStream_t)stream));
	return look(v, findings, (cudaStream_t)stream, [&] {
		G500_LAUNCH(enter_owned_kernel, over(v->split.owned, stream), v->view(), v->tally);
		return cudaSuccess;
	});
}

extern "C" int g500_owner_bin_parents(g500_owner_validator *v, g500_bins *bins, uint64_t first, uint64_t count,
                                      uint64_t *d_messages, uint64_t *counts) {
	return g500::fill(bins, ParentQueries{v->split, v->tree.parents, v->parts.levels, first, count}, d_messages, counts);
}

extern "C" int g500_owner_reply_levels(g500_owner_validator *v, uint64_t *d_messages, uint64_t count, void *stream) {
	G500_LAUNCH(reply_levels_kernel, over(count, stream), v->parts.levels, d_messages, count);
	G500_TRY(cudaStreamSynchronize((cudaStream_t)stream));
	return cudaSuccess;
}

extern "C" int g500_owner_take_levels(g500_owner_validator *v, const uint64_t *d_messages, uint64_t count,
                                      g500_findings *findings, void *stream) {
	G500_LAUNCH(take_levels_kernel, over(count, stream), v->parts.levels, d_messages, count, v->tally);
	return fetch(v, findings, (cudaStream_t)stream);
}

extern "C" int g500_owner_take_stuck(g500_owner_validator *v, const uint64_t *d_messages, uint64_t count,
                                     g500_findings *findings, void *stream) {
	return look(v, findings, (cudaStream_t)stream, [&] {
		G500_LAUNCH(take_stuck_kernel, over(count, stream), v->view(), d_messages, count, v->tally);
		return cudaSuccess;
	});
}

extern "C" int g500_owner_bin_tuples(g500_owner_validator *v, g500_bins *bins, const g500_edge *d_edges, uint64_t count,
                                     g500_tuple_message *d_messages, uint64_t *counts) {
	return g500::fill(bins, TupleEnds{v->split, d_edges, count}, d_messages, counts);
}

extern "C" int g500_owner_forward_tuples(g500_owner_validator *v, g500_tuple_message *d_messages, uint64_t count,
                                         void *stream) {
	G500_LAUNCH(forward_tuples_kernel, over(count, stream), v->view(), d_messages, count, v->tally);
	G500_TRY(cudaStreamSynchronize((cudaStream_t)stream));
	return cudaSuccess;
}

extern "C" int g500_owner_bin_forwarded(g500_owner_validator *v, g500_bins *bins, const g500_tuple_message *d_received,
                                        uint64_t count, g500_tuple_message *d_messages, uint64_t *counts) {
	return g500::fill(bins, Forwarded{v->split.rank, d_received, count}, d_messages, counts);
}

extern "C" int g500_owner_check_tuples(g500_owner_validator *v, const g500_tuple_message *d_messages, uint64_t count,
                                       g500_findings *findings, void *stream) {
	return look(v, findings, (cudaStream_t)stream, [&] {
		G500_LAUNCH(check_forwarded_kernel, over(count, stream), v->view(), d_messages, count, v->tally);
		return cudaSuccess;
	});
}

extern "C" int g500_owner_check_joined(g500_owner_validator *v, g500_findings *findings, void *stream) {
	return look(v, findings, (cudaStream_t)stream, [&] {
		G500_LAUNCH(check_owned_kernel, over(v->split.owned, stream), v->view(), v->tally);
		return cudaSuccess;
	});
}
