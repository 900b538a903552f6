// Kernel 3: searches for shortest paths.
#ifndef G500_SSSP_H
#define G500_SSSP_H

#include "common/stall.h"
#include "kernel1/bins.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct g500_sssp g500_sssp; // the state of searches in a weighted graph

// The parameters of a search. They do not change distances. Defaults and their reasons: gpu/policy/policy.toml.
typedef struct {
	// Paths are pushed this much farther than the nearest landmark, in millionths of the heaviest weight, in a graph of
	// 2^31 directed edges; with a fraction of these edges, farther by the cube root of its inverse.
	uint32_t window;
	uint32_t landmarks; // number of landmarks: the lowest local ids
	uint32_t sweeps;    // further sweeps, before changed vertices are pushed
	uint32_t classes;   // degree classes, each four times as large as the one before: the first sweep processes one at
	                    // a time
	uint32_t hinted;    // vertices with hints, the lowest local ids: they store which vertex has pushed their distance
	uint32_t part;      // edges of a row that a block pushes; other blocks push the rest
	uint32_t slots;     // of the queue of a push, per 1,000 vertices outside trees
	uint32_t resident;  // vertices, the lowest local ids, whose distances stay in the L2 cache
	uint32_t prelaunch; // whether g500_sssp_prelaunch launches a kernel
	uint64_t wait_ns;   // time limit of a wait for another rank; for the rank's own blocks 12 times this
} g500_sssp_policy;

// The steps of a search, for its trace.
enum {
	G500_SSSP_START, G500_SSSP_PUSH, G500_SSSP_PULL, G500_SSSP_PULL_AGAIN, G500_SSSP_PUSH_REST, G500_SSSP_TIES,
	G500_SSSP_TREES, G500_SSSP_RESULT, G500_SSSP_STEPS
};

typedef struct {
	uint64_t rounds;   // rounds of a push, sweeps of a pull
	uint64_t vertices; // in all frontiers of a push; pulled vertices
	uint64_t edges;    // edges of these that were read
	uint64_t nanoseconds;
	uint64_t exchange;    // waits for other ranks, in nanoseconds
} g500_sssp_step;

// The levels of trees that are attached to the non-tree subgraph. Inner vertices with local ids begin[i] to
// begin[i+1]-1 are i+1 edges away from it. Local ids from begin[levels] on are leaves of the trees. A graph of kernel 1
// has only leaves, so no levels.
typedef struct {
	uint32_t levels;
	uint32_t begin[65];
} g500_tree_levels;

// Prepares searches of a weighted graph, which must outlive them. levels is null for a graph of kernel 1; pruned graphs
// with levels are only for one rank. sharers is the number of ranks that search on the device at the same time. Several
// ranks must be connected before they search. Synchronous.
int g500_sssp_create(const g500_graph *graph, const g500_tree_levels *levels, const g500_sssp_policy *policy,
                     uint32_t sharers, g500_sssp **search, void *stream);
void g500_sssp_free(g500_sssp *search);

// Searches from a label, on one rank or on all ranks, if all are peers. Returns before the search has ended. After a
// failed search, this, g500_sssp_prelaunch and g500_sssp_perform return G500_FAILED_BEFORE.
int g500_sssp_run(g500_sssp *search, uint32_t root, void *stream);

// Launches the kernel of the next g500_sssp_run, which waits for its root (see g500_search_prelaunch).
int g500_sssp_prelaunch(g500_sssp *search, void *stream);
int g500_sssp_cancel_prelaunch(g500_sssp *search);

// Waits until the result of the last search is complete. Returns G500_GIVEN_UP if it was given up.
int g500_sssp_await(g500_sssp *search, void *stream);

// Return the result of the last search: for each owned label the parent's label, or -1, and the distance, or -1.
const int64_t *g500_sssp_parents(const g500_sssp *search);
const float *g500_sssp_distances(const g500_sssp *search);

// Pruning (ADR 19) makes a graph smaller, after a search from a hub outside trees. The order of calls, on each rank:
// write_parents, survey, create, order, store, free. After write_parents, create and order, all ranks exchange their
// complete parts of d_parents. After the first call the search can only be freed. All are synchronous.
typedef struct g500_pruning g500_pruning;

// Writes the parents of the last search into this rank's part.
int g500_sssp_write_parents(g500_sssp *search, void *stream);

// Returns upper bounds of all ranks' distances, and of the edges of the tree's paths.
int g500_sssp_survey(const g500_sssp *search, float *farthest, uint32_t *hops, void *stream);

// Keeps the edges that are not longer, by a margin, than the path through the hub. The search must outlive the pruning.
int g500_pruning_create(const g500_sssp *search, double margin, float farthest, g500_pruning **pruning, void *stream);
void g500_pruning_free(g500_pruning *pruning);

// Sorts the vertices: vertices of trees follow the others. Strips complete trees on one rank, vertices with one edge on
// several ranks. *first_leaf becomes the number of this rank's vertices outside trees.
int g500_pruning_order(g500_pruning *pruning, uint32_t *first_leaf);

// Replaces the graph; first_leaf is the maximum over all ranks. On several ranks it has no levels.
int g500_pruning_store(g500_pruning *pruning, uint32_t first_leaf, g500_graph *graph, g500_tree_levels *levels);

// Copies the trace of the last search: G500_SSSP_STEPS entries. Synchronous.
int g500_sssp_trace(g500_sssp *search, g500_sssp_step *steps, void *stream);

