// Kernel 2: searches.
#ifndef G500_SEARCH_H
#define G500_SEARCH_H

#include "common/messages.h"
#include "common/stall.h"
#include "kernel1/kernel1.h"
#include "search/step.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct g500_search g500_search; // columns derived from a graph, and the state of a search

// How ranks exchange what they reach: as each level needs it; as words of bitmaps only, but for the root's level
// (top-down levels push into a bitmap); or as binned pairs only (no level is bottom-up), but for the visited vertices
// at the end, by which leaves find their parents. On one rank BITMAP is the same as AUTO.
enum { G500_EXCHANGE_AUTO, G500_EXCHANGE_BITMAP, G500_EXCHANGE_BINS };

// g500_policy is what decides how each level of a search goes. The same values on all ranks. None changes the levels
// of a tree, only the time that it takes. Defaults and their reasons: bfs/policy.toml (Go: bfs.Policy).
typedef struct {
	// A level is bottom-up when the frontier's edges x alpha exceed the edges not yet looked at: where all ranks are
	// peers; where some share host memory; where hosts carry messages.
	uint64_t alpha, alpha_shared, alpha_messages;
	uint64_t beta;        // top-down again when the frontier x beta is below the vertices; larger ones are bottom-up
	uint64_t few_edges;   // frontiers with at most so many edges are top-down whatever alpha says
	uint64_t short_queue; // frontiers up to this many vertices may be top-down whatever beta says
	uint64_t pull_hubs;   // with fewer vertices a rank, all levels after a bottom-up one are bottom-up

	// Several peers: each searches a frontier with at most so many edges, or as many as a rank has vertices, by itself.
	uint64_t replicated_edges;

	// On several ranks a top-down level pushes into a bitmap with more edges than vertices / bitmap_share, and than
	// bitmap_edges a rank.
	uint64_t bitmap_share, bitmap_edges;

	// Such a level writes parent hints for the vertices with the longest rows: 1/hint_own_share of a rank's own and
	// 1/hint_remote_share of each other rank's.
	uint64_t hint_own_share, hint_remote_share;

	// On one rank with segment_core vertices and more, a level is a segmented push if the frontier has more edges than
	// segment_edges, and than 1/segment_share but not more than 1/segment_alpha of the edges not yet looked at. The rows
	// of segment_hubs vertices are cut at the bounds of segments. The first segment_pulled vertices are in none, and
	// look for parents.
	uint64_t segment_core, segment_edges, segment_share, segment_alpha, segment_hubs, segment_pulled;

	// A bottom-up level lists the residual vertices if the one before found more than 1/listing_share of the vertices;
	// levels search these alone when they are at most 1/residual_share.
	uint64_t listing_share, residual_share;

	// With hub_core vertices a rank and more, the first 1/hub_share of each rank's vertices, by the mean of all ranks, are
	// hubs. Once all hubs are visited, the next bottom-up level finds their neighbours without a look, and lists the
	// residual vertices.
	uint64_t hub_core, hub_share;

	// When only residual vertices are searched, the blocks on every so many multiprocessors go on; the others make room
	// for the relabelling.
	uint64_t overlap_share;

	uint64_t round_pairs; // pairs that a rank can send another at a time, at most
	uint64_t wait_ns;     // for which a rank waits for another before it gives up
	uint64_t prelaunch;   // whether g500_search_prelaunch launches anything
} g500_policy;

// g500_search_options are what a search is created with.
typedef struct {
	uint32_t sharers;     // ranks that search on this device at once
	uint32_t result_bits; // of each parent in the result: 32 or 64
	int exchange;         // G500_EXCHANGE_*
	g500_policy policy;
} g500_search_options;

// Derives the columns: part of kernel 1. The graph must outlive it. A search can run when the labels of first
// neighbours are in their places and it is connected.
int g500_search_create(const g500_graph *graph, const g500_search_options *options, g500_search **search, void *stream);
void g500_search_free(g500_search *search);

