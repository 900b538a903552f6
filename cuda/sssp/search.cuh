// SPDX-License-Identifier: Apache-2.0

// The host side of a search for shortest paths: its graph, its state, and their memory.
#pragma once

#include "common/resident.cuh"
#include "common/searching.cuh"
#include "sssp/context.cuh"
#include "sssp/far.cuh"

namespace g500::sssp {

struct PathsMemory : g500_searching {
	Graph graph{};
	State state{};
	Policy policy{};
	u32 blocks = 0;
	ResidentPart resident;            // of this rank's distances
	const Col *light_edges = nullptr; // entries of all ranks (graph.cuh)
	u64 light_entries = 0;            // 0: ranks do not store them

	// Returns the number of places of vertices outside trees, by global id.
	u64 places() const { return ranks.count == 1 ? graph.own_non_tree : (u64)ranks.count << graph.shift; }
};

// The kernel of searches between ranks that are not peers (far.cu), and the bytes of shared memory of a block.
const void *far_path_kernel_address();
u64 far_path_shared(u32 ranks);
int launch_far(const PathsMemory &of, const Far &far, const FarTask &task, cudaStream_t stream);

} // namespace g500::sssp
