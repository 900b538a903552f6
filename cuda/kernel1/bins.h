// Binning: sorting messages by destination rank. Kernel 1 exchanges ends of tuples in this way; ranks also exchange
// queries for labels, and replies.
#ifndef G500_BINS_H
#define G500_BINS_H

#include "kernel1/kernel1.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct g500_bins g500_bins; // counters for P ranks, and a stream

// A block's bins need 12 B of shared memory per rank, the bins of a search 16 B, besides 7 KB: 135 KiB for the most
// ranks. Blocks have 163 KiB on an A100 and 227 KiB on an H100; with less, fewer ranks can search.
enum { G500_MOST_RANKS = 8192 };

int g500_bins_create(uint32_t ranks, g500_bins **bins, void *stream);
void g500_bins_free(g500_bins *bins);

// Makes bins for the rows of a directed graph: of the messages of ends there are from now on only those to owners of
// u, with 64-bit ids only those to owners of v.
void g500_bins_one_way(g500_bins *bins);

// Sets the local ids of all labels, for 32-bit ids. d_local_ids has a slice of that many for each rank.
void g500_bins_know(g500_bins *bins, const uint32_t *d_local_ids, uint64_t slice, uint32_t shift);

// The functions g500_bin_* write messages to d_messages, sorted by rank, and the number for each rank to counts, in
// host memory. Synchronous.

// Ends: two messages for each tuple <u, v> that is not a self-loop, {u, v's global id} to the owner of u, and {v, u's
// global id} to the owner of v; only the first one if they have one owner. It needs g500_bins_know.
int g500_bin_ends(g500_bins *bins, const g500_edge *d_edges, uint64_t count, uint64_t *d_messages, uint64_t *counts);

// The same with the tuple's weight in each message.
int g500_bin_weighted_ends(g500_bins *bins, const g500_edge *d_edges, const float *d_weights, uint64_t count,
                           g500_weighted_message *d_messages, uint64_t *counts);

// The same for labels of up to 48 bits, without local ids: {u, v's number and rank} to the owner of u, and {v, u's
// number and rank}.
int g500_bin_ends64(g500_bins *bins, const g500_edge *d_edges, uint64_t count, g500_message64 *d_messages,
                       uint64_t *counts);

// Neighbours: the owner of u, which has received {u, v's label} in d_ends, sends {v, u's global id} to the owner of v.
// The vertices of the graph must be ordered.
int g500_bin_neighbours64(g500_bins *bins, const g500_graph *graph, const g500_message64 *d_ends, uint64_t count,
                             g500_message64 *d_messages, uint64_t *counts);

// Label queries: for each of count < 2^32 global ids that another rank owns, {local id there, number of the global id}
// to that rank. Skips words 0xffffffff.
int g500_bin_label_queries(g500_bins *bins, const g500_graph *graph, g500_global_ids global_ids, uint64_t count,
                       uint64_t *d_messages, uint64_t *counts);

// Writes the labels' words of the global ids that this rank owns; 0xffffffff for 0xffffffff. Other labels are
// unchanged. d_labels may be the words of the global ids; with 64-bit ids both have the same rank fields.
int g500_look_up(const g500_graph *graph, g500_global_ids global_ids, uint64_t count, uint32_t *d_labels, void *stream);

// Turns queries to this rank into replies, in place: replaces local ids by labels.
int g500_reply_labels(const g500_graph *graph, uint64_t *d_messages, uint64_t count, void *stream);

// Stores the label of each reply in d_labels, at the number of its query.
int g500_take_labels(const uint64_t *d_messages, uint64_t count, uint32_t *d_labels, void *stream);

#ifdef __cplusplus
}
#endif
#endif
