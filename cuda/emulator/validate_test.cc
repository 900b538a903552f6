// SPDX-License-Identifier: Apache-2.0

// The validator on the emulator: trees that break one rule each, with 32-bit and 64-bit parents, on one and several
// ranks. Prints mistakes, and fails if there are any.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "owner_trial.h"

#include "validate/validate.cuh"

namespace emulator {

constexpr int64_t kNoParent = -1;

struct Case {
	std::string name;
	std::vector<std::pair<uint32_t, uint32_t>> tuples;
	uint32_t root;
	std::vector<int64_t> parents;
	int rule; // G500_RULE_*, or 0 for a right tree
	int64_t label = -1, other = -1; // the lowest labels at which it is broken
	bool directed = false;

	bool fits(uint32_t bits) const {
		for (int64_t parent : parents)
			if (bits == 32 && parent != kNoParent && (uint64_t)parent >= 0xffffffff) return false;
		return true;
	}
};

// A tree of 40 vertices, so that a rank reads some of them eight at a time.
std::vector<int64_t> path_to(int64_t parent_of_20) {
	std::vector<int64_t> parents(40, kNoParent);
	parents[39] = parents[0] = 39, parents[20] = parent_of_20, parents[21] = 20;
	return parents;
}

const std::vector<std::pair<uint32_t, uint32_t>> path{{0, 39}, {39, 20}, {20, 21}};

// Levels of a path that is deeper than levels with their own codes.
constexpr uint32_t kDepth = 2 * G500_VALIDATOR_LEVELS + 5;

// A path from 0, where 0 is also the neighbour of `far`, and the parent of vertex `at` is `parent`.
Case deep_path(const std::string &name, uint32_t far, uint32_t at, int64_t parent, Case broken) {
	broken.name = name;
	broken.parents = {0};
	for (uint32_t v = 1; v < kDepth; v++) {
		broken.tuples.emplace_back(v, v - 1);
		broken.parents.push_back(v - 1);
	}
	broken.tuples.emplace_back(far, 0);
	broken.parents[at] = parent;
	return broken;
}

// A path with a leaf at each vertex: some leaves are right below the last level with its own code.
Case comb() {
	Case right = deep_path("a path with a leaf at each vertex", 1, 1, 0, {});
	for (uint32_t v = 0; v < kDepth; v++) {
		right.tuples.emplace_back(v, kDepth + v);
		right.parents.push_back(v);
	}
	return right;
}

const std::vector<Case> cases{
	{"right", {{0, 1}, {1, 2}, {2, 2}, {3, 3}, {1, 0}}, 0, {0, 0, 1, kNoParent}, 0},
	{"root alone", {{0, 1}, {2, 2}}, 2, {kNoParent, kNoParent, 2}, 0},
	{"parent past the last vertex", {{0, 1}, {1, 2}}, 0, {0, 0, 3}, G500_RULE_RANGE, 2, 3},
	{"right but for a bit past the 32nd", {{0, 1}, {1, 2}}, 0, {0, 0, 1 + (1ll << 32)}, G500_RULE_RANGE,
	 2, 1 + (1ll << 32)},
	{"right but for the bit of the sign", {{0, 1}, {1, 2}}, 0, {0, 0, 1 + INT64_MIN}, G500_RULE_RANGE,
	 2, 1 + INT64_MIN},
	{"low bits as of no parent", {{0, 1}, {2, 2}}, 0, {0, 0, 0xffffffff}, G500_RULE_RANGE, 2, 0xffffffff},
	{"the label -2", {{0, 1}, {1, 2}}, 0, {0, 0, -2}, G500_RULE_RANGE, 2, -2},
	{"root has a parent", {{0, 1}, {1, 2}}, 0, {1, 0, 1}, G500_RULE_ROOT, 0, 1},
	{"the root, but for a high bit", {{0, 1}, {1, 2}}, 1, {1, 1 + (1ll << 40), 1}, G500_RULE_ROOT,
	 1, 1 + (1ll << 40)},
	{"cycle of two", {{0, 1}, {1, 2}, {2, 3}}, 0, {0, 0, 3, 2}, G500_RULE_CYCLE, 2, 3},
	{"parent was not reached", {{0, 1}, {1, 2}, {3, 3}}, 0, {0, 0, 3, kNoParent}, G500_RULE_ORPHAN, 2, 3},
	{"the long way round a ring", {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, 0, {0, 0, 1, 2, 3}, G500_RULE_LEVELS,
	 0, 4},
	{"a leaf is missing", {{0, 1}, {1, 2}}, 0, {0, 0, kNoParent}, G500_RULE_SPAN, 1, 2},
	{"parent is no neighbour", {{0, 1}, {0, 2}, {1, 3}, {2, 4}}, 0, {0, 0, 0, 2, 2}, G500_RULE_TREE_EDGE,
	 3, 2},
	{"two parents that are no neighbours", {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {4, 5}, {3, 6}}, 0, {0, 0, 0, 0, 0, 3, 4},
	 G500_RULE_TREE_EDGE, 5, 3},
	{"a vertex with two unreached neighbours", {{4, 1}, {1, 3}, {0, 1}, {2, 5}}, 0, {0, 0, kNoParent, kNoParent, kNoParent,
	 kNoParent}, G500_RULE_SPAN, 1, 3},
	{"40 vertices, right", path, 39, path_to(39), 0},
	{"40 vertices, right but for a bit past the 32nd", path, 39, path_to(39 + (1ll << 32)), G500_RULE_RANGE,
	 20, 39 + (1ll << 32)},
	{"40 vertices, a parent that is no neighbour", path, 39, path_to(0), G500_RULE_LEVELS, 20, 39},
	deep_path("a path", 1, 1, 0, {}),
	comb(),
	deep_path("a path with a tuple from the root to level 2", 2, 1, 0, {"", {}, 0, {}, G500_RULE_LEVELS, 0, 2}),
	deep_path("a path with a tuple from the root to its end", kDepth - 1, 1, 0,
	          {"", {}, 0, {}, G500_RULE_LEVELS, 0, kDepth - 1}),
	deep_path("a path with a cycle at its end", 1, kDepth - 2, kDepth - 1,
	          {"", {}, 0, {}, G500_RULE_CYCLE, kDepth - 2, kDepth - 1}),
	deep_path("a path with a vertex that is its own parent", 1, kDepth - 1, kDepth - 1,
	          {"", {}, 0, {}, G500_RULE_CYCLE, kDepth - 1, kDepth - 1}),
	deep_path("a path without its end", 1, kDepth - 1, kNoParent,
	          {"", {}, 0, {}, G500_RULE_SPAN, kDepth - 2, kDepth - 1}),
	deep_path("a path with an unreached parent", 1, kDepth - 2, kNoParent,
	          {"", {}, 0, {}, G500_RULE_ORPHAN, kDepth - 1, kDepth - 2}),
	{"directed, with edges from below, to the root and from an unreached vertex",
	 {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 1}, {4, 2}, {2, 2}, {4, 4}}, 0, {0, 0, 1, 2, kNoParent}, 0, -1, -1, true},
	{"directed, an edge to an unreached vertex", {{0, 1}, {1, 0}, {1, 2}}, 0, {0, 0, kNoParent}, G500_RULE_SPAN, 1, 2,
	 true},
	{"directed, an edge two levels down", {{2, 1}, {1, 0}, {2, 0}}, 2, {1, 2, 2}, G500_RULE_LEVELS, 2, 0, true},
	{"directed, an edge from the child only", {{0, 1}, {2, 1}, {0, 3}, {3, 2}}, 0, {0, 0, 1, 0}, G500_RULE_TREE_EDGE,
	 2, 1, true},
	deep_path("a path of edges to the root", 1, 1, 0, {"", {}, 0, {}, G500_RULE_TREE_EDGE, 1, 0, true}),
};

// Checks owners and places of labels beyond 32 bits against divisions; and labels read from tuples.
int wrong_places() {
	int wrong = 0;
	for (uint32_t ranks : {2, 3, 7, 16, 1000, 1023, 1024, 8191, 8192})
		for (uint64_t label : {0ull, 1ull, (1ull << 32) - 1, 1ull << 32, (1ull << 40) + 12345, (1ull << 41) - 1}) {
			const g500::validate::Split<uint64_t> split{ranks, 0, 1ull << 42, 0, 1ull << 40, ~0ull / ranks + 1};
			const uint64_t place = label / ranks, owner = label % ranks;
			const g500_edge edge{(uint32_t)label, 7, (uint32_t)(label >> 32 | 9 << 16)};
			const bool right = split.slot(label) == owner * split.slice + place &&
			                   g500::load_labels(&edge).u == label &&
			                   g500::load_labels(&edge).v == (9ull << 32) + 7;
			if (place >> 32 || right) continue;
			wrong++;
			printf("label %llu of %u ranks is at slot %llu\n", (unsigned long long)label, ranks,
			       (unsigned long long)split.slot(label));
		}
	return wrong;
}

} // namespace emulator

