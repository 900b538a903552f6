// Searches for shortest paths on several ranks: with peers, or by tasks, with the calls in the order of the Go code
// (gpu/sssp/path_ranks.go). Exchanges are copies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernel1/bins.h"
#include "sssp/sssp.h"

namespace emulator {

// PathRanks are the searches of all ranks.
class PathRanks {
public:
	PathRanks(const std::vector<g500_graph> &graphs, const g500_sssp_policy &policy, bool peers);

	bool ready() const { return ready_; } // false: they could not be prepared
	bool search(uint32_t root); // returns false if a rank did not finish

	// Slows a rank's device down in later searches with peers.
	void slow_down(size_t rank) { slow_ = stream(rank); }

	// Prunes the graphs by the first vertex of the rank with the longest row, as the Go code does (ADR 19 has the
	// margin). Afterwards no search is possible. Returns false after an error.
	bool prune(std::vector<g500_graph> &graphs, g500_tree_levels &levels);

	// Returns the largest number of rounds of a push of the last search.
	uint64_t rounds();

	// Returns the search of one rank, and its stream.
	g500_sssp *search_of(size_t rank) const { return ranks_[rank].search.get(); }
	void *stream(size_t rank) const { return (void *)(rank + 1); }

	// Return the result by label.
	std::vector<int64_t> parents() const;
	std::vector<float> distances() const;

private:
	using Words = std::vector<uint32_t>;
	struct Rank {
		const g500_graph *graph;
		std::unique_ptr<g500_sssp, void (*)(g500_sssp *)> search{nullptr, g500_sssp_free};
		std::unique_ptr<g500_bins, void (*)(g500_bins *)> bins{nullptr, g500_bins_free};
		Words distances, parents, labels;
		std::vector<unsigned char> window;
		g500_sssp_progress after{};
	};

	void prepare(const g500_sssp_policy &policy);
	bool search_among(uint32_t root);
	void push(int task, int take);
	void exchange_reached(int take);
	void pull_beyond();
	void settle_ties();
	void all(int kind, uint32_t number = 0);
	void one(Rank &rank, g500_sssp_task task, const g500_sssp_root_path *root_path = nullptr);
	void agree();
	void gather(Words Rank::*array, uint32_t begin, uint32_t end);
	uint32_t part() const { return 1u << ranks_[0].graph->shift; }

	std::vector<Rank> ranks_;
	std::vector<void *> windows_;
	std::vector<uint32_t *> distances_, parents_; // by rank
	uint32_t sweeps_ = 0, exchanges_ = 0;
	float nearest_ = 0, farthest_ = 0;
	bool peers_, ready_ = false;
	void *slow_ = nullptr; // stream
};

} // namespace emulator
