// SPDX-License-Identifier: Apache-2.0

// Searches for shortest paths on several ranks: among peers, or driven by the host (g500_searching_begin). Exchanges
// are copies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sssp/sssp.h"

namespace emulator {

// PathRanks are the searches of all ranks.
class PathRanks {
public:
	static constexpr uint32_t kMostListed = 1 << 20;

	PathRanks(const std::vector<g500_graph> &graphs, const g500_sssp_policy &policy, bool among_peers,
	          uint32_t listed = kMostListed, bool shares_light = true);

	bool ready() const { return ready_; } // false: they could not be prepared
	bool search(uint32_t root); // returns false if a rank did not finish

	// Lets an exchange of the next search driven by the host fail on all ranks, after a number of them.
	void fail_after(uint32_t exchanges) { left_ = exchanges; }

	// Slows a rank's device down in later searches with peers.
	void slow_down(size_t rank) { slow_ = stream(rank); }

	// Prunes the graphs by the first vertex of the rank with the longest row, as the Go code does (ADR 19 has the
	// margin). Afterwards no search is possible. Returns false after an error.
	bool prune(std::vector<g500_graph> &graphs, g500_tree_levels &levels);

	// Returns the largest number of rounds of a push of the last search.
	uint64_t rounds();

	// Returns the kinds of the exchanges of the last search driven by the host.
	const std::vector<int> &exchanges() const { return kinds_; }

	// Returns the number of exchanges of reports that were longer than the first ones.
	uint64_t grown() const { return grown_; }

	// Returns the search of one rank, and its stream.
	g500_searching *search_of(size_t rank) const { return ranks_[rank].search.get(); }
	void *stream(size_t rank) const { return (void *)(rank + 1); }

	// Return the result by label.
	std::vector<int64_t> parents() const;
	std::vector<float> distances() const;

private:
	using Words = std::vector<uint32_t>;
	struct Rank {
		const g500_graph *graph;
		std::unique_ptr<g500_searching, void (*)(g500_searching *)> search{nullptr, g500_searching_free};
		Words distances, parents, labels;
		std::vector<uint64_t> light;
		std::vector<unsigned char> window;
	};

	void prepare(const g500_sssp_policy &policy);
	void share_light();
	bool search_among(uint32_t root);
	bool search_far(uint32_t root);
	bool advance_far(size_t rank, g500_wanted &wanted);
	bool make_exchange(const std::vector<g500_wanted> &wanted);
	void gather(Words Rank::*array, uint32_t begin, uint32_t end);
	uint32_t part() const { return 1u << ranks_[0].graph->shift; }

	std::vector<Rank> ranks_;
	std::vector<void *> windows_;
	std::vector<uint32_t *> distances_, parents_; // by rank
	const bool among_peers_;
	const uint32_t listed_;
	const bool shares_light_;
	std::vector<int> kinds_;
	uint64_t first_ = 0, grown_ = 0; // bytes of the first report; reports that had more
	uint32_t left_ = ~0u; // exchanges before one that fails
	bool ready_ = false;
	void *slow_ = nullptr; // stream
};

} // namespace emulator
