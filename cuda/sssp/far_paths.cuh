// SPDX-License-Identifier: Apache-2.0

// The host's part of a search between ranks that are not peers (far.cuh): it starts kernels, and names the exchanges
// between them. All ranks want the same exchanges, because all choices depend on sums over all ranks.
#pragma once

#include <vector>

#include "common/searching.cuh"
#include "sssp/far.cuh"

struct g500_sssp;

namespace g500::sssp {

const void *far_path_kernel_address();
u64 far_path_shared(u32 ranks); // bytes of shared memory of a block
int launch_far(const g500_sssp &of, const Far &far, const FarTask &task, cudaStream_t stream);

class FarPaths : public Driven<FarPaths> {
public:
	// Allocates memory for searches in a graph, which must outlive it.
	int open(g500_sssp &of, u32 sweeps, u32 listed, cudaStream_t stream);

	// Sets the light edges of all ranks (light.cuh).
	void push_over(const u32 *light, const Col *edges, float window) {
		far.light = light, far.light_edges = edges, far.window = window;
	}

	int begin(u32 root, g500_wanted &wanted, cudaStream_t stream);

	const Searching &searching() const;
	u64 ends() const { return sum(kEnds); }
	u64 wait_ns() const;
	g500_stall place(u32 why) const { return {why, -1}; }

private:
	u64 sum(PathSum of) const { return far.look_sums()[of]; }
	bool reaches_beyond() const { return nearest_in(sum(kNearest)) != kInfinite; } // the window
	int launch(int kind, bool reads = false, u32 number = 0);
	int kind_of_sweep(u32 of) const { return of >= sweeps ? kPullLast : kPullAgain; }

	// Next is a kernel that needs the words that all ranks have listed, and the stage after it.
	struct Next {
		int kind;
		u32 number; // of the class
		Stage then;
	};

	// Request an exchange, and name the stage that follows.
	int gather(const void *own, u64 bytes, void *all, News news, Stage then);
	int gather_reports(Stage then, u64 most = 0);
	int gather_offers(u64 space, Stage then);
	int gather_words(u32 begin, u32 end, Stage then);
	int gather_listed();
	int share(u32 list, Next with);
	void expect(u32 list, u64 length);
	int exchange_offers(Stage then);

	// The stages between two exchanges or looks.
	int start_push();
	int push_on();
	int after_push();
	int push_received();
	int take_seeds();
	int after_seeds();
	int list_received();
	int take_listed();
	int after_listed();
	int launch_next();
	int pull_class();
	int after_class();
	int pull_again();
	int after_sweep();
	int start_rest();
	int after_first_rest();
	int share_tied();
	int after_ties();

	const g500_sssp *search = nullptr;
	Far far{};
	u32 sweeps = 0, words = 0; // words: of a part of the distances that ranks gather

	FarTask task{};
	int push = 0; // kPush or kPushRest
	u32 number = 0; // of the class or the further sweep
	u64 tied = 0;   // vertices before the last round
	Next next_launch{};
	u32 list_number = 0;       // of the list that next_launch needs: 0 after the push, that of the further sweep, or of
	                           // tied vertices
	std::vector<u64> expected; // by list: space for words or seeds in a report, by the searches so far
	u64 most_expected = 0, had = 0; // had: space in the reports that were gathered last
	std::vector<u64> lengths; // of messages, by rank
};

} // namespace g500::sssp
