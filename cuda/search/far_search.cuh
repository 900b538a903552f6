// SPDX-License-Identifier: Apache-2.0

// The host's part of a search between ranks that are not peers: it starts the kernels of each level, names the
// exchanges between them, and chooses steps by the same rules as kernels (policy.cuh). All ranks want the same
// exchanges, because all choices depend on sums over all ranks.
#pragma once

#include <chrono>
#include <vector>

#include "search/kernels.cuh"
#include "search/memory.cuh"
#include "search/policy.cuh"

namespace g500 {

class FarSearch : public Driven<FarSearch> {
public:
	// The memory must outlive the search. Kernels have that many blocks, those with bins `binning`.
	int open(SearchMemory &memory, const FarLaunch &kernels, u32 blocks, u32 binning);

	// Continues with next until ranks are prepared. No search may have begun.
	int prepare(g500_wanted &wanted, cudaStream_t stream);

	// Launches the first kernel, which starts at a ring of the doorbell.
	cudaError_t launch_begin(u32 ring, cudaStream_t stream) const;

	// Continues after launch_begin. root is a label, in the kernels' format.
	int begin(u64 root, g500_wanted &wanted, cudaStream_t stream);

	const Searching &searching() const { return *memory; }
	u64 ends() const { return sum(kFarEnds); }
	u64 wait_ns() const { return memory->options.policy.wait_ns; }
	g500_stall place(u32 why) const { return {why, -1, 0, 0, (u32)task.at.step, (u32)task.at.level, 0, 0}; }

	// Returns the levels of the last search, without the result.
	const std::vector<g500_level> &levels() const { return trace; }

private:
	using Clock = std::chrono::steady_clock;
	using BytesOf = u64 (*)(u64 number);

	Facts facts() const;
	bool queries() const { return memory->state.far.queries; }
	u64 sum(FarSum of) const { return memory->state.far.look_sums()[of]; }
	bool all_are_listed() const { return sum(kFarListed) <= memory->state.far.most_entries && sum(kFarUnsent) == 0; }
	FarArguments arguments() const;
	bool choose_queries(const std::vector<FarShare> &shares) const;
	cudaError_t read_shares(std::vector<FarShare> &shares) const;

	// Launch kernels.
	Launch full_grid(const FarKernel &kernel) const;
	int launch(const FarKernel &kernel, u32 most = kNone);
	int launch_cooperative(const FarKernel &kernel);
	int launch_push(bool again, bool lists);
	int launch_round(const FarKernel &kernel);

	// Request an exchange, or a look at the sums, and name the stage that follows.
	void count_words(u64 bytes);
	int gather(const void *own, unsigned char *all, u64 bytes, Stage then);
	int gather_reports(Stage then);
	int gather_parts(const u32 *own, Stage then);
	int gather_visited(Stage then);
	int with_bits(Stage then);
	int gather_ghosts(Stage then);
	int gather_swept();
	int exchange_pairs(Stage then);
	int all_to_all(const u64 *out, const u64 *in, BytesOf bytes, Stage then);
	int look(const FarKernel &teller, u32 most, Stage then);

	// The stages between two exchanges or looks.
	int try_exchanges();
	int after_shares();
	int find_ghosts();
	int list_ghosts();
	int prepared();
	int take_reports();
	int after_push();
	int take_pairs();
	int place_bits();
	int place_list();
	int place_swept();
	int after_sweep();
	int after_remaining();
	int place_found();
	int after_tail();
	int take_tail();
	int list_open();
	int query(bool again);
	int after_queries();
	int reply();
	int take_replies();

	int start_level();
	int sweep();
	int decide();
	int search_remaining();
	int find_neighbours_of_hubs();
	int push_tail(bool again);
	int end_push();
	int end_remaining();
	int finish();
	int write();

	void settle(u64 edges);
	void expect(u64 frontier, u64 edges, bool estimated);
	void record();

	SearchMemory *memory = nullptr;
	const FarLaunch *kernels = nullptr;
	u32 blocks = 0, binning = 0;
	Ghosts ghosts{};
	Array<u32> ghost_lists;
	u32 hubs = 0; // that all ranks have in Segments, of each rank; 0 without segments

	FarTask task{};
	u32 rounds = 0; // over all searches
	u64 unexplored = 0, unvisited = 0; // as in Shared, before the present level's frontier
	// The stages after reports are taken, after the bits of all ranks are placed, and after queries.
	Stage taken = nullptr, placed = nullptr, answered = nullptr;
	bool lists_new = false; // the ranks lack only the bits of the vertices that the last push has reached
	bool hubs_known = false; // with queries: all ranks have the bits of all visited hubs
	bool querying = false;
	u32 trials = 0; // exchanges of the trial so far
	FarShare own{}; // of this rank
	u64 busy = 0;      // FarRank.busy at the end of the last level
	std::vector<u64> sent, received; // bytes by rank
	u32 exchanges = 0; // of the present search
	g500_level level{};
	std::vector<g500_level> trace;
	Clock::time_point level_began;
};

} // namespace g500
