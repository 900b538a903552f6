// Kernel 1: from edge tuples to the searchable structure (specification, section "Kernel 1 - Graph Construction").
#ifndef G500_KERNEL1_H
#define G500_KERNEL1_H

#include "generate/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

// A column of a row with weights: a neighbour and the weight of the edge to it.
typedef struct {
	uint32_t global_id;
	float weight;
} g500_weighted_col;

// g500_global_ids is a list of packed global ids in device memory. With 32-bit ids each is one word, rank << shift |
// local id, and ranks is null. With 64-bit ids the word is the local id, and the rank is a 16-bit rank field in ranks.
// A list of labels has the same layout; with 64-bit ids the word is the label's number on its rank.
typedef struct {
	uint32_t *words;
	uint16_t *ranks;
} g500_global_ids;

// g500_graph is the share of the searchable structure that one rank of P holds, in hub order: as in graph/csr (Go), but
// by falling order class of degrees (kernel1/order.cu), in a class by rising label. A rank owns the labels v with
// v mod P == rank; v is number v div P among them. All pointers are device memory that kernel 1 allocates and
// g500_graph_free releases.
typedef struct {
	uint32_t ranks, rank;  // P, and the number of this one
	uint32_t shift;        // the position of a vertex is its rank << shift | its hub id there; at most 31
	uint32_t owned;        // labels below N that this rank owns
	uint32_t non_isolated; // V: owned vertices with an edge to another vertex; at most 2^shift on every rank
	uint32_t first_leaf;   // vertices with such a hub id or a higher one are leaves, on every rank: one tuple ends there
	uint64_t vertices;     // N: highest label of all ranks plus one
	uint64_t edges;        // E: directed edges that leave them, no duplicates, no self-loops, none from the core to a leaf
	uint64_t *rows;        // V+1 offsets into cols, by hub id
	uint32_t *cols;        // E positions; each row in rising order of hub id, then rank; null where there are weights
	uint16_t *col_ranks;   // E ranks beside them if the graph is wide: positions or labels need more than 32 bits; or null
	g500_weighted_col *weighted_cols; // E columns; each row by rising weight, duplicates not left out; or null
	uint32_t *labels;    // V: hub id -> label, if the graph is wide its number
	uint32_t *local_ids; // owned: label's number -> hub id, or 0xffffffff
} g500_graph;

void g500_graph_free(g500_graph *graph);

// The shift for ranks of which none has more than that many hubs.
uint32_t g500_local_id_bits(uint32_t non_isolated);

// A message goes to the rank that owns a vertex: in the low half it has the number of the vertex among those of its
// owner, in the high half a word about it. kernel1/bins.h makes messages; the caller exchanges them.

// A weighted message has a number beside that: the weight of a tuple, or the length of a path.
typedef struct {
	uint32_t place, word;
	float number;
	uint32_t unused; // 16 bytes are read at once
} g500_weighted_message;

// A wide message has a rank beside its word: that of the word's label, of which the word is the number; or that of the
// word's position, of which it is the hub id.
typedef struct {
	uint32_t place, word, rank;
	uint32_t unused;
} g500_message64;

// g500_builder makes the share of one rank. The order of calls: create; count, for all ends that go to this rank;
// order; columns; rows; then, until all ranks are done, next, collect for all neighbours that go to this rank, and
// store; at last finish. One rank alone needs no messages: it counts and collects tuples. Either come in any number of
// calls.
typedef struct g500_builder g500_builder;

// The highest label of count tuples plus one, 0 without tuples. Synchronous.
int g500_find_vertices(const g500_edge *d_edges, uint64_t count, uint64_t *vertices, void *stream);

// The stream is used by all steps. N is that of all ranks; a rank owns fewer than 2^31 labels.
int g500_builder_create(uint32_t ranks, uint32_t rank, uint64_t vertices, g500_builder **builder, void *stream);
void g500_builder_free(g500_builder *builder);

// The graph has weights: rows are sorted by weight, and all that is collected comes with weights. To be called before
// columns.
void g500_builder_keep_weights(g500_builder *builder);

// Counts ends: messages as g500_bin_ends makes them.
int g500_builder_count(g500_builder *builder, const uint64_t *d_messages, uint64_t count);
int g500_builder_count64(g500_builder *builder, const g500_message64 *d_messages, uint64_t count);

// Counts the ends of tuples: one rank alone.
int g500_builder_count_tuples(g500_builder *builder, const g500_edge *d_edges, uint64_t count);

// Numbers the hubs by falling order class. Sets hubs and core of the graph, this rank's. Gives the sum of their
// degrees. Synchronous.
int g500_builder_order(g500_builder *builder, uint64_t temp_bytes, uint64_t *entries);

// Allocates the columns, for as many neighbours as the sum of the degrees. The graph has its shift from now on, and the
// highest core of all ranks. It is wide or not, alike on all ranks, of which there are several then.
int g500_builder_allocate_cols(g500_builder *builder, uint32_t shift, uint32_t first_leaf, int ids64);

// Allocates the working memory of the rows. Synchronous.
int g500_builder_rows(g500_builder *builder, uint64_t temp_bytes);

// Chooses the next piece of rows; *rows is their number, 0 when all are done. Synchronous.
int g500_builder_next(g500_builder *builder, uint32_t *rows);

// Takes neighbours: messages as g500_bin_neighbours makes them, or g500_bin_weighted_neighbours for a graph with
// weights, or g500_bin_neighbours64 for a wide one. Those of rows outside the piece are passed over.
int g500_builder_collect(g500_builder *builder, const uint64_t *d_messages, uint64_t count);
int g500_builder_collect64(g500_builder *builder, const g500_message64 *d_messages, uint64_t count);
int g500_builder_collect_weighted(g500_builder *builder, const g500_weighted_message *d_messages, uint64_t count);

// Takes both ends of tuples: one rank alone. Weights, one a tuple, are null where the graph has none.
int g500_builder_collect_tuples(g500_builder *builder, const g500_edge *d_edges, const float *d_weights,
                                uint64_t count);

// Sorts and stores the rows of the piece. They may still be on their way when it returns: the next call waits for them.
int g500_builder_store(g500_builder *builder);

// The graph, unfinished: after order it has its hubs, and after columns what g500_bin_neighbours reads.
const g500_graph *g500_builder_graph(const g500_builder *builder);

// Hands the graph over. After that the builder can only be freed.
int g500_builder_finish(g500_builder *builder, g500_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
