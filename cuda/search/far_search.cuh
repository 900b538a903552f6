// SPDX-License-Identifier: Apache-2.0

// The host's part of a search between ranks that are not peers: it starts the kernels of each level, and chooses steps
// by the same rules as kernels (policy.cuh).
#pragma once

#include "search/far_exchanges.cuh"

namespace g500 {

class FarSearch : public FarExchanges {
public:
	using FarExchanges::FarExchanges;

	// Continues after launch_begin. root is a label, in the kernels' format.
	int begin(u64 root, g500_wanted &want, cudaStream_t on) {
		wanted = &want, stream = on;
		const Ranks &ranks = memory.ranks;
		task = {};
		task.root = root;
		task.at.step = kPush;
		task.at.synchronized = true;
		lists_new = hubs_known = false;
		rounds++; // of the first kernel
		unexplored = ranks.edges;
		unvisited = ranks.non_leaf + 1; // the root may be a leaf
		trace.clear();
		level = {};
		exchanges = 0, busy = 0;
		level_began = Clock::now();
		look_.forget();
		return gather_reports([this] { return after_push(); });
	}

	// Returns the levels of the last search, without the result.
	const std::vector<g500_level> &levels() const { return trace; }

private:
	u64 ends() const override { return sum(kFarEnds); }
	g500_stall place(u32 why) const override { return {why, -1, 0, 0, (u32)task.at.step, (u32)task.at.level, 0, 0}; }

	Facts facts() const {
		const Ranks &ranks = memory.ranks;
		return {memory.options.policy, task.at, ranks.non_leaf, ranks.round_pairs, ranks.count,
		        memory.options.exchange, hubs > 0, memory.state.split_hubs > 0, memory.decides(), true};
	}
	bool all_are_listed() const { return sum(kFarListed) <= memory.state.far.most_entries && sum(kFarUnsent) == 0; }

	int start_level() {
		const Step step = task.at.step;
		if (step == kPush) return push(false, !trace.empty() && makes_bitmap(trace.back().step));
		if (step == kDecide && !queries()) return search_remaining();
		if (searches_remaining(step)) return with_bits([this] { return search_remaining(); });
		if (step != kSplit && step != kPushSegments)
			return with_bits([this] {
				G500_TRY(launch(kernels->sweep));
				return gather_swept([this] { return after_sweep(); });
			});
		task.hubs = step == kSplit ? memory.state.split_hubs : hubs;
		return with_bits([this] {
			G500_TRY(launch(task.at.step == kSplit ? kernels->split : kernels->segments));
			return push_tail(false);
		});
	}

	int push(bool again, bool lists) {
		task.again = again, task.lists = lists;
		if (!again) lists_new = task.at.synchronized && task.at.level > 0 && memory.state.far.most_entries > 0;
		task.reports = !again && task.at.synchronized;
		G500_TRY(launch_round(kernels->push));
		return gather_reports([this] { return after_push(); });
	}

	int after_push() {
		if (sum(kFarUnsent) == 0) settle(sum(kFarEdges));
		if (all_are_listed()) return end_push();
		task.at.synchronized = hubs_known = false;
		if (sum(kFarSent) == 0) return end_push();
		return exchange_pairs([this] {
			G500_TRY(launch(kernels->take_pairs));
			return sum(kFarUnsent) > 0 ? push(true, false) : end_push();
		});
	}

	int end_push() {
		record();
		if (sum(kFarClaims) == 0) return finish();
		expect(sum(kFarClaims), (sum(kFarEstimate) + 15) / 16, true);
		task.at.step = step_after_divided_push(facts());
		return start_level();
	}

	int push_tail(bool again) {
		task.again = again, task.reports = false;
		G500_TRY(launch_round(kernels->tail));
		return gather_reports([this] {
			task.exchanged = sum(kFarSent) > 0;
			return task.exchanged ? exchange_pairs([this] { return take_tail(); }) : take_tail();
		});
	}

