// SPDX-License-Identifier: Apache-2.0

// Searches of small graphs on the emulator: compares every tree with the levels of a sequential search, and the traces
// with the steps that each form of exchange must reach. Prints mistakes, and fails if there are any, or no searches.
//
//   search_test [WORD [RANKS [EVERY]]]     WORD selects settings by name; RANKS is the only number of ranks, and only
//                                          one of EVERY graphs is searched
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "common/barriers.cuh"
#include "common/timing.cuh"
#include "forms.h"
#include "policies.h"
#include "search_checks.h"

namespace emulator {

using Steps = std::set<uint32_t>;

// All vertices are hubs, which are rarely all visited, so remaining vertices are listed by a different step.
constexpr Policy kAllHubs = with(kSmall, &Policy::hub_share, 1);
constexpr Policy kSegments = with(kSmall, &Policy::segment_vertices, 0, &Policy::segment_edges, 20,
                                  &Policy::segment_share, 100, &Policy::split_hubs, 0, &Policy::segment_hubs, 512,
                                  &Policy::segment_pulled, 1024, &Policy::round_pairs, 16);
constexpr Policy kSplits = with(kSmall, &Policy::segment_vertices, 0, &Policy::segment_edges, 1'000'000'000,
                                &Policy::split_alpha, 0, &Policy::split_hubs, 1, &Policy::round_pairs, 10,
                                &Policy::beta, 4);
// Segments and split levels on up to 16 ranks.
constexpr Policy kBoth = with(kSmall, &Policy::segment_vertices, 0, &Policy::segment_edges, 20,
                              &Policy::segment_share, 100, &Policy::segment_hubs, 2048, &Policy::split_alpha, 0,
                              &Policy::split_hubs, 2);

constexpr uint64_t kShortRound = 8; // the graphs' levels have more pairs
constexpr Policy kShortRounds = with(kSmall, &Policy::round_pairs, kShortRound);

// A shift with which the third rank's global ids exceed 32 bits.
constexpr Construction kFar{kUsual.round, kEnough, false, kIds64, 31};

// Packed rows.
constexpr Construction kPacked{kUsual.round, kEnough, false, k32Bits, 0, false, false, false, true};

// Returns the levels of all vertices from a root, -1 for unreachable ones.
std::vector<int> levels(const Graph &graph, uint32_t root) {
	std::vector<int> level(graph.labels(), -1);
	std::vector<uint32_t> queue{root};
	level[root] = 0;
	for (size_t i = 0; i < queue.size(); i++)
		for (uint32_t u : graph.neighbours[queue[i]]) {
			if (level[u] >= 0) continue;
			level[u] = level[queue[i]] + 1;
			queue.push_back(u);
		}
	return level;
}

bool is_right(uint32_t v, int64_t parent, const Graph &graph, const std::vector<int> &level) {
	if (level[v] == 0) return parent == v;
	if (level[v] < 0) return parent == kNoParent;
	if (parent < 0 || parent >= graph.labels()) return false;
	return graph.neighbours[parent].count(v) && level[parent] == level[v] - 1;
}

// Returns whether the tree of a search is right.
bool is_right(const Job &job, const Graph &graph, uint32_t root, const std::vector<int> &level) {
	for (uint32_t v = 0; v < graph.labels(); v++) {
		if (is_right(v, job.parent(v), graph, level)) continue;
		printf("root %u: vertex %u on level %d has parent %lld\n", root, v, level[v], (long long)job.parent(v));
		return false;
	}
	return true;
}

// Seen is the steps and exchanges in the traces of a form.
struct Seen {
	Steps steps, with_rows; // those in which ranks have read each other's rows
	Steps with_pairs, in_rounds; // those in which ranks have sent pairs, or more than fit into a round
	std::set<std::string> kernels; // that the host has launched from even roots, in searches that it drives
	bool query_rounds = false; // queries of bits did not fit into a round there
};

// Returns whether a step processes hubs and other vertices of the frontier differently.
bool separates_hubs(uint32_t step) { return step == G500_PUSH_SEGMENTS || step == G500_SPLIT; }

// Returns the rounds of pairs in a level: two barriers of all ranks each, or two exchanges, of which the last one may
// be unnecessary.
uint32_t rounds(const std::vector<g500_level> &trace, size_t level) {
	return (trace[level].barriers - (level > 0 ? trace[level - 1].barriers : 0) + 1) / 2;
}

void look_at_trace(const Job &job, uint32_t ranks, Seen &seen) {
	for (uint32_t r = 0; r < ranks; r++) {
		const std::vector<g500_level> trace = job.trace(r);
		for (size_t i = 0; i < trace.size(); i++) {
			seen.steps.insert(trace[i].step);
			if (trace[i].edges_read.received > 0) seen.with_rows.insert(trace[i].step);
			if (trace[i].pairs.sent > 0) seen.with_pairs.insert(trace[i].step);
			const uint32_t others = separates_hubs(trace[i].step) ? 1 : 0; // exchanges of bits, at most two
			if (rounds(trace, i) > 1 + others) seen.in_rounds.insert(trace[i].step);
		}
	}
}

// Searches from a root. Kernels of timed searches are not pre-launched.
bool search(Job &job, const Form &form, uint32_t root, Seen &seen) {
	g500_kernel_time times[g500::Timings::kMost];
	g500_time_kernels(form.far && root % 2 == 0, job.stream(0));
	const bool ended = job.search(root);
	std::map<std::string, uint64_t> launches;
	for (int i = g500_kernel_times(times, g500::Timings::kMost); i > 0; i--) {
		seen.kernels.insert(times[i - 1].name);
		launches[times[i - 1].name] = times[i - 1].launches;
	}
	seen.query_rounds |= launches["far_query_kernel"] > launches["far_open_kernel"];
	g500_time_kernels(false, job.stream(0));
	return ended;
}

// Returns whether no level of pairs had unnecessary rounds: in each round except the last a rank has filled a buffer.
bool rounds_are_full(const Job &job, uint32_t ranks, uint64_t capacity) {
	std::vector<std::vector<g500_level>> traces;
	for (uint32_t r = 0; r < ranks; r++) traces.push_back(job.trace(r));
	for (size_t i = 0; i < traces[0].size(); i++) {
		if (traces[0][i].step != G500_PUSH) continue;
		uint64_t most = 0;
		for (const auto &trace : traces) most = std::max(most, trace[i].pairs.sent);
		if (rounds(traces[0], i) <= 1 + most / capacity) continue;
		printf("level %zu: %u rounds of at most %llu pairs\n", i, rounds(traces[0], i), (unsigned long long)most);
		return false;
	}
	return true;
}

// Reference is the levels of a graph, by root.
struct Reference {
	const Graph &graph;
	std::map<uint32_t, std::vector<int>> levels;

