// Kernel 3: searches for shortest paths.
#ifndef G500_SSSP_H
#define G500_SSSP_H

#include "common/stall.h"
#include "kernel1/bins.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct g500_sssp g500_sssp; // the state of searches in a graph with weights

// What decides how a search goes; none of it changes a distance. Defaults and their reasons: bfs/policy.toml.
typedef struct {
	// How much farther than the nearest landmark paths are pushed, in millionths of the heaviest weight, in a graph of
	// 2^31 directed edges; with so many times fewer edges, by the cube root of that farther.
	uint32_t window;
	uint32_t landmarks; // the vertices with the lowest hub ids, so many
	uint32_t sweeps;    // after the first, before what still changes is pushed
	uint32_t classes;   // of hub ids, each with four times as many as the one before: the first sweep takes one at a time
	uint32_t hinted;    // vertices with the lowest hub ids keep who pushed their distance
	uint32_t part;      // edges of a row that a block pushes; others do the rest at the same time
	uint32_t slots;     // of the queue of a push, for 1,000 vertices of the core
	uint32_t resident;  // vertices with the lowest hub ids whose distances stay in the L2 cache
	uint32_t prelaunch; // whether g500_sssp_prelaunch launches anything
	uint64_t wait_ns;   // for which a rank waits for another before it gives up, and 12 times for its own blocks
} g500_sssp_policy;

// The steps of a search, for its trace.
enum {
	G500_SSSP_START, G500_SSSP_PUSH, G500_SSSP_PULL, G500_SSSP_PULL_AGAIN, G500_SSSP_PUSH_REST, G500_SSSP_TIES,
	G500_SSSP_TREES, G500_SSSP_RESULT, G500_SSSP_STEPS
};

typedef struct {
	uint64_t rounds;   // of a push, sweeps of a pull
	uint64_t vertices; // in all frontiers of a push; that a pull looks at
	uint64_t edges;    // of these, looked at
	uint64_t nanoseconds;
	uint64_t exchange;    // nanoseconds before its tasks, on several ranks
} g500_sssp_step;

// Where vertices hang off the core in trees. Hub ids begin[i] to begin[i+1]-1 are i+1 edges away from it, and others
// hang on them. Hub ids from begin[levels] on are leaves of the trees. A graph of kernel 1 has leaves only: no level.
typedef struct {
	uint32_t levels;
	uint32_t begin[65];
} g500_tree_levels;

// Prepares searches of a graph with weights, which must outlive it. Its levels are null where it comes from kernel 1;
// others are for one rank alone. Ranks that search on the device at once share it. Several ranks have to be connected
// before they search. Synchronous.
int g500_sssp_create(const g500_graph *graph, const g500_tree_levels *levels, const g500_sssp_policy *policy,
                     uint32_t sharers, g500_sssp **search, void *stream);
void g500_sssp_free(g500_sssp *search);

// Searches from a label: on one rank alone, or on all ranks at once, if all are peers. It returns before the device has
// ended. When a search has failed, this, g500_sssp_prelaunch and g500_sssp_perform return G500_FAILED_BEFORE.
int g500_sssp_run(g500_sssp *search, uint32_t root, void *stream);

// Launches the kernel of the next g500_sssp_run, which waits for its root (g500_search_prelaunch).
int g500_sssp_prelaunch(g500_sssp *search, void *stream);
int g500_sssp_cancel_prelaunch(g500_sssp *search);

// Waits until the result of the last search is complete. Returns G500_GIVEN_UP if it was given up.
int g500_sssp_await(g500_sssp *search, void *stream);

// The result of the last search: for each owned label the parent's label, or -1, and the distance, or -1.
const int64_t *g500_sssp_parents(const g500_sssp *search);
const float *g500_sssp_distances(const g500_sssp *search);

// Pruning (ADR 19) makes a graph smaller that a search has gone through, from a hub that is in the core. The order of
// calls, on each rank: lay out tree; survey; create; order; store; free. Behind each of lay out tree, create and order
// all ranks bring each other their parts of d_parents, whole. After the first call the search can only be freed. All
// are synchronous.
typedef struct g500_pruning g500_pruning;

// Writes the parents that the last search has found into this rank's part.
int g500_sssp_write_parents(g500_sssp *search, void *stream);

// A distance that none is larger than, on all ranks, and a number of edges that no path of the tree has more of.
int g500_sssp_survey(const g500_sssp *search, float *farthest, uint32_t *hops, void *stream);

// Keeps the edges that are not longer, by a margin, than the way around by the hub. The search must outlive it.
int g500_pruning_create(const g500_sssp *search, double margin, float farthest, g500_pruning **pruning, void *stream);
void g500_pruning_free(g500_pruning *pruning);

// Orders the vertices anew: what hangs off the core comes behind it, whole trees on one rank, on several ranks vertices
// with one edge. Gives the number of vertices of this rank's core.
int g500_pruning_order(g500_pruning *pruning, uint32_t *first_leaf);

// Makes the new graph in place of the old one, with the highest core of all ranks. On several ranks it has no levels.
int g500_pruning_store(g500_pruning *pruning, uint32_t first_leaf, g500_graph *graph, g500_tree_levels *levels);