	int take_tail() {
		G500_TRY(launch(kernels->take_tail));
		if (sum(kFarUnsent) > 0) return push_tail(true);
		task.hubs = 0;
		return gather_swept([this] { return after_sweep(); });
	}

	int after_sweep() {
		Shared &at = task.at;
		if (at.estimated) settle(at.edges);
		record();
		at.sweeps++;
		at.swept = true;
		at.synchronized = !ghosts.lists && !queries();
		lists_new = false;
		hubs_known = true;
		at.hubs_visited = memory.state.hubs.limit > 0 && sum(kFarOpenHubs) == 0;
		if (sum(kFarClaims) == 0) return finish();
		expect(sum(kFarClaims), 0, false);
		at.step = step_after_sweep(facts());
		return start_level();
	}

	// After kDecide every rank has the bits of all vertices except those that other ranks find in the level; or with
	// queries, of all hubs.
	int search_remaining() {
		const bool decides = task.at.step == kDecide;
		G500_TRY(launch(decides ? kernels->decide : kernels->remaining));
		task.at.decided |= decides;
		task.at.synchronized = !queries();
		return gather_reports([this] { return after_remaining(); });
	}

	// If reports are too short, ranks exchange the bits of ghosts, or all bits.
	int after_remaining() {
		if (sum(kFarClaims) == 0 || all_are_listed()) return end_remaining();
		G500_TRY(launch(kernels->take_found));
		if (task.at.decided && ghosts.lists)
			return gather_ghosts([this] {
				G500_TRY(launch(kernels->place_ghosts));
				return end_remaining();
			});
		hubs_known = hubs_known && task.at.hubs_visited;
		if (queries()) return end_remaining();
		task.at.synchronized = false;
		return with_bits([this] { return end_remaining(); });
	}

	int end_remaining() {
		task.at.synchronized = !queries();
		record();
		if (sum(kFarClaims) == 0) return finish();
		expect(sum(kFarClaims), sum(kFarEstimate), false);
		task.at.step = kPullRemaining;
		if (!leads_nowhere(task.at)) return start_level();
		record();
		return finish();
	}

	// Leaves read the bits of other ranks' vertices.
	int finish() {
		task.leaves = true;
		return with_bits([this] {
			trace.back().words.sent += level.words.sent, trace.back().words.received += level.words.received;
			wanted->kind = G500_SEARCH_DONE;
			return launch(kernels->finish);
		});
	}

	// Stores the exact numbers of the level's frontier, which its kernels have counted.
	void settle(u64 edges) { count(sum(kFarFrontier), edges, false); }

	// Begins the next level with numbers of its frontier that may be estimated from above.
	void expect(u64 frontier, u64 edges, bool estimated) {
		task.at.level++;
		unexplored = task.at.unexplored, unvisited = task.at.unvisited;
		count(frontier, edges, estimated || memory.graph.directed);
	}

	void count(u64 frontier, u64 edges, bool estimated) {
		Shared &at = task.at;
		at.frontier = frontier, at.edges = edges;
		at.unexplored = unexplored - std::min(edges, unexplored);
		at.unvisited = unvisited - std::min(frontier, unvisited);
		at.estimated = estimated;
	}

	// Adds the level to the trace.
	void record() {
		const auto now = Clock::now();
		const std::chrono::nanoseconds took = now - level_began;
		level.step = task.at.step;
		level.frontier = task.at.frontier;
		level.edges = is_bottom_up(level.step) ? 0 : task.at.edges;
		level.nanoseconds = (u64)took.count();
		const u64 kernels = memory.state.far.look[1];
		level.exchange = level.nanoseconds - std::min(kernels - busy, level.nanoseconds);
		busy = kernels;
		level.barriers = exchanges;
		trace.push_back(level);
		level = {};
		level_began = now;
	}

	u64 unexplored = 0, unvisited = 0; // as in Shared, before the present level's frontier
	u64 busy = 0; // FarRank.busy at the end of the last level
	std::vector<g500_level> trace;
};

} // namespace g500
