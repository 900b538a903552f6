// SPDX-License-Identifier: Apache-2.0

// Searches for shortest paths on the emulator: compares distances with Dijkstra's exactly, and checks that parents form
// a tree whose edges are in the graph and add up. Prints mistakes, and fails if there are any.
//
//   sssp_test [directed] [quick]     with "quick" without the largest graphs, and each with fewer weights
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "construction.h"
#include "cuda_runtime.h"
#include "path_check.h"
#include "path_ranks.h"
#include "policies.h"
#include "sssp/sssp.h"
#include "weighted_graphs.h"

namespace emulator {

struct Weighting {
	const char *name;
	std::function<float(double)> of; // of a number from [0, 1)
	bool vanish = false;             // some weights vanish in sums
};

const std::vector<Weighting> weightings{
	{"even", [](double x) { return (float)x; }},
	{"whole", [](double x) { return (float)(1 + (int)(255 * x)); }},
	{"ones", [](double) { return 1.f; }},
	{"zeros", [](double) { return 0.f; }, true},
	{"zeros, and weights that vanish in a sum", [](double x) {
		const float some[] = {0, 1e-9f, 1e-8f, 0.25f, 0.5f};
		return some[(int)(5 * x)];
	}, true},
	{"so large that sums overflow", [](double x) { return 3e38f * (float)x; }},
	{"large and small", [](double x) { return (float)std::exp(40 * x - 10); }},
};

// Weights of very different magnitudes: small ones vanish in sums with large ones.
const std::vector<Weighting> vanishing{
	{"over ninety binary orders", [](double x) { return (float)std::exp2(90 * x - 30); }, true},
	{"whole, over sixty binary orders", [](double x) { return std::floor((float)std::exp2(60 * x)); }, true},
	{"a few huge among tiny ones", [](double x) {
		return (float)(x < 0.9 ? std::exp2(-30) * (1 + x) : std::exp2(60) * x);
	}, true},
	{"a few huge among equal ones", [](double x) { return x < 0.9 ? 1.f : (float)std::exp2(40); }, true},
	{"tiny and equal", [](double) { return (float)std::exp2(-30); }},
	{"halves", [](double x) { return (float)(int)(2 * x) / 2; }, true},
};

// A graph of random tuples, with duplicates, loops and vertices without an edge.
Graph random_graph(uint32_t number) {
	uint64_t state = number;
	const auto draw = [&state](uint32_t below) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		return (uint32_t)((state >> 33) % below);
	};
	const uint32_t labels = 2 + draw(150), tuples = draw(4 * labels);
	Graph graph("random graph " + std::to_string(number), labels, {draw(labels), draw(labels), draw(labels)});
	for (uint32_t i = 0; i < tuples; i++) graph.join(draw(labels), draw(1 + draw(labels))); // more at the first labels
	return graph;
}

void weigh(Graph &graph, const Weighting &by) {
	uint64_t state = 7;
	graph.name += ", " + std::string(by.name);
	graph.weights.clear();
	for (size_t i = 0; i < graph.tuples.size(); i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		graph.weights.push_back(by.of((double)(state >> 11) / (double)(1ull << 53)));
	}
}

uint32_t every = 1; // one of this many weights of a graph is searched
struct Setting {
	const char *name;
	PathPolicy policy;
	bool prunes;
};

constexpr PathPolicy kNarrow = with(kSmallPaths, &PathPolicy::window, 10'000, &PathPolicy::landmarks, 1,
                                    &PathPolicy::sweeps, 1, &PathPolicy::classes, 3, &PathPolicy::hinted, 0,
                                    &PathPolicy::part, 1);
constexpr PathPolicy kWide = with(kSmallPaths, &PathPolicy::window, 300'000, &PathPolicy::landmarks, 2,
                                  &PathPolicy::sweeps, 1, &PathPolicy::classes, 3, &PathPolicy::part, 16);

const std::vector<Setting> settings{
	{"usual", kSmallPaths, false},
	{"narrow window, no hints", kNarrow, false},
	{"wide window, few hints",
	 with(kWide, &PathPolicy::sweeps, 3, &PathPolicy::classes, 1, &PathPolicy::hinted, 5), false},
	{"pruned", with(kSmallPaths, &PathPolicy::part, 64), true},
	{"pruned, narrow window, no hints", with(kNarrow, &PathPolicy::part, 3), true},
};

