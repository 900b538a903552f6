// API of the laboratory: the BFS strategies of four papers, each composed of parts, on one graph in input order.
#ifndef G500_LAB_H
#define G500_LAB_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// g500_lab_strategy is a choice of parts and numbers. g500_lab_set sets them by the keys of lab/strategies.toml, which
// has the strategies of the papers.
typedef struct {
	uint32_t shape;     // kernels of a level, and the queues between them
	uint32_t gather;    // how a block distributes the edges of a tile of vertices
	uint32_t lookup;    // how a visited vertex is detected
	uint32_t cull;      // which other duplicates are searched for: bits
	uint32_t loop;      // where the loop over levels runs
	uint32_t direction; // when a search turns bottom-up
	uint32_t output;    // distance or parent
	uint32_t isolate;   // the kernels that are timed, if shape is isolated
	uint32_t status;    // words or bytes in the status array, if shape is topology or status-queue
	uint32_t grouping;  // how the number of threads per vertex is chosen if gather is group
	uint32_t switching; // how the status array is scanned at the switch to bottom-up
	uint32_t classes;   // one kernel for all classes, or one per class at the same time
	uint32_t refilling; // how a bottom-up queue is made
	uint32_t long_rows; // how a block or a warp selects the rows that it gathers
	uint32_t supports;  // if warp_from, block_from and bin_from are set, or chosen by the highest degree
	uint32_t walk;      // how a search in pages finds the next page of a row

	uint32_t group;       // threads per vertex if gather is group and grouping is fixed
	uint32_t warp_from;   // degree from which a warp shares a row; 0: never
	uint32_t block_from;  // degree from which a block shares a row
	uint32_t grid_from;   // degree from which all blocks share a row, if vertices are in classes
	uint32_t bin_from;    // degree from which supplementary queues, each twice the last, are used; at least 32; 0: never
	uint32_t child_from;  // degree from which a thread launches a kernel for a row; 0: never
	uint32_t history;     // entries of the history of a block
	uint32_t gpus;        // number of shares of the vertices if shape is partitioned or status-queue
	uint32_t tiles;       // that a block processes in sequence before another block is used
	uint32_t blocks;      // most blocks that process a queue; 0: as many as run at the same time
	uint32_t fused_below; // shape hybrid: edges in the queue; 0: as many as threads run at the same time
	uint32_t drop_degree; // vertices of at most this degree are not queued
	uint32_t alpha;       // bottom-up if the edges of a frontier exceed the unexplored edges / alpha
	uint32_t gamma;       // bottom-up if the frontier has more than this percentage of the hubs
	uint32_t hub_cache;   // hubs in shared memory; 0: no cache
	uint32_t hub_degree;  // a hub has a larger degree; 0: so that about 1,000 vertices are hubs
	uint32_t vertex_capacity; // of a queue of vertices, percent of the vertices
	uint32_t edge_capacity;   // of a queue of edges, percent of the edges
} g500_lab_strategy;

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
	uint64_t queue_bytes;  // device memory of queues, bins and lookup tables
} g500_lab_totals;

enum { G500_LAB_MOST_SHARES = 8 };

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

// Sets a part or a number by its key and value, as in lab/strategies.toml. Returns cudaErrorInvalidValue for an unknown
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
