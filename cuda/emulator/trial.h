// SPDX-License-Identifier: Apache-2.0

// A validator on each of several ranks, which check one result together, step by step.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "cuda_runtime.h"
#include "graphs.h"
#include "validate/validate.h"

namespace emulator {

constexpr uint64_t kNoOffence = ~0ull;
constexpr uint64_t kSlice = 512; // places, enough for all of a rank

// Claim is a supposed result of a search. Weights and distances are empty for a tree.
struct Claim {
	std::vector<std::pair<uint32_t, uint32_t>> tuples;
	std::vector<float> weights; // by tuple
	uint32_t root;
	std::vector<int64_t> parents;
	std::vector<float> distances;
	bool directed = false; // tuples are edges to their second labels
};

// Result is the first rule that a claim breaks, 0 for none, or -1 if the validator failed; and the counts of a valid
// claim. label is the lowest one that breaks the rule, other the lowest one for it.
struct Result {
	int rule;
	uint64_t reached = 0, edges = 0, loops = 0;
	uint64_t label = kNoOffence, other = kNoOffence;

	bool operator==(const Result &other) const {
		return rule == other.rule && reached == other.reached && edges == other.edges && loops == other.loops;
	}
};

// Returns the first rule that a rank has found broken, or 0.
inline int first_broken(const std::vector<g500_findings> &all) {
	for (int rule = G500_RULE_RANGE; rule < G500_RULES; rule++)
		for (const g500_findings &found : all)
			if (found.worst[rule] != kNoOffence) return rule;
	return 0;
}

// Returns the result of all ranks' findings.
inline Result result_of(const std::vector<g500_findings> &all) {
	Result result{first_broken(all)};
	for (const g500_findings &found : all) {
		const uint64_t label = found.worst[result.rule], other = found.other[result.rule];
		if (result.rule == 0) result.reached += found.reached, result.edges += found.edges, result.loops += found.loops;
		else if (std::tie(label, other) < std::tie(result.label, result.other)) result.label = label, result.other = other;
	}
	return result;
}

// Trial validates on ranks with slices in the same memory, so no slices are copied. span is the number of a rank's
// places in the window. With labels64 labels have 64 bits.
class Trial {
public:
	Trial(const Claim &claim, uint32_t ranks, uint32_t bits, uint64_t span = kSlice, bool labels64 = false)
		: claim(claim), bits(bits), ranks(ranks), span(span), labels64(labels64) {
		for (std::vector<uint32_t> *bitmap : {&marks[0], &marks[1]}) bitmap->resize(ranks * kSlice / 32);
		levels.resize(ranks * kSlice / 8);
		near.resize(ranks * kSlice / 16);
		distances.resize(ranks * kSlice);
		reached.resize(ranks * span / 32);
		window.resize(ranks * span * 2); // 32-bit words: two per parent with 64-bit labels
		for (uint32_t r = 0; r < ranks; r++) prepare(r);
	}

	Result tree() {
		const bool entered = enter() && descend() && check(&Trial::check_tuples);
		if (entered) check_joined(G500_RULE_TREE_EDGE, false, false);
		return result();
	}

	Result paths() {
		if (enter() && descend() && check(&Trial::check_distances)) {
			check(&Trial::check_path_tuples);
			check_joined(G500_RULE_PATH_EDGE, true, false);
			if (worst(G500_RULE_PATH_EDGE)) check_joined(G500_RULE_TREE_EDGE, false, true);
		}
		return result();
	}

private:
	struct Rank {
		std::vector<g500_edge> tuples;
		std::vector<float> weights, distances;
		std::vector<unsigned char> parents;
		std::vector<uint8_t> inner, leaves, hints;
		std::vector<uint32_t> joined, parents_marked;
		int passes = 0; // over the tuples of a tree
		g500_findings found{};
		std::unique_ptr<g500_validator, void (*)(g500_validator *)> validator{nullptr, g500_validator_free};
	};

