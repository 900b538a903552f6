// SPDX-License-Identifier: Apache-2.0

// The host's part of a search between ranks that are not peers (far.cuh): it starts kernels, and names the exchanges
// between them.
#pragma once

#include <algorithm>
#include <vector>

#include "sssp/open_lists.cuh"
#include "sssp/search.cuh"

namespace g500::sssp {

constexpr u64 kReportBytes = 16 << 10; // at first
constexpr u64 kMostReported = 4 << 20; // bytes of offers that a rank gets in reports
constexpr u64 kMostWords = 16 << 20;   // bytes of words, likewise

class FarPaths : public Driven {
public:
	explicit FarPaths(PathsMemory &of) : Driven(of), search(of) {}

	// Allocates memory.
	int open(u32 further, u32 listed, cudaStream_t on) {
		const u64 n = search.ranks.count;
		sweeps = further;
		words = (search.graph.non_tree + 3) & ~3u;
		lengths.resize(n);
		const u64 space = (kReportBytes - sizeof(PathReport)) / sizeof(Offer);
		far.listed = std::min<u64>(space, listed);
		far.most_listed = kMostReported / (n - 1) / sizeof(Offer);
		// two frontiers of all ranks need half of the memory
		far.space = 1 + std::max<u64>(search.state.frontier_space, 32);
		expected.assign(sweeps + 2, far.listed);
		most_expected = listed < space ? listed : std::min<u64>(kMostWords / (n - 1) / sizeof(uint2), words / 2 + space);
		const u64 most = std::max({far.listed, far.most_listed, most_expected});
		Arrays &held = search.held;
		G500_TRY(held.alloc_zeroed(on, n * far.report_bytes(most), far.reports));
		G500_TRY(held.alloc(n * far.space, far.send, far.received));
		G500_TRY(held.alloc(far.space, far.list.at));
		G500_TRY(held.alloc_zeroed(on, n + 1, far.sent));
		G500_TRY(held.alloc_zeroed(on, 1, far.path));
		G500_TRY(look_.open(1 + kPathSums));
		far.list.count = far.sent + n, far.list.space = far.space, far.look = look_.words();
		return cudaSuccess;
	}

	// Sets the light edges of all ranks (light.cuh).
	void push_over(const u32 *light) {
		far.light = light, far.light_edges = search.light_edges, far.window = search.policy.window;
	}

	int begin(u32 root, g500_wanted &want, cudaStream_t on) {
		wanted = &want, stream = on;
		task = {};
		task.root = root;
		push = kPush;
		look_.forget();
		G500_TRY(launch(kBegin));
		return gather_reports([this] {
			task.starts = true;
			G500_TRY(launch(kPush, true));
			return gather_reports([this] { return push_on(); });
		});
	}

private:
	u64 ends() const override { return sum(kEnds); }
	g500_stall place(u32 why) const override { return {why, -1}; }

	u64 sum(PathSum of) const { return far.look_sums()[of]; }
	int kind_of_sweep(u32 of) const { return of >= sweeps ? kPullLast : kPullAgain; }

	// Launches a kernel, which takes what the last exchange has brought. `of` is the number of the class.
	int launch(int kind, bool reads = false, u32 of = 0) {
		task.kind = kind, task.reads = reads, task.number = of;
		task.space = expected[kind == kPullAgain ? number : kind == kFindParents || kind == kSettleTies ? sweeps + 1 : 0];
		const int code = launch_far(search, far, task, stream);
		task.news = {}, task.starts = task.received = false, task.look = 0;
		return code;
	}

	// The same before the sums of the reports are known, which the kernel sends.
	int look(int kind, u32 of, Stage then) {
		task.look = look_.begin();
		stage = std::move(then);
		return launch(kind, true, of);
	}

	// Next is a kernel that needs the words that all ranks have listed, and the stage after it.
	struct Next {
		int kind;
		u32 number; // of the class
		Stage then;
	};

	int launch_next() {
		G500_TRY(launch(next_launch.kind, false, next_launch.number));
		return go_on(next_launch.then);
	}

	int gather(const void *own, u64 bytes, void *all, News news, Stage then) {
		news.stride = bytes;
		task.news = news;
		return Driven::gather(own, all, bytes, std::move(then));
	}

	// Gathers reports with space for offers. `most` is kMost of the reports that the last kernel has read.
	int gather_reports(Stage then, u64 most = 0) { return gather_offers(far.listed_after(most), std::move(then)); }

	int gather_offers(u64 space, Stage then) {
		task.bytes = far.report_bytes(space);
		return gather(&far.report(search.ranks.rank, task.bytes), task.bytes, far.reports, {}, std::move(then));
	}

	int gather_words(u32 begin, u32 end, Stage then) {
		const u32 *const own = search.state.distance + search.graph.base + begin;
		return gather(own, (u64)(end - begin) * sizeof(u32), far.received, {kWords, begin, end}, std::move(then));
	}