// If weights vanish, a vertex without a hint may be tied with one whose hint refers to it.
const Setting some_hints{"hints of some", with(kWide, &PathPolicy::hinted, 24), false};

// Small queues: a push takes several rounds.
const std::vector<Setting> tight{
	{"queue of 5%", with(kSmallPaths, &PathPolicy::part, 16, &PathPolicy::slots, 50), false},
	{"queue of one slot per block, no hints",
	 with(kWide, &PathPolicy::hinted, 0, &PathPolicy::part, 4, &PathPolicy::slots, 0), false},
};

// Prunes a graph on one rank by its first vertex, as the Go code does (ADR 19 has the margin).
int prune(g500_graph &graph, const Setting &setting, g500_tree_levels &levels) {
	g500_searching *search;
	if (const int code = g500_sssp_create(&graph, nullptr, &setting.policy, 1, &search, nullptr)) return code;
	float farthest;
	uint32_t hops, first_leaf;
	g500_searching_run(search, graph.non_isolated ? graph.labels[0] : 0, nullptr);
	int code = g500_sssp_write_parents(search, nullptr);
	if (!code) code = g500_sssp_survey(search, &farthest, &hops, nullptr);
	const double margin = 12.0 * (hops + 1) / (1 << 24) * farthest;
	g500_pruning *pruning = nullptr;
	if (!code) code = g500_pruning_create(search, margin, farthest, &pruning, nullptr);
	if (!code) code = g500_pruning_order(pruning, &first_leaf);
	if (!code) code = g500_pruning_store(pruning, first_leaf, &graph, &levels);
	g500_pruning_free(pruning);
	g500_searching_free(search);
	return code;
}

class Checker {
public:
	uint64_t edges[2] = {}; // of unpruned graphs, and of pruned ones
	uint64_t shared[2] = {}, stripped = 0; // the same on several ranks, and vertices stripped there
	uint32_t jobs = 0, wrong = 0;
	g500_sssp_step seen[G500_SSSP_STEPS] = {}; // of all searches
	uint64_t rounds = 0; // largest number of rounds of a push with peers

	void search(const Graph &graph, const Construction &how, const Setting &setting) {
		Shares shares;
		if (construct(graph, 1, how, shares)) return report(graph, setting, 0, "it cannot be built");
		g500_searching *search;
		g500_tree_levels levels;
		if (setting.prunes && prune(shares.of[0], setting, levels)) return report(graph, setting, 0, "it cannot be pruned");
		const g500_tree_levels *trees = setting.prunes ? &levels : nullptr;
		if (g500_sssp_create(&shares.of[0], trees, &setting.policy, 1, &search, nullptr))
			return report(graph, setting, 0, "it cannot be prepared");
		edges[setting.prunes] += shares.of[0].edges;
		const Ends ends = ends_of(graph);
		for (uint32_t root : graph.roots) {
			for (uint32_t i = 0; i < root % 2 * 2; i++)
				if (g500_searching_prelaunch(search, nullptr)) return report(graph, setting, root, "not pre-launched twice");
			if (root % 4 == 3 && g500_searching_cancel_prelaunch(search)) return report(graph, setting, root, "not cancelled");
			if (g500_searching_run(search, root, nullptr) || g500_searching_await(search, nullptr))
				return report(graph, setting, root, "no result");
			const std::string fault = fault_of(ends, root, g500_sssp_parents(search), g500_sssp_distances(search));
			g500_sssp_step steps[G500_SSSP_STEPS];
			g500_sssp_trace(search, steps, nullptr);
			for (int i = 0; i < G500_SSSP_STEPS; i++) seen[i].vertices += steps[i].vertices;
			const bool has_hints = setting.policy.hinted > graph.labels();
			if (has_hints && steps[G500_SSSP_TIES].vertices > 0) report(graph, setting, root, "ties without a parent");
			// A round advances at least one edge along each shortest path.
			for (const int step : {G500_SSSP_PUSH, G500_SSSP_PUSH_REST})
				if (steps[step].rounds > graph.labels() + 1) report(graph, setting, root, "more rounds than vertices");
			if (!fault.empty()) report(graph, setting, root, fault);
		}
		jobs++;
		g500_searching_free(search);
	}

	// The same on several ranks: among peers, or driven by the host, with different numbers of listed offers, and with
	// light edges or without.
	void search_on(uint32_t ranks, bool peers, const Graph &graph, const Setting &setting) {
		if (peers) return search_by_way(ranks, true, graph, setting);
		const bool shares_light = graph.tuples.size() % 2;
		search_by_way(ranks, false, graph, setting, PathRanks::kMostListed, shares_light);
		search_by_way(ranks, false, graph, setting, ranks % 2 ? 3 : 0, !shares_light);
	}

