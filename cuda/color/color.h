// SPDX-License-Identifier: Apache-2.0

// API of graph colouring: the algorithms of Chen et al. (Concurrency and Computation, 2016), and Jones-Plassmann by
// largest log-degree first, on one graph in input order.
#ifndef G500_COLOR_H
#define G500_COLOR_H

#include <stdint.h>

#include "lab/lab.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
	G500_COLOR_DATA,      // speculative, by work lists (Algorithm 7)
	G500_COLOR_TOPOLOGY,  // speculative, all vertices in each round (Algorithm 6)
	G500_COLOR_JP,        // Jones-Plassmann: one set per round (Algorithm 3)
	G500_COLOR_MULTIHASH, // several pairs of sets per round (section 2.3)
	G500_COLOR_LLF,       // Jones-Plassmann, largest log-degree first, with shortcuts
	G500_COLOR_CSRCOLOR,  // cuSPARSE's csrcolor, by the library that is installed
	G500_COLOR_ALGORITHMS
};

// Optimisations of the speculative algorithms (sections 3.2 and 3.3): bits.
enum {
	G500_COLOR_RESOLVE = 1,  // of two vertices in conflict the one of larger degree keeps its colour
	G500_COLOR_COARSEN_FIT = 2, // FirstFit by as many threads as run at the same time
	G500_COLOR_BITSET = 4,   // colours are bits
	G500_COLOR_FUSE = 8,     // one kernel for all rounds
	G500_COLOR_LDG = 16,     // rows are read through the read-only cache
	G500_COLOR_BALANCE = 32, // rows are gathered as in Merrill et al., always through the read-only cache
	G500_COLOR_COARSEN_RESOLVE = 64, // ConflictResolve by as many threads as run at the same time
	G500_COLOR_COARSEN = G500_COLOR_COARSEN_FIT | G500_COLOR_COARSEN_RESOLVE,
	G500_COLOR_KEEP = 128, // no optimisation: a vertex that loses a conflict keeps its colour until the next round
};

// g500_color_method is an algorithm with its options. With a limit of rounds, some vertices may stay without a colour.
typedef struct {
	uint32_t algorithm, optimisations;
	uint32_t rounds;      // at most; 0: until all vertices have a colour. Not with G500_COLOR_KEEP
	uint32_t partitioned; // each thread begins with consecutive vertices (3-step GM)
} g500_color_method;

typedef struct {
	uint32_t rounds;      // 0 for G500_COLOR_LLF, which has no rounds, and for G500_COLOR_CSRCOLOR
	uint64_t conflicts;   // vertices that lost their colour again
	uint64_t nanoseconds; // to the colours in device memory
	uint64_t launches;    // of kernels
} g500_color_totals;

// Sets the algorithm and the optimisations by their names, as data+bitset+fuse. Returns -1 if there is no such name.
int g500_color_set(g500_color_method *method, const char *names);

typedef struct g500_color g500_color;

// Copies the graph to the device. Returns cudaErrorInvalidValue unless it is symmetric.
int g500_color_create(const g500_lab_graph *graph, g500_color **color, void *stream);
void g500_color_free(g500_color *color);

// Colours the graph, and waits for the end. Memory is allocated before the time begins. Returns cudaErrorNotSupported
// for csrcolor without the library, or with 2^31 edges or more.
int g500_color_run(g500_color *color, const g500_color_method *method, g500_color_totals *totals, void *stream);

// The colours of the last run on the device, a word per vertex: from 1 on; 0 for none.
const uint32_t *g500_color_colors(const g500_color *color);

#ifdef __cplusplus
}
#endif
#endif
