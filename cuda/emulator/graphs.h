// SPDX-License-Identifier: Apache-2.0

// Small graphs that are likely to reveal errors of searches.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace emulator {

constexpr uint32_t kFewRanks = 4; // as many as a host often has
// From 6 ranks on these are more than a warp publishes at once (common/barriers.cuh): they take two turns, three, four.
constexpr uint32_t kManyRanks[]{5, 6, 7, 8, 11, 16};
constexpr uint32_t kMostRanks = 16;

using Tuples = std::vector<std::pair<uint32_t, uint32_t>>;

struct Graph {
	std::string name;
	Tuples tuples;
	std::vector<float> weights; // of the tuples; empty without weights
	std::vector<std::set<uint32_t>> neighbours; // by label
	std::vector<uint32_t> roots;
	bool directed = false; // tuples are edges to their second labels

	Graph(std::string name, uint32_t labels, std::vector<uint32_t> roots)
		: name(std::move(name)), neighbours(labels), roots(std::move(roots)) {}

	void join(uint32_t u, uint32_t v) {
		tuples.emplace_back(u, v);
		if (u == v) return;
		neighbours[u].insert(v);
		if (!directed) neighbours[v].insert(u);
	}
	uint32_t labels() const { return (uint32_t)neighbours.size(); }
};

inline Graph joined(std::string name, uint32_t labels, std::vector<uint32_t> roots, const Tuples &tuples) {
	Graph graph(std::move(name), labels, std::move(roots));
	for (const auto &[u, v] : tuples) graph.join(u, v);
	return graph;
}

// A Kronecker graph like the official ones: few vertices with long rows, many with short ones.
inline Graph kronecker(int scale) {
	const uint32_t labels = 1u << scale, factor = 0x9e3779b1; // odd: multiplication permutes labels
	Graph graph("kronecker " + std::to_string(scale), labels, {});
	uint64_t state = 42;
	const auto chance = [&state] {
		state = state * 6364136223846793005u + 1442695040888963407u;
		return (double)(state >> 11) / (double)(1ull << 53);
	};
	for (uint32_t edge = 0; edge < 16 * labels; edge++) {
		uint32_t u = 0, v = 0;
		for (int bit = 0; bit < scale; bit++) {
			const double x = chance();
			u = u << 1 | (x > 0.76);
			v = v << 1 | (x > 0.95 || (x > 0.57 && x < 0.76));
		}
		u = u * factor % labels, v = v * factor % labels;
		graph.join(u, v);
		if (edge % (5 * labels) == 7) graph.roots.push_back(u);
	}
	return graph;
}

// The same graph with a path of new vertices at its last one: remaining vertices that are found level by level.
inline Graph with_tail(Graph graph, uint32_t length) {
	graph.name += " with a tail";
	for (uint32_t i = 0; i < length; i++) {
		graph.neighbours.emplace_back();
		graph.join(graph.labels() - 2, graph.labels() - 1);
	}
	return graph;
}

// The same graph and a copy of it, which its roots do not reach, nor the copy's hubs.
inline Graph twice(Graph graph) {
	graph.name += " twice";
	const uint32_t labels = graph.labels();
	const Tuples tuples = graph.tuples;
	graph.neighbours.resize(2 * labels);
	for (const auto &[u, v] : tuples) graph.join(labels + u, labels + v);
	return graph;
}

// The same graph with many paths of new vertices: on all ranks, many remaining vertices are found level by level.
inline Graph with_tails(Graph graph, uint32_t tails, uint32_t length) {
	graph.name += " with tails";
	const uint32_t begin = graph.labels();
	graph.neighbours.resize(begin + tails * length);
	for (uint32_t i = 0; i < tails * length; i++) graph.join(begin + i - tails, begin + i);
	return graph;
}

// The same graph with a leaf at each of its last vertices, a separate pair of leaves, a separate star, and leaves among
// the roots.
inline Graph with_leaves(Graph graph, uint32_t leaves) {
	graph.name += " and leaves";
	const uint32_t begin = graph.labels(), end = begin + leaves;
	graph.neighbours.resize(end + 6);
	for (uint32_t i = 0; i < leaves; i++) graph.join(begin - 1 - i, begin + i);
	graph.join(end, end + 1);
	for (uint32_t v = end + 3; v < end + 6; v++) graph.join(end + 2, v);
	graph.roots = {graph.roots[0], begin, end - 1, end, end + 2, end + 5};
	return graph;
}

// A graph with many degrees, duplicates counted: on up to 4 ranks it has more rising runs than are coded. Each
// rank has labels for two tiles. Tuples: pairs of vertices, repeatedly; all vertices with one vertex.
inline Graph many_degrees() {
	constexpr uint32_t kDegrees = 35, kAway = 40, kRow = 1700, kLabels = 4 * 2 * kRow;
	Graph graph("many degrees", kLabels, {0, kLabels - 1});
	uint32_t degree = 2, step = 1;
	for (uint32_t k = 0; k < kDegrees; k++, degree += step) {
		if (degree >= 8 && degree <= 256 && (degree & (degree - 1)) == 0) step *= 2; // the next degree class
		for (uint32_t i = 0; i < 4; i++) {
			const uint32_t u = 4 * k * kAway + i, v = 4 * kRow + u;
			for (uint32_t times = 1; times < degree; times++) graph.join(u, v);
			graph.join(u, kLabels - 1);
			graph.join(v, kLabels - 1);
		}
	}
	for (uint32_t leaf : {9, 90}) graph.join(leaf, kLabels - 1);
	return graph;
}

