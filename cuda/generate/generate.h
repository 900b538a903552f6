// The official Kronecker generator (specification, section "Generating the Edge List").
#ifndef G500_GENERATE_H
#define G500_GENERATE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// g500_edge is an edge tuple in the official program's packed form (Go: graph.Edge): the low 32 bits of both
// labels, then their high 16 bits side by side.
typedef struct {
	uint32_t low_u, low_v, high;
} g500_edge;

// g500_kronecker is what the edges of a graph depend on, beside their numbers.
typedef struct {
	int scale; // 1 to 47
	uint64_t seed1, seed2;
} g500_kronecker;

// Writes the edges first to first+count-1 of a graph to d_edges, and their weights for shortest paths, from 0 to 1, to
// d_weights unless that is null. Asynchronous.
int g500_generate(const g500_kronecker *graph, uint64_t first, uint64_t count, g500_edge *d_edges, float *d_weights,
                  void *stream);

// g500_edge32 is an edge tuple whose labels are below 2^32: 8 bytes in place of 12. In this form tuples
// lie in host memory, where device memory has no room for them.
typedef struct {
	uint32_t u, v;
} g500_edge32;

// Writes count tuples in narrow form. The high bits of labels are dropped: the caller knows that there are none.
// Asynchronous.
int g500_pack_edges(const g500_edge *d_edges, uint64_t count, g500_edge32 *d_packed, void *stream);

// Writes count narrow tuples as they were. Asynchronous.
int g500_unpack_edges(const g500_edge32 *d_packed, uint64_t count, g500_edge *d_edges, void *stream);

#ifdef __cplusplus
}
#endif
#endif
