// SPDX-License-Identifier: Apache-2.0

// API of the laboratory: the BFS strategies of four papers, each composed of parts, on one graph in input order.
#ifndef G500_LAB_H
#define G500_LAB_H

#include <stdint.h>

#include "lab/keys.h"

#ifdef __cplusplus
extern "C" {
#endif

// Outcomes of a search other than errors.
enum {
	G500_LAB_DONE,
	G500_LAB_QUEUE_FULL, // duplicates filled a queue: there is no result
};

// g500_lab_level has the figures of one level.
typedef struct {
	uint32_t bottom_up; // 1 if unvisited vertices looked for a parent
	uint32_t launches;  // including kernels that threads launch; 0 if the loop is on the device
	uint64_t vertices;  // expanded, including duplicates; bottom-up: vertices that looked for a parent
	uint64_t edges;     // inspected
	uint64_t nanoseconds;
} g500_lab_level;

// g500_lab_totals has the figures of one search.
typedef struct {
	uint32_t outcome;      // G500_LAB_*
	uint32_t levels;       // including the root's
	uint64_t nanoseconds;  // from the root to the result in device memory, including clearing the state
	uint64_t launches;     // kernels, including prefix sums
	uint64_t vertices;     // expanded top-down, including duplicates
	uint64_t edges;        // inspected, in both directions
	uint64_t reached;      // vertices, each once
	uint64_t reached_edges; // directed edges that leave them, including duplicates and loops
	uint64_t repeated_vertices; // expanded more than once
	uint64_t cache_hits;   // inspected neighbours found in the hub cache
	uint64_t children;     // kernels that threads launched for rows
	uint64_t queue_bytes;  // device memory of queues, bins and lookup tables
} g500_lab_totals;

// g500_lab_share has the figures of one share of a partitioned graph in one search.
typedef struct {
	uint32_t device;   // its GPU
	uint64_t vertices; // expanded
	uint64_t edges;    // inspected
	uint64_t filtered; // of these, duplicates found by its mask and culls
	uint64_t pulled;   // bytes read from the bins of other shares
} g500_lab_share;

typedef struct g500_lab g500_lab;

// A graph in compressed sparse rows in host memory, in input order. Duplicates and loops are possible.
typedef struct {
	uint32_t vertices;
	uint64_t edges;          // directed
	const uint64_t *offsets; // vertices+1
	const uint32_t *columns; // edges
	int symmetric;           // every edge is stored in both directions
} g500_lab_graph;

// Sets all parts and numbers to their defaults.
void g500_lab_defaults(g500_lab_strategy *strategy);

// Sets a part or a number by its key and value, as in lab/keys.toml. Returns cudaErrorInvalidValue for an unknown
// key or value.
int g500_lab_set(g500_lab_strategy *strategy, const char *key, const char *value);

// Copies the graph to the device.
int g500_lab_create(const g500_lab_graph *graph, g500_lab **lab, void *stream);
void g500_lab_free(g500_lab *lab);

// Allocates the queues of a strategy, and frees the earlier ones. Returns cudaErrorInvalidValue if its parts contradict
// each other, or need a symmetric graph.
int g500_lab_prepare(g500_lab *lab, const g500_lab_strategy *strategy, void *stream);

// Searches from a vertex, and waits for the end.
int g500_lab_run(g500_lab *lab, uint32_t root, g500_lab_totals *totals, void *stream);

// Copies up to max levels of the last search and returns the number copied.
int g500_lab_levels(const g500_lab *lab, g500_lab_level *levels, int max);

// Copies up to max shares of the last search and returns the number copied; 0 if there is no partition.
int g500_lab_shares(const g500_lab *lab, g500_lab_share *shares, int max);

// The result of the last search on the device, a word per vertex: its distance from the root or its parent, by the
// output of the strategy; ~0 if the vertex was not reached. The other array is null.
const uint32_t *g500_lab_distances(const g500_lab *lab);
const uint32_t *g500_lab_parents(const g500_lab *lab);

#ifdef __cplusplus
}
#endif
#endif
