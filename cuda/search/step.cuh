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
	kPullResidual = G500_PULL_RESIDUAL,
};

__device__ inline bool is_bottom_up(Step step) {
	return step == kPull || step == kPullListing || step == kPullResidual;
}

} // namespace g500
