// The C door between Go and the kernels. Functions that can fail return a cudaError_t as int, 0 for success. Pointers named
// d_* are device memory; a stream is a cudaStream_t. Nothing here is thread-safe: one OS thread owns the device.
#ifndef G500CUDA_H
#define G500CUDA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// g500_edge is an edge tuple in the official program's packed form (Go: graph.Edge): the low 32 bits of both
// labels, then their high 16 bits side by side.
typedef struct {
	uint32_t low_u, low_v, high;
} g500_edge;

// What an error code means, in the driver's words.
const char *g500_error_name(int code);
const char *g500_error_text(int code);

// ---- timing.cu: what each kernel takes ----

// g500_kernel_time is the sum of a kernel's launches.
typedef struct {
	char name[48];
	uint64_t launches, nanoseconds;
} g500_kernel_time;

// From now on, or no longer, this thread waits for each kernel that it launches on the stream, and times it. Times so far
// are forgotten.
void g500_time_kernels(int on, void *stream);

// Copies up to max times, in the order of the kernels' first launches, and returns how many there are.
int g500_kernel_times(g500_kernel_time *times, int max);

// ---- generate.cu: the official generator ----

// Edges first to first+count-1 of the graph with these parameters, into d_edges. Scale 1 to 47.
int g500_generate(int scale, uint64_t seed1, uint64_t seed2, uint64_t first, uint64_t count, g500_edge *d_edges,
                  void *stream);

// ---- build.cu: kernel 1 ----

// g500_graph is the share of the searchable structure that one rank of P holds, in hub order (see Go: graph/csr). A
// rank owns the labels v with v mod P == rank; v is number v div P among them. All pointers are device memory that
// kernel 1 allocates and g500_graph_free releases.
typedef struct {
	uint32_t ranks, rank; // P, and the number of this one
	uint32_t shift;       // the position of a vertex is its rank << shift | its hub id there
	uint32_t owned;       // labels below N that this rank owns
	uint32_t hubs;        // V: owned vertices with an edge to another vertex; at most 2^shift on every rank
	uint64_t vertices;    // N: highest label of all ranks plus one
	uint64_t edges;       // E: directed edges that leave them, no duplicates, no self-loops
	uint64_t *rows;       // V+1 offsets into cols, by hub id
	uint32_t *cols;       // E positions; each row in rising order of hub id, then rank
	uint32_t *labels;     // V: hub id -> label
	uint32_t *hub_of;     // owned: label's number -> hub id, or 0xffffffff
} g500_graph;

// Makes the structure of count tuples on one rank alone. Synchronous. temp_bytes bounds the working memory beside the
// structure.
int g500_build(const g500_edge *d_edges, uint64_t count, uint64_t temp_bytes, g500_graph *graph, void *stream);
void g500_graph_free(g500_graph *graph);

// The shift for ranks of which the largest has that many hubs.
uint32_t g500_position_bits(uint32_t hubs);

// ---- build_share.cu: kernel 1 of one rank of several ----

// A message is what one rank tells another of a vertex that the other owns: in the low half the number of the vertex
// among those of its owner, in the high half a word. bins.cu makes them; carrying them is the caller's business.

// g500_builder makes the share of one rank: create; count all ends that go to this rank; order; rows; then, until all
// ranks are done, next, collect all neighbours that go to this rank, store; at last finish.
typedef struct g500_builder g500_builder;

// The highest label of count tuples plus one, 0 without tuples. Synchronous.
int g500_find_vertices(const g500_edge *d_edges, uint64_t count, uint64_t *vertices, void *stream);

// The stream is used by all steps. N is that of all ranks; a rank owns fewer than 2^31 labels.
int g500_builder_create(uint32_t ranks, uint32_t rank, uint64_t vertices, g500_builder **builder, void *stream);
void g500_builder_free(g500_builder *builder);

// Counts ends: messages as g500_bin_ends makes them.
int g500_builder_count(g500_builder *builder, const uint64_t *d_messages, uint64_t count);

