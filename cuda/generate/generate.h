// SPDX-License-Identifier: Apache-2.0

// The official Kronecker generator (specification, section "Generating the Edge List").
#pragma once

#include "common/c.h"

G500_BEGIN_C

// g500_edge is an edge tuple in the reference code's packed format (Go: graph.Edge): the low 32 bits of both labels,
// then their high 16 bits.
typedef struct {
	uint32_t low_u, low_v, high;
} g500_edge;

// g500_kronecker is the parameters of a graph.
typedef struct {
	int scale; // 1 to 47
	uint64_t seed1, seed2;
} g500_kronecker;

// Writes edges first to first+count-1 of a graph to d_edges, and their weights for shortest paths, from 0 to 1, to
// d_weights unless that is null. Asynchronous.
int g500_generate(const g500_kronecker *graph, uint64_t first, uint64_t count, g500_edge *d_edges, float *d_weights,
                  void *stream);

// g500_edge32 is an edge tuple with labels below 2^32: 8 bytes instead of 12. Tuples are kept in host memory in this
// format if device memory does not suffice.
typedef struct {
	uint32_t u, v;
} g500_edge32;

// Converts count tuples to the 32-bit format. Drops the high bits of labels, which must be 0. Asynchronous.
int g500_pack_edges(const g500_edge *d_edges, uint64_t count, g500_edge32 *d_packed, void *stream);

// Converts count 32-bit tuples back. Asynchronous.
int g500_unpack_edges(const g500_edge32 *d_packed, uint64_t count, g500_edge *d_edges, void *stream);

G500_END_C
