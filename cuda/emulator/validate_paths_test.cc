// SPDX-License-Identifier: Apache-2.0

// The validator of shortest paths on the emulator: results that break one rule each, and damaged results of random
// graphs, compared with a reference implementation that checks each rule separately. Prints wrong verdicts, and fails
// if there are any.
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "trial.h"

namespace emulator {

constexpr int64_t kNoParent = -1;
constexpr float kUnreached = -1;

// Reference is the simplest implementation of the rules.
class Reference {
public:
	explicit Reference(const Claim &claim) : c(claim), n((int64_t)claim.parents.size()) {}

	Result verdict() const {
		for (int rule : {G500_RULE_RANGE, G500_RULE_ROOT, G500_RULE_ORPHAN, G500_RULE_CYCLE, G500_RULE_DISTANCE,
		                 G500_RULE_SPAN, G500_RULE_TREE_EDGE, G500_RULE_SHORTER, G500_RULE_PATH_EDGE})
			if (is_broken(rule)) return {rule};
		Result counts{0};
		for (int64_t parent : c.parents) counts.reached += parent != kNoParent;
		for (const auto &[u, v] : c.tuples)
			if (reached(u)) (u == v ? counts.loops : counts.edges)++;
		return counts;
	}

private:
	// Returns whether a rule is broken; it may rely on the rules before it.
	bool is_broken(int rule) const {
		switch (rule) {
		case G500_RULE_RANGE:
			return some_other([&](int64_t v) { return c.parents[v] < kNoParent || c.parents[v] >= n; });
		case G500_RULE_ROOT: return c.parents[c.root] != c.root;
		case G500_RULE_ORPHAN: return some_other([&](int64_t v) { return reached(v) && !reached(c.parents[v]); });
		case G500_RULE_CYCLE: return some_other([&](int64_t v) { return reached(v) && !leads_to_root(v); });
		case G500_RULE_DISTANCE: return c.distances[c.root] != 0 || some_other([&](int64_t v) { return !fits(v); });
		case G500_RULE_SPAN:
			return some_tuple([&](int64_t u, int64_t v, float) {
				return (reached(u) && !reached(v)) || (!c.directed && reached(v) && !reached(u));
			});
		case G500_RULE_TREE_EDGE: return some_other([&](int64_t v) { return reached(v) && !joined(v, false); });
		case G500_RULE_SHORTER:
			return some_tuple([&](int64_t u, int64_t v, float w) {
				return reached(u) && (sum(u, w) < c.distances[v] || (!c.directed && sum(v, w) < c.distances[u]));
			});
		default: return some_other([&](int64_t v) { return reached(v) && !joined(v, true); }); // G500_RULE_PATH_EDGE
		}
	}

	bool some_other(const std::function<bool(int64_t)> &holds) const {
		for (int64_t v = 0; v < n; v++)
			if (v != c.root && holds(v)) return true;
		return false;
	}
	bool some_tuple(const std::function<bool(int64_t, int64_t, float)> &holds) const {
		for (size_t i = 0; i < c.tuples.size(); i++)
			if (holds(c.tuples[i].first, c.tuples[i].second, c.weights[i])) return true;
		return false;
	}
	bool reached(int64_t v) const { return c.parents[v] != kNoParent; }
	bool leads_to_root(int64_t v) const {
		for (int64_t steps = 0; steps < n && v != c.root; steps++) v = c.parents[v];
		return v == c.root;
	}
	bool fits(int64_t v) const {
		const float d = c.distances[v];
		return reached(v) ? d >= 0 && d <= FLT_MAX : d == kUnreached;
	}
	bool joined(int64_t v, bool exact) const {
		const int64_t parent = c.parents[v];
		return some_tuple([&](int64_t a, int64_t b, float w) {
			const bool joins = (b == v && a == parent) || (!c.directed && a == v && b == parent);
			return joins && (!exact || sum(parent, w) == c.distances[v]);
		});
	}
	float sum(int64_t v, float weight) const { return c.distances[v] + weight; }

