// SPDX-License-Identifier: Apache-2.0

// Validation of trees and shortest paths by the specification's rules (section "Validation").
#pragma once

#include "common/c.h"
#include "kernel1/kernel1.h"

G500_BEGIN_C

// All ranks validate a tree together, step by step. Between steps the caller copies the slices that each rank has
// written to all other ranks. Rank r owns the labels v with v mod P == r, at place v div P. Arrays of all ranks'
// vertices have one slice per rank, all of the same length.

enum { G500_VALIDATOR_LEVELS = 14 }; // number of levels, from the base down, with their own codes at a time

// g500_validator_parts is the memory of a validator. The caller owns it; it must outlive the validator.
typedef struct {
	uint32_t ranks, rank; // P, and the number of this one
	uint64_t vertices;    // N
	uint64_t slice;       // places in a slice: at least N / P rounded up, a multiple of 128
	uint64_t span;        // places in a slice of the window: a multiple of 128
	uint8_t *inner;       // one slice of bits
	uint8_t *leaves;      // one slice of bits
	uint32_t *marks[2];   // two arrays of P slices of bits
	uint32_t *levels;     // P slices of four bits per vertex
	uint32_t *near;       // P slices of two bits per vertex; unused with labels64
	void *parents;        // P slices of the window, with 32-bit or 64-bit parents (labels64); null on one rank
	uint32_t *reached;    // P slices of the window, of bits; null on one rank
	uint8_t *hints;       // P slices of the window, of bytes
	uint32_t *joined;     // P slices of the window, of bits
	float *distances;     // P slices; null on one rank, and without shortest paths
	int labels64;         // labels have up to 48 bits, and shortest paths are not validated; else N is at most 2^32-1
	int directed;         // tuples <u, v> are edges from u to v
} g500_validator_parts;

typedef struct g500_validator g500_validator;

enum {
	G500_RULE_RANGE = 1, // a parent is not a vertex
	G500_RULE_ROOT,      // the root is not its own parent
	G500_RULE_ORPHAN,    // a vertex's parent was not reached
	G500_RULE_CYCLE,     // a vertex's parents do not lead to the root
	G500_RULE_LEVELS,    // a tuple joins levels that differ by more than one
	G500_RULE_SPAN,      // a tuple joins a reached vertex and one that is not
	G500_RULE_TREE_EDGE, // no tuple joins a vertex and its parent
	G500_RULE_DISTANCE,  // an impossible distance: not 0 of the root, or not -1 of a vertex without a parent
	G500_RULE_SHORTER,   // a tuple makes a path to one of its ends shorter
	G500_RULE_PATH_EDGE, // no tuple between a vertex and its parent has the length of the difference of distances
	G500_RULES,
};

// g500_findings is a rank's findings since the tree was entered. worst is, for each rule, the lowest label at which it
// is broken, or ~0. other is the lowest other label for it: a parent, with all its bits, ~0 for none; or the other end
// of a tuple. Counts are invalid after a rule is broken.
typedef struct {
	uint64_t worst[G500_RULES], other[G500_RULES];
	uint64_t reached; // vertices in the tree
	uint64_t edges;   // tuples in the component, including duplicates but not self-loops
	uint64_t loops;   // self-loops in the component
	uint64_t sizes[G500_VALIDATOR_LEVELS]; // vertices on each level below the base
} g500_findings;

int g500_validator_create(const g500_validator_parts *parts, g500_validator **v, void *stream);
void g500_validator_free(g500_validator *v);

// g500_tuple_list is tuples in device memory, with their weights unless these are null.
typedef struct {
	g500_edge *d_edges;
	float *d_weights;
	uint64_t count;
	int directed; // the order of the labels in a tuple stays
} g500_tuple_list;

// Sorts tuples with labels below 2^label_bits, at most 2^32, and their weights, so that the steps over tuples find most
// levels and distances in caches. The tuples become g500_edge32, at the front of d_edges. Allocates at most `work`
// bytes; with less than 25 B per tuple, pieces are sorted on their own. Synchronous.
int g500_sort_tuples(const g500_tuple_list *tuples, int label_bits, uint64_t work, void *stream);