// On up to 4 ranks, nearly all edges connect vertices of the first rank and the second.
inline Graph between_two_ranks() {
	constexpr uint32_t kStep = 12, kHubs = 3, kOthers = 200; // a multiple of 1 to 4
	Graph graph("edges between two ranks", kStep * kOthers, {0, 1, 2});
	for (uint32_t local_id = 0; local_id < kHubs; local_id++)
		for (uint32_t other = 0; other < kOthers; other++) graph.join(kStep * local_id, kStep * other + 1);
	graph.join(0, 2);
	graph.join(1, 2);
	return graph;
}

// On two ranks, vertices of low degree have all their edges to hubs on the first rank, and none on the second one. So
// the ranks list the neighbours of different numbers of hubs (search/hub_arrays.cuh).
inline Graph uneven_hubs() {
	constexpr uint32_t kHubs = 256, kOthers = 2 * kHubs, kLow = 4 * kHubs, kLabels = kLow + 2000;
	Graph graph("uneven hubs", kLabels, {0, 1});
	for (uint32_t v = 0; v < kHubs; v++)
		for (uint32_t i = 1; i <= 10; i++) graph.join(v, (v + i) % kHubs);
	for (uint32_t v = kHubs; v < kLow; v++) graph.join(v, v % kHubs);
	for (uint32_t v = kLow; v < kLabels; v++)
		for (uint32_t i = 0; i < 4 - v % 2; i++)
			graph.join(v, v % 2 ? kOthers + (v / 2 * 3 + i) % (kLow - kOthers) : kHubs + (v / 2 * 4 + i) % kHubs);
	return graph;
}

// Vertices of similar degrees: in a sweep many have visited neighbours on other ranks only, which are no hubs.
inline Graph even_degrees(uint32_t labels) {
	Graph graph("even degrees", labels, {0});
	uint32_t state = 1;
	for (uint32_t v = 0; v < labels; v++)
		for (int i = 0; i < 2; i++) state = state * 1664525 + 1013904223, graph.join(v, state / 4096 % labels);
	return graph;
}

inline std::vector<Graph> graphs() {
	std::vector<Graph> all{
		joined("no edge", 3, {0, 2}, {}),
		joined("one edge", 2, {0, 1}, {{0, 1}}),
		joined("self-loops and isolated vertices", 5, {0, 1, 2, 3}, {{0, 0}, {0, 1}, {3, 3}}),
		joined("components", 12, {0, 5, 9, 11}, {{0, 1}, {1, 2}, {4, 5}, {5, 6}, {6, 4}, {9, 10}}),
		joined("one rank has no edge", 9, {0, 4, 8, 1}, {{0, 4}, {4, 8}, {2, 4}}),
	};
	Graph path("path", 40, {0, 20, 39}), star("star", 3000, {0, 7}), complete("complete", 200, {0, 199});
	for (uint32_t v = 1; v < path.labels(); v++) path.join(v - 1, v);
	for (uint32_t v = 1; v < star.labels(); v++) star.join(0, v);
	for (uint32_t u = 0; u < complete.labels(); u++)
		for (uint32_t v = 0; v < u; v++) complete.join(u, v);
	Graph grid("grid", 23 * 17, {0, 200, 390});
	for (uint32_t v = 0; v < grid.labels(); v++) {
		if (v % 23 < 22) grid.join(v, v + 1);
		if (v + 23 < grid.labels()) grid.join(v, v + 23);
	}
	for (const Graph &graph : {path, star, complete, grid}) all.push_back(graph);
	for (int scale : {6, 9, 12}) all.push_back(kronecker(scale));
	all.push_back(with_tail(many_degrees(), 10));
	all.push_back(with_tail(kronecker(9), 10));
	all.push_back(with_leaves(all.back(), 40));
	all.push_back(between_two_ranks());
	return all;
}

// Returns directed graphs: the tuples of the other graphs, of every second one in reverse, and graphs with opposite
// edges, duplicates, self-loops, sources and sinks.
inline std::vector<Graph> directed_graphs() {
	std::vector<Graph> all;
	const auto add = [&all](std::string name, const Graph &of, bool reversed) {
		Graph graph(std::move(name), of.labels(), of.roots);
		graph.directed = true;
		for (const auto &[u, v] : of.tuples) graph.join(reversed ? v : u, reversed ? u : v);
		all.push_back(std::move(graph));
	};
	for (const Graph &graph : graphs()) add("directed " + graph.name, graph, all.size() % 2);
	add("directed path from its end", all[5], true);
	add("directed star to its centre", all[6], true);
	const Tuples mixed{{0, 1}, {1, 0}, {1, 2}, {1, 2}, {2, 2}, {2, 3}, {3, 4}, {4, 2}, {5, 0}, {6, 5}, {3, 7}, {8, 8},
	                   {7, 9}};
	add("mixed", joined("", 11, {0, 1, 4, 5, 6, 7, 8, 9, 10}, mixed), false);
	return all;
}

} // namespace emulator
