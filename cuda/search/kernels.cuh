// The kernels of the forms, each compiled in the unit of its form, with what their launches need.
#pragma once

#include "common/ranks.cuh"
#include "search/relabel.cuh"

namespace g500 {

// SearchLaunch is the kernel of searches of a form, and the shared memory of its blocks on that many ranks in bytes.
struct SearchLaunch {
	void (*kernel)(Graph, State, Ranks, g500_policy, u32 ring);
	u64 (*shared)(u32 ranks);
};

// RelabelLaunch is the relabelling to results of 32 or 64 bits per parent, the shared memory of its blocks in bytes,
// and its blocks per multiprocessor.
struct RelabelLaunch {
	void (*to_32)(Graph, State, Relabelling);
	void (*to_64)(Graph, State, Relabelling);
	u64 shared;
	u32 blocks;
};

template <typename Form>
constexpr RelabelLaunch relabel_launch() {
	return {relabel_kernel<u32, Form>, relabel_kernel<u64, Form>, kRelabelShared<Form>, kLabelBlocks<Form>};
}

extern const SearchLaunch kAloneSearch, kSeveralSearch; // search_narrow.cu
extern const SearchLaunch kQueryingSearch;              // search_query.cu
extern const SearchLaunch kWideSearch;                  // search_wide.cu
extern const RelabelLaunch kNarrowRelabel, kWideRelabel;

} // namespace g500
