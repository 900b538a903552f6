// SPDX-License-Identifier: Apache-2.0

// Kernel 2: searches.
#pragma once

#include "common/c.h"
#include "common/policy_gen.h"
#include "common/searching.h"
#include "kernel1/kernel1.h"
#include "search/step.h"

G500_BEGIN_C

// How ranks exchange newly visited vertices. AUTO: the best method for each level. BITMAP: only bitmap words, except in
// the root's level (later levels are bottom-up). BINS: only binned pairs (no level is bottom-up), except the visited
// bitmap at the end, for the parents of leaves. On one rank BITMAP is the same as AUTO.
enum { G500_EXCHANGE_AUTO, G500_EXCHANGE_BITMAP, G500_EXCHANGE_BINS };

// g500_search_options are the parameters of g500_search_create.
typedef struct {
	uint32_t sharers;     // ranks that search on this device at the same time
	uint32_t result_bits; // bits per parent in the result: 32 or 64
	int exchange;         // G500_EXCHANGE_*
	g500_policy policy;
} g500_search_options;

// Derives the arrays of a search: part of kernel 1. The graph must outlive it. Before the first search, the caller must
// store the labels of first neighbours and connect the search.
int g500_search_create(const g500_graph *graph, const g500_search_options *options, g500_searching **search,
                       void *stream);

// Returns the global ids of first neighbours, one per vertex with an edge. The caller must replace their words by those
// of the labels. 0xffffffff stays: the vertex is not a leaf, but all its neighbours are.
g500_global_ids g500_search_first_neighbours(g500_searching *search);

// The number of degree classes of local ids: one class per id below 16, then 16 classes per power of two.
enum { G500_DEGREE_CLASSES = 464 };

// Counts this rank's vertices in each class, and their edges. Synchronous.
int g500_search_degrees(g500_searching *search, uint64_t *vertices, uint64_t *edges, void *stream);

// g500_ranks describes all ranks to one rank of a search. Two ranks are peers if each can access the other's device
// memory. Other ranks are remote. Pointers by rank are this device's addresses and include this rank.
typedef struct {
	uint64_t non_leaf, edges; // vertices and edges of the non-leaf subgraph, of all ranks
	uint32_t most_non_leaf;   // largest number of one rank's non-leaf vertices
	uint32_t known;           // number of labels per rank in d_labels
	const uint32_t *d_labels; // by rank, then local id below known
	void *const *windows;     // by rank; NULL for a remote rank
	void *const *rows;        // by rank: arrays of its graph; NULL unless all ranks are peers
	void *const *cols;        // NULL if rows are packed
	void *const *local_ids;
	void *const *packed;    // the owners' addresses of packed rows (g500_graph); NULL for plain ones
	const uint64_t *moves;  // by rank, then chunk of packed rows: its address on this device minus the owner's
	uint32_t chunks;        // the largest number of them on a rank
	const uint32_t *degrees;         // mean degree of each class over all ranks, in sixteenths
	uint32_t deferred;        // label queries per batch after a search; 0 if no labels are deferred
	int far;                  // some two ranks are remote, or ids have 64 bits: the host drives searches, level by level
	uint64_t most_parts;    // bytes of a copy of all ranks' bitmaps; beyond them ranks query bits (ADR 73)
	uint32_t most_reported; // limit of claimed vertices in a rank's report to all ranks; 0: reports have only sums
} g500_ranks;

// Returns the bytes of this rank's window: the part of its memory that its peers write. far is that of g500_ranks. All
// ranks must call it before they connect.
uint64_t g500_search_window_bytes(g500_searching *search, int far);

// Allocates the state and clears the window. No rank may search before all are connected. Host memory of the arguments
// may be freed afterwards, device memory not.
int g500_search_connect(g500_searching *search, const g500_ranks *ranks, void *stream);

// Once before the first search between ranks that are not peers (g500_ranks.far), wants exchanges as
// g500_searching_begin, until ranks are prepared.
int g500_search_prepare(g500_searching *search, g500_wanted *wanted, void *stream);

// After a search with remote ranks, all ranks together look up deferred labels in batches, until no rank has any.
// g500_search_deferred lists this rank's next batch of global ids in the array of g500_search_deferred_ids. The caller
// replaces their words by labels; g500_search_store_deferred stores the labels. Synchronous.
int g500_search_deferred(g500_searching *search, uint32_t *count, void *stream);
g500_global_ids g500_search_deferred_ids(g500_searching *search);
int g500_search_store_deferred(g500_searching *search, uint32_t count, void *stream);

// Writes the result by label, after a search with deferred labels. Other searches do it themselves.
int g500_search_write_result(g500_searching *search, uint64_t root, void *stream);

// Returns the result of the last search: for each owned label the parent's label, or -1 if it was not reached. Entries
// have g500_search_options.result_bits bits and are 16-byte aligned.
const void *g500_search_parents(g500_searching *search);

// g500_traffic is the traffic of a rank by one transport.
typedef struct {
	uint64_t sent, received;
} g500_traffic;

// g500_level is this rank's part in one step of the last search.
typedef struct {
	uint32_t step;     // step.h
	uint64_t frontier; // vertices of all ranks
	uint64_t edges;    // edges of the frontier, of all ranks; only top-down
	uint64_t nanoseconds;
	uint64_t exchange, wait; // part of nanoseconds: sending and storing words; waiting for other ranks
	g500_traffic words;      // 32-bit bitmap words, to and from peers
	g500_traffic pairs;      // to and from peers
	g500_traffic edges_read; // of this rank's rows by peers, and of peers' rows by this rank
	uint32_t barriers; // barriers of all ranks, or exchanges between them, from the search's start to the step's end
} g500_level;

// Copies up to max steps of the last search. *count becomes their number. Synchronous.
int g500_search_trace(g500_searching *search, g500_level *levels, int max, int *count, void *stream);

G500_END_C
