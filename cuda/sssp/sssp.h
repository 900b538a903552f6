// SPDX-License-Identifier: Apache-2.0

// Kernel 3: searches for shortest paths.
#pragma once

#include "common/c.h"
#include "common/policy_gen.h"
#include "common/searching.h"
#include "kernel1/kernel1.h"

G500_BEGIN_C

// The steps of a search, for its trace.
enum {
	G500_SSSP_START, G500_SSSP_PUSH, G500_SSSP_PULL, G500_SSSP_PULL_AGAIN, G500_SSSP_PUSH_REST, G500_SSSP_TIES,
	G500_SSSP_TREES, G500_SSSP_RESULT, G500_SSSP_STEPS
};

typedef struct {
	uint64_t rounds;   // rounds of a push, sweeps of a pull
	uint64_t vertices; // in all frontiers of a push; pulled vertices; vertices that may be tied
	uint64_t edges;    // edges of these that were read
	uint64_t nanoseconds;
	uint64_t exchange;    // waits for other ranks, in nanoseconds
} g500_sssp_step;

// The levels of trees that are attached to the non-tree subgraph. Inner vertices with local ids begin[i] to
// begin[i+1]-1 are i+1 edges away from it. Local ids from begin[levels] on are leaves of the trees. A graph of kernel 1
// has only leaves, so no levels.
typedef struct {
	uint32_t levels;
	uint32_t begin[65];
} g500_tree_levels;

// Prepares searches of a weighted graph, which must outlive them. levels is null for a graph of kernel 1; pruned graphs
// with levels are only for one rank. sharers is the number of ranks that search on the device at the same time. Several
// ranks must be connected before they search. Synchronous.
int g500_sssp_create(const g500_graph *graph, const g500_tree_levels *levels, const g500_sssp_policy *policy,
                     uint32_t sharers, g500_searching **search, void *stream);
// Return the result of the last search: for each owned label the parent's label, or -1, and the distance, or -1.
const int64_t *g500_sssp_parents(g500_searching *search);
const float *g500_sssp_distances(g500_searching *search);

// Pruning (ADR 19) makes a graph smaller, after a search from a hub outside trees. The order of calls, on each rank:
// write_parents, survey, create, order, store, free. After write_parents, create and order, all ranks exchange their
// complete parts of d_parents. After the first call the search can only be freed. All are synchronous.
typedef struct g500_pruning g500_pruning;

// Writes the parents of the last search into this rank's part.
int g500_sssp_write_parents(g500_searching *search, void *stream);

// Returns upper bounds of all ranks' distances, and of the edges of the tree's paths.
int g500_sssp_survey(g500_searching *search, float *farthest, uint32_t *hops, void *stream);

// Keeps the edges that are not longer, by a margin, than the path through the hub. The search must outlive the pruning.
int g500_pruning_create(g500_searching *search, double margin, float farthest, g500_pruning **pruning, void *stream);
void g500_pruning_free(g500_pruning *pruning);

// Sorts the vertices: vertices of trees follow the others. Strips complete trees on one rank, vertices with one edge on
// several ranks. *first_leaf becomes the number of this rank's vertices outside trees.
int g500_pruning_order(g500_pruning *pruning, uint32_t *first_leaf);

// Replaces the graph; first_leaf is the maximum over all ranks. On several ranks it has no levels.
int g500_pruning_store(g500_pruning *pruning, uint32_t first_leaf, g500_graph *graph, g500_tree_levels *levels);

// Copies the trace of the last search: G500_SSSP_STEPS entries. Synchronous.
int g500_sssp_trace(g500_searching *search, g500_sssp_step *steps, void *stream);

// g500_sssp_ranks describes all ranks, and arrays with parts of all ranks. Each part has 2^shift words by local id.
typedef struct {
	uint64_t edges; // of all ranks
	float heaviest; // largest weight of all ranks
	uint32_t *d_distances, *d_parents; // for the searches; the caller fills the parts of other ranks
	const uint32_t *d_labels;          // of all vertices with an edge

	// If all ranks are peers: by rank, including this one, windows of g500_sssp_window_bytes and arrays. If they are null,
	// the host drives each search by g500_searching_begin and g500_searching_next.
	void *const *windows;
	uint32_t *const *distances, *const *parents;
	uint32_t blocks;  // minimum of g500_sssp_blocks: all ranks use equally many
	uint32_t listed; // without windows: space for offers in a rank's report, at first; at most what fits
} g500_sssp_ranks;

uint64_t g500_sssp_window_bytes(g500_searching *search); // must be called before g500_sssp_connect
uint32_t g500_sssp_blocks(g500_searching *search);

// Returns the largest weight of this rank's edges.
float g500_sssp_heaviest(g500_searching *search);

// Allocates the state of searches on several ranks, and writes the first two weights of rows into this rank's parts of
// d_distances and d_parents. All ranks then exchange these parts, and call g500_sssp_derive_detours before they search.
// Both are synchronous.
int g500_sssp_connect(g500_searching *search, const g500_sssp_ranks *ranks, void *stream);
int g500_sssp_derive_detours(g500_searching *search, void *stream);

// Between ranks that are not peers, all ranks may store the edges of all of them that are lighter than the window: then
// pushes need fewer exchanges. The first function, after g500_sssp_connect, returns the number of this rank's entries
// of 8 bytes; the second writes them into its part of d_light, which has space for `most` entries of each rank and must
// outlive the searches. Before g500_sssp_derive_detours all ranks exchange these parts. There must be fewer than 2^32
// entries. Both are synchronous.
int g500_sssp_count_light(g500_searching *search, uint64_t *count, void *stream);
int g500_sssp_store_light(g500_searching *search, uint64_t *d_light, uint64_t most, void *stream);

G500_END_C
