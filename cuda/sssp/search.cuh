// SPDX-License-Identifier: Apache-2.0

// The host side of a search for shortest paths: its graph, its state, and their memory.
#pragma once

#include "common/resident.cuh"
#include "common/searching.cuh"
#include "sssp/context.cuh"
#include "sssp/far_paths.cuh"
#include "sssp/tile_order.cuh"

struct g500_sssp : g500::Searching {
	g500::sssp::Graph graph{};
	g500::sssp::State state{};
	g500::Ranks ranks{};
	g500::sssp::Policy policy{};
	g500::u32 blocks = 0;
	g500::sssp::TileOrder order{};
	g500::ResidentPart resident; // of this rank's distances
	g500::sssp::FarPaths far;
	g500::u32 far_root = 0;                       // label
	const g500::sssp::Col *light_edges = nullptr; // entries of all ranks (graph.cuh)
	g500::u64 light_entries = 0;                  // 0: ranks do not store them

	int begin(const g500_graph &of, const g500_tree_levels *trees, const g500_sssp_policy &given, cudaStream_t stream);
	int connect(const g500_sssp_ranks &known, cudaStream_t stream);
	int allocate(cudaStream_t stream);
	int derive_detours(cudaStream_t stream);
	int size_launch(g500::u32 sharers);
	cudaError_t launch_search(g500::u32 ring, cudaStream_t stream) const;
	int run(g500::u32 root, cudaStream_t stream);
	int finish(g500::u32 root, cudaStream_t stream);

	bool prelaunches() const { return given_.prelaunch; }

	int index_light(cudaStream_t stream);

	// Returns the number of places of vertices outside trees, by global id.
	g500::u64 places() const { return ranks.count == 1 ? graph.own_non_tree : (g500::u64)ranks.count << graph.shift; }
	g500::u64 lay_out(unsigned char *memory, g500::u64 parts);

private:
	g500::u64 slots() const { // of the queue
		return std::max<g500::u64>((g500::u64)graph.non_tree * given_.slots / 1000, 1);
	}
	g500::u32 hinted() const { return std::min(given_.hinted, graph.non_tree); }
	int connect_peers(const g500_sssp_ranks &known, cudaStream_t stream);

	g500_sssp_policy given_{};
	g500::u64 edges_ = 0;
};
