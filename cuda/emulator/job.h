// The ranks of a job with their shares of a graph, built the slow way, and their searches.
#pragma once

#include <memory>
#include <vector>

#include "graphs.h"
#include "search/store.cuh"

namespace emulator {

using namespace g500;

// Share is what one rank has: its vertices by hub id, with rows in the order of hub ids.
struct Share {
	std::vector<u32> labels, hub_of, cols, first;
	std::vector<u64> rows{0};
	std::vector<uint4> next4;
	std::vector<u64 *> outbox, inbox;
	std::vector<unsigned char> window;
	Array<u64> listed;
	SearchStore store;
};

class Job {
public:
	// Connects searches on so many ranks, by so many blocks each.
	Job(const Graph &graph, u32 ranks, int exchange, u32 blocks);

	// Searches from a root.
	void search(u32 root);

	// The parent of a vertex after that, by labels, or kNone.
	u32 parent(u32 label, u32 root) const;

	// Whether an edge, by its place in the rows of its rank, leads to a vertex by its first neighbour: as the search has it, and
	// as it is.
	bool is_first(u32 rank, u64 edge) const;
	bool should_be_first(u32 rank, u32 hub, u64 edge) const { return first_of(shares[rank]->cols[edge]) == position(rank, hub); }

	std::vector<std::unique_ptr<Share>> shares;

private:
	u32 rank_of(u32 label) const { return label % (u32)shares.size(); }
	u32 position(u32 rank, u32 hub) const { return shares.size() == 1 ? hub : rank << shift | hub; }
	u32 label_of(u32 position) const { return share_of(position).labels[hub_of_position(position)]; }
	u32 first_of(u32 position) const { return share_of(position).first[hub_of_position(position)]; }
	u32 hub_of_position(u32 position) const { return shares.size() == 1 ? position : position & ((1u << shift) - 1); }
	const Share &share_of(u32 position) const { return *shares[shares.size() == 1 ? 0 : position >> shift]; }

	void order_hubs();
	void lay_out(u32 rank);
	void lift_columns(Share &share, u32 rank);
	void connect();
	void find_boxes(u32 rank);

	const Graph &graph;
	u32 shift = 31, blocks;
	std::vector<u32> hub;    // by label
	std::vector<u32> labels; // by rank, then hub id
};

} // namespace emulator
