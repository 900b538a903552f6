// The judge on the emulator: trees that break one rule each, with parents of 32 and of 64 bits, on one rank and
// several. It prints what is wrong, and fails if anything is.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "trial.h"

namespace emulator {

constexpr int64_t kNoParent = -1;

struct Case {
	std::string name;
	std::vector<std::pair<uint32_t, uint32_t>> tuples;
	uint32_t root;
	std::vector<int64_t> parents;
	int rule; // G500_RULE_*, or 0 for a right tree

	bool fits(uint32_t bits) const {
		for (int64_t parent : parents)
			if (bits == 32 && parent != kNoParent && (uint64_t)parent >= 0xffffffff) return false;
		return true;
	}
};

// A tree of 40 vertices, so many that a rank reads some of them eight at a time.
std::vector<int64_t> path_to(int64_t parent_of_20) {
	std::vector<int64_t> parents(40, kNoParent);
	parents[39] = parents[0] = 39, parents[20] = parent_of_20, parents[21] = 20;
	return parents;
}

const std::vector<std::pair<uint32_t, uint32_t>> path{{0, 39}, {39, 20}, {20, 21}};

const std::vector<Case> cases{
	{"right", {{0, 1}, {1, 2}, {2, 2}, {3, 3}, {1, 0}}, 0, {0, 0, 1, kNoParent}, 0},
	{"root alone", {{0, 1}, {2, 2}}, 2, {kNoParent, kNoParent, 2}, 0},
	{"parent past the last vertex", {{0, 1}, {1, 2}}, 0, {0, 0, 3}, G500_RULE_RANGE},
	{"right but for a bit past the 32nd", {{0, 1}, {1, 2}}, 0, {0, 0, 1 + (1ll << 32)}, G500_RULE_RANGE},
	{"right but for the bit of the sign", {{0, 1}, {1, 2}}, 0, {0, 0, 1 + INT64_MIN}, G500_RULE_RANGE},
	{"low bits as of no parent", {{0, 1}, {2, 2}}, 0, {0, 0, 0xffffffff}, G500_RULE_RANGE},
	{"the label -2", {{0, 1}, {1, 2}}, 0, {0, 0, -2}, G500_RULE_RANGE},
	{"root has a parent", {{0, 1}, {1, 2}}, 0, {1, 0, 1}, G500_RULE_ROOT},
	{"the root, but for a high bit", {{0, 1}, {1, 2}}, 1, {1, 1 + (1ll << 40), 1}, G500_RULE_ROOT},
	{"cycle of two", {{0, 1}, {1, 2}, {2, 3}}, 0, {0, 0, 3, 2}, G500_RULE_CYCLE},
	{"parent was not reached", {{0, 1}, {1, 2}, {3, 3}}, 0, {0, 0, 3, kNoParent}, G500_RULE_ORPHAN},
	{"the long way round a ring", {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, 0, {0, 0, 1, 2, 3}, G500_RULE_LEVELS},
	{"a leaf is missing", {{0, 1}, {1, 2}}, 0, {0, 0, kNoParent}, G500_RULE_SPAN},
	{"parent is no neighbour", {{0, 1}, {0, 2}, {1, 3}, {2, 4}}, 0, {0, 0, 0, 2, 2}, G500_RULE_TREE_EDGE},
	{"40 vertices, right", path, 39, path_to(39), 0},
	{"40 vertices, right but for a bit past the 32nd", path, 39, path_to(39 + (1ll << 32)), G500_RULE_RANGE},
	{"40 vertices, a parent that is no neighbour", path, 39, path_to(0), G500_RULE_LEVELS},
};

} // namespace emulator

int main() {
	using namespace emulator;
	int wrong = 0, trees = 0;
	for (const Case &c : cases)
		for (uint32_t ranks = 1; ranks <= 3; ranks++)
			for (uint32_t bits : {32, 64}) {
				if (!c.fits(bits)) continue;
				trees++;
				const Claim claim{c.tuples, {}, c.root, c.parents, {}};
				const int rule = Trial(claim, ranks, bits).tree().rule;
				if (rule == c.rule) continue;
				wrong++;
				printf("%s, %u ranks, %u bits: rule %d, want %d\n", c.name.c_str(), ranks, bits, rule, c.rule);
			}
	printf("%d of %d trees judged wrongly\n", wrong, trees);
	return wrong > 0;
}