	const Claim &c;
	const int64_t n;
};

// Stores the shortest paths from a claim's root: relaxes tuples until no distance falls.
void solve(Claim &c) {
	c.parents[c.root] = c.root;
	c.distances[c.root] = 0;
	for (bool changed = true; changed;) {
		changed = false;
		const auto relax = [&](uint32_t from, uint32_t to, float weight) {
			if (c.distances[from] == kUnreached) return;
			const float there = c.distances[from] + weight;
			if (c.distances[to] != kUnreached && there >= c.distances[to]) return;
			c.distances[to] = there, c.parents[to] = from, changed = true;
		};
		for (size_t i = 0; i < c.tuples.size(); i++) {
			relax(c.tuples[i].first, c.tuples[i].second, c.weights[i]);
			if (!c.directed) relax(c.tuples[i].second, c.tuples[i].first, c.weights[i]);
		}
	}
}

// Shortest paths of five vertices from 0; 5 and 6 are a separate component, and 7 has no edge.
Claim weighed() {
	return {{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4}, {4, 4}, {5, 6}, {2, 1}},
		{0.25f, 0.5f, 1, 0, 1e-9f, 0.1f, 0.5f, 0.625f}, 0,
		{0, 0, 1, 2, 3, -1, -1, -1}, {0, 0.25f, 0.75f, 0.75f, 0.75f, -1, -1, -1}};
}

struct Case {
	std::string name;
	void (*change)(std::vector<int64_t> &p, std::vector<float> &d);
	int rule;
};

using P = std::vector<int64_t> &;
using D = std::vector<float> &;

const std::vector<Case> planted{
	{"right", [](P, D) {}, 0},
	{"parent out of range", [](P p, D) { p[3] = 99; }, G500_RULE_RANGE},
	{"right but for a bit past the 32nd", [](P p, D) { p[3] += 1ll << 32; }, G500_RULE_RANGE},
	{"root has another parent", [](P p, D) { p[0] = 1; }, G500_RULE_ROOT},
	{"root has a distance", [](P, D d) { d[0] = 0.5f; }, G500_RULE_DISTANCE},
	{"parent was not reached", [](P p, D) { p[3] = 5; }, G500_RULE_ORPHAN},
	{"cycle of a weight that vanishes, and too short", [](P p, D d) { p[3] = 4, p[4] = 3, d[3] = d[4] = 0.5f; },
		G500_RULE_CYCLE},
	{"cycle of weight 0 with the right distances", [](P p, D) { p[2] = 3, p[3] = 2; }, G500_RULE_CYCLE},
	{"reached without a distance", [](P, D d) { d[4] = -1; }, G500_RULE_DISTANCE},
	{"distance without a parent", [](P, D d) { d[5] = 1; }, G500_RULE_DISTANCE},
	{"infinite distance", [](P, D d) { d[4] = INFINITY; }, G500_RULE_DISTANCE},
	{"no number", [](P, D d) { d[4] = NAN; }, G500_RULE_DISTANCE},
	{"another component claimed by a cycle", [](P p, D d) { p[5] = 6, p[6] = 5, d[5] = d[6] = 1e30f; },
		G500_RULE_CYCLE},
	{"vertex left out", [](P p, D d) { p[4] = -1, d[4] = -1; }, G500_RULE_SPAN},
	{"longer way", [](P p, D d) { p[2] = 0, d[2] = d[3] = d[4] = 1; }, G500_RULE_SHORTER},
	{"one unit in the last place too far", [](P, D d) { d[4] = std::nextafter(d[4], 2.0f); }, G500_RULE_SHORTER},
	{"one unit in the last place too near", [](P, D d) { d[1] = std::nextafter(d[1], 0.0f); }, G500_RULE_PATH_EDGE},
	{"parent without an edge", [](P p, D) { p[4] = 1; }, G500_RULE_TREE_EDGE},
	{"the heavier of two edges", [](P, D d) { d[2] = d[3] = d[4] = 0.875f; }, G500_RULE_SHORTER},
	{"a path edge and a tree edge", [](P p, D d) { p[4] = 1, d[1] = std::nextafter(d[1], 0.0f); },
		G500_RULE_TREE_EDGE},
};

