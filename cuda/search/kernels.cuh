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
// FarKernel is one of these kernels. Only those that send or take pairs have bins in shared memory.
struct FarKernel {
	void (*start)(FarArguments);
	const char *name;
	bool has_bins;
	Launch::How how;
};

// The names of these kernels (far_kernels.cuh), whether they have bins, and how they are launched; then of those for
// ghosts, and for levels that process hubs separately, which are null with 64-bit ids.
#define G500_FAR_KERNELS(ROW)                                                                                      \
	ROW(push, true, kCooperative) ROW(take, false, kPlain) ROW(take_pairs, true, kPlain) ROW(list, false, kPlain)    \
	ROW(place_list, false, kPlain) ROW(sweep, false, kPlain) ROW(place, false, kPlain)                               \
	ROW(decide, false, kCooperative) ROW(remaining, false, kPlain) ROW(take_found, false, kPlain)                    \
	ROW(finish, false, kPlain) ROW(open, false, kPlain) ROW(query, true, kCooperative) ROW(reply, true, kPlain)      \
	ROW(take_replies, true, kPlain)
#define G500_FAR_KERNELS_32(ROW)                                                                                   \
	ROW(mark_others, false, kPlain) ROW(find_ghosts, false, kPlain) ROW(list_ghosts, false, kPlain)                  \
	ROW(pack, false, kPlain) ROW(place_ghosts, false, kPlain) ROW(split, false, kPlain)                              \
	ROW(segments, false, kCooperative) ROW(tail, true, kCooperative) ROW(take_tail, true, kCooperative)

struct FarLaunch {
	void (*begin)(FarArguments, u32 ring);
	u64 (*context)(u32 ranks); // bytes of the context, with bins for these ranks
#define G500_ROW(name, ...) FarKernel name;
	G500_FAR_KERNELS(G500_ROW) G500_FAR_KERNELS_32(G500_ROW)
#undef G500_ROW

	// Returns the bytes of a block's shared memory.
	u64 shared(const FarKernel &kernel, u32 ranks) const { return context(kernel.has_bins ? ranks : 0); }
};

extern const SearchLaunch kOneRankSearch, kManyRanksSearch; // search_ids32.cu
extern const SearchLaunch kPackedSearch, kPackedPeerSearch; // search_packed.cu
extern const SearchLaunch kLabels64Search;                  // search_labels64.cu
extern const FarLaunch kFar32, kFar64, kFarPacked;          // far_ids32.cu, far_ids64.cu, far_packed.cu
extern const ResultLaunch kResult32, kResultLabels64, kResultIds64; // with the searches

} // namespace g500
