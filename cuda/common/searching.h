// SPDX-License-Identifier: Apache-2.0

// One rank's searches of kernel 2 or kernel 3, as the caller starts and ends them.
#pragma once

#include "common/c.h"
#include "common/errors.h"

G500_BEGIN_C

// g500_searching has arrays derived from a graph, and the state of a search. g500_search_create and g500_sssp_create
// make one, which only the functions of its kernel accept, besides these.
typedef struct g500_searching g500_searching;

void g500_searching_free(g500_searching *search);

// Starts a search from a label, on one rank or if all ranks are peers, and returns before it has ended. It does not
// allocate or synchronize. All ranks must start it with the same arguments. After a failed search, this,
// g500_searching_begin and g500_searching_prelaunch return G500_FAILED_BEFORE.
int g500_searching_run(g500_searching *search, uint64_t root, void *stream);

// Launches the kernel of the next search, which waits for its root (ADR 4), at most a minute. Until g500_searching_run
// no other work should be queued on the device. Does nothing if such a kernel waits already, or without `prelaunch` of
// the policy.
int g500_searching_prelaunch(g500_searching *search, void *stream);

// Ends a pre-launched kernel, if there is one. Synchronous.
int g500_searching_cancel_prelaunch(g500_searching *search);

// Waits until the result is complete or, if g500_search_write_result must follow, until the search has ended. Returns
// G500_GIVEN_UP if it was given up.
int g500_searching_await(g500_searching *search, void *stream);

// Returns why the last search was given up.
const g500_stall *g500_searching_stall(const g500_searching *search);

// Ends the running search, or the next one, on all ranks. Any thread may call it.
void g500_searching_end(g500_searching *search);

// A search between ranks that are not peers is driven by the host: after g500_searching_begin or g500_searching_next
// has set *wanted, the caller puts that exchange between all ranks on the stream, and calls g500_searching_next, until
// the search is done. Then g500_searching_await follows. All ranks want the same exchanges; only G500_WANTS_TIME, which
// means to continue soon, may differ.
enum { G500_SEARCH_DONE, G500_PREPARED, G500_WANTS_ALL_GATHER, G500_WANTS_ALL_TO_ALL, G500_WANTS_TIME };

// g500_wanted is an exchange of device memory. All-gather: `bytes` from each rank, in the order of ranks; d_own may be
// this rank's place in d_all. All-to-all: messages to and from rank r are at r x place; the lengths by rank are valid
// until the next call.
typedef struct {
	int kind;
	const void *d_own;
	void *d_all;
	uint64_t bytes;
	const void *d_send;
	void *d_receive;
	uint64_t place, longest; // longest: of the messages between any two ranks
	const uint64_t *send_bytes, *receive_bytes;
} g500_wanted;

int g500_searching_begin(g500_searching *search, uint64_t root, g500_wanted *wanted, void *stream);
int g500_searching_next(g500_searching *search, g500_wanted *wanted, void *stream);

// Records that an exchange has failed, which ends the search: no other can follow.
void g500_searching_fail(g500_searching *search);

G500_END_C
