// A graph that changes, in pages of one size on the device (Toedling, Winter, Steinberger, 2019, section IV; faimGraph:
// Winter et al., SC 2018). Pages that a row no longer needs are on a stack, from which rows that grow take them.
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
	uint64_t unchanged;      // insertions of what is there, deletions of what is not
	uint64_t unknown;        // insertions with an end that is no vertex
	uint64_t found, missing; // queries
	uint64_t nanoseconds;    // on the device, from the updates in its memory to the graph
	uint32_t full;           // the graph would need more pages than there are: it is as before
} g500_pages_totals;

// Lays a graph out in pages of 1 << page_bits columns, with so many spare ones. Rows must rise, without duplicates.
// All vertices are there. Returns cudaErrorInvalidValue where the pages are more than 2^32 - 2.
int g500_pages_create(const g500_lab_graph *graph, uint32_t page_bits, uint64_t spare, g500_pages **pages,
                      void *stream);
void g500_pages_free(g500_pages *pages);

uint32_t g500_pages_bits(const g500_pages *pages);
uint64_t g500_pages_unused(const g500_pages *pages); // pages
uint64_t g500_pages_edges(const g500_pages *pages);  // directed

// Says which vertices are there: a byte each. The others must have no edge when updates are applied.
int g500_pages_set_vertices(g500_pages *pages, const uint8_t *there, void *stream);

// Applies updates as if one after the other, whole or not at all; returns cudaSuccess and full in the latter case. An
// update is a number: the kind in the lowest two bits, then the edge's end, then its beginning, in so many bits each as
// g500_pages_bits says. The number of vertices stands for an end that is no vertex. Returns cudaErrorInvalidValue for
// 2^32 updates and more.
int g500_pages_apply(g500_pages *pages, const uint64_t *updates, uint64_t n, g500_pages_totals *totals, void *stream);

// Deletes all edges of vertices: a byte each.
int g500_pages_isolate(g500_pages *pages, const uint8_t *vertices, g500_pages_totals *totals, void *stream);

// From begin on what changes is noted, until keep forgets it or undo takes it back, the last first.
void g500_pages_begin(g500_pages *pages);
void g500_pages_keep(g500_pages *pages);
int g500_pages_undo(g500_pages *pages, void *stream);

// Copies the graph to the host: offsets, one more than there are vertices, and the neighbours, in any order of a row.
int g500_pages_read(const g500_pages *pages, uint64_t *offsets, uint32_t *columns, void *stream);

// A laboratory that searches the graph where it is, and takes it as directed. It ends before the graph does, and is
// made anew after updates.
int g500_lab_create_on_pages(const g500_pages *pages, g500_lab **lab);

// Levels of a breadth-first search that are kept up to date (incremental BFS, which the paper leaves for later). Every
// edge must be there in both directions, before and after each batch.
typedef struct g500_levels g500_levels;

typedef struct {
	uint64_t lost;        // vertices that no neighbour one level before holds any more
	uint64_t relaxed;     // vertices whose edges were followed, repeatedly where their level fell again
	uint64_t nanoseconds; // of the kernel
} g500_levels_totals;

// Searches from a root.
int g500_levels_create(const g500_pages *pages, uint32_t root, g500_levels **levels, void *stream);
void g500_levels_free(g500_levels *levels);

// Follows the last batch, which g500_pages_begin must have had noted.
int g500_levels_update(g500_levels *levels, const g500_pages *pages, g500_levels_totals *totals, void *stream);

// The levels on the device, a word for each vertex; 2^32 - 1 for what is not reached.
const uint32_t *g500_levels_of(const g500_levels *levels);

#ifdef __cplusplus
}
#endif
#endif
