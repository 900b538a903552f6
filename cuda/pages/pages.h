// SPDX-License-Identifier: Apache-2.0

// API of a graph that changes, in pages of one size on the device (Toedling, Winter, Steinberger, 2019, section IV;
// faimGraph: Winter et al., SC 2018). Unused pages are on a stack, from which growing rows take them.
#ifndef G500_PAGES_H
#define G500_PAGES_H

#include <stdint.h>

#include "lab/lab.h"

#ifdef __cplusplus
extern "C" {
#endif

// Updates of a directed edge, or a query.
enum { G500_PAGES_INSERT, G500_PAGES_DELETE, G500_PAGES_QUERY };

typedef struct g500_pages g500_pages;

typedef struct {
	uint64_t inserted, deleted;
	uint64_t unchanged;      // insertions of existing edges, deletions of missing ones
	uint64_t unknown;        // insertions with an end that is no vertex
	uint64_t found, missing; // queries
	uint64_t nanoseconds;    // from the updates in device memory to the new graph
	uint32_t full;           // the graph would need too many pages, and is unchanged
} g500_pages_totals;

// Puts a graph into pages of 1 << page_bits columns, with a number of spare pages. Rows must be sorted, without
// duplicates. All vertices exist. Returns cudaErrorInvalidValue for more than 2^32 - 2 pages.
int g500_pages_create(const g500_lab_graph *graph, uint32_t page_bits, uint64_t spare, g500_pages **pages,
                      void *stream);
void g500_pages_free(g500_pages *pages);

uint32_t g500_pages_bits(const g500_pages *pages);
uint64_t g500_pages_unused(const g500_pages *pages); // pages
uint64_t g500_pages_edges(const g500_pages *pages);  // directed
uint64_t g500_pages_bytes(const g500_pages *pages);  // of device memory for the graph, including unused pages
uint64_t g500_pages_page_bytes(const g500_pages *pages); // of these for a page, with its links

// Sets which vertices exist: a byte each. The others must have no edges when updates are applied.
int g500_pages_set_vertices(g500_pages *pages, const uint8_t *there, void *stream);

// Applies updates as if in sequence, completely or not at all; in the latter case it returns cudaSuccess and full. An
// update is a number: the kind in the lowest two bits, then the end of the edge, then its start, each of
// g500_pages_bits bits. The number of vertices means an end that is no vertex. Returns cudaErrorInvalidValue for 2^32
// or more updates.
int g500_pages_apply(g500_pages *pages, const uint64_t *updates, uint64_t n, g500_pages_totals *totals, void *stream);

// Deletes all edges of the vertices whose byte is 1.
int g500_pages_isolate(g500_pages *pages, const uint8_t *vertices, g500_pages_totals *totals, void *stream);

// From begin on changes are recorded, until keep drops the record or undo reverts the changes, the last one first.
void g500_pages_begin(g500_pages *pages);
void g500_pages_keep(g500_pages *pages);
int g500_pages_undo(g500_pages *pages, void *stream);

// Copies the graph to the host: vertices+1 offsets, and the neighbours, in any order within a row.
int g500_pages_read(const g500_pages *pages, uint64_t *offsets, uint32_t *columns, void *stream);

// Makes a laboratory that searches the graph in its pages, as a directed graph. Free it before the graph, and make a
// new one after updates.
int g500_lab_create_on_pages(const g500_pages *pages, g500_lab **lab);

// Levels of a breadth-first search that are kept up to date (incremental BFS, future work of the paper). Every edge
// must exist in both directions before and after each batch.
typedef struct g500_levels g500_levels;

typedef struct {
	uint64_t lost;        // vertices that lost their level
	uint64_t relaxed;     // vertices whose level fell, counted each time
	uint64_t nanoseconds; // of the kernel
} g500_levels_totals;

// Searches from a root.
int g500_levels_create(const g500_pages *pages, uint32_t root, g500_levels **levels, void *stream);
void g500_levels_free(g500_levels *levels);

// Updates the levels after the last batch, which must be recorded (g500_pages_begin).
int g500_levels_update(g500_levels *levels, const g500_pages *pages, g500_levels_totals *totals, void *stream);

// The levels on the device, a word per vertex; 2^32 - 1 if it is not reached.
const uint32_t *g500_levels_of(const g500_levels *levels);

#ifdef __cplusplus
}
#endif
#endif
