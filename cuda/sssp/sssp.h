// Kernel 3: searches for shortest paths.
#ifndef G500_SSSP_H
#define G500_SSSP_H

#include "kernel1/kernel1.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct g500_sssp g500_sssp; // the state of searches in a graph with weights

// What decides how a search goes; none of it changes a distance. Defaults and their reasons: bfs/policy.toml.
typedef struct {
	// How much farther than the nearest landmark paths are pushed, in millionths of the heaviest weight, in a graph of
	// 2^31 directed edges; with so many times fewer edges, by the cube root of that farther.
	uint32_t window;
	uint32_t landmarks; // the vertices with the lowest hub ids, so many
	uint32_t sweeps;    // after the first, before what still changes is pushed
	uint32_t classes;   // of hub ids, each with four times as many as the one before: the first sweep takes one at a time
	uint32_t hinted;    // vertices with the lowest hub ids keep who pushed their distance
} g500_sssp_policy;

// The steps of a search, for its trace.
enum {
	G500_SSSP_START, G500_SSSP_PUSH, G500_SSSP_PULL, G500_SSSP_PULL_AGAIN, G500_SSSP_PUSH_REST, G500_SSSP_TIES,
	G500_SSSP_TREES, G500_SSSP_RESULT, G500_SSSP_STEPS
};

typedef struct {
	uint64_t rounds;      // of a push, sweeps of a pull
	uint64_t vertices;    // in all frontiers of a push; that a pull looks at
	uint64_t edges;       // of these, looked at
	uint64_t nanoseconds;
} g500_sssp_step;

// Where vertices hang off the core in trees: hub ids begin[i] to begin[i+1]-1 are i+1 edges away from it. A graph of
// kernel 1 has its leaves so: one level.
typedef struct {
	uint32_t levels;    // at least one
	uint32_t begin[65]; // and the end
} g500_tree_levels;

// Prepares searches of a graph with weights on one rank, which must outlive it. Its levels are null where
// it comes from kernel 1. Ranks that search on the device at once share it. Synchronous.
int g500_sssp_create(const g500_graph *graph, const g500_tree_levels *levels, const g500_sssp_policy *policy,
                     uint32_t sharers, g500_sssp **search, void *stream);
void g500_sssp_free(g500_sssp *search);

// Searches from a label. It returns before the device has ended.
int g500_sssp_run(g500_sssp *search, uint32_t root, void *stream);

// The result of the last search: for each owned label the parent's label, or -1, and the distance, or -1.
const int64_t *g500_sssp_parents(const g500_sssp *search);
const float *g500_sssp_distances(const g500_sssp *search);

// What the last search found, for the margin of pruning (ADR 19): a distance that none is larger than, and a number of
// edges that no shortest path of its tree has more of. Synchronous.
int g500_sssp_survey(const g500_sssp *search, float *farthest, uint32_t *hops, void *stream);

// Makes a graph smaller that the last search, from any root, has gone through: leaves out the edges that are longer
// than the way around by that root, with a margin, and lets what are trees then hang off the core. After that the
// search can only be freed. Synchronous.
int g500_sssp_prune(const g500_sssp *search, double margin, float farthest, g500_graph *graph,
                    g500_tree_levels *levels, void *stream);

// What the last search did, by step: G500_SSSP_STEPS of them. Synchronous.
int g500_sssp_trace(g500_sssp *search, g500_sssp_step *steps, void *stream);

#ifdef __cplusplus
}
#endif
#endif