	void search_by_way(uint32_t ranks, bool peers, const Graph &graph, const Setting &setting,
	                   uint32_t most_listed = PathRanks::kMostListed, bool shares_light = true) {
		Shares shares;
		if (construct(graph, ranks, kUsual, shares)) return report(graph, setting, 0, "it cannot be built");
		if (!std::all_of(shares.of.begin(), shares.of.end(), rows_rise))
			return report(graph, setting, 0, "a row is not in the order of weights");
		if (setting.prunes && !prune_on(shares, peers, setting)) return report(graph, setting, 0, "it cannot be pruned");
		PathRanks all(shares.of, setting.policy, peers, most_listed, shares_light);
		if (!all.ready()) return report(graph, setting, 0, "it cannot be prepared");
		search_by(all, graph, setting, std::to_string(ranks) + (peers ? " peers: " : " far ranks: "));
		if (peers) rounds = std::max(rounds, all.rounds());
	}

	// The same on two and three peers, each of which is slow once.
	void search_by_slow_peers(const Graph &graph, const Setting &setting) {
		for (uint32_t ranks : {2, 3}) {
			Shares shares;
			if (construct(graph, ranks, kUsual, shares)) return report(graph, setting, 0, "it cannot be built");
			PathRanks all(shares.of, setting.policy, true);
			for (uint32_t slow = 0; all.ready() && slow < ranks; slow++) {
				all.slow_down(slow);
				search_by(all, graph, setting, std::to_string(ranks) + " peers, " + std::to_string(slow) + " is slow: ");
			}
		}
	}

	uint64_t kinds[2] = {}; // of exchanges driven by the host: all-gathers, and all-to-alls
	uint64_t exchanges() const { return kinds[0] + kinds[1]; }
	uint64_t grown = 0;     // reports with more space than the first ones

private:
	void search_by(PathRanks &all, const Graph &graph, const Setting &setting, const std::string &what) {
		const Ends ends = ends_of(graph);
		for (uint32_t root : graph.roots) {
			const bool succeeded = all.search(root);
			const std::string fault = fault_of(ends, root, all.parents().data(), all.distances().data());
			for (const int kind : all.exchanges()) kinds[kind == G500_WANTS_ALL_TO_ALL]++;
			if (!succeeded || !fault.empty()) report(graph, setting, root, what + (succeeded ? fault : "no answer"));
		}
		grown += all.grown();
		jobs++;
	}

	// Returns whether the weights of each row are in ascending order.
	static bool rows_rise(const g500_graph &g) {
		for (uint32_t v = 0; v < g.non_isolated; v++)
			for (uint64_t i = g.rows[v] + 1; i < g.rows[v + 1]; i++)
				if (g.weighted_cols[i].weight < g.weighted_cols[i - 1].weight) return false;
		return true;
	}

	// Returns whether a row of a vertex outside trees leads to a leaf.
	static bool leads_to_leaves(const g500_graph &g) {
		for (uint64_t i = 0; i < g.rows[std::min(g.first_leaf, g.non_isolated)]; i++)
			if ((g.weighted_cols[i].global_id & ((1u << g.shift) - 1)) >= g.first_leaf) return true;
		return false;
	}

	// Prunes on several ranks. The pruned graph has no levels of trees.
	bool prune_on(Shares &shares, bool peers, const Setting &setting) {
		const auto edges_of = [&] {
			uint64_t sum = 0;
			for (const g500_graph &g : shares.of) sum += g.edges;
			return sum;
		};
		const uint32_t first_leaf = shares.of[0].first_leaf;
		shared[0] += edges_of();
		PathRanks all(shares.of, setting.policy, peers);
		g500_tree_levels levels;
		if (!all.ready() || !all.prune(shares.of, levels) || levels.levels > 0) return false;
		shared[1] += edges_of();
		stripped += first_leaf - shares.of[0].first_leaf;
		return std::none_of(shares.of.begin(), shares.of.end(), leads_to_leaves);
	}

	void report(const Graph &graph, const Setting &setting, uint32_t root, const std::string &fault) {
		wrong++;
		printf("%s, %s, root %u: %s\n", graph.name.c_str(), setting.name, root, fault.c_str());
	}
};

