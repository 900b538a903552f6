// Binning: messages sorted by the rank that they go to. Kernel 1 exchanges the ends of tuples in this way, and ranks
// exchange questions for labels and answers to them.
#ifndef G500_BINS_H
#define G500_BINS_H

#include "kernel1/kernel1.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct g500_bins g500_bins; // counters for P ranks, and the stream on which messages are binned

enum { G500_MOST_RANKS = 1024 };

int g500_bins_create(uint32_t ranks, g500_bins **bins, void *stream);
void g500_bins_free(g500_bins *bins);

// Each of these functions writes messages to d_messages, those for rank 0 first, and the number for each rank to
// counts, in host memory. Synchronous.

// Ends: two messages for each tuple <u, v> that is no self-loop, {u, v's label} to the owner of u, and {v, u's label}
// to the owner of v.
int g500_bin_ends(g500_bins *bins, const g500_edge *d_edges, uint64_t count, uint64_t *d_messages, uint64_t *counts);

// The same with the weight of the tuple in each message.
int g500_bin_weighted_ends(g500_bins *bins, const g500_edge *d_edges, const float *d_weights, uint64_t count,
                           g500_weighted_message *d_messages, uint64_t *counts);

// The same for labels of up to 48 bits: {u, v's number and rank} to the owner of u, and so on.
int g500_bin_ends64(g500_bins *bins, const g500_edge *d_edges, uint64_t count, g500_message64 *d_messages,
                       uint64_t *counts);

// Neighbours: the owner of u, which got {u, v's label} in d_ends, sends {v, u's position} to the owner of v. The hubs
// of the graph must be ordered.
int g500_bin_neighbours(g500_bins *bins, const g500_graph *graph, const uint64_t *d_ends, uint64_t count,
                        uint64_t *d_messages, uint64_t *counts);
int g500_bin_weighted_neighbours(g500_bins *bins, const g500_graph *graph, const g500_weighted_message *d_ends,
                                 uint64_t count, g500_weighted_message *d_messages, uint64_t *counts);

int g500_bin_neighbours64(g500_bins *bins, const g500_graph *graph, const g500_message64 *d_ends, uint64_t count,
                             g500_message64 *d_messages, uint64_t *counts);

// Questions: for each of count < 2^32 positions that another rank owns, {hub id there, number of the position} to that
// rank. Positions that are 0xffffffff, in the wide form whatever the rank, are passed over.
int g500_bin_label_queries(g500_bins *bins, const g500_graph *graph, g500_global_ids global_ids, uint64_t count,
                       uint64_t *d_messages, uint64_t *counts);

// Writes the labels' words at those of count positions that this rank owns; where a position is 0xffffffff, so is the
// label. Other labels are left as they are. d_labels may be the words of the positions; in the wide form their ranks
// are those of the labels.
int g500_look_up(const g500_graph *graph, g500_global_ids global_ids, uint64_t count, uint32_t *d_labels, void *stream);

// Turns questions to this rank into answers, in place: the label instead of the hub id.
int g500_reply_labels(const g500_graph *graph, uint64_t *d_messages, uint64_t count, void *stream);

// Stores the label of each answer in d_labels, at the number of its question.
int g500_take_labels(const uint64_t *d_messages, uint64_t count, uint32_t *d_labels, void *stream);

#ifdef __cplusplus
}
#endif
#endif
