// Why a search was given up, and where.
#ifndef G500_STALL_H
#define G500_STALL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	G500_GOES_ON,        // it was not given up
	G500_BLOCKS_MISSING, // blocks of the rank have not arrived at a barrier
	G500_RANK_SILENT,    // a rank has not published anything
	G500_QUEUE_STALLED,  // the rank's queue made no progress
	G500_QUEUE_TOO_LONG, // a frontier has more vertices than are counted
	G500_HOST_REQUESTED, // the host requested it
};

typedef struct {
	uint32_t why;
	int32_t rank;             // that is silent
	uint64_t done, all;       // blocks that have arrived; vertices and items of the queue that are done; vertices that
	                          // are queued; and of how many
	uint32_t step, number;    // of BFS (search/step.h), and the level; or G500_SSSP_*, and the round of pushes, ever
	float nearest, threshold; // shortest paths: the distance of the nearest landmark, and where the window ends
} g500_stall;

#ifdef __cplusplus
}
#endif
#endif
