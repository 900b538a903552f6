// What one rank's searches keep on the device: the columns that they read, their state, and the window into which peers
// write. search.cu has the kernels and what starts them.
#pragma once

#include "common/check.cuh"
#include "search/search.cuh"
#include "search/columns.cuh"
#include "search/world.cuh"

namespace g500 {

struct SearchStore {
	ColumnStore columns;
	State state{};
	World world{};
	int exchange = 0;
	bool overlap = false;  // the device starts a kernel's blocks as those of the kernel before it end (Hopper and later)
	bool attended = false; // the host has a part in searches, at the end at least
	int *failure = nullptr; // pinned

	~SearchStore() { cudaFreeHost(failure); }

	bool many() const { return world.ranks > 1; }
	u64 part_bytes() const { return many() ? (1ull << world.shift) / 8 : columns.view.padded / 8; } // of a bitmap, for each rank
	void lay_out_window();
	void lay_out_board(u32 most);

	// Takes over what is told of the other ranks, and prepares this rank's window.
	int know_world(const g500_world &known, cudaStream_t stream);

	// Allocates the state of a search by so many blocks.
	int allocate(u64 blocks, cudaStream_t stream);

	// Finds the edges that levels that mark leave out, when the state is allocated and the graphs of all ranks are there.
	int find_firsts(const g500_world &known, cudaStream_t stream);

private:
	u64 most_noted() const;
	int know_graphs(const g500_world &known, cudaStream_t stream);
	int allocate_for_many(cudaStream_t stream);

	Array<u32> marks, firsts, fresh, by_other, parent, queue[2], missed, trace_length, result, unresolved;
	Array<uint2> reached;
	Array<u64> offsets, clock;
	Array<ull> sent;
	Array<Meeting> meeting;
	Array<unsigned char *> windows, boards;
	Array<Neighbour> graphs;
	Array<u32> degrees;
	Array<Counters> counters;
	Array<Handover> handover;
	Array<g500_level> trace;
};

} // namespace g500