// Where the positions of first neighbours lie, one for each vertex with an edge, whose words must be replaced by those
// of their labels; 0xffffffff, for a vertex of the core that has only leaves for neighbours, stays.
g500_global_ids g500_search_first_neighbours(g500_search *search);

// A bit for each edge of the core: whether it leads to a vertex by that one's first neighbour. NULL before the
// ranks are connected, on one rank, with pairs alone, and where not all ranks are peers.
const uint32_t *g500_search_first_neighbour_edges(const g500_search *search);

// Degrees of vertices are summed by classes of hub ids: an id alone below 16, and above that 16 classes from each power
// of two to the next.
enum { G500_DEGREE_CLASSES = 464 };

// Counts this rank's vertices in each class, and the edges that leave them. Synchronous.
int g500_search_degrees(const g500_search *search, uint64_t *vertices, uint64_t *edges, void *stream);

// g500_ranks is what a rank of a search must know of the others. Two ranks are peers if each reaches the other's device
// memory. Remote ranks, which are no peers, share host memory where they can, and exchange messages where not.
typedef struct {
	uint64_t non_leaf, edges;     // vertices of the core, and edges between them, of all ranks
	uint32_t most_non_leaf;   // vertices of the core that one rank has, at most
	uint32_t known;           // labels of so many hub ids of each rank are in d_labels
	const uint32_t *d_labels; // by rank, then hub id below known
	void *const *windows;     // by rank: its window as this device sees it, NULL if remote; this rank's own too
	void *const *shared;      // by rank: its shared-memory window as this device sees it, or NULL; this rank's own too
	void *const *rows;        // by rank: arrays of its graph as this device sees them; NULL if not all ranks are peers,
	                          // and where the graph is wide
	void *const *cols;
	void *const *local_ids;
	const uint32_t *non_isolated_of; // by rank, of these graphs: vertices with an edge, leaves too
	const uint32_t *degrees;         // mean degree in each class, of all ranks, in sixteenths
	int some_remote;                 // some two ranks of the job are no peers
	int some_messages;               // and some two share no host memory: all hosts have to carry messages
	uint32_t deferred;               // labels to ask for at a time after such a search; 0 if there never are any
	// Messages bring the bits of this number of hub ids of each rank in the visited bitmap to all ranks. If it is below
	// most_non_leaf, ranks query others' bits in bottom-up levels; they send all bits if a level has more queries of all
	// ranks.
	uint32_t replicated;
	uint64_t most_queries;
	uint32_t other_nodes; // to which each rank sends messages
} g500_ranks;

// Bytes of the window that this rank needs: the part of its memory into which its peers write. It is less where some
// two ranks are no peers. To be asked for before the ranks connect, alike on all of them.
uint64_t g500_search_window_bytes(g500_search *search, int some_remote);

// Bytes of the shared-memory window of a rank that has no more than that many vertices in the core: zeroed memory of
// its host that the remote ranks there read. To be asked for before the ranks connect, alike on all of them.
uint64_t g500_search_shared_window_bytes(g500_search *search, uint32_t most_non_leaf);

// Allocates the state and clears the window. No rank may search before all are connected. What it is given may go
// afterwards, but for device memory.
int g500_search_connect(g500_search *search, const g500_ranks *ranks, void *stream);

// If ranks query each other, leaves need bits of neighbours at the end of each search. As part of kernel 1, and before
// the first search, each rank finds its queries to each other one: counts[r] words for rank r, in device memory, one
// rank's after the other's. It takes those that others have for it, from host memory in the same order, and the most
// that one rank has for another. Synchronous.
int g500_search_find_leaf_queries(g500_search *search, uint64_t *counts, const uint64_t **words, void *stream);
int g500_search_take_leaf_queries(g500_search *search, const uint64_t *counts, const uint64_t *words, uint64_t most,
                                  void *stream);

// Starts a search from a label; returns before it has ended. No allocation, no host synchronisation. All ranks of the
// search start it with the same arguments. When a search has failed, this and g500_search_prelaunch return
// G500_FAILED_BEFORE.
int g500_search_run(g500_search *search, uint64_t root, void *stream);

