// SPDX-License-Identifier: Apache-2.0

// Kernel 1: from edge tuples to the searchable structure (specification, section "Kernel 1 - Graph Construction").
#pragma once

#include "common/c.h"
#include "generate/generate.h"

G500_BEGIN_C

// An edge in a weighted row: a neighbour and the edge's weight.
typedef struct {
	uint32_t global_id;
	float weight;
} g500_weighted_col;

// g500_global_ids is a list of packed global ids in device memory. With 32-bit ids each is one word, rank << shift |
// local id, and ranks is null. With 64-bit ids the word is the local id, and the rank is a 16-bit rank field in ranks.
// The word of a label is the label; with 64-bit labels it is the label's number on its rank.
typedef struct {
	uint32_t *words;
	uint16_t *ranks;
} g500_global_ids;

typedef struct g500_chunks g500_chunks; // the memory of packed rows

// g500_graph is one rank's share of the searchable structure in degree order: sorted by descending degree class
// (kernel1/order.cuh), within a class by ascending label. The rank owns the labels v with v mod P == rank; v has number
// v div P among them. A vertex's local id is its degree rank on its owner. All pointers are device memory that kernel 1
// allocates and g500_graph_free frees.
typedef struct {
	uint32_t ranks, rank;  // P, and the number of this one
	uint32_t shift;        // a vertex's packed global id is rank << shift | local id; at most 31
	uint32_t labels64;     // not 0: labels may exceed 32 bits; always with 64-bit ids
	uint32_t part64;       // with 64-bit ids the packed global id of a non-leaf is rank * part64 + local id; else 0
	uint32_t owned;        // labels below N that this rank owns
	uint32_t non_isolated; // V: owned vertices with an edge to another vertex; at most 2^shift on every rank
	uint32_t first_leaf;   // vertices from this local id on are leaves, on every rank: one tuple ends there
	bool directed;         // a row has only the ends of edges from its vertex, and no vertex is a leaf
	uint64_t vertices;     // N: highest label of all ranks plus one
	uint64_t edges;        // E: directed edges, without duplicates, self-loops, and edges from non-leaf vertices to
	                       // leaves
	uint64_t *rows;        // V+1 offsets into cols, by local id
	uint32_t *cols;        // E global ids; each row sorted by local id, then rank; null with weights or if packed
	uint64_t *packed;      // V addresses of packed rows (kAddressBits in common/packed_row.cuh); or null
	g500_chunks *chunks;   // their memory
	uint16_t *col_ranks;   // E rank fields of cols, with 64-bit ids; else null
	g500_weighted_col *weighted_cols; // E edges; each row sorted by weight, including duplicates; or null
	uint32_t *labels;    // V: local id -> label, with 64-bit labels its number
	uint32_t *local_ids; // owned: label's number -> local id, or 0xffffffff
} g500_graph;

void g500_graph_free(g500_graph *graph);

// Sets bit i % 64 of bits[i / 64] if the label with number i among the owned ones is a non-isolated vertex, in a
// directed graph one with edges to other vertices, and clears the other bits. bits is host memory for owned bits.
// Synchronous.
int g500_find_connected(const g500_graph *graph, uint64_t *bits, void *stream);

// Counts the leaves of this rank whose neighbour is a leaf. Synchronous.
int g500_count_leaf_ends(const g500_graph *graph, uint64_t *ends, void *stream);

// Return the shift for ranks with at most this many vertices with an edge, and part64 for at most this many that are no
// leaves, with space for a report behind each rank's part of a bitmap.
uint32_t g500_local_id_bits(uint32_t non_isolated);
uint32_t g500_part64(uint32_t non_leaf);

// A message is for the rank that owns a vertex: the low half is the vertex's number on its owner, the high half a word
// about it. The functions g500_bin_* make messages; the caller exchanges them.

// A wide message has in addition the bits of a tuple's weight; or with 64-bit labels a rank: of the label whose number
// is the word, or with 64-bit ids of the global id whose local id is the word. Of a tuple it has also a level
// (validate/validate.h).
typedef struct {
	uint32_t place, word, extra, level;
} g500_wide_message;

// g500_builder makes the share of one rank. The order of calls: create; count, for all ends sent to this rank; order;
// allocate_cols; rows; then, until all ranks are done, next, collect, for all neighbours sent to this rank, and store;
// at last finish. A single rank needs no messages: it counts and collects tuples. Messages and tuples may come in any
// number of calls.
typedef struct g500_builder g500_builder;

