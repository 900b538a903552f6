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
};

// The names of these kernels (far_kernels.cuh), and whether they have bins; then of those for ghosts, and for levels
// that process hubs separately, which are null with 64-bit ids.
#define G500_FAR_KERNELS(ROW)                                                                                      \
	ROW(push, true) ROW(take, false) ROW(take_pairs, true) ROW(list, false) ROW(place_list, false) ROW(sweep, false) \
	ROW(place, false) ROW(decide, false) ROW(remaining, false) ROW(take_found, false) ROW(finish, false)             \
	ROW(open, false) ROW(query, true) ROW(reply, true) ROW(take_replies, true)
#define G500_FAR_KERNELS_32(ROW)                                                                                   \
	ROW(mark_others, false) ROW(find_ghosts, false) ROW(list_ghosts, false) ROW(pack, false)                         \
	ROW(place_ghosts, false) ROW(split, false) ROW(segments, false) ROW(tail, true) ROW(take_tail, true)

struct FarLaunch {
	void (*begin)(FarArguments, u32 ring);
	u64 (*context)(u32 ranks); // bytes of the context, with bins for these ranks
#define G500_ROW(name, has_bins) FarKernel name;
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