// Several ranks that are not peers search together by tasks. Between tasks the caller exchanges messages about other
// ranks' vertices, and all ranks' parts of arrays. Each part has 2^shift words by local id. gpu/sssp/path_ranks.go has
// the order of calls.

// g500_sssp_ranks describes all ranks, and arrays with parts of all ranks.
typedef struct {
	uint64_t edges; // of all ranks
	float heaviest; // largest weight of all ranks
	uint32_t *d_distances, *d_parents; // for the searches; the caller fills the parts of other ranks
	const uint32_t *d_labels;          // of all vertices with an edge

	// If all ranks are peers: by rank, including this one, windows of g500_sssp_window_bytes and arrays. Else null.
	void *const *windows;
	uint32_t *const *distances, *const *parents;
	uint32_t blocks;  // minimum of g500_sssp_blocks: all ranks use equally many
} g500_sssp_ranks;

uint64_t g500_sssp_window_bytes(g500_sssp *search); // must be called before g500_sssp_connect
uint32_t g500_sssp_blocks(const g500_sssp *search);

// Returns why the last search or task was given up.
const g500_stall *g500_sssp_stall(const g500_sssp *search);

// Ends the running search, or the next one, on all ranks. Any thread may call it. Tasks are bounded and are not ended.
void g500_sssp_end(g500_sssp *search);

// Returns the largest weight of this rank's edges.
float g500_sssp_heaviest(const g500_sssp *search);

// Allocates the state of searches on several ranks, and writes the first two weights of rows into this rank's parts of
// d_distances and d_parents. All ranks then exchange these parts, and call g500_sssp_derive_detours before they search.
// Both are synchronous.
int g500_sssp_connect(g500_sssp *search, const g500_sssp_ranks *ranks, void *stream);
int g500_sssp_derive_detours(g500_sssp *search, void *stream);

// A vertex on the path from a root in a tree to the non-tree subgraph, and its parent: global ids.
typedef struct {
	uint32_t vertex, parent;
	float distance;
} g500_sssp_root_path_entry;

enum { G500_SSSP_MOST_ROOT_PATH = 65 };

// The root path. The search starts at its end, outside trees; at 0xffffffff if the path leads nowhere.
typedef struct {
	uint32_t start, parent; // the first vertex outside trees, and its parent: itself if it is the root
	float distance;
	uint32_t length;        // entries
	g500_sssp_root_path_entry entries[G500_SSSP_MOST_ROOT_PATH];
} g500_sssp_root_path;

// Finds the root path of a label that this rank owns. Synchronous.
int g500_sssp_find_root_path(g500_sssp *search, uint32_t root, g500_sssp_root_path *root_path, void *stream);

// The tasks between two exchanges.
enum {
	G500_SSSP_DO_BEGIN,      // clears the state, and starts from a root path
	G500_SSSP_DO_PUSH,       // a push within the window, until nothing changes on this rank
	G500_SSSP_DO_PUSH_REST,  // a push of the vertices changed in the last sweep
	G500_SSSP_DO_TAKE,       // stores messages of other ranks' pushes within the window
	G500_SSSP_DO_TAKE_REST,  // stores messages of later pushes
	G500_SSSP_DO_PULL,       // the first sweep over a degree class
	G500_SSSP_DO_PULL_AGAIN, // a further sweep
	G500_SSSP_DO_PULL_LAST,  // the last sweep
	G500_SSSP_DO_FIND_PARENTS,
	G500_SSSP_DO_LAY_OUT_PARENTS, // writes parents into this rank's part
	G500_SSSP_DO_SETTLE_TIES,
};

typedef struct {
	int kind;
	uint32_t number;         // of the class; or of the exchange after a push: one more than the last one, beginning
	                         // with 1
	uint32_t queued;         // vertices in this rank's frontier
	float nearest, farthest; // g500_sssp_progress of all ranks
	const g500_weighted_message *d_messages; // received messages
	uint64_t messages;
} g500_sssp_task;

// The state of a rank after a task.
typedef struct {
	uint32_t queued; // vertices in the frontier
	uint32_t remote; // other ranks' vertices to be sent to their owners
	uint32_t tied;   // tied vertices
	float nearest;   // distance of a landmark in this round
	float farthest;  // distance that is not final after the last sweep
} g500_sssp_progress;

// Performs a task. root_path is only for G500_SSSP_DO_BEGIN, in host memory, else null. Synchronous.
int g500_sssp_perform(g500_sssp *search, const g500_sssp_task *task, const g500_sssp_root_path *root_path,
                      g500_sssp_progress *after, void *stream);

// g500_sssp_classes returns the number of degree classes that the first sweep processes. g500_sssp_class returns the
// words of each part that the sweep of one class changes.
uint32_t g500_sssp_classes(const g500_sssp *search);
void g500_sssp_class(const g500_sssp *search, uint32_t number, uint32_t *begin, uint32_t *end);

// Writes a message for each of `remote` vertices of other ranks that have become nearer, sorted by rank: local id
// there, the parent's global id or 0xffffffff, and distance. counts, in host memory, gets the messages per rank. Clears
// the list. Synchronous.
int g500_sssp_bin_reached(g500_sssp *search, g500_bins *bins, uint32_t remote, g500_weighted_message *d_messages,
                          uint64_t *counts);

// Writes the result of a search from a label, by label.
int g500_sssp_finish(g500_sssp *search, uint32_t root, void *stream);

#ifdef __cplusplus
}
#endif
#endif
