// Narrow tuples: edge tuples in the form in which they lie in host memory, where device memory has no room for them.
#ifndef G500_NARROW_H
#define G500_NARROW_H

#include "generate/generate.h"

#ifdef __cplusplus
extern "C" {
#endif

// g500_narrow_edge is an edge tuple whose labels are below 2^32: 8 bytes in place of 12.
typedef struct {
	uint32_t u, v;
} g500_narrow_edge;

// Writes count tuples in narrow form. The high bits of labels are dropped: the caller knows that there are none.
// Asynchronous.
int g500_narrow(const g500_edge *d_edges, uint64_t count, g500_narrow_edge *d_narrow, void *stream);

// Writes count narrow tuples as they were. Asynchronous.
int g500_widen(const g500_narrow_edge *d_narrow, uint64_t count, g500_edge *d_edges, void *stream);

#ifdef __cplusplus
}
#endif
#endif