// Launches the kernel of the next search, which waits for its root (ADR 4): g500_search_run need not launch it then.
// Nothing else should be done on the device before that. Waiting ends after a minute. A search that is armed stays so.
// Without g500_policy.prelaunch nothing is launched.
int g500_search_prelaunch(g500_search *search, void *stream);

// Ends a kernel that waits for a root, if there is one. Synchronous.
int g500_search_cancel_prelaunch(g500_search *search);

// Waits until the result is complete, or where g500_search_write_result has to follow, until the search has ended.
// Returns G500_GIVEN_UP if it was given up.
int g500_search_await(g500_search *search, void *stream);

// Where messages have to be carried, a host proxy does so while the search is under way, on each rank as often as on
// the others: it answers what has become of the last ones, waits until there are new ones, and exchanges send buffers
// for what fits into receive buffers. After the answer that they could not be delivered the search gives up. What is
// ready are messages with what was reached, with queries or replies in the place of pairs, or with all bits, since
// queries would be more; or the search has ended.
enum { G500_NO_MESSAGES_YET, G500_DELIVERED, G500_NOT_DELIVERED };
enum { G500_ENDED, G500_REACHED, G500_QUERIES, G500_REPLIES, G500_ALL_BITS };
int g500_search_serve(g500_search *search, int delivery, int *ready, void *stream);

// By rank: what goes there now, and where is to be what comes from there, in host memory. Both are empty for ranks that
// exchange no messages with this one.
const g500_message *g500_search_send_buffers(const g500_search *search);
const g500_message *g500_search_receive_buffers(const g500_search *search);

// After a search with remote ranks, all ranks together ask for deferred labels until none are left anywhere. This puts
// the positions of those that this rank lacks into d_deferred, as many as are asked for at a time; settle takes the
// labels from there. Synchronous.
int g500_search_deferred(g500_search *search, uint32_t *count, void *stream);
g500_global_ids g500_search_deferred_ids(g500_search *search);
int g500_search_store_deferred(g500_search *search, uint32_t count, void *stream);

// Brings the tree into label order, after a search whose messages were carried or that may have deferred labels. Other
// searches do it themselves.
int g500_search_write_result(g500_search *search, uint64_t root, void *stream);

// Why and where the search was given up.
const g500_stall *g500_search_stall(const g500_search *search);

// Has the search that is under way, or the next one, be given up, on all ranks. Any thread may call it.
void g500_search_end(g500_search *search);

// The result of the last search: the parents' labels of the owned labels, in label order, -1 where a vertex was not
// reached; words of g500_search_options.result_bits, 16-byte aligned.
const void *g500_search_parents(const g500_search *search);

// g500_traffic is what a rank sent and received in one way.
typedef struct {
	uint64_t sent, received;
} g500_traffic;

// g500_level is what this rank did in one step of the last search.
typedef struct {
	uint32_t step;     // step.h
	uint64_t frontier; // vertices in the frontier, of all ranks
	uint64_t edges;    // edges that leave it, of all ranks; top-down only
	uint64_t nanoseconds;
	uint64_t exchange, wait; // of them: sending and taking in words; waiting for other ranks
	g500_traffic words;      // of bitmaps, to and from peers: 32-bit words
	g500_traffic pairs;      // to and from peers
	g500_traffic edges_read; // of this rank's rows by peers, and of theirs by this rank
	g500_traffic shared_bitmap; // to and from remote ranks that share memory: bytes
	g500_traffic shared_pairs;
	uint32_t barriers; // of all ranks, from the beginning of the search to the end of the step; with messages, there is
	                   // an exchange of them at each
} g500_level;

// Copies up to max steps of the last search and returns how many there are in *count. Synchronous.
int g500_search_trace(g500_search *search, g500_level *levels, int max, int *count, void *stream);

#ifdef __cplusplus
}
#endif
#endif
