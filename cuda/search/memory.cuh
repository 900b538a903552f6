// SPDX-License-Identifier: Apache-2.0

// The device memory of one rank's searches: derived arrays, state, and the window that peers write.
#pragma once

#include "common/searching.cuh"
#include "common/ranks.cuh"
#include "search/graph_arrays.cuh"
#include "search/state.cuh"

namespace g500 {

struct SearchMemory : Searching {
	GraphArrays arrays;
	State state{};
	Ranks ranks{};
	g500_search_options options{};
	bool dependent_launch = false; // the device can start a kernel before its predecessor has ended (compute capability
	                               // 9.0)
	u32 most_reported = 0; // g500_ranks.most_reported
	u64 most_parts = 0;    // g500_ranks.most_parts
	bool host_finishes = false;    // the host looks up labels at the end of searches

	// Starts with a rank's share of a graph.
	int begin(const g500_graph &graph, cudaStream_t stream);

	bool many() const { return ranks.count > 1; }
	bool ids64() const { return arrays.view.col_ranks; }
	bool labels64() const { return arrays.view.tile_code64; }
	u64 part_bytes() const { return many() ? ranks.part / 8 : arrays.view.padded / 8; } // of a bitmap, per rank
	void lay_out_window(bool far);

	// Stores the data of the other ranks and prepares this rank's window.
	int take_ranks(const g500_ranks &known, cudaStream_t stream);

	// Allocates the state of searches with that many blocks. take_ranks must have been called.
	int allocate_state(const g500_ranks &known, u32 blocks, cudaStream_t stream);

	FarShare share() const { return {state.segments.hubs, 0}; }

	// Returns the groups of each part of the bitmap with hubs: those after which ranks decide, and those that all ranks
	// have in Segments.
	u32 hub_groups(u32 listed) const;

	// Allocates what ranks gather: that many groups of each part of the bitmap, with queries only those of hubs.
	// allocate_state must have been called.
	int allocate_parts(u32 groups, bool queries, cudaStream_t stream);

	// Returns whether all ranks know the neighbours of hubs or, with queries, their own ones.
	bool decides() const { return state.far.hub_neighbours || (state.far.queries && state.hubs.limit > 0); }

	// Return the messages to all ranks and from all ranks, of ranks that are not peers, and their space: the number of
	// pairs, and then up to Ranks.round_pairs of them.
	u64 *pairs_out() const { return (u64 *)(ranks.window + ranks.at.pairs); }
	u64 *pairs_in() const { return pairs_out() + ranks.count * message_words(); }
	u64 message_words() const { return 1 + ranks.capacity; }

private:
	const g500_policy &policy() const { return options.policy; }
	int take_graphs(const g500_ranks &known, cudaStream_t stream);
	int allocate_frontier(u32 blocks);
	int allocate_result(cudaStream_t stream);
	int allocate_for_many(cudaStream_t stream);
	int allocate_far(u32 blocks, cudaStream_t stream);
	int find_pair_buffers(const g500_ranks &known, cudaStream_t stream);
	int divide_into_segments(u32 blocks, cudaStream_t stream);
	int find_hub_neighbours(cudaStream_t stream);

	// Allocates an array, copies host memory to it and stores its address. `from` must stay valid until the stream is
	// synchronized.
	template <typename T>
	cudaError_t copy_to_device(const std::remove_const_t<T> *from, u64 n, T *&view, cudaStream_t stream);
};

} // namespace g500
