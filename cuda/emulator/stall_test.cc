// SPDX-License-Identifier: Apache-2.0

// Searches on the emulator without progress, or ended by the host: all ranks must return, with reason and place. Prints
// each mistake, and fails if there are any.
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <set>
#include <string>

#include "common/errors.h"
#include "job.h"
#include "path_ranks.h"
#include "policies.h"
#include "search/advance.cuh"

namespace emulator {

constexpr uint32_t kLabels = 100;      // a search reads the host's request every 64 levels,
constexpr uint32_t kPathLabels = 1000; // and a push every 256 turns of a block
constexpr uint64_t kMillisecond = 1'000'000; // the time limit of waits that do not end
constexpr Policy kHasty = with(kSmall, &Policy::wait_ns, kMillisecond);
constexpr PathPolicy kHastyPaths = with(kSmallPaths, &PathPolicy::wait_ns, kMillisecond);

// A path, on which a search has one level per vertex.
Graph path(bool weighted) {
	Graph graph("path", weighted ? kPathLabels : kLabels, {0});
	for (uint32_t v = 1; v < graph.labels(); v++) graph.join(v - 1, v);
	if (weighted) graph.weights.assign(graph.tuples.size(), 1);
	return graph;
}

int wrong = 0;

void expect(bool holds, const std::string &what) {
	if (holds) return;
	wrong++;
	printf("wrong: %s\n", what.c_str());
}

void expect_stall(const g500_stall &stall, uint32_t why, const std::string &what) {
	expect(stall.why == why && stall.step > 0,
	       what + ": given up for reason " + std::to_string(stall.why) + " in step " + std::to_string(stall.step));
}

// The host of the last rank ends a search: all ranks return, and no other search is possible.
void end_searches(const Form &form, uint32_t ranks, const Construction &how) {
	const std::string name = form.name + ", " + std::to_string(ranks) + (how.ids != k32Bits ? " ranks, 64-bit" : " ranks");
	Shares shares;
	construct(path(false), ranks, how, shares);
	Job job(shares, form, 64, kSmall);
	expect(job.search(kLabels - 1), name + ": a usual search");
	g500_searching_end(job.search_of(ranks - 1));
	expect(!job.search(0), name + ": a search that the host has ended goes on");
	g500_wanted wanted;
	for (uint32_t r = 0; r < ranks; r++) {
		expect_stall(*g500_searching_stall(job.search_of(r)), G500_HOST_REQUESTED, name + ", rank " + std::to_string(r));
		const int again = form.far ? g500_searching_begin(job.search_of(r), 0, &wanted, job.stream(r))
		                           : g500_searching_run(job.search_of(r), 0, job.stream(r));
		expect(again == G500_FAILED_BEFORE, name + ": another search is not refused");
	}
}

void end_paths(uint32_t ranks, bool peers) {
	const std::string name = "shortest paths, " + std::to_string(ranks) + (peers ? " peers" : " far ranks");
	Shares shares;
	construct(path(true), ranks, ranks > 1 ? kUsual : Construction{0, kEnough, false}, shares);
	PathRanks all(shares.of, kSmallPaths, peers);
	expect(all.search(kPathLabels - 1), name + ": a usual search");
	g500_searching_end(all.search_of(ranks - 1));
	expect(!all.search(0), name + ": a search that the host has ended goes on");
	for (uint32_t r = 0; r < ranks; r++)
		expect(g500_searching_stall(all.search_of(r))->why == G500_HOST_REQUESTED, name + ", rank " + std::to_string(r));
	if (peers) return;
	g500_wanted wanted;
	const int again = g500_searching_begin(all.search_of(0), 0, &wanted, all.stream(0));
	expect(again == G500_FAILED_BEFORE, name + ": another search");
}

// A block of the only rank stops after a given number of its grid's turns.
void lose_block(uint32_t after) {
	const Form form{"peers", G500_EXCHANGE_AUTO, false, true};
	Shares shares;
	construct(path(false), 1, Construction{0, kEnough, false}, shares);
	Job job(shares, form, 64, kHasty);
	faults.lost_block = 1, faults.lost_after = after;
	expect(!job.search(0), "a search goes on without a block");
	faults = {};
	const g500_stall &stall = *g500_searching_stall(job.search_of(0));
	expect_stall(stall, G500_BLOCKS_MISSING, "a block is missing");
	expect(stall.done == 1 && stall.all == 2, "the arrived blocks are not counted");
}

// Shortest paths with a block that stops: at a barrier, or during a push.
void lose_block_of_paths(uint32_t ranks, uint32_t after, uint32_t why) {
	const std::string name = "shortest paths on " + std::to_string(ranks) + " ranks without a block";
	Shares shares;
	construct(path(true), ranks, ranks > 1 ? kUsual : Construction{0, kEnough, false}, shares);
	PathRanks all(shares.of, kHastyPaths, true);
	faults.lost_block = 1, faults.lost_after = after;
	expect(!all.search(0), name + ": they go on");
	faults = {};
	bool found = false;
	for (uint32_t r = 0; r < ranks; r++) {
		const g500_stall &stall = *g500_searching_stall(all.search_of(r));
		expect(stall.why != G500_GOES_ON, name + ": rank " + std::to_string(r) + " has a result");
		found |= stall.why == why && (why != G500_QUEUE_STALLED || stall.done < stall.all);
	}
	expect(found, name + ": no rank gives the reason");
}

// The same between two ranks that are not peers, in any kernel.
void lose_block_of_far_paths() {
	for (uint32_t after = 1; after < 30; after += 7) {
		const std::string name = "far shortest paths without a block after " + std::to_string(after) + " turns";
		Shares shares;
		construct(path(true), 2, kUsual, shares);
		PathRanks all(shares.of, kHastyPaths, false);
		faults.lost_block = 1, faults.lost_after = after;
		expect(!all.search(0), name + ": they go on");
		faults = {};
		bool found = false;
		for (uint32_t r = 0; r < 2; r++) {
			const uint32_t why = g500_searching_stall(all.search_of(r))->why;
			found |= why == G500_EXCHANGE_LATE || why == G500_BLOCKS_MISSING || why == G500_QUEUE_STALLED;
		}
		expect(found, name + ": no rank gives the reason");
	}
}

// A block of one of two ranks that are not peers stops, in any kernel: its rank gives up within the time limit.
void lose_block_between_ranks(const Form &form) {
	for (uint32_t after = 1; after < 30; after += 7) {
		Shares shares;
		construct(path(false), 2, kUsual, shares);
		Job job(shares, form, 64, kHasty);
		faults.lost_block = 1, faults.lost_after = after;
		const std::string name = form.name + " without a block after " + std::to_string(after) + " turns";
		expect(!job.search(0), name + ": the search goes on");
		faults = {};
		bool found = false;
		for (uint32_t r = 0; r < 2; r++) {
			const uint32_t why = g500_searching_stall(job.search_of(r))->why;
			found |= why == G500_EXCHANGE_LATE || why == G500_BLOCKS_MISSING;
		}
		expect(found, name + ": no rank gives the reason");
	}
}

// Each exchange of a search fails once, on all ranks: the search ends, and no other is possible.
void fail_exchanges(const Form &form, uint32_t ranks) {
	std::set<uint32_t> steps;
	uint32_t after = 0;
	for (bool ended = false; !ended; after++) {
		Shares shares;
		const Graph graph = with_tail(kronecker(6), 3);
		construct(graph, ranks, kUsual, shares);
		Job job(shares, form, 64, kSmall);
		job.fail_after(after);
		ended = job.search(graph.roots[0]);
		for (const g500_level &level : job.trace(0)) steps.insert(level.step);
		g500_wanted wanted;
		for (uint32_t r = 0; !ended && r < ranks; r++)
			expect(g500_searching_begin(job.search_of(r), 0, &wanted, job.stream(r)) == G500_FAILED_BEFORE,
			       form.name + ": a search after failed exchange " + std::to_string(after) + " is not refused");
	}
	for (uint32_t step : {G500_PUSH, G500_PULL, G500_DECIDE, G500_PULL_REMAINING})
		expect(steps.count(step) && after > 4, form.name + ": no step " + g500_step_name(step) + ", or few exchanges");
}

// The same for shortest paths.
void fail_exchanges_of_paths(uint32_t ranks) {
	uint32_t after = 0;
	for (bool ended = false; !ended; after++) {
		Shares shares;
		Graph graph = kronecker(6);
		for (size_t i = 0; i < graph.tuples.size(); i++) graph.weights.push_back((float)(i % 7) / 7);
		construct(graph, ranks, kUsual, shares);
		PathRanks all(shares.of, kSmallPaths, false, 3);
		all.fail_after(after);
		ended = all.search(graph.roots[0]);
		g500_wanted wanted;
		for (uint32_t r = 0; !ended && r < ranks; r++)
			expect(g500_searching_begin(all.search_of(r), 0, &wanted, all.stream(r)) == G500_FAILED_BEFORE,
			       "shortest paths after failed exchange " + std::to_string(after) + " are not refused");
	}
	expect(after > 10, "few exchanges of shortest paths fail");
}

// One of two peers does not search.
void leave_rank_out() {
	const Form form{"peers", G500_EXCHANGE_AUTO, false, true};
	Shares shares;
	construct(path(false), 2, kLabels64Build, shares);
	Job job(shares, form, 64, kHasty);
	g500_searching *const search = job.search_of(0);
	const int code = g500_searching_run(search, 0, job.stream(0));
	expect(code == 0 && g500_searching_await(search, job.stream(0)) == G500_GIVEN_UP, "a rank alone has a result");
	expect_stall(*g500_searching_stall(search), G500_RANK_SILENT, "a rank is silent");
	expect(g500_searching_stall(search)->rank == 1, "another rank is named");
}

// A frontier has more vertices than a packed sum can count.
void overflow_queue() {
	const uint64_t most = g500::kMostNumbered;
	const Form form{"bins", G500_EXCHANGE_BINS, false, true};
	Shares shares;
	Graph graph = kronecker(9);
	construct(graph, 1, Construction{0, kEnough, false}, shares);
	g500::kMostNumbered = 10;
	Job job(shares, form, 64, kSmall);
	expect(!job.search(graph.roots[0]), "a frontier that does not fit into its counter has a result");
	const g500_stall &stall = *g500_searching_stall(job.search_of(0));
	expect_stall(stall, G500_QUEUE_TOO_LONG, "a frontier is too long");
	expect(stall.all == 10 && stall.done > 10, "its vertices are not counted");
	g500::kMostNumbered = most;
}

// The same on one of two ranks: the other one says so.
void overflow_queue_of_rank(const Form &form) {
	const uint64_t most = g500::kMostNumbered;
	Shares shares;
	Graph star("star", 40, {0}); // the odd labels are on rank 1, and have more than ten vertices on level 1
	for (uint32_t v = 1; v < 40; v += 2) star.join(0, v), star.join(v, (v + 2) % 40);
	construct(star, 2, kUsual, shares);
	g500::kMostNumbered = 10;
	Job job(shares, form, 64, kSmall);
	expect(!job.search(0), form.name + ": a frontier that does not fit into its counter has a result");
	expect_stall(*g500_searching_stall(job.search_of(1)), G500_QUEUE_TOO_LONG, form.name + ": a frontier is too long");
	expect_stall(*g500_searching_stall(job.search_of(0)), G500_RANK_GAVE_UP, form.name + ": another rank has given up");
	g500::kMostNumbered = most;
}

} // namespace emulator

