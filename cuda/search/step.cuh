// What a level of a search does.
#pragma once

#include "search/search.h"

namespace g500 {

enum Step : uint32_t {
	kPush = G500_PUSH,
	kPushReplicated = G500_PUSH_REPLICATED,
	kPushBitmap = G500_PUSH_BITMAP,
	kPushSegments = G500_PUSH_SEGMENTS,
	kPull = G500_PULL,
	kPullListing = G500_PULL_LISTING,
	kPullHubs = G500_PULL_HUBS,
	kPullResidual = G500_PULL_RESIDUAL,
};

__device__ inline bool is_bottom_up(Step step) {
	return step == kPull || step == kPullListing || step == kPullHubs || step == kPullResidual;
}

// Whether the level lists the residual vertices.
__device__ inline bool lists_residual(Step step) { return step == kPullListing || step == kPullHubs; }

} // namespace g500