	explicit Reference(const Graph &graph) : graph(graph) {
		for (uint32_t root : graph.roots) levels[root] = emulator::levels(graph, root);
	}
};

bool searches_are_right(const Reference &reference, const Shares &built, const Form &form, uint32_t result_bits,
                        const Policy &policy, Seen &seen) {
	const uint32_t ranks = (uint32_t)built.of.size();
	Job job(built, form, result_bits, policy);
	for (uint32_t root : reference.graph.roots) {
		if (!search(job, form, root, seen)) {
			printf("root %u: the search failed\n", root);
			return false;
		}
		if (!is_right(job, reference.graph, root, reference.levels.at(root))) return false;
		if (!rounds_are_full(job, ranks, policy.round_pairs)) return false;
		const bool has_sums = form.exchange == G500_EXCHANGE_BINS && form.most_reported == 0;
		if (has_sums && job.fewest_gathered() != sizeof(g500::FarBlock)) return printf("reports with counts\n"), false;
		look_at_trace(job, ranks, seen);
	}
	return true;
}

static_assert(kManyRanks[1] > g500::kRanksAtOnce && kMostRanks > 3 * g500::kRanksAtOnce, "two turns, and four");

// Setting is a policy, and the construction of the graphs.
struct Setting {
	std::string name;
	Policy policy;
	Construction how = kUsual;
	uint32_t every = 1; // one of this many graphs is searched, because far ids need much memory, and short rounds time
	bool directed = false; // all levels of directed graphs are top-down, for any exchange
	std::set<std::string> of_many; // graphs that many ranks search; if there are none, few ranks search all
	uint32_t only = 0; // number of ranks, 0 for all
	uint32_t sample = 1; // one of this many graphs is searched, because others cover the rest
	bool query_rounds = false; // only a graph with more queries than fit into a round, in forms with queries

