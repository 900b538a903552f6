// SPDX-License-Identifier: Apache-2.0

// Kernel 1 on the ranks of a job, by the C interface that Go uses.
#pragma once

#include <cstdint>
#include <vector>

#include "graphs.h"
#include "kernel1/kernel1.h"

namespace emulator {

// Memory is the working memory for rows: enough for all, for 1/3 of the entries or the longest row, or less.
enum Memory { kEnough, kShort, kTooLittle };

// Ids are the widths of a graph's labels and global ids. With more than 32 bits it has several ranks.
enum Ids { k32Bits, kLabels64, kIds64 };

struct Construction {
	uint64_t round;    // tuples of a rank per round of sending; 0 on one rank, which needs no messages
	Memory memory;
	bool last_has_all;  // has all tuples; else they are distributed
	Ids ids = k32Bits;
	uint32_t shift = 0;        // minimum; a large shift leaves unused global ids between ranks
	bool copies_order = false; // from another builder, which is then freed
	bool weighted = false;     // also if no tuple has a weight
	bool both = false;         // also without weights, from the same entries; on one rank with tuples
	bool packed = false;       // rows
};

constexpr Construction kUsual{1ull << 32, kEnough, false};
constexpr Construction kLabels64Build{kUsual.round, kEnough, false, kLabels64};
constexpr Construction kIds64Build{kUsual.round, kEnough, false, kIds64};

// Shares are the ranks' shares of a graph.
struct Shares {
	std::vector<g500_graph> of;
	g500_graph plain{};  // of Construction::both
	std::vector<uint64_t> bounds; // by rank: of the bytes of packed rows
	uint32_t pieces = 0; // largest number of pieces of rows that a rank has sorted

	Shares() = default;
	Shares(const Shares &) = delete;
	Shares &operator=(const Shares &) = delete;
	~Shares() {
		for (g500_graph &graph : of) g500_graph_free(&graph);
		g500_graph_free(&plain);
	}
};

// Builds a graph on a number of ranks. Returns the first error of a rank.
int construct(const Graph &graph, uint32_t ranks, const Construction &how, Shares &made);

} // namespace emulator
