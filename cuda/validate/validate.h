// Validation of trees and shortest paths by the specification's rules (section "Validation").
#ifndef G500_VALIDATE_H
#define G500_VALIDATE_H

#include "generate/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

// All ranks validate a tree together, step by step; between steps the caller copies the slices that each rank has
// written to the others. Rank r owns the labels v with v mod P == r, at place v div P. Arrays of all ranks' vertices
// have one slice per rank, of equally many places.

enum { G500_VALIDATOR_LEVELS = 14 }; // levels, the base's and those below it, that have codes of their own at a time

// g500_validator_parts is the memory that a validator uses. It belongs to the caller, and must outlive the validator.
typedef struct {
	uint32_t ranks, rank; // P, and the number of this one
	uint64_t vertices;    // N
	uint64_t slice;       // places in a slice: at least N / P rounded up, a multiple of 128
	uint64_t span;        // places in a slice of the window: a multiple of 128
	uint8_t *waiting;     // slice bits
	uint32_t *marks[2];   // P slices of bits, twice
	uint32_t *levels;     // P slices of four bits a vertex
	void *parents;        // P slices of the window, of 32-bit parents, or 64-bit ones if wide; one rank needs none
	uint32_t *joined;     // P slices of the window, of bits
	float *distances;     // P slices; one rank needs none, nor do ranks that validate only trees
	int ids64;            // labels have up to 48 bits; else N is at most 2^32-1. Shortest paths are not validated then
} g500_validator_parts;

typedef struct g500_validator g500_validator;

enum {
	G500_RULE_RANGE = 1, // a parent is no vertex
	G500_RULE_ROOT,      // the root is not its own parent
	G500_RULE_ORPHAN,    // a vertex's parent was not reached
	G500_RULE_CYCLE,     // a vertex's parents do not lead to the root
	G500_RULE_LEVELS,    // a tuple joins levels that differ by more than one
	G500_RULE_SPAN,      // a tuple joins a reached vertex and one that is not
	G500_RULE_TREE_EDGE, // no tuple joins a vertex and its parent
	G500_RULE_DISTANCE,  // a distance that cannot be: not 0 of the root, not -1 of a vertex without a parent
	G500_RULE_SHORTER,   // a tuple makes a path to one of its ends shorter
	G500_RULE_PATH_EDGE, // no tuple between a vertex and its parent has the length of the difference
	G500_RULES,
};

// g500_findings is what a rank has found since the tree was entered. Worst says for each rule where it is broken: the
// lowest label, ~0 where it is not. Other says for that label which is the lowest other one: a parent, all bits of it,
// ~0 for none; or the other end of a tuple. Counts are of no use once a rule is broken.
typedef struct {
	uint64_t worst[G500_RULES], other[G500_RULES];
	uint64_t reached; // vertices in the tree
	uint64_t settled; // of them, without the root, those whose levels were found
	uint64_t edges;   // tuples in the component, duplicates counted, self-loops not
	uint64_t loops;   // self-loop tuples in it
} g500_findings;

int g500_validator_create(const g500_validator_parts *parts, g500_validator **v, void *stream);
void g500_validator_free(g500_validator *v);

// Every step is synchronous. Findings are those of all steps since the tree was entered. Steps over this rank's tuples,
// of which any rank may own the ends, take them in pieces, in any order: each is called once for each piece.

// Finds a tuple with a label that is no vertex; worst[0] and other[0] are its labels.
int g500_validator_check_labels(g500_validator *v, const g500_edge *d_edges, uint64_t count, g500_findings *findings,
                                void *stream);

// Begins with a tree from root: the parents (as g500_search_parents) of the vertices that this rank owns, of 32 or 64
// bits each, 16-byte aligned. They must stay as they are until the last step. Writes this rank's slices of marks[0],
// where the root is marked, and of levels. No other step may follow if any rank has found a broken rule here: they read
// of a parent what a label has, which is enough once all parents are in range.
int g500_validator_enter(g500_validator *v, uint64_t root, const void *d_parents, int bits, g500_findings *findings,
                         void *stream);

// Finds the vertices whose parents are marked in marks[from], and marks them in this rank's slice of marks[1-from].
// They are on level number 1 to G500_VALIDATOR_LEVELS-1 below the base, which is 0 at first.
int g500_validator_descend(g500_validator *v, int from, uint32_t level, g500_findings *findings, void *stream);

// Makes the level G500_VALIDATOR_LEVELS-1 below the base the new base, in this rank's slice of levels.
int g500_validator_raise_base(g500_validator *v, void *stream);

// mark_reached marks the vertices that have a parent, in this rank's slice of marks[0]. find_stuck then finds, with the
// slices of all ranks, the vertices whose levels were not found.
int g500_validator_mark_reached(g500_validator *v, void *stream);
int g500_validator_find_stuck(g500_validator *v, g500_findings *findings, void *stream);

// Begins with the window of the places from first on, a multiple of span: writes this rank's slice of parents, and
// clears joined.
int g500_validator_open_window(g500_validator *v, uint64_t first, void *stream);

// Checks the levels of tuples, with the slices of all ranks, and joins the vertices of the window to their parents.
// Tuples are counted if counted is not 0. In a tree with more than G500_VALIDATOR_LEVELS levels it is called for each
// base: before each g500_validator_raise_base, and after the last level.
int g500_validator_check_tuples(g500_validator *v, const g500_edge *d_edges, uint64_t count, int counted,
                                g500_findings *findings, void *stream);

// Joins the vertices of the window to their parents: enough for all windows but the first. Where d_weights is not null,
// only tuples count that have the length of the difference between the distances of their ends.
int g500_validator_join_tuples(g500_validator *v, const g500_edge *d_edges, const float *d_weights, uint64_t count,
                               void *stream);

// Checks that all of this rank's vertices in the window are joined: d_joined holds its slice of joined of every rank.
// Offences count against that rule.
int g500_validator_check_joined(g500_validator *v, const uint32_t *d_joined, int rule, g500_findings *findings,
                                void *stream);

// Goes on with shortest paths whose parents have been entered and descended: the distances of the vertices that this
// rank owns, -1 of those without a parent. They must stay as they are until the last step. Writes this rank's slice of
// distances. No other step may follow if any rank has found a broken rule here.
int g500_validator_check_distances(g500_validator *v, const float *d_distances, g500_findings *findings, void *stream);

// Checks tuples with their weights, with the distances of all ranks, and joins the vertices of the window to their
// parents as g500_validator_join_tuples does with weights. Sums are rounded to single precision, and compared to the
// bit. Tuples are counted.
int g500_validator_check_path_tuples(g500_validator *v, const g500_edge *d_edges, const float *d_weights,
                                     uint64_t count, g500_findings *findings, void *stream);

#ifdef __cplusplus
}
#endif
#endif