// Random is a generator of numbers below a bound (PCG's multiplier).
struct Random {
	uint64_t state = 7;
	uint32_t below(uint32_t bound) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		return (uint32_t)((state >> 33) % bound);
	}
};

// A graph with a path, so that trees are deep, and weights that are often equal, zero or vanishing.
Claim random_graph(Random &random, uint32_t vertices, bool directed) {
	const float weights[] = {0, 1e-9f, 0.1f, 0.3f, 0.5f, 1};
	Claim c{{}, {}, random.below(vertices), std::vector<int64_t>(vertices, kNoParent),
	        std::vector<float>(vertices, kUnreached), directed};
	for (uint32_t i = 0; i < 2 * vertices; i++) {
		const bool on_path = i < vertices / 3;
		const uint32_t u = on_path ? i : random.below(vertices), v = on_path ? i + 1 : random.below(vertices);
		c.tuples.emplace_back(u, v);
		c.weights.push_back(weights[random.below(6)]);
	}
	solve(c);
	return c;
}

// Returns a result with one change.
Claim damaged(Claim c, Random &random) {
	const uint32_t n = (uint32_t)c.parents.size(), v = random.below(n);
	const auto &[a, b] = c.tuples[random.below((uint32_t)c.tuples.size())];
	switch (random.below(6)) {
	case 0: c.parents[v] = (int64_t)random.below(n + 2) - 1; break;
	case 1: c.parents[a] = b; break;
	case 2: c.distances[v] = std::nextafter(c.distances[v], 2.0f * (float)random.below(2)); break;
	case 3: c.distances[v] = c.distances[random.below(n)]; break;
	case 4: c.parents[v] = kNoParent, c.distances[v] = kUnreached; break;
	case 5: c.parents[a] = b, c.distances[a] = c.distances[b]; break;
	}
	return c;
}

int wrong = 0, compared = 0;

// Validates a claim on few ranks and on many, with all places in one window and in four.
void compare(const std::string &name, const Claim &claim, const Result &want) {
	for (uint32_t ranks : {1u, 2u, 3u, 4u, kMostRanks})
		for (uint64_t span : {kSlice, kSlice / 4}) {
			compared++;
			const Result got = Trial(claim, ranks, 64, span).paths();
			if (got == want) continue;
			wrong++;
			printf("%s, %u ranks, %d in a window: rule %d, %d reached, %d edges, %d loops; want %d, %d, %d, %d\n",
				name.c_str(), ranks, (int)span, got.rule, (int)got.reached, (int)got.edges, (int)got.loops,
				want.rule, (int)want.reached, (int)want.edges, (int)want.loops);
		}
}

} // namespace emulator

int main() {
	using namespace emulator;
	for (const Case &c : planted) {
		Claim claim = weighed();
		c.change(claim.parents, claim.distances);
		compare(c.name, claim, c.rule ? Result{c.rule} : Result{0, 5, 6, 1});
		if (Reference(claim).verdict().rule != c.rule) wrong++, printf("%s: the reference is wrong\n", c.name.c_str());
	}
	Random random;
	for (int graph = 0; graph < 12; graph++) {
		const Claim right = random_graph(random, 60 + 88 * (graph / 2), graph % 2);
		compare("right result", right, Reference(right).verdict());
		for (int change = 0; change < 8; change++) {
			const Claim claim = damaged(right, random);
			compare("damaged result", claim, Reference(claim).verdict());
		}
	}
	printf("%d of %d results with a wrong verdict\n", wrong, compared);
	return wrong > 0;
}
