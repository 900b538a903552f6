// SPDX-License-Identifier: Apache-2.0

// The ranks of a job with their shares of a graph and their searches, by the C interface that Go uses.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "construction.h"
#include "search/search.h"

namespace emulator {

constexpr uint32_t kNoId32 = 0xffffffff; // no vertex, among 32-bit ids
constexpr int64_t kNoParent = -1;        // no parent, in a result
constexpr uint32_t kAll = 0xffffffff;    // vertices

// Form is how the ranks of a job exchange newly visited vertices.
struct Form {
	std::string name;
	int exchange;      // G500_EXCHANGE_*
	bool far;          // no ranks are peers: they search level by level, and the job makes their exchanges
	bool knows_labels; // each rank has the labels of all vertices, else of one vertex per rank
	uint32_t most_reported = kAll; // of vertices in a report; 0 as with many ranks, whose reports have only sums
	uint64_t most_parts = kAll; // bytes of a copy of all ranks' bitmaps; 0 if ranks query bits
};

// Window is zeroed device memory.
class Window {
public:
	explicit Window(uint64_t bytes);

	unsigned char *data() const { return at.get(); }

private:
	std::unique_ptr<unsigned char, void (*)(unsigned char *)> at;
};

// Share is one rank's share of the graph, and its search.
struct Share {
	g500_graph graph; // as in Shares
	std::vector<void *> windows; // by rank, as in g500_ranks
	std::optional<Window> window;
	std::unique_ptr<g500_searching, void (*)(g500_searching *)> search{nullptr, g500_searching_free};
};

class Job {
public:
	// Connects searches on the ranks that have built a graph. The graph must outlive the job.
	Job(const Shares &built, const Form &form, uint32_t result_bits, const g500_policy &policy);

	// Searches from a root. Returns false after an error, or if a rank did not finish.
	bool search(uint32_t root);

	// Lets an exchange of the next search fail on all ranks, after a number of them.
	void fail_after(uint32_t exchanges) { left = exchanges; }

	// Returns the parent of a label in the last search, with all its bits, or kNoParent.
	int64_t parent(uint32_t label) const;

	// Returns the search of one rank, and its stream.
	g500_searching *search_of(uint32_t rank) const { return shares[rank].search.get(); }
	void *stream(uint32_t rank) const { return (void *)(uintptr_t)(rank + 1); }

	// Returns the trace of one rank.
	std::vector<g500_level> trace(uint32_t rank) const;

	// Returns the fewest bytes that the last search has gathered from a rank at a time.
	uint64_t fewest_gathered() const { return fewest; }

private:
	uint32_t count() const { return (uint32_t)shares.size(); }
	uint32_t rank_of(uint32_t label) const { return label % count(); }
	uint32_t non_leaf(uint32_t rank) const; // number of non-leaf vertices
	uint32_t label_at(uint32_t global_id) const;
	void look_up(g500_global_ids global_ids, uint64_t n) const;

	void create(uint32_t rank, const g500_policy &policy);
	void connect();
	uint64_t *packed_elsewhere(uint32_t rank);
	g500_ranks known_to(uint32_t rank, const std::vector<void *> (&arrays)[4]) const;
	template <typename Begin>
	bool make_exchanges(Begin begin, int until);
	bool continue_far(std::vector<g500_wanted> &wanted);
	bool make_exchange(const std::vector<g500_wanted> &wanted);
	bool store_deferred();

	const Form &form;
	const uint32_t result_bits;
	std::vector<Share> shares;
	uint32_t most = 0, first_leaf, known = 1;
	uint32_t left = kAll; // exchanges before one that fails
	uint64_t fewest = ~0ull; // bytes
	std::vector<uint32_t> labels;  // by rank, then local id below known
	std::vector<uint32_t> degrees; // by degree class
	uint32_t chunks = 0; // of packed rows, at most
	std::vector<uint64_t> moves; // g500_ranks.moves, the same on all ranks
	std::list<std::vector<uint64_t>> packed; // by rank: g500_ranks.packed
};

} // namespace emulator
