// SPDX-License-Identifier: Apache-2.0

// The kernels of all forms. Each form is compiled in its own file.
#pragma once

#include "common/ranks.cuh"
#include "search/write_result.cuh"

namespace g500 {

// SearchLaunch is the search kernel of a form, and the bytes of its blocks' shared memory for a number of ranks.
struct SearchLaunch {
	void (*kernel)(Graph, State, Ranks, g500_policy, u32 ring);
	u64 (*shared)(u32 ranks);
};

// ResultLaunch is the kernel that writes results with 32 or 64 bits per parent, the bytes of its blocks' shared memory,
// and its blocks per multiprocessor.
struct ResultLaunch {
	void (*to_32)(Graph, State, ResultLaunchArgs);
	void (*to_64)(Graph, State, ResultLaunchArgs);
	u64 shared;
	u32 blocks;
};

template <typename Form>
constexpr ResultLaunch result_launch() {
	return {write_result_kernel<u32, Form>, write_result_kernel<u64, Form>, kResultShared<Form>, kLabelBlocks<Form>};
}

// FarArguments are the arguments of the kernels of a search between ranks that are not peers (far.cuh).
struct FarArguments {
	Graph graph;
	State state;
	Ranks ranks;
	g500_policy policy;
	FarTask task;
	Ghosts ghosts;
};
using FarKernel = void (*)(FarArguments);

// FarLaunch is these kernels (far_kernels.cuh). Only those that send or take pairs have bins in shared memory.
struct FarLaunch {
	void (*begin)(FarArguments, u32 ring);
	FarKernel push, take, take_pairs, list, place_list, sweep, place, decide, remaining, take_found, finish;
	FarKernel open, query, reply, take_replies;
	// null with 64-bit ids: for ghosts; for levels that process hubs separately
	FarKernel mark_others, find_ghosts, list_ghosts, pack, place_ghosts;
	FarKernel split, segments, tail, take_tail;
	u64 (*context)(u32 ranks); // bytes of the context, with bins for these ranks

	bool has_bins(FarKernel kernel) const {
		return kernel == push || kernel == take_pairs || kernel == query || kernel == reply || kernel == take_replies ||
		       kernel == tail || kernel == take_tail;
	}
	// Returns the bytes of a block's shared memory.
	u64 shared(FarKernel kernel, u32 ranks) const { return context(has_bins(kernel) ? ranks : 0); }
};

extern const SearchLaunch kOneRankSearch, kManyRanksSearch; // search_ids32.cu
extern const SearchLaunch kPackedSearch, kPackedPeerSearch; // search_packed.cu
extern const SearchLaunch kLabels64Search;                  // search_labels64.cu
extern const FarLaunch kFar32, kFar64, kFarPacked;          // far_ids32.cu, far_ids64.cu, far_packed.cu
extern const ResultLaunch kResult32, kResultLabels64, kResultIds64; // with the searches

} // namespace g500