// Sets *vertices to the highest label of the tuples plus one; 0 without tuples. With a builder, before order, it does
// not allocate, which would wait for copies on other streams; builder may be null. Synchronous.
int g500_find_vertices(g500_builder *builder, const g500_edge *d_edges, uint64_t count, uint64_t *vertices,
                       void *stream);

// All steps use the stream. vertices is N of all ranks; a rank owns fewer than 2^31 labels.
int g500_builder_create(uint32_t ranks, uint32_t rank, uint64_t vertices, g500_builder **builder, void *stream);
void g500_builder_free(g500_builder *builder);

// Raises the number of vertices to `vertices`, if there are fewer. Before order, on one rank: tuples may then be
// counted before the highest label is known. Synchronous.
int g500_builder_grow(g500_builder *builder, uint64_t vertices);

// Forms of a graph: directed; with packed rows, 32-bit ids and no weights; with 64-bit labels, on several ranks and
// without weights; weighted, with rows sorted by weight, so that collect calls need weights.
enum { G500_DIRECTED = 1, G500_PACKED = 2, G500_LABELS64 = 4, G500_WEIGHTED = 8 };

// Chooses forms. Must be called before allocate_cols, and for a directed graph before order. `typical`, for a weighted
// one, is about the median of the weights; another value costs time.
void g500_builder_keep(g500_builder *builder, int forms, float typical);

// Sets *bytes to an upper bound of the bytes of packed rows, after allocate_cols; to 0 for plain rows. Synchronous.
int g500_builder_packed_bound(g500_builder *builder, uint64_t *bytes);

// Returns the bytes of packed rows; 0 if rows are not packed.
uint64_t g500_packed_bytes(const g500_graph *graph);

// Returns the number of arrays with packed rows, and the address and the length of one of them.
uint32_t g500_packed_chunks(const g500_graph *graph);
void *g500_packed_chunk(const g500_graph *graph, uint32_t number, uint64_t *bytes);

// Counts ends: messages of g500_bin_ends without local ids.
int g500_builder_count64(g500_builder *builder, const g500_wide_message *d_messages, uint64_t count);

// Counts the ends of tuples, on one rank or after count_all.
int g500_builder_count_tuples(g500_builder *builder, const g500_edge *d_edges, uint64_t count);

// Makes *counts, in device memory: a counter for each label of all ranks, in slices of that many for each rank, below
// 2^32 together. They count the rank's tuples until add_counts, which takes a slice from each rank and frees them.
int g500_builder_count_all(g500_builder *builder, uint32_t slice, uint32_t **counts);
int g500_builder_add_counts(g500_builder *builder, const uint32_t *d_counts);

// Orders the vertices by degree. Sets non_isolated and first_leaf of the graph, for this rank. *entries becomes the sum
// of the degrees. Synchronous.
int g500_builder_order(g500_builder *builder, uint64_t temp_bytes, uint64_t *entries);

// Makes a builder of another graph of the same tuples, in the state after order. Must be called before allocate_cols.
int g500_builder_copy_order(const g500_builder *from, g500_builder **builder);

// Allocates the arrays of neighbours, as long as the sum of the degrees. The arguments are the same on all ranks: the
// shift, the maximum of first_leaf over all ranks, and part64, which needs 64-bit labels; 0 for 32-bit ids.
int g500_builder_allocate_cols(g500_builder *builder, uint32_t shift, uint32_t first_leaf, uint32_t part64);

// Allocates the working memory for rows. Synchronous.
int g500_builder_rows(g500_builder *builder, uint64_t temp_bytes);

// The same for a builder whose entries, collected with weights, will also make the rows of a weighted builder, which
// has the same order (copy_order) and must exist until finish. On one rank, and only if all entries fit into the
// memory: 12 bytes each, and 16 for a group. Otherwise returns an error and has no effect.
int g500_builder_rows_for_both(g500_builder *builder, g500_builder *weighted, uint64_t temp_bytes);

// Returns whether another builder has collected the entries: then collect must not be called. After rows.
int g500_builder_collected(const g500_builder *builder);