// What the last search did, by step: G500_SSSP_STEPS of them. Synchronous.
int g500_sssp_trace(g500_sssp *search, g500_sssp_step *steps, void *stream);

// Several ranks that are no peers search together task by task. Between tasks the caller exchanges what they leave:
// messages about vertices that other ranks own, and all that the owners know of theirs. Arrays with a part for each
// rank have 2^shift words in a part, by hub id. The order of calls is in gpu/sssp/path_ranks.go.

// What a rank has to know of all, and arrays with parts of all ranks.
typedef struct {
	uint64_t edges; // of all ranks
	float heaviest; // weight of all ranks
	uint32_t *d_distances, *d_parents; // for the searches; the caller brings the parts of other ranks
	const uint32_t *d_labels;          // of all hubs

	// Where all ranks are peers: by rank, this one included, its window of g500_sssp_window_bytes, and its arrays.
	// Null elsewhere.
	void *const *windows;
	uint32_t *const *distances, *const *parents;
	uint32_t blocks;  // the fewest of g500_sssp_blocks: all ranks have as many
} g500_sssp_ranks;

uint64_t g500_sssp_window_bytes(g500_sssp *search); // before it is connected
uint32_t g500_sssp_blocks(const g500_sssp *search);

// Why and where the last search, or task, was given up.
const g500_stall *g500_sssp_stall(const g500_sssp *search);

// Has the search that is under way, or the next one, be given up, on all ranks. Any thread may call it. Tasks are
// bounded, and are not ended.
void g500_sssp_end(g500_sssp *search);

// The heaviest weight of this rank's edges.
float g500_sssp_heaviest(const g500_sssp *search);

// Allocates the state of searches on several ranks. Synchronous.
int g500_sssp_connect(g500_sssp *search, const g500_sssp_ranks *ranks, void *stream);

// A vertex on the way from a root in a tree to the core, and who reaches it: positions.
typedef struct {
	uint32_t vertex, parent;
	float distance;
} g500_sssp_root_path_entry;

enum { G500_SSSP_MOST_ROOT_PATH = 65 };

// The whole way. The search begins at its end, in the core; at 0xffffffff where it leads to none.
typedef struct {
	uint32_t start, parent; // the core's first vertex, and that from which it is reached: itself if it is the root
	float distance;
	uint32_t length;        // entries
	g500_sssp_root_path_entry entries[G500_SSSP_MOST_ROOT_PATH];
} g500_sssp_root_path;

// The way from a label that this rank owns. Synchronous.
int g500_sssp_find_root_path(g500_sssp *search, uint32_t root, g500_sssp_root_path *root_path, void *stream);

// What ranks do between two exchanges.
enum {
	G500_SSSP_DO_BEGIN,      // clear the state, and start on a way
	G500_SSSP_DO_PUSH,       // a push within the window, until nothing changes any more on this rank
	G500_SSSP_DO_PUSH_REST,  // the same of what has changed in the last sweep
	G500_SSSP_DO_TAKE,       // messages of other ranks' pushes within the window
	G500_SSSP_DO_TAKE_REST,  // and of others
	G500_SSSP_DO_PULL,       // the first sweep over a class of hub ids
	G500_SSSP_DO_PULL_AGAIN, // a further sweep
	G500_SSSP_DO_PULL_LAST,  // the last one
	G500_SSSP_DO_FIND_PARENTS,
	G500_SSSP_DO_LAY_OUT_PARENTS, // in the array of all ranks
	G500_SSSP_DO_SETTLE_TIES,
};

typedef struct {
	int kind;
	uint32_t number;         // of the class; of the exchange that follows a push: one more than the last, from 1 on
	uint32_t queued;         // vertices in this rank's frontier
	float nearest, farthest; // what g500_sssp_progress says, of all ranks
	const g500_weighted_message *d_messages; // that have come
	uint64_t messages;
} g500_sssp_task;

// What a rank knows after that.
typedef struct {
	uint32_t queued; // vertices in the frontier
	uint32_t remote; // vertices of other ranks to tell their owners of
	uint32_t tied;   // vertices
	float nearest;   // distance of a landmark, in this round
	float farthest;  // distance that is not final after the last sweep
} g500_sssp_progress;

// Does a task. Only one that begins has a way, in host memory. Synchronous.
int g500_sssp_perform(g500_sssp *search, const g500_sssp_task *task, const g500_sssp_root_path *root_path,
                      g500_sssp_progress *after, void *stream);

// The class of hub ids with that number that is pulled together, of g500_sssp_classes: words begin to end of each part
// change.
uint32_t g500_sssp_classes(const g500_sssp *search);
void g500_sssp_class(const g500_sssp *search, uint32_t number, uint32_t *begin, uint32_t *end);

// Writes a message for each of so many vertices of other ranks that have become nearer, those for rank 0 first, and the
// number for each rank to counts, in host memory: the hub id there, the parent's position or 0xffffffff, and the
// distance. Forgets the list. Synchronous.
int g500_sssp_bin_reached(g500_sssp *search, g500_bins *bins, uint32_t remote, g500_weighted_message *d_messages,
                          uint64_t *counts);

// Brings the result of a search from a label into label order.
int g500_sssp_finish(g500_sssp *search, uint32_t root, void *stream);

#ifdef __cplusplus
}
#endif
#endif
