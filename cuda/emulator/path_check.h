// SPDX-License-Identifier: Apache-2.0

// Shortest paths by Dijkstra's algorithm, to which results are compared.
#pragma once

#include <limits>
#include <queue>
#include <string>
#include <vector>

#include "graphs.h"

namespace emulator {

constexpr float kFar = std::numeric_limits<float>::infinity();

struct End {
	uint32_t to;
	float weight;
};
using Ends = std::vector<std::vector<End>>;

inline Ends ends_of(const Graph &graph) {
	Ends ends(graph.labels());
	for (size_t i = 0; i < graph.tuples.size(); i++) {
		const auto [u, v] = graph.tuples[i];
		ends[u].push_back({v, graph.weights[i]});
		if (!graph.directed) ends[v].push_back({u, graph.weights[i]});
	}
	return ends;
}

inline std::vector<float> dijkstra(const Ends &ends, uint32_t root) {
	using Path = std::pair<float, uint32_t>;
	std::vector<float> distance(ends.size(), kFar);
	std::priority_queue<Path, std::vector<Path>, std::greater<Path>> paths;
	for (paths.push({0, root}); !paths.empty();) {
		const auto [length, v] = paths.top();
		paths.pop();
		if (distance[v] <= length) continue;
		distance[v] = length;
		for (const End &end : ends[v]) paths.push({length + end.weight, end.to});
	}
	return distance;
}

// Returns the first fault of a result, or "".
inline std::string fault_of(const Ends &ends, uint32_t root, const int64_t *parents, const float *distances) {
	const std::vector<float> want = dijkstra(ends, root);
	const auto at = [](const char *what, uint32_t v) { return std::string(what) + " at vertex " + std::to_string(v); };
	for (uint32_t v = 0; v < ends.size(); v++) {
		if (distances[v] != (want[v] == kFar ? -1 : want[v])) return at("distance", v);
		if ((parents[v] < 0) != (want[v] == kFar)) return at("reached, or not,", v);
		if (v == root && parents[v] != v) return at("root's parent", v);
		if (v == root || parents[v] < 0) continue;
		bool fits = false;
		for (const End &end : ends[parents[v]]) fits |= end.to == v && want[parents[v]] + end.weight == want[v];
		if (!fits) return at("edge to the parent", v);
		uint32_t steps = 0;
		for (uint32_t up = v; up != root && steps <= ends.size(); steps++) up = (uint32_t)parents[up];
		if (steps > ends.size()) return at("cycle of parents", v);
	}
	return "";
}

} // namespace emulator
