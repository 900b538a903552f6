// SPDX-License-Identifier: Apache-2.0

// Exchanges between ranks that a search driven by the host wants.
#pragma once

#include <stdint.h>

// The caller puts the wanted exchange between all ranks on the stream, and continues the search, until it is done. All
// ranks want the same exchanges; only G500_WANTS_TIME, which means to continue soon, may differ.
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