// Numbers the hubs by falling degree. Gives their number and the sum of their degrees. Synchronous.
int g500_builder_order(g500_builder *builder, uint64_t temp_bytes, uint32_t *hubs, uint64_t *entries);

// Allocates the columns, for as many neighbours as the sum of the degrees; the graph has its shift from now on.
int g500_builder_columns(g500_builder *builder, uint32_t shift);

// Allocates the working memory of the rows. Synchronous.
int g500_builder_rows(g500_builder *builder, uint64_t temp_bytes);

// Chooses the next piece of rows; *rows is their number, 0 when all are done. Synchronous.
int g500_builder_next(g500_builder *builder, uint32_t *rows);

// Takes neighbours: messages as g500_bin_neighbours makes them. Those of other rows than the piece's are passed over.
int g500_builder_collect(g500_builder *builder, const uint64_t *d_messages, uint64_t count);

// Sorts and stores the rows of the piece. Synchronous.
int g500_builder_store(g500_builder *builder);

// The graph as far as it is known, for g500_bin_neighbours.
const g500_graph *g500_builder_graph(const g500_builder *builder);

// Hands the graph over; the builder is good for nothing but to be freed.
int g500_builder_finish(g500_builder *builder, g500_graph *graph);

// ---- bins.cu: messages in the order of the ranks that they go to ----

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

// ---- search.cu: kernel 2 ----

typedef struct g500_search g500_search; // columns derived from a graph, and the state of a search

// How ranks exchange what they have reached: as each level needs it; as words of bitmaps only (top-down levels mark); or
// as binned pairs only (no level is bottom-up).
enum { G500_EXCHANGE_AUTO, G500_EXCHANGE_BITMAP, G500_EXCHANGE_BINS };

// Derives the columns: part of kernel 1. The graph must outlive it. sharers is the number of ranks that search on this
// device at once. A search can run when the labels of first neighbours are in their places and it is connected.
int g500_search_create(const g500_graph *graph, uint32_t sharers, int exchange, g500_search **search, void *stream);
void g500_search_free(g500_search *search);

// Where the positions of first neighbours lie, one for each vertex with an edge, that must be replaced by their labels.
uint32_t *g500_search_first_neighbours(g500_search *search);

// A bit for each of the graph's edges: whether it leads to a vertex by that one's first neighbour. NULL before the ranks are
// connected, with pairs alone, and where ranks are no peers: no level marks there.
const uint32_t *g500_search_firsts(const g500_search *search);

// Degrees of vertices are told by classes of hub ids: an id alone below 16, and above that 16 classes from each power of
// two to the next.
enum { G500_DEGREE_CLASSES = 464 };

// Counts this rank's vertices in each class, and the edges that leave them. Synchronous.
int g500_search_census(const g500_search *search, uint64_t *vertices, uint64_t *edges, void *stream);

// g500_world is what a rank of a search must know of the others.
typedef struct {
	uint64_t hubs, edges;     // of all ranks
	uint32_t most;            // vertices with an edge that one rank has, at most
	uint32_t prefix;          // labels of so many hub ids of each rank are in d_labels
	const uint32_t *d_labels; // by rank, then hub id below prefix
	void *const *windows;     // by rank: its window as this device sees it, NULL where it cannot; this rank's own too
	void *const *boards;      // by rank: its board as this device sees it, NULL where it has none for it; this rank's own too
	void *const *rows;        // by rank: arrays of its graph as this device sees them, NULL if not all ranks are peers
	void *const *cols;
	void *const *hub_of;
	const uint32_t *vertices; // with an edge, by rank; of these graphs
	const uint32_t *degrees;  // mean degree in each class, of all ranks, in sixteenths
	uint64_t patience;        // nanoseconds that a rank waits for another before it gives up
	int apart;                // some rank of the job is no peer of another
	int carried;              // and has no board for it: all hosts have to carry messages
	uint32_t ask;             // labels to ask for at a time after such a search; 0 if there never are any
} g500_world;

// g500_message is a run of host memory.
typedef struct {
	void *at;
	uint64_t bytes;
} g500_message;