// Searches random graphs, and the small graphs of the other tests, with weights that vanish in sums.
Checker search_vanishing() {
	Checker checker;
	const auto weighting = [](size_t turn) { return vanishing[turn % vanishing.size()]; };
	const auto setting = [](size_t turn) { return settings[turn % settings.size()]; };
	for (uint32_t number = 0; number < 72; number += every) {
		Graph graph = random_graph(number);
		weigh(graph, weighting(number));
		checker.search(graph, Construction{0, kEnough, false}, setting(number / 2));
		checker.search_on(2 + number % 3, number / 3 % 2, graph, setting(number / 3));
		checker.search_on(2 + number / 3 % 3, true, graph, number / 2 % 2 ? some_hints : tight[number % 2]);
	}
	for (const uint32_t ranks : kManyRanks)
		for (uint32_t number = ranks; number < ranks + 10; number += every) {
			Graph graph = random_graph(number);
			weigh(graph, weighting(number));
			checker.search_on(ranks, number % 2, graph, setting(number / 2));
			checker.search_on(ranks, true, graph, tight[number % 2]);
		}
	for (const Graph &graph : graphs())
		for (size_t turn = 0; graph.labels() <= 200 && turn < vanishing.size(); turn += every) {
			Graph weighed = graph;
			weigh(weighed, weighting(turn));
			checker.search(weighed, Construction{0, kEnough, false}, setting(turn + graph.tuples.size()));
			checker.search_on(2 + turn % 3, turn / 2 % 2, weighed, setting(turn + graph.tuples.size() + 1));
		}
	return checker;
}

// Searches on more ranks, and with offers in no report, in some, and in all.
Checker search_on_many_ranks(const std::vector<Graph> &all) {
	Checker checker;
	for (const uint32_t ranks : kManyRanks)
		for (const Graph &given : all) {
			const uint32_t turn = ranks + (uint32_t)given.tuples.size();
			if (given.labels() > 200 || turn % every) continue; // they take long
			Graph graph = given;
			weigh(graph, turn % 5 ? weightings[turn % weightings.size()] : vanishing[turn % vanishing.size()]);
			const Setting &setting = settings[turn / 2 % (graph.directed ? 3 : settings.size())];
			const uint32_t most_listed[] = {PathRanks::kMostListed, 0, 3};
			checker.search_by_way(ranks, false, graph, setting, most_listed[turn % 3]);
		}
	return checker;
}

// Searches a graph with many vertices in the window on two far ranks. Queues are full, too.
Checker search_window(uint32_t most_listed, bool shares_light) {
	Checker checker;
	Graph graph = kronecker(9);
	weigh(graph, weightings[0]);
	for (const Setting &setting : {settings[0], settings[1], settings[3], tight[0], tight[1]})
		checker.search_by_way(2, false, graph, setting, most_listed, shares_light);
	return checker;
}

// Compares the exchanges of far ranks by what they share. Returns the number of mistakes.
uint32_t compare_exchanges() {
	const Checker usual = search_window(PathRanks::kMostListed, true), unlisted = search_window(0, true);
	const Checker alone = search_window(PathRanks::kMostListed, false);
	uint32_t wrong = usual.wrong + alone.wrong + unlisted.wrong;
	if (10 * usual.exchanges() > 9 * alone.exchanges()) wrong++, printf("light edges on all ranks save few exchanges\n");
	if (10 * usual.kinds[0] > 9 * unlisted.kinds[0]) wrong++, printf("words in reports save few gathers\n");
	return wrong;
}

// Searches graphs whose weights reveal errors.
Checker search_weighted() {
	Checker checker;
	Setting only_pushes = settings[1], narrow = settings[1], empty = settings[1];
	only_pushes.name = "no landmark", only_pushes.policy.landmarks = 0;
	narrow.name = "very narrow window", narrow.policy.window = 20;
	empty.name = "empty window", empty.policy.window = 0;
	const std::pair<Graph, Setting> all[] = {
		{tied_twice(), settings[1]}, {tied_pairs(), only_pushes}, {heavy_edges(), narrow}, {heavy_edges(), empty}};
	for (const auto &[graph, setting] : all) {
		checker.search(graph, Construction{0, kEnough, false}, setting);
		for (const bool peers : {true, false}) checker.search_by_way(2, peers, graph, setting);
	}
	return checker;
}

