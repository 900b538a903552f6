// Kernel 1 on the ranks of a job, through the door that Go uses.
#pragma once

#include <cstdint>
#include <vector>

#include "graphs.h"
#include "kernel1/kernel1.h"

namespace emulator {

// Memory is what rows are sorted in: enough for all, for a third of the entries or for the longest row, or too little
// for that.
enum Memory { kEnough, kShort, kTooLittle };

struct Construction {
	uint64_t round;    // tuples of a rank whose ends are sent at a time; 0 on one rank alone, which needs no messages
	Memory memory;
	bool last_has_all;  // tuples; else they are dealt out
	bool ids64 = false; // positions and labels, on several ranks
	uint32_t shift = 0; // of positions at least: a large one leaves positions free between ranks
};

constexpr Construction kUsual{1ull << 32, kEnough, false};

// Shares are what the ranks have of a graph, by rank.
struct Shares {
	std::vector<g500_graph> of;
	uint32_t pieces = 0; // of rows, that the rank with the most of them has sorted

	Shares() = default;
	Shares(const Shares &) = delete;
	Shares &operator=(const Shares &) = delete;
	~Shares() {
		for (g500_graph &graph : of) g500_graph_free(&graph);
	}
};

// Builds a graph on so many ranks. Returns the first error of a rank.
int construct(const Graph &graph, uint32_t ranks, const Construction &how, Shares &made);

} // namespace emulator