// Bytes of the window that this rank needs: the part of its memory into which its peers write. Ranks of one search
// need equally many.
uint64_t g500_search_window_bytes(const g500_search *search);

// Bytes of the board of a rank that has no more than that many vertices with an edge: zeroed memory of its host that
// other ranks there read, where they are no peers. To be asked for before the ranks connect, alike on all of them.
uint64_t g500_search_board_bytes(g500_search *search, uint32_t most);

// Allocates the state and clears the window. No rank may search before all are connected.
int g500_search_connect(g500_search *search, const g500_world *world, void *stream);

// Starts a search from a label; returns before it has ended. No allocation, no host synchronisation. All ranks of the
// search start it with the same arguments.
int g500_search_run(g500_search *search, uint32_t root, void *stream);

// Where messages have to be carried, the host does so while the search is under way, on each rank as often as on the
// others: it answers what has become of the last ones, waits until there are new ones, and exchanges letters for what
// fits into rooms. The search has ended when none are ready. After the answer that they could not be carried it gives up.
enum { G500_NONE_YET, G500_CARRIED, G500_NOT_CARRIED };
int g500_search_serve(g500_search *search, int answer, int *ready, void *stream);

// By rank: what goes there now, and where is to be what comes from there, in host memory. Both are empty for peers.
const g500_message *g500_search_letters(const g500_search *search);
const g500_message *g500_search_rooms(const g500_search *search);

// Then all ranks together ask for labels, if any have to be asked for, until none are wanted anywhere. This puts the
// positions of those that this rank wants into d_wanted, as many as are asked for at a time; settle takes the labels
// from there. Synchronous.
int g500_search_want(g500_search *search, uint32_t *count, void *stream);
uint32_t *g500_search_wanted(g500_search *search);
int g500_search_settle(g500_search *search, uint32_t count, void *stream);

// The last pass of a search whose messages were carried, or after which labels may be asked for.
int g500_search_finish(g500_search *search, uint32_t root, void *stream);

// After the search has ended: the rank that did not answer in time, or -1.
int g500_search_failure(const g500_search *search);

// The result of the last search: the parents' labels of the owned labels, in label order, 0xffffffff where a vertex was
// not reached.
const uint32_t *g500_search_parents(const g500_search *search);

// g500_level is what this rank did in one level of the last search.
typedef struct {
	uint32_t direction;  // 0 top-down, 1 bottom-up, 2 the last pass: result to label order, from the end of the last level on
	uint64_t frontier;   // vertices in the frontier, of all ranks
	uint64_t edges;      // edges that leave it, of all ranks; top-down only
	uint64_t nanoseconds;
	uint64_t exchange, wait; // of them: sending and taking in words; waiting for other ranks
	uint64_t words_sent, words_received; // of bitmaps, to and from peers
	uint64_t pairs_sent, pairs_received; // in bins, to and from peers
	uint64_t edges_sent, edges_received; // in rows, which peers read
	uint64_t carried_words_sent, carried_words_received; // of bitmaps, to and from other ranks: bytes, in any form
	uint64_t carried_pairs_sent, carried_pairs_received;
} g500_level;

// Copies up to max levels of the last search and returns how many there are in *count. Synchronous.
int g500_search_trace(g500_search *search, g500_level *levels, int max, int *count, void *stream);

// ---- judge.cu: the rules for a tree ----

// A tree is judged by all ranks together, step by step; between steps the caller brings what ranks have written to
// the others. Rank r owns the labels v with v mod P == r, at place v div P. Arrays of all ranks' vertices are made of
// slices, one a rank, with room for equally many places.

enum { G500_JUDGE_LEVELS = 14 }; // so many levels, the base's and those below it, can be told apart at a time

