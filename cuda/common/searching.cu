// SPDX-License-Identifier: Apache-2.0

// The C interface to searches of both kernels.
#include "common/searching.cuh"

void g500_searching_free(g500_searching *search) { delete search; }

int g500_searching_run(g500_searching *search, uint64_t root, void *stream) {
	return search->start([&] { return search->run(root, (cudaStream_t)stream); });
}

int g500_searching_prelaunch(g500_searching *search, void *stream) {
	return search->start([&] { return search->prelaunch((cudaStream_t)stream); });
}

int g500_searching_cancel_prelaunch(g500_searching *search) { return search->doorbell.cancel(); }

int g500_searching_await(g500_searching *search, void *stream) {
	return search->keep(search->await((cudaStream_t)stream));
}

const g500_stall *g500_searching_stall(const g500_searching *search) { return &search->stall(); }

void g500_searching_end(g500_searching *search) { search->end(); }

int g500_searching_begin(g500_searching *search, uint64_t root, g500_wanted *wanted, void *stream) {
	return search->start([&] { return search->begin_driven(root, *wanted, (cudaStream_t)stream); });
}

int g500_searching_next(g500_searching *search, g500_wanted *wanted, void *stream) {
	return search->keep(search->next(*wanted, (cudaStream_t)stream));
}

void g500_searching_fail(g500_searching *search) { search->keep(G500_ENDED_EARLY); }