	void prepare(uint32_t rank) {
		Rank &r = of[rank];
		for (size_t i = rank; i < claim.tuples.size(); i += ranks) {
			r.tuples.push_back({claim.tuples[i].first, claim.tuples[i].second, 0});
			if (!claim.weights.empty()) r.weights.push_back(claim.weights[i]);
		}
		for (uint32_t v = rank; v < claim.parents.size(); v += ranks) {
			const unsigned char *const word = (const unsigned char *)&claim.parents[v];
			r.parents.insert(r.parents.end(), word, word + bits / 8);
			if (!claim.distances.empty()) r.distances.push_back(claim.distances[v]);
		}
		if (!labels64) failed |= sort(r, claim.directed) != 0;
		r.inner.resize(kSlice / 8), r.leaves.resize(kSlice / 8);
		r.hints.resize(ranks * span);
		r.joined.resize(ranks * span / 32);
		const g500_validator_parts parts{ranks, rank, claim.parents.size(), kSlice, span, r.inner.data(), r.leaves.data(),
			{marks[0].data(), marks[1].data()}, levels.data(), near.data(), window.data(),
			ranks > 1 ? reached.data() : nullptr, r.hints.data(), r.joined.data(), distances.data(), labels64,
			claim.directed};
		g500_validator *validator;
		failed |= g500_validator_create(&parts, &validator, nullptr) != 0;
		r.validator.reset(validator);
	}

	// Sorts a rank's tuples, at most seven at a time.
	static int sort(Rank &r, bool directed) {
		float *const weights = r.weights.empty() ? nullptr : r.weights.data();
		const g500_tuple_list list{r.tuples.data(), weights, r.tuples.size(), directed};
		return g500_sort_tuples(&list, 32, 7 * 25, nullptr);
	}

	template <typename Step>
	void each(Step step) {
		for (uint32_t r = 0; r < ranks; r++) failed |= step(of[r], of[r].validator.get()) != 0;
	}

	// Makes a step on every rank. Returns false if a broken rule was found.
	bool check(int (*step)(Rank &, g500_validator *)) {
		each(step);
		return rule() == 0;
	}

	static int check_tuples(Rank &r, g500_validator *validator) {
		const int counted = r.passes++ == 0;
		const uint32_t near = (uint32_t)r.tuples.size() % G500_VALIDATOR_LEVELS; // any level will do
		if (g500_validator_narrow_levels(validator, near)) return -1;
		return g500_validator_check_tuples(validator, r.tuples.data(), r.tuples.size(), counted, &r.found);
	}
	static int check_distances(Rank &r, g500_validator *validator) {
		return g500_validator_check_distances(validator, r.distances.data(), &r.found);
	}
	static int check_path_tuples(Rank &r, g500_validator *validator) {
		const g500_edge32 *const sorted = (const g500_edge32 *)r.tuples.data();
		return g500_validator_check_path_tuples(validator, sorted, r.weights.data(), r.tuples.size(), &r.found);
	}

	bool enter() {
		each([this](Rank &r, g500_validator *validator) {
			const int code = g500_validator_enter(validator, claim.root, r.parents.data(), (int)bits, &r.found);
			r.parents_marked = marks[1];
			return code;
		});
		open_window(0);
		return rule() == 0;
	}

	void open_window(uint64_t first) {
		each([first](Rank &, g500_validator *validator) { return g500_validator_open_window(validator, first); });
		if (ranks > 1) pack_parents();
		each([](Rank &, g500_validator *validator) { return g500_validator_hint_parents(validator); });
	}

	void pack_parents() {
		uint64_t most = 0;
		each([&](Rank &, g500_validator *validator) {
			uint64_t count;
			const int code = g500_validator_number_parents(validator, &count);
			most = std::max(most, count);
			return code;
		});
		each([=](Rank &, g500_validator *validator) { return g500_validator_pack_parents(validator, most); });
		cudaStreamSynchronize(nullptr);
	}