	bool is_small() const { return policy.alpha == kSmall.alpha; }
	bool separates_hubs() const { return policy.segment_vertices == 0; }
	bool has_every_form() const { return policy.hub_share > 1 && !separates_hubs(); }
	bool in_short_rounds() const { return policy.round_pairs == kShortRound; }

	bool has(const Graph &graph, uint32_t number) const {
		if (!of_many.empty()) return of_many.count(graph.name);
		return (is_small() || number % 3 == 0) && number % std::max(every, sample) == 0; // defaults: for large ones
	}

	bool has_64_bits() const { return how.ids != k32Bits; }

	// 64-bit labels need two ranks; the third rank's ids are far.
	std::vector<uint32_t> ranks() const {
		std::vector<uint32_t> all;
		if (!of_many.empty()) all.assign(std::begin(kManyRanks), std::end(kManyRanks));
		else
			for (uint32_t n = how.shift > 0 ? 3 : has_64_bits() ? 2 : 1; n <= kFewRanks; n++) all.push_back(n);
		all.erase(std::remove_if(all.begin(), all.end(), [this](uint32_t n) { return only && n != only; }), all.end());
		return all;
	}
};

// Returns whether a number of ranks search a graph, by its number, in a form: one example of some forms is enough.
bool is_searched(const Form &form, const Setting &setting, uint32_t number, uint32_t ranks) {
	const auto index = (uint32_t)(&form - forms.data());
	const bool second = (number + ranks + index) % 2, alone = form.exchange == G500_EXCHANGE_AUTO;
	const bool peers = !form.far, small = setting.is_small();
	if (setting.query_rounds) return alone && form.most_parts == 0;
	if (setting.has_64_bits() && form.far != (setting.how.ids == kIds64)) return false;
	const bool of_peers = setting.has_64_bits() || setting.how.packed; // else of far ranks
	if (!setting.of_many.empty() && setting.separates_hubs()) return form.far != of_peers && alone;
	if (!setting.of_many.empty()) return setting.directed ? alone : form.far || second;
	if ((ranks == 1 || (setting.how.packed && ranks != 3)) && form.far) return false; // one number is enough
	if (ranks == 1 && !form.knows_labels) return false;
	// every second graph is enough
	if (small && form.far && setting.every == 1 && second && !setting.separates_hubs()) return false;
	if (!small && form.far && ranks != 3) return false;                  // one example of each is enough there
	if (setting.in_short_rounds() && form.exchange != G500_EXCHANGE_BINS) return false;
	if (small && !setting.has_every_form() && !setting.in_short_rounds() && !alone) return false;
	return !setting.directed || alone; // no difference
}

// Returns the steps that a form must reach by a policy for small graphs.
Steps expected(const Form &form, uint32_t ranks, const Policy &policy, const Setting &setting) {
	const bool decides = form.far && form.exchange == G500_EXCHANGE_AUTO;
	const uint32_t listing = policy.hub_share == 1 ? G500_PULL_LISTING : decides ? G500_DECIDE : G500_PULL_HUBS;
	const bool remote = ranks > 1 && form.far;
	if (!setting.of_many.empty()) return form.knows_labels ? Steps{G500_PUSH_SEGMENTS} : Steps{};
	if (setting.query_rounds) return {G500_PULL};
	if (form.exchange == G500_EXCHANGE_BINS || setting.directed) return {G500_PUSH, G500_WRITE_RESULT};
	if (form.exchange == G500_EXCHANGE_BITMAP && ranks > 1) return {G500_PULL, listing, G500_WRITE_RESULT};
	Steps steps{G500_PUSH, G500_PULL, listing, G500_PULL_REMAINING, G500_WRITE_RESULT};
	if (ranks > 1 && !remote) steps.insert(G500_PUSH_REPLICATED);
	const bool splits = policy.split_alpha == 0, lists = form.knows_labels || !remote; // of neighbours of hubs
	if (policy.segment_vertices == 0 && (splits || lists))
		steps.insert(splits ? G500_SPLIT : G500_PUSH_SEGMENTS);
	return steps;
}

// Returns what the searches of a form by a policy for small graphs should have exchanged, but have not.
std::string not_exchanged(const Form &form, uint32_t ranks, const Setting &setting, const Seen &seen) {
	std::string all;
	const bool bins = form.exchange == G500_EXCHANGE_BINS || setting.directed;
	const auto add = [&all](const std::string &what) { all += (all.empty() ? "" : ", ") + what; };
	if (ranks == 1) return all;
	if (bins && !seen.in_rounds.count(G500_PUSH)) add("several rounds of pairs in a level");
	const bool queries = form.most_parts == 0 && !setting.directed; // directed graphs have neither sweeps nor leaves
	const bool asks = queries && setting.policy.hub_share > 1 && !bins; // with bins only few leaves are open
	if (asks && !seen.kernels.count("far_take_replies_kernel")) add("replies");
	if (setting.query_rounds && !seen.query_rounds) add("several rounds of queries");
	const bool all_bits = form.far && setting.separates_hubs() && setting.of_many.empty() && !bins && !queries;
	const bool by_lists = all_bits && form.most_reported == 3 && ranks > 2; // on two, bits are often shorter
	if (by_lists && !seen.kernels.count("far_place_list_kernel")) add("lists of new vertices");
	if (all_bits && !seen.kernels.count("far_place_ghosts_kernel")) add("ghosts");
	for (uint32_t step : {G500_PUSH_REPLICATED, G500_PUSH_SEGMENTS, G500_SPLIT}) {
		if (!seen.steps.count(step)) continue;
		const std::string in = std::string(" in ") + g500_step_name(step);
		if (!form.far && !seen.with_rows.count(step)) add("rows" + in);
		if (form.far && !seen.with_pairs.count(step)) add("pairs" + in);
		if (form.far && setting.of_many.empty() && !seen.in_rounds.count(step)) add("several rounds of pairs" + in);
	}
	return all;
}

std::string list(const Steps &steps) {
	std::string all;
	for (uint32_t step : steps) all += (all.empty() ? "" : ", ") + std::string(g500_step_name(step));
	return all;
}

struct Verdict {
	int jobs = 0, wrong = 0, missing = 0;
};

// Reports the steps that a setting should have reached, but has not, in each form with few ranks.
void look_for_missing(const Setting &setting, const std::map<std::string, Seen> &seen, Verdict &verdict) {
	const Policy &policy = setting.policy;
	for (const uint32_t ranks : setting.ranks())
		for (const Form &form : forms) {
			const auto found = seen.find(form.name + ", " + std::to_string(ranks) + " ranks");
			if (found == seen.end()) continue;
			Steps missing;
			for (uint32_t step : expected(form, ranks, policy, setting))
				if (!found->second.steps.count(step)) missing.insert(step);
			const std::string lacking = not_exchanged(form, ranks, setting, found->second);
			printf("%s, %s: %s\n", setting.name.c_str(), found->first.c_str(), list(found->second.steps).c_str());
			if (!missing.empty()) printf("  not reached: %s\n", list(missing).c_str());
			if (!lacking.empty()) printf("  not exchanged: %s\n", lacking.c_str());
			verdict.missing += !missing.empty() || !lacking.empty();
		}
}

// Searches all graphs by one policy, in all forms that differ there.
void search_all(const Setting &setting, Verdict &verdict) {
	const Policy &policy = setting.policy;
	std::map<std::string, Seen> seen;
	uint32_t number = 0; // of the graph
	std::vector<Graph> all = setting.directed ? directed_graphs() : graphs();
	if (setting.separates_hubs()) all.push_back(uneven_hubs()), all.push_back(with_tails(kronecker(11), 20, 4));
	if (!setting.directed) all.push_back(twice(kronecker(9)));
	if (setting.query_rounds) all = {even_degrees(1 << 15)}, verdict.wrong += wrong_memory(policy);
	for (const Graph &graph : all) {
		if (!setting.has(graph, ++number)) continue;
		const Reference reference(graph);
		for (const uint32_t ranks : setting.ranks()) {
			Shares built;
			if (construct(graph, ranks, setting.how, built)) exit(1);
			for (const Form &form : forms) {
				if (!is_searched(form, setting, number, ranks)) continue;
				const std::string job = form.name + ", " + std::to_string(ranks) + " ranks";
				const uint32_t bits = (number / 2 + setting.has_every_form()) % 2 ? 64 : 32; // both in every form
				verdict.jobs++;
				if (searches_are_right(reference, built, form, bits, policy, seen[job])) continue;
				verdict.wrong++;
				printf("wrong: %s, %s, %s, parents of %u bits\n", setting.name.c_str(), graph.name.c_str(), job.c_str(), bits);
			}
		}
	}
	const bool must_reach_all = setting.of_many.empty() || setting.separates_hubs();
	if (setting.is_small() && must_reach_all) look_for_missing(setting, seen, verdict);
}

} // namespace emulator

