// The judge on the emulator: trees that break one rule each, with parents of 32 and of 64 bits, on one rank and
// several. It prints what is wrong, and fails if anything is.
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cuda_runtime.h"
#include "judge/judge.h"

namespace emulator {

constexpr int64_t kNoParent = -1;
constexpr uint64_t kNoOffence = ~0ull;
constexpr uint64_t kSlice = 128; // places, enough for all of a rank

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

// Trial judges a tree on ranks that have their slices in the same memory, so that none have to be brought to others.
class Trial {
public:
	Trial(const Case &c, uint32_t ranks, uint32_t bits) : c(c), bits(bits), ranks(ranks) {
		for (std::vector<uint32_t> *bitmap : {&marks[0], &marks[1]}) bitmap->resize(ranks * kSlice / 32);
		levels.resize(ranks * kSlice / 8);
		window.resize(ranks * kSlice);
		for (uint32_t r = 0; r < ranks; r++) prepare(r);
	}

	// The first rule that the tree breaks.
	int judge() {
		each([&](uint32_t r, g500_findings *found) {
			return g500_judge_enter(of[r].judge.get(), c.root, of[r].parents.data(), (int)bits, found, nullptr);
		});
		if (first_rule()) return first_rule();
		each([&](uint32_t r, g500_findings *) { return g500_judge_open_window(of[r].judge.get(), 0, nullptr); });
		uint64_t waiting = sum(&g500_findings::reached) - 1;
		for (uint32_t level = 1, before = 0; waiting; level++) {
			each([&](uint32_t r, g500_findings *found) {
				return g500_judge_descend(of[r].judge.get(), (level - 1) % 2, level, found, nullptr);
			});
			const uint32_t settled = (uint32_t)sum(&g500_findings::settled);
			if (settled == before) return stuck();
			waiting -= settled - before, before = settled;
		}
		each([&](uint32_t r, g500_findings *found) {
			const std::vector<g500_edge> &tuples = of[r].tuples;
			return g500_judge_check_tuples(of[r].judge.get(), tuples.data(), tuples.size(), 1, found, nullptr);
		});
		if (first_rule()) return first_rule();
		each([&](uint32_t r, g500_findings *found) {
			const std::vector<uint32_t> joined = joined_of(r);
			return g500_judge_check_joined(of[r].judge.get(), joined.data(), found, nullptr);
		});
		return first_rule();
	}

private:
	struct Rank {
		std::vector<g500_edge> tuples;
		std::vector<unsigned char> parents;
		std::vector<uint8_t> waiting;
		std::vector<uint32_t> joined;
		g500_findings found{};
		std::unique_ptr<g500_judge, void (*)(g500_judge *)> judge{nullptr, g500_judge_free};
	};

	void prepare(uint32_t rank) {
		Rank &r = of[rank];
		for (size_t i = rank; i < c.tuples.size(); i += ranks) r.tuples.push_back({c.tuples[i].first, c.tuples[i].second, 0});
		for (uint32_t v = rank; v < c.parents.size(); v += ranks) {
			const unsigned char *const word = (const unsigned char *)&c.parents[v];
			r.parents.insert(r.parents.end(), word, word + bits / 8);
		}
		r.waiting.resize(kSlice / 8);
		r.joined.resize(ranks * kSlice / 32);
		const g500_judge_parts parts{ranks, rank, c.parents.size(), kSlice, kSlice,
			r.waiting.data(), {marks[0].data(), marks[1].data()}, levels.data(), window.data(), r.joined.data()};
		g500_judge *judge;
		failed |= g500_judge_create(&parts, &judge, nullptr) != 0;
		r.judge.reset(judge);
	}

	template <typename Step>
	void each(Step step) {
		for (uint32_t r = 0; r < ranks; r++) failed |= step(r, &of[r].found) != 0;
	}

	uint64_t sum(uint64_t g500_findings::*count) const {
		uint64_t all = 0;
		for (uint32_t r = 0; r < ranks; r++) all += of[r].found.*count;
		return all;
	}

	int first_rule() const {
		if (failed) return -1;
		for (int rule = G500_RULE_RANGE; rule < G500_RULES; rule++)
			for (uint32_t r = 0; r < ranks; r++)
				if (of[r].found.worst[rule] != kNoOffence) return rule;
		return 0;
	}

	int stuck() {
		each([&](uint32_t r, g500_findings *) { return g500_judge_mark_reached(of[r].judge.get(), nullptr); });
		each([&](uint32_t r, g500_findings *found) {
			return g500_judge_find_stuck(of[r].judge.get(), found, nullptr);
		});
		return first_rule();
	}

	// A rank's slice of what every rank has joined.
	std::vector<uint32_t> joined_of(uint32_t rank) const {
		std::vector<uint32_t> all;
		for (uint32_t r = 0; r < ranks; r++) {
			const auto slice = of[r].joined.begin() + rank * (kSlice / 32);
			all.insert(all.end(), slice, slice + kSlice / 32);
		}
		return all;
	}

	const Case &c;
	const uint32_t bits, ranks;
	bool failed = false;
	std::vector<uint32_t> marks[2], levels, window;
	std::array<Rank, 3> of;
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
				const int rule = Trial(c, ranks, bits).judge();
				if (rule == c.rule) continue;
				wrong++;
				printf("%s, %u ranks, %u bits: rule %d, want %d\n", c.name.c_str(), ranks, bits, rule, c.rule);
			}
	printf("%d of %d trees judged wrongly\n", wrong, trees);
	return wrong > 0;
}