	bool descend() {
		separate_inner();
		uint64_t waiting = sum_of([](const Rank &r) { return r.found.reached; }) - 1;
		for (int turn = 0;;) {
			bool full = true;
			for (uint32_t level = 1; full && level < G500_VALIDATOR_LEVELS; level++, turn ^= 1) {
				each([=](Rank &r, g500_validator *validator) {
					return g500_validator_descend(validator, turn, level, &r.found);
				});
				full = sum_of([=](const Rank &r) { return r.found.sizes[level]; }) > 0;
			}
			each([](Rank &r, g500_validator *validator) { return g500_validator_settle_leaves(validator, &r.found); });
			for (int level = 0; level < G500_VALIDATOR_LEVELS; level++)
				waiting -= sum_of([=](const Rank &r) { return r.found.sizes[level]; });
			if (waiting == 0) return true;
			if (!full) return find_stuck();
			if (claim.distances.empty()) check(&Trial::check_tuples);
			each([](Rank &, g500_validator *validator) { return g500_validator_raise_base(validator); });
		}
	}

	void separate_inner() {
		for (uint32_t rank = 0; rank < ranks; rank++) {
			std::vector<uint32_t> inner;
			for (uint32_t r = 0; r < ranks; r++) append_slice(inner, of[r].parents_marked, rank, kSlice / 32);
			failed |= g500_validator_separate_inner(of[rank].validator.get(), inner.data()) != 0;
		}
	}

	bool find_stuck() {
		each([](Rank &, g500_validator *validator) { return g500_validator_mark_reached(validator); });
		each([](Rank &r, g500_validator *validator) { return g500_validator_find_stuck(validator, &r.found); });
		return false;
	}

	// Checks which vertices are joined to their parents, in all windows if anew, else in the windows after the current
	// one.
	void check_joined(int rule, bool exact, bool anew) {
		for (uint64_t first = 0; first < kSlice; first += span) {
			if (first > 0 || anew) {
				open_window(first);
				each([exact](Rank &r, g500_validator *validator) {
					const float *const weights = exact ? r.weights.data() : nullptr;
					return g500_validator_join_tuples(validator, r.tuples.data(), weights, r.tuples.size());
				});
			}
			for (uint32_t rank = 0; rank < ranks; rank++) {
				const std::vector<uint32_t> joined = joined_of(rank);
				g500_validator *const validator = of[rank].validator.get();
				failed |= g500_validator_check_joined(validator, joined.data(), rule, &of[rank].found) != 0;
			}
		}
	}

	// Returns a rank's slice of every rank's joined bits.
	std::vector<uint32_t> joined_of(uint32_t rank) const {
		std::vector<uint32_t> all;
		for (uint32_t r = 0; r < ranks; r++) append_slice(all, of[r].joined, rank, span / 32);
		return all;
	}

	static void append_slice(std::vector<uint32_t> &to, const std::vector<uint32_t> &all, uint32_t rank, uint64_t words) {
		to.insert(to.end(), all.begin() + rank * words, all.begin() + (rank + 1) * words);
	}

	template <typename Count>
	uint64_t sum_of(Count count) const {
		uint64_t all = 0;
		for (uint32_t r = 0; r < ranks; r++) all += count(of[r]);
		return all;
	}

	bool worst(int rule) const {
		for (uint32_t r = 0; r < ranks; r++)
			if (of[r].found.worst[rule] != kNoOffence) return true;
		return false;
	}

	std::vector<g500_findings> findings() const {
		std::vector<g500_findings> all;
		for (uint32_t r = 0; r < ranks; r++) all.push_back(of[r].found);
		return all;
	}
	int rule() const { return failed ? -1 : first_broken(findings()); }
	Result result() const { return failed ? Result{-1} : result_of(findings()); }

	const Claim &claim;
	const uint32_t bits, ranks;
	const uint64_t span;
	const bool labels64;
	bool failed = false;
	std::vector<uint32_t> marks[2], levels, near, window, reached;
	std::vector<float> distances;
	std::array<Rank, kMostRanks> of;
};

} // namespace emulator