// Every step is synchronous. Findings accumulate after the tree was entered. Steps over this rank's tuples,
// whose ends any rank may own, are called once for each piece of the tuples, in any order. Their tuples are
// g500_edge32, or g500_edge with labels64 and in check_labels.

// Finds a tuple with a label that is not a vertex; worst[0] and other[0] are its labels.
int g500_validator_check_labels(g500_validator *v, const g500_edge *d_edges, uint64_t count, g500_findings *findings);

// Enters a tree with this root. d_parents are the parents of this rank's vertices (as g500_search_parents), with 32 or
// 64 bits each, 16-byte aligned; they must not change until the last step. Writes this rank's slice of levels, and
// marks the parents of its vertices in all slices of marks[1]. No other step may follow if any rank finds a broken rule
// here, because later steps require all parents in range.
int g500_validator_enter(g500_validator *v, uint64_t root, const void *d_parents, int bits, g500_findings *findings);

// Separates this rank's inner vertices from its leaves, and marks the root in this rank's slice of marks[0]. d_inner
// has its slice of marks[1] from every rank; it may be marks[0].
int g500_validator_separate_inner(g500_validator *v, const uint32_t *d_inner);

// Finds the inner vertices whose parents are marked in marks[from], and marks them in this rank's slice of
// marks[1-from]. `level` is their level below the base, 1 to G500_VALIDATOR_LEVELS-1; the first base is the root.
int g500_validator_descend(g500_validator *v, int from, uint32_t level, g500_findings *findings);

// Finds the levels of the leaves whose parents have levels below the base up to G500_VALIDATOR_LEVELS-2, with the
// slices of levels of all ranks.
int g500_validator_settle_leaves(g500_validator *v, g500_findings *findings);

// Makes level G500_VALIDATOR_LEVELS-1 below the base the new base, in this rank's slice of levels. Clears sizes.
int g500_validator_raise_base(g500_validator *v);

// mark_reached marks the vertices with a parent in this rank's slice of marks[0]. find_stuck then finds, with the
// slices of all ranks, the vertices without a level.
int g500_validator_mark_reached(g500_validator *v);
int g500_validator_find_stuck(g500_validator *v, g500_findings *findings);

// Starts the window of places from `first` on, a multiple of span. On several ranks it writes this rank's slice of
// reached; number_parents then sets *count to the number of parents in this rank's slice, with the slices of all ranks,
// and pack_parents writes these to parents, from place rank * stride on. hint_parents writes hints, with the parents of
// all ranks, and clears joined. Steps over tuples follow.
int g500_validator_open_window(g500_validator *v, uint64_t first);
int g500_validator_number_parents(g500_validator *v, uint64_t *count);
int g500_validator_pack_parents(g500_validator *v, uint64_t stride);
int g500_validator_hint_parents(g500_validator *v);

// Writes `near`, with the slices of levels of all ranks. The three levels from `first` below the base on, which should
// have most ends of tuples, get codes of their own there. Precedes g500_validator_check_tuples. Asynchronous. Does
// nothing with labels64.
int g500_validator_narrow_levels(g500_validator *v, uint32_t first);

// Checks the levels of tuples, with the slices of all ranks, and joins the vertices of the window to their parents.
// Counts tuples if counted is not 0. In a tree with more than G500_VALIDATOR_LEVELS levels it is called for each base:
// before each g500_validator_raise_base, and after the last level.
int g500_validator_check_tuples(g500_validator *v, const void *d_edges, uint64_t count, int counted,
                                g500_findings *findings);

// Joins the vertices of the window to their parents: sufficient for all windows except the first. If d_weights is not
// null, only tuples are accepted whose length is the difference between the distances of their ends.
int g500_validator_join_tuples(g500_validator *v, const void *d_edges, const float *d_weights, uint64_t count);

