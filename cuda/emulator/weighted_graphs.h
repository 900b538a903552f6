// SPDX-License-Identifier: Apache-2.0

// Small graphs with weights that are likely to reveal errors of shortest paths.
#pragma once

#include "graphs.h"

namespace emulator {

inline void join(Graph &graph, uint32_t u, uint32_t v, float weight) {
	graph.join(u, v);
	graph.weights.push_back(weight);
}

// A row of vertices with edges of weight 0 between them, which a push reaches directly, and then again on a shorter way
// of more edges: each vertex is tied, and listed twice. On two ranks all are on the first one; the others are a cycle.
inline Graph tied_twice() {
	constexpr uint32_t kRow = 300, kWay = 350, kLabels = 2 * (kRow + kWay);
	Graph graph("tied twice", kLabels, {0});
	for (uint32_t v = 2; v <= 2 * kRow; v += 2) join(graph, v - 2, v, v == 2 ? 5 : 0);
	for (uint32_t v = 2 * kRow + 2; v < kLabels; v += 2) join(graph, v == 2 * kRow + 2 ? 0 : v - 2, v, 1.f / 256);
	join(graph, kLabels - 2, 2, 1.f / 256);
	for (uint32_t v = 1; v < kLabels; v += 2) {
		join(graph, v, (v + 2) % kLabels, 1);
		if (v % 4 == 1) join(graph, v, kLabels - 1, 1); // the landmark, which is far from the root
	}
	join(graph, 0, kLabels - 1, 100);
	return graph;
}

// Pairs of vertices with an edge of weight 0. Both are reached over it once, but only the second one, on a later and
// shorter way, over a heavier edge than most in its row. On two ranks all are on the first one, and their rows have
// more parts than lists have space for.
inline Graph tied_pairs() {
	constexpr uint32_t kPairs = 40, kStep = 2, kFar = kStep, kNear = 8 * kStep, kFirst = kNear + kStep;
	Graph graph("tied pairs", kFirst + 2 * kPairs * kStep, {0});
	join(graph, 0, kFar, 5);
	join(graph, 0, 2 * kStep, 0.5f);
	for (uint32_t v = 3 * kStep; v <= kNear; v += kStep) join(graph, v - kStep, v, 0.5f);
	for (uint32_t v = kFirst; v < graph.labels(); v += 2 * kStep) {
		join(graph, kFar, v, 1);
		join(graph, v, v + kStep, 0);
		join(graph, kNear, v + kStep, 1);
		for (uint32_t u = kFirst; u < v; u += 2 * kStep) join(graph, u + kStep, v + kStep, 0.25f);
	}
	return graph;
}

// Vertices whose shortest path ends with a heavy edge from one that is nearer than all landmarks, and was reached after
// one of these: from the nearest landmark a path over an edge of that weight is longer than one that they know. Each
// leads to another vertex. On two ranks some of both are on the same rank as the near vertex.
inline Graph heavy_edges() {
	constexpr uint32_t kTimes = 8, kHub = 2, kOther = 3, kNear = 10, kFirst = 12, kFillers = kFirst + 3 * kTimes;
	Graph graph("heavy edges of a near vertex", kFillers + 3 * kTimes, {0});
	join(graph, 0, kHub, 0.5f);
	join(graph, 0, kOther, 0.75f);
	for (uint32_t v = 4; v <= kNear; v += 2) join(graph, v == 4 ? 0 : v - 2, v, 1.f / 32);
	for (uint32_t v = kFirst; v < kFillers; v += 3) {
		join(graph, kNear, v, 0.75f);
		join(graph, v, v + 1, 1.f / 64);
		join(graph, v, v + 2, 0.4375f);
		join(graph, v + 1, v + 2, 0.4375f);
		join(graph, v + 2, kHub, 1.f / 512); // a light edge: within the window
	}
	for (uint32_t v = kFillers; v < graph.labels(); v++) join(graph, v, kHub, 1), join(graph, v, kOther, 1);
	return graph;
}

} // namespace emulator
