// SPDX-License-Identifier: Apache-2.0

// Weighted rows of kernel 1 on the emulator: compares them with rows made of maps, on one and several ranks, with a
// degree order of their own or a copy. Prints differences, and fails if there are any.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "construction.h"

namespace emulator {

using Row = std::vector<std::pair<float, uint32_t>>; // weights and labels of neighbours

struct Weighting {
	const char *name;
	std::function<float(size_t)> of; // of a tuple
};

uint32_t mixed(size_t i) { return (uint32_t)(i * 0x9e3779b97f4a7c15 >> 32); }

const std::vector<Weighting> weightings{
	{"even", [](size_t i) { return (float)mixed(i) / 4294967296.f; }},
	{"all equal", [](size_t) { return 0.75f; }},
	{"two values", [](size_t i) { return (float)(mixed(i) % 2); }},
	{"zeros of both signs", [](size_t i) { return mixed(i) % 3 ? -0.f : 0.f; }},
	{"tiny, in falling order", [](size_t i) { return 1e-30f * (float)(100000 - i); }},
	{"of many magnitudes", [](size_t i) { return std::exp2((float)(mixed(i) % 200) - 100); }},
	{"the highest ones", [](size_t i) { return 3e38f + 1e36f * (float)(mixed(i) % 40); }},
};

uint32_t label_of(const Shares &shares, uint32_t global_id) {
	const g500_graph &any = shares.of[0];
	return shares.of[global_id >> any.shift].labels[global_id & ((1u << any.shift) - 1)];
}

bool is_leaf(const Shares &shares, uint32_t label) {
	const g500_graph &owner = shares.of[label % shares.of.size()];
	return owner.local_ids[label / owner.ranks] >= owner.first_leaf;
}

// Returns the rows of all vertices with an edge, by label. Leaves are in rows of leaves only.
std::map<uint32_t, Row> rows_of(const Graph &graph, const Shares &shares) {
	std::map<uint32_t, Row> rows;
	const auto put = [&](uint32_t u, uint32_t v, float weight) {
		Row &row = rows[u];
		if (is_leaf(shares, u) || !is_leaf(shares, v)) row.emplace_back(weight, v);
	};
	for (size_t i = 0; i < graph.tuples.size(); i++) {
		const auto [u, v] = graph.tuples[i];
		if (u == v) continue;
		put(u, v, graph.weights[i]);
		if (!graph.directed) put(v, u, graph.weights[i]);
	}
	return rows;
}

// Returns the first difference of a rank's rows, or "".
std::string difference(const g500_graph &got, const Shares &shares, std::map<uint32_t, Row> &want) {
	for (uint32_t v = 0; v < got.non_isolated; v++) {
		if (got.rows[v + 1] < got.rows[v]) return "the offsets of row " + std::to_string(v) + " fall";
		Row row;
		for (uint64_t i = got.rows[v]; i < got.rows[v + 1]; i++) {
			const g500_weighted_col &col = got.weighted_cols[i];
			if (!row.empty() && col.weight < row.back().first) return "row " + std::to_string(v) + " is not in order";
			row.emplace_back(col.weight, label_of(shares, col.global_id));
		}
		Row &right = want[got.labels[v]];
		for (Row *one : {&row, &right}) std::sort(one->begin(), one->end());
		if (row != right) return "row " + std::to_string(v) + " has other edges";
	}
	return got.rows[0] != 0 || got.rows[got.non_isolated] != got.edges ? "the first or last offset" : "";
}

// Returns the difference of a graph without weights from the one that is built alone, or "".
std::string plain_difference(Graph graph, const g500_graph &got) {
	Shares alone;
	graph.weights.clear();
	if (construct(graph, 1, {0, kEnough, false}, alone)) return "no graph without weights";
	const g500_graph &want = alone.of[0];
	const bool equal = got.edges == want.edges && got.first_leaf == want.first_leaf &&
		std::equal(want.rows, want.rows + want.non_isolated + 1, got.rows) &&
		std::equal(want.cols, want.cols + want.edges, got.cols);
	return equal ? "" : "the graph without weights differs";
}

struct Mode {
	const char *name;
	Construction how;
};

const std::vector<Mode> modes{
	{"tuples", {0, kEnough, false}},
	{"tuples, short of memory", {0, kShort, false}},
	{"entries of both graphs", {0, kEnough, false, k32Bits, 0, false, true, true}},
	{"messages", kUsual},
	{"messages in rounds, short of memory", {700, kShort, true}},
};

struct Checker {
	int graphs = 0, wrong = 0;

	void compare(const Graph &graph, const std::string &name, uint32_t ranks, const Construction &how) {
		Shares made;
		const int code = construct(graph, ranks, how, made);
		std::string fault = code ? "error " + std::to_string(code) : "";
		if (!code) {
			std::map<uint32_t, Row> want = rows_of(graph, made);
			for (uint32_t r = 0; fault.empty() && r < ranks; r++) fault = difference(made.of[r], made, want);
			if (fault.empty() && how.both) fault = plain_difference(graph, made.plain);
		}
		graphs++;
		wrong += !fault.empty();
		if (!fault.empty()) printf("%s, %s, %u ranks: %s\n", graph.name.c_str(), name.c_str(), ranks, fault.c_str());
	}

	void compare_all(const Graph &graph, const std::string &weights) {
		for (const Mode &mode : modes)
			for (uint32_t ranks : {1, 3, 7}) {
				if ((ranks > 1 && mode.how.round == 0) || (ranks > 3 && graph.tuples.size() > 4000)) continue;
				Construction how = mode.how;
				how.weighted = true;
				how.copies_order = !how.both && graphs % 2;
				compare(graph, weights + ", " + mode.name + (how.copies_order ? ", copied order" : ""), ranks, how);
			}
	}
};

// Graphs with many edges in one row, with duplicates, and without an edge between vertices that are no leaves.
std::vector<Graph> graphs_to_build() {
	std::vector<Graph> all;
	for (Graph &graph : graphs())
		if (graph.tuples.size() < 10000) all.push_back(std::move(graph));
	Graph twice("a star with every tuple twice", 3000, {}), pairs("paths of two edges", 900, {});
	for (uint32_t v = 1; v < twice.labels(); v++) twice.join(0, v), twice.join(v, 0);
	for (uint32_t v = 0; v < pairs.labels(); v += 3) pairs.join(v, v + 1), pairs.join(v + 1, v + 2);
	for (const Graph &graph : {twice, pairs}) all.push_back(graph);
	for (Graph &graph : directed_graphs())
		if (graph.tuples.size() < 1000) all.push_back(std::move(graph));
	all.push_back(joined("no label", 0, {}, {}));
	all.push_back(joined("only self-loops", 5, {}, {{1, 1}, {4, 4}, {1, 1}}));
	return all;
}

} // namespace emulator

int main() {
	using namespace emulator;
	Checker checker;
	for (Graph &graph : graphs_to_build())
		for (const Weighting &weighting : weightings) {
			graph.weights.clear();
			for (size_t i = 0; i < graph.tuples.size(); i++) graph.weights.push_back(weighting.of(i));
			checker.compare_all(graph, weighting.name);
		}
	printf("%d of %d weighted graphs built wrongly\n", checker.wrong, checker.graphs);
	return checker.wrong > 0;
}