// Checks that all of this rank's vertices in the window are joined. d_joined has its slice of joined from every rank.
// Offences are recorded for `rule`.
int g500_validator_check_joined(g500_validator *v, const uint32_t *d_joined, int rule, g500_findings *findings);

// Continues with shortest paths after their parents have been entered and descended. d_distances are by owned
// label, -1 without a parent; they must not change until the last step. Writes this rank's slice of
// distances. No other step may follow if any rank finds a broken rule here.
int g500_validator_check_distances(g500_validator *v, const float *d_distances, g500_findings *findings);

// Checks tuples with weights, with the distances of all ranks, and joins the vertices of the window to their parents as
// g500_validator_join_tuples with weights. Sums are rounded to single precision and compared exactly. Counts tuples.
int g500_validator_check_path_tuples(g500_validator *v, const g500_edge32 *d_edges, const float *d_weights,
                                     uint64_t count, g500_findings *findings);

// Validation of trees by messages to the owners of vertices: no rank stores anything about other ranks' vertices, so
// memory does not grow with the number of ranks. It costs two messages of 16 B per tuple; the steps above, with the
// levels of all ranks, cost none.

// Of the parts it needs ranks, rank, vertices and directed; levels: a word for each place, N / P rounded up; and
// joined: a bit for each place. Labels have up to 48 bits.
typedef struct g500_owner_validator g500_owner_validator;

// A message about a tuple is for the owner of one end, which is at `place`. The other end is at place `word` of rank
// `extra`, which has sent it on with its level.

int g500_owner_validator_create(const g500_validator_parts *parts, g500_owner_validator **v, void *stream);
void g500_owner_validator_free(g500_owner_validator *v);

// Every step is synchronous. Findings accumulate after the tree was entered. Steps of all ranks alternate with
// exchanges of messages, which functions named bin sort by rank, as in kernel1.h.

// Enters a tree, as g500_validator_enter. No other step may follow if any rank finds a broken rule here.
int g500_owner_enter(g500_owner_validator *v, uint64_t root, const void *d_parents, int bits, g500_findings *findings);

// Makes queries for the levels of the parents of this rank's vertices without a level, among `count` places from
// `first` on. The owners turn queries into replies, in place. The rank takes the replies: sizes[0] of the findings is
// the number of vertices that have got their level since the tree was entered, sizes[1] the deepest level. Repeated
// until no rank has such vertices, or none gets a level. Then take_stuck takes replies as offences.
int g500_owner_bin_parents(g500_owner_validator *v, g500_bins *bins, uint64_t first, uint64_t count,
                           uint64_t *d_messages, uint64_t *counts);
int g500_owner_reply_levels(g500_owner_validator *v, uint64_t *d_messages, uint64_t count);
int g500_owner_take_levels(g500_owner_validator *v, const uint64_t *d_messages, uint64_t count,
                           g500_findings *findings);
int g500_owner_take_stuck(g500_owner_validator *v, const uint64_t *d_messages, uint64_t count, g500_findings *findings);

// Sends each tuple <u, v> to the owner of v. It joins v to its parent if that is u, and sends the tuple to the owner of
// u, with v's level. That one checks the levels, counts the tuple, and joins u. forward_tuples also counts self-loops,
// and must be called once for received messages, before they are binned in pieces.
int g500_owner_bin_tuples(g500_owner_validator *v, g500_bins *bins, const g500_edge *d_edges, uint64_t count,
                          g500_wide_message *d_messages, uint64_t *counts);
int g500_owner_forward_tuples(g500_owner_validator *v, g500_wide_message *d_messages, uint64_t count);
int g500_owner_bin_forwarded(g500_owner_validator *v, g500_bins *bins, const g500_wide_message *d_received,
                             uint64_t count, g500_wide_message *d_messages, uint64_t *counts);
int g500_owner_check_tuples(g500_owner_validator *v, const g500_wide_message *d_messages, uint64_t count,
                            g500_findings *findings);

// Checks that a tuple joins each of this rank's vertices in the tree to its parent.
int g500_owner_check_joined(g500_owner_validator *v, g500_findings *findings);

G500_END_C
