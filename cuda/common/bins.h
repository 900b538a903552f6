// Messages in the order of the ranks that they go to.
#ifndef G500_BINS_H
#define G500_BINS_H

#include "kernel1/kernel1.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct g500_bins g500_bins; // counters for P ranks

enum { G500_MOST_RANKS = 1024 };

int g500_bins_create(uint32_t ranks, g500_bins **bins);
void g500_bins_free(g500_bins *bins);

// Each of these writes messages to d_messages, those for rank 0 first, and how many there are for each rank to
// counts, in host memory. Synchronous.

// Two for each tuple <u, v> that is no self-loop: {u, v's label} to the owner of u, {v, u's label} to that of v.
int g500_bin_ends(g500_bins *bins, const g500_edge *d_edges, uint64_t count, uint64_t *d_messages, uint64_t *counts, void *stream);

// What the owner of u, told {u, v's label}, tells the owner of v: {v, u's position}. Hubs must be ordered.
int g500_bin_neighbours(g500_bins *bins, const g500_graph *graph, const uint64_t *d_told, uint64_t count, uint64_t *d_messages,
                        uint64_t *counts, void *stream);

// A question for the label at each of count < 2^32 positions that g500_look_up does not know: the hub id there, and the
// number of the question.
int g500_bin_questions(g500_bins *bins, const g500_graph *graph, const uint32_t *d_positions, uint64_t count,
                       uint64_t *d_messages, uint64_t *counts, void *stream);

// The labels at count positions of this rank's; 0xffffffff stays what it is. Other labels are left alone. The labels may
// take the places of the positions.
int g500_look_up(const g500_graph *graph, const uint32_t *d_positions, uint64_t count, uint32_t *d_labels, void *stream);

// Turns questions to this rank into answers, in place: the label instead of the hub id.
int g500_answer(const g500_graph *graph, uint64_t *d_messages, uint64_t count, void *stream);

// Stores the label of each answer in d_labels, under the number of its question.
int g500_take_answers(const uint64_t *d_messages, uint64_t count, uint32_t *d_labels, void *stream);

#ifdef __cplusplus
}
#endif
#endif
