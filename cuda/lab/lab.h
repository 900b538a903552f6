// The laboratory: the BFS strategies of four papers, each put together from parts, on one graph in input order.
#ifndef G500_LAB_H
#define G500_LAB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// g500_lab_strategy is a choice of parts, and their numbers. lab/strategies.toml has those of the papers, by the same
// keys; g500_lab_set takes them as words.
typedef struct {
	uint32_t shape;     // kernels of a level, and what lies between them
	uint32_t gather;    // how a block shares out the rows of a tile of vertices
	uint32_t lookup;    // how a vertex is found to be visited
	uint32_t cull;      // which duplicates are looked for beside that: bits
	uint32_t loop;      // who goes from level to level
	uint32_t direction; // when a search turns bottom-up
	uint32_t output;    // distance or parent
	uint32_t grouping;  // what the threads of a group are chosen by, where gather is group
	uint32_t switching; // how the status array is scanned at the switch to bottom-up
	uint32_t classes;   // whether one kernel expands all classes, or one each at the same time
	uint32_t refilling; // what a bottom-up queue is made of

	uint32_t group;       // threads a vertex, where gather is group and grouping is fixed
	uint32_t warp_from;   // edges of a row from which a warp takes it; 0: never
	uint32_t block_from;  // the same for a block
	uint32_t grid_from;   // the same for all blocks, where vertices are in classes
	uint32_t bin_from;    // the same for supplementary queues, whose bins double; at least 32; 0: there are none
	uint32_t history;     // vertices that a block remembers, for cull
	uint32_t gpus;        // that have a share of the vertices each, where shape is partitioned
	uint32_t tiles;       // of a queue that a block goes through, one after the other, before there is another block
	uint32_t blocks;      // that go through a queue at most; 0: as many as run at once
	uint32_t fused_below; // edges in the queue, of shape hybrid; 0: as many as the device has threads
	uint32_t drop_degree; // vertices with at most so many edges lead nowhere, and are not queued
	uint32_t alpha;       // bottom-up where a frontier's edges are more than unexplored edges / alpha
	uint32_t gamma;       // bottom-up where the frontier has more than so many percent of the hubs
	uint32_t hub_cache;   // hubs in shared memory; 0: none
	uint32_t hub_degree;  // a hub has more edges; 0: so many that about a thousand vertices are hubs
	uint32_t vertex_room; // of a queue of vertices, percent of the graph's vertices
	uint32_t edge_room;   // of a queue of edges, percent of the graph's edges
} g500_lab_strategy;

// Outcomes of a search that are no errors.
enum {
	G500_LAB_DONE,
	G500_LAB_QUEUE_FULL, // duplicates have filled a queue: there is no result
};

// g500_lab_level is what one level did.
typedef struct {
	uint32_t bottom_up; // 1 if unvisited vertices looked for a parent
	uint32_t launches;  // 0 where the loop is on the device
	uint64_t vertices;  // expanded, duplicates counted; bottom-up: unvisited ones that looked for a parent
	uint64_t edges;     // inspected
	uint64_t nanoseconds;
} g500_lab_level;

// g500_lab_totals is what one search did.
typedef struct {
	uint32_t outcome;     // G500_LAB_*
	uint32_t levels;      // with the root's
	uint64_t nanoseconds; // from the root to the result in device memory, with the clearing of the state
	uint64_t launches;    // kernels, with those of prefix sums
	uint64_t vertices;    // expanded top-down, duplicates counted
	uint64_t edges;       // inspected, in both directions
	uint64_t reached;     // vertices, each once
	uint64_t reached_edges; // directed edges that leave them, duplicates and loops counted, as the papers do
	uint64_t repeated_vertices; // expanded more than once: duplicates that survived
	uint64_t cache_hits;  // neighbours inspected whose status was not read, since the cache of hubs had them
	uint64_t queue_bytes; // device memory of queues, bins and lookups, beside graph and result
} g500_lab_totals;

enum { G500_LAB_MOST_SHARES = 8 };

// g500_lab_share is what one share of a partitioned graph did in one search.
typedef struct {
	uint32_t device;   // the GPU that it was on
	uint64_t vertices; // expanded
	uint64_t edges;    // inspected
	uint64_t filtered; // of them, before they went into bins: by its mask and by culls
	uint64_t pulled;   // bytes, out of other shares' bins
} g500_lab_share;

typedef struct g500_lab g500_lab;

// A graph in compressed sparse rows in host memory, in input order; there may be duplicates and loops.
typedef struct {
	uint32_t vertices;
	uint64_t edges;          // directed
	const uint64_t *offsets; // vertices+1
	const uint32_t *columns; // edges
	int symmetric;           // every edge is there in both directions
} g500_lab_graph;

// Sets all parts to those of the first strategy, and all numbers to their defaults.
void g500_lab_defaults(g500_lab_strategy *strategy);

// Sets a part or a number by its key and value, as in lab/strategies.toml. Returns cudaErrorInvalidValue if there is no
// such key, or the key has no such value.
int g500_lab_set(g500_lab_strategy *strategy, const char *key, const char *value);

// Copies the graph to the device.
int g500_lab_create(const g500_lab_graph *graph, g500_lab **lab, void *stream);
void g500_lab_free(g500_lab *lab);

// Makes ready for searches by a strategy: allocates its queues, and gives back those of the strategy before. Returns
// cudaErrorInvalidValue if the strategy's parts do not fit together, or need a symmetric graph.
int g500_lab_prepare(g500_lab *lab, const g500_lab_strategy *strategy, void *stream);

// Searches from a vertex, and waits for the end.
int g500_lab_run(g500_lab *lab, uint32_t root, g500_lab_totals *totals, void *stream);

// Copies up to max levels of the last search and returns how many there are.
int g500_lab_levels(const g500_lab *lab, g500_lab_level *levels, int max);

// Copies up to max shares of the last search and returns how many there are: none where the graph is in one piece.
int g500_lab_shares(const g500_lab *lab, g500_lab_share *shares, int max);

// The result of the last search on the device, a word for each vertex: its distance from the root or its parent, by
// the strategy's output; ~0 where the vertex was not reached. The other one is null.
const uint32_t *g500_lab_distances(const g500_lab *lab);
const uint32_t *g500_lab_parents(const g500_lab *lab);

#ifdef __cplusplus
}
#endif
#endif
