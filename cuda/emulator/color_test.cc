// SPDX-License-Identifier: Apache-2.0

// Colouring on the emulator: every algorithm, with every optimisation alone and together, colours small graphs. The
// test checks edges and the number of colours, and that deterministic algorithms repeat their colours. It prints all
// faults, and fails if there is one.
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "color/color.h"
#include "cuda_runtime.h"
#include "graphs.h"

namespace emulator {

using Colors = std::vector<uint32_t>;

struct Method {
	std::string name;
	g500_color_method method;
	bool greedy, deterministic;
};

// Every optimisation, and all but one. Names are as in package lab/color.
const std::string everything = "data+resolve+coarsen+bitset+fuse+ldg+balance",
	but_bitset = "data+resolve+coarsen+fuse+ldg+balance";

std::vector<Method> methods() {
	std::vector<Method> all;
	const auto add = [&](const std::string &names, bool greedy, bool deterministic) {
		all.push_back({names, {}, greedy, deterministic});
		if (g500_color_set(&all.back().method, names.c_str())) printf("there is no %s\n", names.c_str()), exit(1);
	};
	for (const char *part : {"", "+resolve", "+coarsen", "+coarsen-fit", "+coarsen-resolve", "+bitset", "+fuse", "+ldg",
	                         "+balance", "+keep", "+keep+balance"})
		add(std::string("data") + part, true, false);
	for (const std::string &names : {everything, but_bitset, std::string("data+resolve+coarsen+bitset+fuse+ldg"),
	                                 std::string("data+resolve+coarsen+bitset+ldg+balance")})
		add(names, true, false);
	add("data", true, false), all.back().name = "gm3", all.back().method.partitioned = 1;
	add("topology", true, false), add("topology+resolve+coarsen+bitset+ldg+balance", true, false);
	add("jp", false, true), add("multihash", false, true), add("llf", true, true);
	return all;
}

// Rows is a graph in input order, with duplicates and self-loops.
struct Rows {
	std::vector<uint64_t> offsets{0};
	std::vector<uint32_t> columns;
	g500_lab_graph given;