namespace emulator {

// Compares the verdict of a form of the validator with the case's.
bool is_right(const Case &c, const Result &got, const std::string &form) {
	if (got.rule == c.rule && (int64_t)got.label == c.label && (int64_t)got.other == c.other) return true;
	printf("%s, %s: rule %d at %lld and %lld, want %d at %lld and %lld\n", c.name.c_str(), form.c_str(), got.rule,
	       (long long)got.label, (long long)got.other, c.rule, (long long)c.label, (long long)c.other);
	return false;
}

// Validates a case in every form, by messages to owners with tuples in one kind of memory. Valid trees have
// the same counts in all forms.
int wrong_verdicts(const Case &c, uint32_t ranks, uint32_t bits, TupleMemory in) {
	const Claim claim{c.tuples, {}, c.root, c.parents, {}, c.directed};
	const std::string on = std::to_string(ranks) + " ranks, " + std::to_string(bits) + " bits";
	const Result all = Trial(claim, ranks, bits).tree(), all64 = Trial(claim, ranks, bits, kSlice, true).tree();
	const Result owners = OwnerTrial(claim, ranks, bits, in).tree();
	int wrong = !is_right(c, all, on) + !is_right(c, all64, on + ", 64-bit labels");
	wrong += !is_right(c, owners, on + ", owners, tuples in memory " + std::to_string(in));
	if (c.rule == 0 && !(owners == all && all == all64)) {
		wrong++;
		printf("%s, %s: %llu vertices, %llu edges and %llu loops by owners\n", c.name.c_str(), on.c_str(),
		       (unsigned long long)owners.reached, (unsigned long long)owners.edges, (unsigned long long)owners.loops);
	}
	return wrong;
}

} // namespace emulator

int main() {
	using namespace emulator;
	int wrong = wrong_places(), trees = 0;
	for (const Case &c : cases)
		for (uint32_t ranks : {1u, 2u, 3u, 4u, 7u, 11u, kMostRanks})
			for (uint32_t bits : {32, 64}) {
				if (!c.fits(bits)) continue;
				wrong += wrong_verdicts(c, ranks, bits, (TupleMemory)(trees / 3 % kTupleMemories));
				trees += 3;
			}
	printf("%d of %d trees with a wrong verdict\n", wrong, trees);
	return wrong > 0;
}