// Chooses the next piece of rows. *rows is their number, 0 if all are done. bytes is the memory for entries and packed
// rows of the piece, and has no effect on other rows, whose memory is allocated. Synchronous.
int g500_builder_next(g500_builder *builder, uint64_t bytes, uint32_t *rows);

// Collects neighbours: messages of g500_bin_ends, with weights for a weighted graph, or of g500_bin_neighbours64.
// Ignores rows outside the piece.
int g500_builder_collect(g500_builder *builder, const void *d_messages, uint64_t count);

// Collects both ends of tuples, for a directed graph only the second ones, on one rank. d_weights, one per tuple, is
// null unless the graph is weighted.
int g500_builder_collect_tuples(g500_builder *builder, const g500_edge *d_edges, const float *d_weights,
                                uint64_t count);

// Sorts and stores the rows of the piece. Asynchronous; the next call waits.
int g500_builder_store(g500_builder *builder);

// Returns the unfinished graph: after order it has its vertices, after allocate_cols the input of
// g500_bin_neighbours64.
const g500_graph *g500_builder_graph(const g500_builder *builder);

// Moves the graph to *graph. Afterwards the builder can only be freed.
int g500_builder_finish(g500_builder *builder, g500_graph *graph);

// Binning: sorting messages by destination rank. Kernel 1 exchanges ends of tuples in this way; ranks also exchange
// queries for labels, and replies.

typedef struct g500_bins g500_bins; // counters for P ranks, and a stream

// A block's bins need 12 B of shared memory per rank, the bins of a search 16 B, besides 7 KB: 135 KiB for the most
// ranks. Blocks have 163 KiB on an A100 and 227 KiB on an H100; with less, fewer ranks can search.
enum { G500_MOST_RANKS = 8192 };

int g500_bins_create(uint32_t ranks, g500_bins **bins, void *stream);
void g500_bins_free(g500_bins *bins);

// Makes bins for the rows of a directed graph: of the messages of ends there are from now on only those to owners of
// u, with 64-bit labels only those to owners of v.
void g500_bins_one_way(g500_bins *bins);

// Sets the local ids of all labels, which have 32 bits. d_local_ids has a slice of that many for each rank.
void g500_bins_know(g500_bins *bins, const uint32_t *d_local_ids, uint64_t slice, uint32_t shift);

// The functions g500_bin_* write messages to d_messages, sorted by rank, and the number for each rank to counts, in
// host memory. Synchronous.

// Ends: two messages for each tuple <u, v> that is not a self-loop, {u, v's global id} to the owner of u, and {v, u's
// global id} to the owner of v; only the first one if they have one owner.
// Unless d_weights is null, messages are wide and have the tuple's weight. Bins without local ids, for labels of up to
// 48 bits, make wide messages {u, v's number and rank} to the owner of u, and {v, u's number and rank}.
int g500_bin_ends(g500_bins *bins, const g500_edge *d_edges, const float *d_weights, uint64_t count, void *d_messages,
                  uint64_t *counts);

// Neighbours: the owner of u, which has received {u, v's label} in d_ends, sends {v, u's global id} to the owner of v.
// The vertices of the graph must be ordered.
int g500_bin_neighbours64(g500_bins *bins, const g500_graph *graph, const g500_wide_message *d_ends, uint64_t count,
                             g500_wide_message *d_messages, uint64_t *counts);

// Label queries: for each of count < 2^32 global ids that another rank owns, {local id there, number of the global id}
// to that rank. Skips words 0xffffffff.
int g500_bin_label_queries(g500_bins *bins, const g500_graph *graph, g500_global_ids global_ids, uint64_t count,
                       uint64_t *d_messages, uint64_t *counts);

// Writes the labels' words of the global ids that this rank owns; 0xffffffff for 0xffffffff. Other labels are
// unchanged. d_labels may be the words of the global ids.
int g500_look_up(const g500_graph *graph, g500_global_ids global_ids, uint64_t count, uint32_t *d_labels, void *stream);

// Turns queries to this rank into replies, in place: replaces local ids by labels.
int g500_reply_labels(const g500_graph *graph, uint64_t *d_messages, uint64_t count, void *stream);

// Stores the label of each reply in d_labels, at the number of its query.
int g500_take_labels(const uint64_t *d_messages, uint64_t count, uint32_t *d_labels, void *stream);

G500_END_C