	explicit Rows(const Graph &graph) {
		std::vector<std::vector<uint32_t>> rows(graph.labels());
		for (const auto &[u, v] : graph.tuples) {
			rows[u].push_back(v);
			if (u != v) rows[v].push_back(u);
		}
		for (const auto &row : rows) {
			columns.insert(columns.end(), row.begin(), row.end());
			offsets.push_back(columns.size());
		}
		given = {graph.labels(), columns.size(), offsets.data(), columns.data(), 1};
	}
};

Colors run(g500_color *color, const Graph &graph, g500_color_method method, g500_color_totals *totals) {
	if (const int code = g500_color_run(color, &method, totals, nullptr))
		printf("%s: error %d\n", graph.name.c_str(), code), exit(1);
	const uint32_t *const colors = g500_color_colors(color);
	return Colors(colors, colors + graph.labels());
}

// Returns the fault of colours, or "". With a limit of rounds, vertices may have none.
std::string fault(const Graph &graph, const Colors &colors, bool greedy, bool partial) {
	size_t most = 0;
	for (const auto &neighbours : graph.neighbours) most = std::max(most, neighbours.size());
	for (uint32_t v = 0; v < graph.labels(); v++) {
		if (!colors[v] && !partial) return "vertex " + std::to_string(v) + " has no colour";
		if (greedy && colors[v] > most + 1) return "colour " + std::to_string(colors[v]) + " exceeds the degree";
		for (uint32_t to : graph.neighbours[v])
			if (colors[v] && colors[v] == colors[to])
				return "vertices " + std::to_string(v) + " and " + std::to_string(to) + " have one colour";
	}
	return "";
}

// Returns the least free colour of each vertex, in the order of row lengths and hashes.
Colors greedy_in_order(const Graph &graph, const Rows &rows) {
	const auto degree = [&](uint32_t v) { return (uint32_t)(rows.offsets[v + 1] - rows.offsets[v]); };
	const auto eighths = [](uint32_t d) {
		uint32_t log = 0;
		while (d >> log > 15) log++;
		return d < 8 ? d : 8 * log + (d >> log);
	};
	std::set<std::tuple<int, uint32_t, uint32_t>> order;
	for (uint32_t v = 0; v < graph.labels(); v++) order.insert({-(int)eighths(degree(v)), v * 0x9e3779b1u >> 24, v});
	Colors colors(graph.labels());
	for (const auto &[key, hash, v] : order) {
		std::set<uint32_t> taken;
		for (uint32_t to : graph.neighbours[v]) taken.insert(colors[to]);
		do colors[v]++;
		while (taken.count(colors[v]));
	}
	return colors;
}

struct Verdict {
	int runs = 0, wrong = 0;
	uint64_t rounds = 0, conflicts = 0;
};

void color_by(const Method &way, const Graph &graph, const Rows &rows, g500_color *color, Verdict &verdict) {
	g500_color_totals totals, again;
	const auto report = [&](const std::string &fault) {
		verdict.wrong++;
		printf("%s, %s: %s\n", way.name.c_str(), graph.name.c_str(), fault.c_str());
	};
	verdict.runs++;
	const Colors colors = run(color, graph, way.method, &totals);
	verdict.rounds += totals.rounds, verdict.conflicts += totals.conflicts;
	if (const std::string found = fault(graph, colors, way.greedy, false); !found.empty()) report(found);
	if (way.deterministic && run(color, graph, way.method, &again) != colors) report("other colours in a second run");
	if (way.method.algorithm == G500_COLOR_LLF && colors != greedy_in_order(graph, rows))
		report("other colours than vertex by vertex");
	if (way.method.algorithm != G500_COLOR_DATA || way.method.optimisations & G500_COLOR_KEEP) return;
	g500_color_method one = way.method;
	one.rounds = 1;
	const Colors some = run(color, graph, one, &again);
	uint64_t left = 0;
	for (uint32_t c : some) left += c == 0;
	if (const std::string found = fault(graph, some, true, true); !found.empty()) report("after a round " + found);
	if (again.rounds != 1 || again.conflicts != left) report("other conflicts after a round than it counts");
}

Graph complete(uint32_t labels) {
	Graph graph("complete " + std::to_string(labels), labels, {});
	for (uint32_t u = 0; u < labels; u++)
		for (uint32_t v = 0; v < u; v++) graph.join(u, v);
	return graph;
}

} // namespace emulator

int main(int count, char **arguments) {
	using namespace emulator;
	setvbuf(stdout, nullptr, _IOLBF, 0);
	int wrong = 0, runs = 0;
	std::vector<Graph> all = graphs();
	const Graph wide = complete(1100); // more colours than a window
	all.push_back(wide);
	g500_color_method none;
	for (const char *names : {"", "date", "data+speed", "resolve"})
		if (!g500_color_set(&none, names)) return printf("%s is a method\n", names), 1;
	std::vector<Verdict> verdicts(methods().size());
	for (const Graph &graph : all) {
		const Rows rows(graph);
		g500_color *color;
		if (g500_color_create(&rows.given, &color, nullptr)) return printf("%s is refused\n", graph.name.c_str()), 1;
		const std::unique_ptr<g500_color, void (*)(g500_color *)> owner(color, g500_color_free);
		for (size_t i = 0; i < verdicts.size(); i++) {
			const Method way = methods()[i];
			if (count > 1 && way.name.find(arguments[1]) == std::string::npos) continue;
			const bool many = way.name == everything || way.name == but_bitset || way.name == "llf";
			if (graph.name == wide.name && !many) continue;
			color_by(way, graph, rows, color, verdicts[i]);
		}
	}
	for (size_t i = 0; i < verdicts.size(); i++) {
		printf("%s: %d of %d graphs wrong, %llu rounds, %llu conflicts\n", methods()[i].name.c_str(), verdicts[i].wrong,
		       verdicts[i].runs, (unsigned long long)verdicts[i].rounds, (unsigned long long)verdicts[i].conflicts);
		wrong += verdicts[i].wrong, runs += verdicts[i].runs;
	}
	printf("%d of %d graphs wrong\n", wrong, runs);
	return wrong > 0 || runs == 0;
}