// Searches directed graphs on one rank, among peers and far ranks. No setting prunes them.
Checker search_directed() {
	Checker checker;
	for (const std::vector<Weighting> *some : {&weightings, &vanishing})
		for (const Weighting &weighting : *some)
			for (Graph graph : directed_graphs()) {
				const uint32_t turn = (uint32_t)(&weighting - some->data() + graph.tuples.size());
				if (turn % (graph.labels() > 600 ? 6 : every)) continue; // they take long
				weigh(graph, weighting);
				checker.search(graph, Construction{0, kEnough, false}, settings[turn % 3]);
				checker.search(graph, Construction{0, kShort, false, k32Bits, 0, true}, tight[turn % 2]);
				checker.search_on(2 + turn / 2 % 3, turn % 2, graph, settings[turn / 6 % 3]);
				checker.search_on(2 + turn % 3, true, graph, tight[turn / 3 % 2]);
			}
	if (checker.seen[G500_SSSP_PULL].vertices > 0) checker.wrong++, printf("a vertex of a directed graph was pulled\n");
	return checker;
}

} // namespace emulator

int main(int count, char **arguments) {
	using namespace emulator;
	if (std::string(arguments[count - 1]) == "quick") every = 5, count--;
	if (count > 1 && std::string(arguments[1]) == "directed") {
		const Checker directed = search_directed(), many = search_on_many_ranks(directed_graphs());
		printf("%u jobs, %u wrong\n", directed.jobs + many.jobs, directed.wrong + many.wrong);
		return directed.wrong + many.wrong > 0;
	}
	Checker checker;
	for (const Weighting &weighting : weightings)
		for (Graph graph : graphs()) {
			const uint32_t turn = (uint32_t)(&weighting - &weightings[0] + graph.tuples.size());
			const bool others = &weighting != &weightings[0];
			if ((graph.labels() > 3500 && (every > 1 || others)) || (others && turn % every)) continue; // they take long
			weigh(graph, weighting);
			for (const Setting &setting : settings) checker.search(graph, Construction{0, kEnough, false}, setting);
			const bool peers = (turn / 9 + turn / 3 + turn) % 2;
			checker.search_on(2 + turn / 3 % 3, peers, graph, settings[turn % 3]); // without pruning
			checker.search_on(2 + turn % 3, peers, graph, settings[3 + turn / 3 % 2]); // with pruning
			if (&weighting == &weightings[0] && graph.labels() <= 64) checker.search_by_slow_peers(graph, settings[turn % 3]);
			if (&weighting == &weightings[0]) checker.search_on(3, !peers, graph, settings[0]);
			if (&weighting == &weightings[0]) checker.search_on(3, !peers, graph, settings[3]);
			if (&weighting == &weightings[0]) checker.search(graph, Construction{0, kShort, false}, settings[0]);
			checker.search_on(2 + turn % 3, true, graph, tight[turn / 3 % 2]);
			if (turn % 2) checker.search(graph, Construction{0, kEnough, false}, tight[turn / 3 % 2]);
			for (uint32_t ranks = 2; weighting.vanish && ranks < 5; ranks++)
				checker.search_on(ranks, true, graph, some_hints);
		}
	checker.wrong += compare_exchanges();
	const Checker others = search_vanishing(), many = search_on_many_ranks(graphs()), weighted = search_weighted();
	if (many.kinds[0] == 0 || many.kinds[1] == 0) checker.wrong++, printf("all offers were listed, or all were sent\n");
	if (many.grown == 0) checker.wrong++, printf("no report had more space than the first one\n");
	for (const int step : {G500_SSSP_PUSH, G500_SSSP_PULL_AGAIN, G500_SSSP_PUSH_REST})
		if (checker.seen[step].vertices == 0) checker.wrong++, printf("no search has executed step %d\n", step);
	if (checker.rounds < 8) checker.wrong++, printf("no queue of peers was full\n");
	if (4 * checker.edges[1] > 3 * checker.edges[0]) checker.wrong++, printf("pruning keeps most edges\n");
	if (4 * checker.shared[1] > 3 * checker.shared[0])
		checker.wrong++, printf("on several ranks pruning keeps most edges\n");
	if (checker.stripped == 0) checker.wrong++, printf("on several ranks pruning strips nothing\n");
	for (const Checker *more : {&others, &many, &weighted}) checker.jobs += more->jobs, checker.wrong += more->wrong;
	printf("%u jobs, %u wrong\n", checker.jobs, checker.wrong);
	return checker.wrong > 0;
}