// g500_judge_parts is what a judge works with. It belongs to the caller, and must outlive the judge.
typedef struct {
	const g500_edge *edges; // tuples, of anybody's vertices
	uint64_t count;
	uint32_t ranks, rank;   // P, and the number of this one
	uint64_t vertices;      // N
	uint64_t slice;         // places in a slice: at least N / P rounded up, a multiple of 128
	uint64_t span;          // places in a slice of the window: a multiple of 128
	uint8_t *waiting;       // slice bits
	uint32_t *marks[2];     // P slices of bits, twice
	uint32_t *levels;       // P slices of four bits a vertex
	uint32_t *parents;      // P slices of the window; one rank needs none
	uint32_t *joined;       // P slices of the window, of bits
} g500_judge_parts;

typedef struct g500_judge g500_judge;

enum {
	G500_RULE_RANGE = 1, // a parent is no vertex
	G500_RULE_ROOT,      // the root is not its own parent
	G500_RULE_ORPHAN,    // a vertex's parent was not reached
	G500_RULE_CYCLE,     // a vertex's parents do not lead to the root
	G500_RULE_LEVELS,    // a tuple joins levels that differ by more than one
	G500_RULE_SPAN,      // a tuple joins a reached vertex and one that is not
	G500_RULE_TREE_EDGE, // no tuple joins a vertex and its parent
	G500_RULES,
};

// g500_findings is what a rank has found since the tree was entered. Worst says of each rule where it is broken: the
// lowest label << 32 | the other label, which is a parent or the other end of a tuple; ~0 where it is not.
typedef struct {
	uint64_t worst[G500_RULES];
	uint64_t reached; // vertices in the tree
	uint64_t settled; // of them without the root: whose level was found
	uint64_t edges;   // tuples in the component, duplicates counted, self-loops not
	uint64_t loops;   // self-loop tuples in it
} g500_findings;

int g500_judge_create(const g500_judge_parts *parts, g500_judge **judge, void *stream);
void g500_judge_free(g500_judge *judge);

// Every step is synchronous. Where findings are asked for, they are those of all steps so far.

// Finds a tuple with a label that is no vertex; worst[0] tells the labels.
int g500_judge_check_labels(g500_judge *judge, g500_findings *findings, void *stream);

// Begins with a tree from root: the parents (as g500_search_parents) of the vertices that this rank owns, 16-byte
// aligned. They must stay as they are until the last step. Writes this rank's slices of marks[0], where the root is
// marked, and of levels.
int g500_judge_enter(g500_judge *judge, uint32_t root, const uint32_t *d_parents, g500_findings *findings, void *stream);

// Finds the vertices whose parents are marked in marks[from], and marks them in this rank's slice of marks[1-from].
// They are on level number 1 to G500_JUDGE_LEVELS-1 below the base, which is 0 at first.
int g500_judge_descend(g500_judge *judge, int from, uint32_t level, g500_findings *findings, void *stream);

// Makes the level G500_JUDGE_LEVELS-1 below the base the new base, in this rank's slice of levels.
int g500_judge_raise_base(g500_judge *judge, void *stream);

// Marks who is in the tree in this rank's slice of marks[0]; then, with the slices of all ranks, tells whose levels
// were not found.
int g500_judge_mark_reached(g500_judge *judge, void *stream);
int g500_judge_find_stuck(g500_judge *judge, g500_findings *findings, void *stream);

// Begins with the window of the places from first on, a multiple of span: writes this rank's slice of parents, and
// clears joined.
int g500_judge_open_window(g500_judge *judge, uint64_t first, void *stream);

// Checks the levels of tuples, with the slices of all ranks, and joins the vertices of the window to their parents.
// Tuples are counted if so asked. For trees with more levels than can be told apart this is called again with each
// new base, before the last of the old ones is overwritten.
int g500_judge_check_tuples(g500_judge *judge, int counted, g500_findings *findings, void *stream);

// Joins the vertices of the window to their parents: enough for all windows but the first.
int g500_judge_join_tuples(g500_judge *judge, void *stream);

// Checks that all of this rank's vertices in the window are joined: d_joined holds its slice of joined of every rank.
int g500_judge_check_joined(g500_judge *judge, const uint32_t *d_joined, g500_findings *findings, void *stream);

#ifdef __cplusplus
}
#endif
#endif
