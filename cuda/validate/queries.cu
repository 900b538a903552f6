// Validation by messages to owners: the steps.
#include "validate/queries.h"

#include <new>

#include "validate/queries.cuh"

using g500::u64;
using namespace g500::validate;

struct g500_owner_validator : Validation {
	g500_owner_parts parts;

	OwnerView view() const { return {split, tree, parts.levels, parts.joined, parts.directed != 0}; }
};

extern "C" int g500_owner_validator_create(const g500_owner_parts *parts, g500_owner_validator **validator,
                                           void *stream) {
	*validator = nullptr;
	if (parts->vertices > 1ull << 48 || parts->rank >= parts->ranks) return cudaErrorInvalidValue;
	const auto split = split_among(parts->ranks, parts->rank, parts->vertices);
	auto *const v = new (std::nothrow) g500_owner_validator{{(cudaStream_t)stream, split}, *parts};
	return v ? created(v, validator, cudaSuccess) : (int)cudaErrorMemoryAllocation;
}

extern "C" void g500_owner_validator_free(g500_owner_validator *validator) { delete validator; }

extern "C" int g500_owner_enter(g500_owner_validator *v, uint64_t root, const void *d_parents, int bits,
                                g500_findings *findings) {
	G500_TRY(v->enter(root, d_parents, bits));
	const size_t words = (v->split.owned + 31) / 32;
	G500_TRY((int)cudaMemsetAsync(v->parts.joined, 0, words * sizeof(uint32_t), v->stream));
	return G500_CHECK(v, findings, enter_owned_kernel, v->over(v->split.owned), v->view(), v->tally);
}

extern "C" int g500_owner_bin_parents(g500_owner_validator *v, g500_bins *bins, uint64_t first, uint64_t count,
                                      uint64_t *d_messages, uint64_t *counts) {
	return g500::fill(bins, ParentQueries{v->split, v->tree.parents, v->parts.levels, first, count}, d_messages, counts);
}

extern "C" int g500_owner_reply_levels(g500_owner_validator *v, uint64_t *d_messages, uint64_t count) {
	G500_LAUNCH(reply_levels_kernel, v->over(count), v->parts.levels, d_messages, count);
	return cudaStreamSynchronize(v->stream);
}

extern "C" int g500_owner_take_levels(g500_owner_validator *v, const uint64_t *d_messages, uint64_t count,
                                      g500_findings *findings) {
	G500_LAUNCH(take_levels_kernel, v->over(count), v->parts.levels, d_messages, count, v->tally);
	return v->fetch(findings);
}

extern "C" int g500_owner_take_stuck(g500_owner_validator *v, const uint64_t *d_messages, uint64_t count,
                                     g500_findings *findings) {
	return G500_CHECK(v, findings, take_stuck_kernel, v->over(count), v->view(), d_messages, count, v->tally);
}

extern "C" int g500_owner_bin_tuples(g500_owner_validator *v, g500_bins *bins, const g500_edge *d_edges, uint64_t count,
                                     g500_tuple_message *d_messages, uint64_t *counts) {
	return g500::fill(bins, TupleEnds{v->split, d_edges, count}, d_messages, counts);
}

extern "C" int g500_owner_forward_tuples(g500_owner_validator *v, g500_tuple_message *d_messages, uint64_t count) {
	G500_LAUNCH(forward_tuples_kernel, v->over(count), v->view(), d_messages, count, v->tally);
	return cudaStreamSynchronize(v->stream);
}

extern "C" int g500_owner_bin_forwarded(g500_owner_validator *v, g500_bins *bins, const g500_tuple_message *d_received,
                                        uint64_t count, g500_tuple_message *d_messages, uint64_t *counts) {
	return g500::fill(bins, Forwarded{v->split.rank, d_received, count}, d_messages, counts);
}

extern "C" int g500_owner_check_tuples(g500_owner_validator *v, const g500_tuple_message *d_messages, uint64_t count,
                                       g500_findings *findings) {
	return G500_CHECK(v, findings, check_forwarded_kernel, v->over(count), v->view(), d_messages, count, v->tally);
}

extern "C" int g500_owner_check_joined(g500_owner_validator *v, g500_findings *findings) {
	return G500_CHECK(v, findings, check_owned_kernel, v->over(v->split.owned), v->view(), v->tally);
}