int main() {
	using namespace emulator;
	setvbuf(stdout, nullptr, _IOLBF, 0);
	alarm(600); // about 100 times the usual time
	const Form peers{"peers", G500_EXCHANGE_AUTO, false, true}, bins{"bins", G500_EXCHANGE_BINS, false, true},
		far{"far", G500_EXCHANGE_AUTO, true, true}, far_bins{"far, bins", G500_EXCHANGE_BINS, true, true},
		far_listing{"far, reports of 3 vertices", G500_EXCHANGE_AUTO, true, false, 3};
	end_searches(peers, 1, Construction{0, kEnough, false});
	for (const Form &form : {peers, bins, far})
		for (uint32_t ranks = 2; ranks < 4; ranks++)
			end_searches(form, ranks, ranks == 2 ? kUsual : form.far ? kIds64Build : kLabels64Build);
	end_searches(peers, 3, kUsual);
	for (uint32_t ranks = 1; ranks < 4; ranks++) end_paths(ranks, true);
	for (uint32_t ranks = 2; ranks < 4; ranks++) end_paths(ranks, false);
	lose_block(500);
	lose_block_of_paths(1, 2'000, G500_QUEUE_STALLED);
	lose_block_of_paths(2, 2'000, G500_QUEUE_STALLED);
	lose_block_of_paths(1, 20, G500_BLOCKS_MISSING);
	lose_block_of_far_paths();
	leave_rank_out();
	lose_block_between_ranks(far);
	fail_exchanges(far, 2);
	fail_exchanges(far_listing, 3);
	fail_exchanges_of_paths(3);
	overflow_queue();
	overflow_queue_of_rank(far_bins);
	printf("%d wrong\n", wrong);
	return wrong > 0;
}
