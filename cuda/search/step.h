// SPDX-License-Identifier: Apache-2.0

// The steps of a search.
#pragma once

#include "common/c.h"

G500_BEGIN_C

enum { G500_TOP_DOWN, G500_BOTTOM_UP };

// G500_STEPS has one row per step of a level: its constants in C and C++, its name in traces, its direction, whether it
// lists the remaining unvisited vertices, its function, and the function that plans the next level. Steps may have
// the function of the next row, or exist only in some forms. A new step needs a row, a file with its function, and a
// rule in policy.cuh.
#define G500_STEPS(ROW)                                                                                             \
	/* Claims vertices, and queues them or sends them to their ranks. */                                            \
	ROW(PUSH, kPush, "push", G500_TOP_DOWN, false, G500_CALL(level_push), G500_CALL(plan_after_push))               \
	/* Every rank processes the whole frontier. */                                                                  \
	ROW(PUSH_REPLICATED, kPushReplicated, "push-replicated", G500_TOP_DOWN, false,                                  \
	    G500_CALL_IF(Form::kReplicates, level_push_replicated), G500_CALL_IF(Form::kReplicates, plan_replicated))   \
	/* Claims vertices segment by segment. */                                                                       \
	ROW(PUSH_SEGMENTS, kPushSegments, "push-segments", G500_TOP_DOWN, false,                                        \
	    G500_CALL_IF(!Form::kMany || Form::kReplicates, level_push_segments), G500_AS_NEXT)                         \
	/* Every unvisited vertex searches for a parent among hubs; other vertices of the frontier push. */             \
	ROW(SPLIT, kSplit, "split", G500_BOTTOM_UP, false,                                                              \
	    G500_CALL_IF(!Form::kMany || Form::kReplicates, level_split), G500_AS_NEXT)                                 \
	/* Every unvisited vertex searches for a parent. */                                                             \
	ROW(PULL, kPull, "pull", G500_BOTTOM_UP, false, G500_AS_NEXT, G500_AS_NEXT)                                     \
	/* Like pull, and lists the remaining vertices. */                                                              \
	ROW(PULL_LISTING, kPullListing, "pull-listing", G500_BOTTOM_UP, true, G500_AS_NEXT, G500_AS_NEXT)               \
	/* Like pull-listing, after all hubs are visited: their neighbours are found without a lookup. */               \
	ROW(PULL_HUBS, kPullHubs, "pull-hubs", G500_BOTTOM_UP, true, G500_CALL(level_pull), G500_CALL(plan_after_sweep))\
	/* Between ranks that are not peers, after all hubs are visited: their neighbours are found, others search. */     \
	ROW(DECIDE, kDecide, "decide", G500_BOTTOM_UP, false, G500_CALL_IF(Form::kFar, level_pull), G500_AS_NEXT)         \
	/* Only remaining vertices search for a parent. */                                                              \
	ROW(PULL_REMAINING, kPullRemaining, "pull-remaining", G500_BOTTOM_UP, false,                                    \
	    G500_CALL(level_pull_remaining), G500_CALL(plan_remaining))

enum {
	G500_NO_STEP,
#define G500_ROW(NAME, ...) G500_##NAME,
	G500_STEPS(G500_ROW)
#undef G500_ROW
	G500_WRITE_RESULT, // the last step, after the last level: writes the result by label
};

// Returns the name of a step in traces, or null.
const char *g500_step_name(uint32_t step);

// Returns the direction of a level.
int g500_step_direction(uint32_t step);

G500_END_C