	// All ranks get the words that are listed, if there are any: as lists, or the complete parts if these are shorter and
	// not a frontier. Then launches the next kernel.
	int gather_listed() {
		const u64 listed = sum(kUnpublished);
		const Stage then = [this] { return launch_next(); };
		if (listed == 0) return launch_next();
		const u64 bytes = (listed * sizeof(uint2) + sizeof(uint4) - 1) / sizeof(uint4) * sizeof(uint4);
		const bool needs_list = next_launch.kind == kPushLight || next_launch.kind == kSettleTies;
		if (!needs_list && bytes >= words * sizeof(u32)) return gather_words(0, words, then);
		return gather(far.list.at, bytes, far.received, {kLists}, then);
	}

	// Gathers the reports of a kernel that has listed words, and launches the next kernel before the sums are known. If a
	// list was longer than in the searches so far, that kernel does nothing.
	int share(u32 of, Next with) {
		list_number = of, next_launch = std::move(with);
		task.bytes = far.bytes_with_words(task.space);
		return gather(&far.report(search.ranks.rank, task.bytes), task.bytes, far.reports,
		              {kReported, 0, 0, 0, task.space}, [this] {
			had = task.news.space;
			return look(next_launch.kind, next_launch.number, [this] {
				const u64 listed = sum(kUnpublished);
				expect(list_number, listed);
				return listed > had ? gather_listed() : go_on(next_launch.then);
			});
		});
	}

	// Expects a list of about this length in the next search.
	void expect(u32 of, u64 length) {
		u64 &space = expected[of];
		space = std::min(std::max({length + length / 4, space - space / 8, far.listed}), most_expected);
	}

	// All messages are as long as the longest one: vertices are spread over ranks, so that most of its length is in use.
	int exchange_offers(Stage then) {
		const u64 longest = (1 + sum(kLongest)) * sizeof(uint4);
		std::fill(lengths.begin(), lengths.end(), longest);
		lengths[search.ranks.rank] = 0;
		exchanged = 2 * longest * (lengths.size() - 1);
		*wanted = {G500_WANTS_ALL_TO_ALL, nullptr, nullptr, 0, far.send, far.received, far.space * sizeof(uint4), longest,
		           lengths.data(), lengths.data()};
		stage = std::move(then);
		return cudaSuccess;
	}

	// Launches the next round before the sums of the last one are known. If that was the last round, it lists what the
	// push has changed.
	int push_on() {
		return look(push, 0, [this] { return after_push(); });
	}

	int after_push() {
		if (sum(kSent) > 0)
			return exchange_offers([this] {
				task.received = true;
				G500_TRY(launch(push, true));
				return gather_reports([this] { return push_on(); }, sum(kMost));
			});
		if (sum(kOffered) > 0) return gather_reports([this] { return push_on(); }, sum(kMost));
		number = 0;
		if (push == kPushRest) {
			next_launch = parents();
			return gather_listed();
		}
		if (nearest_in(sum(kNearest)) == kInfinite) return share(0, parents()); // nothing is beyond the window
		if (far.light) return gather_offers(task.space, [this] { return take_seeds(); });
		return share(0, {kPull, 0, [this] { return after_class(); }});
	}

	// Launches the push over light edges before it is known whether all seeds were listed in reports.
	int take_seeds() {
		task.news.kind = kSeeds;
		return look(kPushLight, 0, [this] {
			expect(0, sum(kMost));
			if (sum(kSent) == 0) return pull_class();
			return exchange_offers([this] {
				task.received = true;
				G500_TRY(launch(kPush, true, 1));
				return share(0, {kPushLight, 0, [this] { return pull_class(); }});
			});
		});
	}

	// The first sweep, over one class. All ranks get its words. Further sweeps follow.
	int pull_class() {
		if (number < search.policy.classes) {
			G500_TRY(launch(kPull, false, number));
			return after_class();
		}
		number = 1;
		G500_TRY(launch(kind_of_sweep(number)));
		return after_sweep();
	}

	int after_class() {
		const ClassRange of = class_range(search.graph.non_tree, search.policy.classes, number++);
		const u32 end = (of.end + 3) & ~3u;
		return end > of.begin ? gather_words(of.begin, end, [this] { return pull_class(); }) : pull_class();
	}

	int after_sweep() {
		if (number >= sweeps) return gather_reports([this] { return start_rest(); });
		const u32 list = number++;
		return share(list, {kind_of_sweep(number), 0, [this] { return after_sweep(); }});
	}

	// If the last sweep has changed nothing, the push had nothing to do.
	int start_rest() {
		push = kPushRest;
		task.starts = true;
		return look(push, 0, [this] {
			if (sum(kChanged) > 0) return gather_reports([this] { return push_on(); });
			next_launch = parents();
			return launch_next();
		});
	}

	Next parents() {
		return {kFindParents, 0, [this] {
			tied = ~0ull;
			return share_tied();
		}};
	}

	int share_tied() {
		return share(sweeps + 1, {kSettleTies, 0, [this] { return after_ties(); }});
	}

	// A round that settles none would be an error: it ends the search, and validation reports it.
	int after_ties() {
		const u64 before = tied;
		tied = sum(kStillTied);
		if (tied > 0 && tied < before) return share_tied();
		wanted->kind = G500_SEARCH_DONE;
		return cudaSuccess;
	}

	PathsMemory &search;
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
