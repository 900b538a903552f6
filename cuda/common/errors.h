// SPDX-License-Identifier: Apache-2.0

// Error codes and their names; why a search was given up, and where.
#pragma once

#include "common/c.h"

G500_BEGIN_C

// Error codes of this program. CUDA's are below 10000.
enum {
	G500_ENDED_EARLY = 10001, // a kernel has ended without a complete result
	G500_FAILED_BEFORE,       // an earlier search has failed, and left the state undefined for later ones
	G500_GIVEN_UP,            // a search made no progress, or the host ended it: see g500_stall
	G500_ADDRESS_TOO_HIGH,    // of packed rows: it has more bits than kAddressBits
};

// Return the name of an error code, such as cudaErrorMemoryAllocation, and its description.
const char *g500_error_name(int code);
const char *g500_error_text(int code);

// Why a search was given up.
enum {
	G500_GOES_ON,        // not given up
	G500_BLOCKS_MISSING, // blocks of the rank have not arrived at a barrier
	G500_RANK_SILENT,    // a rank has not published its counters
	G500_QUEUE_STALLED,  // the rank's queue made no progress
	G500_QUEUE_TOO_LONG, // a frontier has more vertices than a packed sum can count
	G500_HOST_REQUESTED, // the host requested the end
	G500_EXCHANGE_LATE,  // an exchange between ranks has not ended within its time limit
	G500_RANK_GAVE_UP,   // another rank has given up
};

// The lowest rate of a working network, in bytes per second; internal/timeout has it, too (cuda/errors.go compares).
enum { G500_SLOWEST_NETWORK = 16 << 20 };

typedef struct {
	uint32_t why;
	int32_t rank;             // the silent rank
	uint64_t done, all;       // progress: arrived blocks, processed vertices and queue items, or queued vertices; and
	                          // their total or limit
	uint32_t step, number;    // BFS: step (search/step.h) and level; shortest paths: G500_SSSP_* and the number of
	                          // pushes so far
	float nearest, threshold; // shortest paths: distance of the nearest landmark, and end of the window
} g500_stall;

G500_END_C