int main(int count, char **arguments) {
	using namespace emulator;
	setvbuf(stdout, nullptr, _IOLBF, 0);
	if (count > 4) return fprintf(stderr, "usage: search_test [WORD [RANKS [EVERY]]]\n"), 2;
	Verdict verdict;
	verdict.wrong += wrong_results() + wrong_unexplored() + wrong_choices() + wrong_ids();
	Setting settings[]{
		{"defaults", kUsualPolicy},
		{"small, every form", kSmall},
		{"small, in short rounds", kShortRounds, kUsual, 2},
		{"small, all hubs", kAllHubs},
		{"small, with segments", kSegments},
		{"small, with split levels", kSplits},
		{"packed, every form", kSmall, kPacked},
		{"packed, all hubs", kAllHubs, kPacked, 2},
		{"packed, with segments", kSegments, kPacked},
		{"packed, with split levels", kSplits, kPacked},
		{"packed, directed", kSmall, kPacked, 2, true},
		{"packed, many ranks", kBoth, kPacked, 1, false, {"kronecker 12"}},
		{"many ranks", kSmall, kUsual, 1, false, {"kronecker 12", "one rank has no edge"}},
		{"many ranks, one-way edges", kSmall, kUsual, 1, true, {"directed kronecker 6"}},
		{"many ranks, 64-bit labels", kSmall, kLabels64Build, 1, false, {"kronecker 6"}},
		{"many ranks, 64-bit ids", kSmall, kIds64Build, 1, false, {"kronecker 6"}},
		{"many ranks, with segments", kBoth, kUsual, 1, false, {"kronecker 12", "one rank has no edge"}},
		{"directed", kSmall, kUsual, 2, true},
		{"directed, in short rounds", kShortRounds, kUsual, 3, true},
		{"directed, 64-bit labels", kSmall, kLabels64Build, 4, true},
		{"directed, 64-bit ids", kSmall, kIds64Build, 4, true},
		{"64-bit labels, every form", kSmall, kLabels64Build, 4},
		{"64-bit labels, in short rounds", kShortRounds, kLabels64Build, 4},
		{"64-bit labels, all hubs", kAllHubs, kLabels64Build, 4},
		{"64-bit labels, with segments", kSegments, kLabels64Build, 4},
		{"64-bit labels, with split levels", kSplits, kLabels64Build, 4},
		{"64-bit ids, every form", kSmall, kIds64Build, 4},
		{"64-bit ids, in short rounds", kShortRounds, kIds64Build, 4},
		{"64-bit ids, all hubs", kAllHubs, kIds64Build, 4},
		{"many ranks, with segments, 64-bit labels", kBoth, kLabels64Build, 1, false, {"kronecker 12"}},
		{"far, every form", kSmall, kFar, 5},
		{"far, all hubs", kAllHubs, kFar, 5},
		{"queries in rounds", kSmall, kUsual, 1, false, {}, 2, 1, true},
	};
	for (Setting &setting : settings) {
		if (count > 2) setting.only = (uint32_t)atoi(arguments[2]);
		if (count > 3) setting.sample = (uint32_t)atoi(arguments[3]);
		if (count == 1 || setting.name.find(arguments[1]) != std::string::npos) search_all(setting, verdict);
	}
	printf("%d of %d jobs wrong, %d forms with a step that was not reached\n", verdict.wrong, verdict.jobs,
	       verdict.missing);
	return verdict.wrong + verdict.missing > 0 || verdict.jobs == 0;
}
