// SPDX-License-Identifier: Apache-2.0

// The interface of a plugin: a shared library with one function that searches, which g500-lab --plugin validates and
// times as its own strategies (docs/LAB.md). It needs no other file of g500.
#ifndef G500_PLUGIN_H
#define G500_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A graph in compressed sparse rows in device memory, in the order of its input. Duplicate edges and self-loops are
// possible. The neighbours of vertex v are neighbours[offsets[v]] to neighbours[offsets[v + 1] - 1].
typedef struct {
	uint32_t vertices;
	uint64_t edges;             // directed
	const uint64_t *offsets;    // vertices + 1
	const uint32_t *neighbours; // edges
	int symmetric;              // 1 if every edge is stored in both directions
} g500_plugin_graph;

// The meaning of a result, and its value for vertices that the root does not reach.
#define G500_PLUGIN_DISTANCES 0 // edges from the root, which has 0
#define G500_PLUGIN_PARENTS 1   // an earlier vertex of a shortest path from the root, which is its own parent
#define G500_PLUGIN_NONE 0xffffffffu

// Searches from a root, and writes a word per vertex to result, in device memory. Every word must be written: their
// earlier values are random. stream is a cudaStream_t, but other streams may be used. Returns one of the two meanings,
// or a negative number of the plugin's own choice if it failed.
//
// The clock runs from the call until the device has no more work. The first search on a graph is not timed, so it may
// allocate memory for the later ones. Each graph has its own process: static variables are as at its start.
int g500_plugin_search(const g500_plugin_graph *graph, uint32_t root, uint32_t *result, void *stream);

// If the first search also changes the graph, as by sorting it or dropping duplicates, this text must exist and say so.
// It is printed next to the rates: "vertices are sorted by degree".
extern const char g500_plugin_before_clock[];

#ifdef __cplusplus
}
#endif
#endif
