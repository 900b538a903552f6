// Validation of trees by messages to the owners of vertices: no rank stores anything about other ranks' vertices, so
// memory does not grow with the number of ranks. It costs two messages of 16 B per tuple; validate.h, with the levels
// of all ranks, costs none.
#ifndef G500_QUERIES_H
#define G500_QUERIES_H

#include "kernel1/bins.h"
#include "validate/validate.h"

#ifdef __cplusplus
extern "C" {
#endif

// g500_owner_parts is the memory of one rank's validator, which the caller owns: it must outlive the validator. Rank r
// owns the labels v with v mod P == r, at place v div P. Labels have up to 48 bits.
typedef struct {
	uint32_t ranks, rank; // P, and the number of this one
	uint64_t vertices;    // N
	uint32_t *levels;     // by place: N / P rounded up
	uint32_t *joined;     // bits by place
	int directed;         // tuples <u, v> are edges from u to v
} g500_owner_parts;

typedef struct g500_owner_validator g500_owner_validator;

// g500_tuple_message is about a tuple whose one end is at this place of the receiver. The other end is at place `word`
// of a rank, which it has sent on with its level.
typedef struct {
	uint32_t place, word, rank, level;
} g500_tuple_message;

int g500_owner_validator_create(const g500_owner_parts *parts, g500_owner_validator **v, void *stream);
void g500_owner_validator_free(g500_owner_validator *v);

// Every step is synchronous. Findings accumulate after the tree was entered. Steps of all ranks alternate with
// exchanges of messages, which functions named bin sort by rank, as in kernel1/bins.h.

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
                          g500_tuple_message *d_messages, uint64_t *counts);
int g500_owner_forward_tuples(g500_owner_validator *v, g500_tuple_message *d_messages, uint64_t count);
int g500_owner_bin_forwarded(g500_owner_validator *v, g500_bins *bins, const g500_tuple_message *d_received,
                             uint64_t count, g500_tuple_message *d_messages, uint64_t *counts);
int g500_owner_check_tuples(g500_owner_validator *v, const g500_tuple_message *d_messages, uint64_t count,
                            g500_findings *findings);

// Checks that a tuple joins each of this rank's vertices in the tree to its parent.
int g500_owner_check_joined(g500_owner_validator *v, g500_findings *findings);

#ifdef __cplusplus
}
#endif
#endif
