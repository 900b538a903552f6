// The official generator.
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

// Edges first to first+count-1 of the graph with these parameters, into d_edges. Scale 1 to 47.
int g500_generate(int scale, uint64_t seed1, uint64_t seed2, uint64_t first, uint64_t count, g500_edge *d_edges,
                  void *stream);

#ifdef __cplusplus
}
#endif
#endif
