// The kernels of the forms, each compiled in the unit of its form, with what their launches need.
#pragma once

#include "common/ranks.cuh"
#include "search/write_result.cuh"

namespace g500 {

// SearchLaunch is the kernel of searches of a form, and the shared memory of its blocks on that many ranks in bytes.
struct SearchLaunch {
	void (*kernel)(Graph, State, Ranks, g500_policy, u32 ring);
	u64 (*shared)(u32 ranks);
};

// ResultLaunch is the relabelling to results of 32 or 64 bits per parent, the shared memory of its blocks in bytes,
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

extern const SearchLaunch kOneRankSearch, kManyRanksSearch; // search_ids32.cu
extern const SearchLaunch kQuerySearch;                     // search_query.cu
extern const SearchLaunch kIds64Search;                     // search_ids64.cu
extern const ResultLaunch kResult32, kResult64;

} // namespace g500
