// Searches of small graphs on the emulator: compares every tree with the levels of a sequential search, and the traces
// with the steps that each form of exchange must reach. Prints mistakes, and fails if there are any.
//
//   search_test POLICY.toml [WORD]     the file has one "key = number" per line; WORD selects settings by name
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "job.h"
#include "search/result.cuh"

namespace emulator {

using Steps = std::set<uint32_t>;

const std::vector<Form> forms{
	{"far, auto", G500_EXCHANGE_AUTO, true, true},
	{"far, auto, few known labels", G500_EXCHANGE_AUTO, true, false},
	{"far, auto, reports of 3 vertices", G500_EXCHANGE_AUTO, true, false, 3},
	{"far, bins, reports of 3 vertices", G500_EXCHANGE_BINS, true, true, 3},
	{"far, bitmap", G500_EXCHANGE_BITMAP, true, true},
	{"far, bins", G500_EXCHANGE_BINS, true, true},
	{"peers, auto", G500_EXCHANGE_AUTO, false, true},
	{"peers, auto, few known labels", G500_EXCHANGE_AUTO, false, false},
	{"peers, bitmap", G500_EXCHANGE_BITMAP, false, true},
	{"peers, bins", G500_EXCHANGE_BINS, false, true},
};

// The numbers of a policy, by name.
using Numbers = std::map<std::string, uint64_t>;

Numbers read_policy(const char *path) {
	Numbers numbers;
	std::ifstream file(path);
	for (std::string line; std::getline(file, line);) {
		char key[64];
		unsigned long long value;
		if (sscanf(line.c_str(), "%63[a-z_] = %llu", key, &value) == 2) numbers[key] = value;
	}
	return numbers;
}

g500_policy policy_of(Numbers n) {
	constexpr uint64_t kSecond = 1'000'000'000;
	return {n.at("alpha"), n.at("beta"), n.at("few_edges"),
	        n.at("short_queue"), n.at("pull_hubs"), n.at("replicated_edges"), n.at("segment_vertices"),
	        n.at("segment_edges"), n.at("segment_share"), n.at("segment_hubs"), n.at("segment_pulled"),
	        n.at("split_alpha"), n.at("split_hubs"), n.at("listing_share"), n.at("remaining_share"),
	        n.at("hub_vertices"), n.at("hub_share"), n.at("overlap_share"), n.at("round_pairs"),
	        n.at("wait_seconds") * kSecond, n.at("prelaunch")};
}

// Returns the defaults with some numbers replaced.
Numbers with(Numbers numbers, const Numbers &others) {
	for (const auto &[key, value] : others) numbers.at(key) = value;
	return numbers;
}

constexpr uint64_t kNever = 1'000'000'000;
const Numbers kSlow{{"wait_seconds", 120}}; // the emulator is slow
const Numbers kSmall{{"few_edges", 20},   {"alpha", 3},        {"pull_hubs", 0},   {"beta", 16},
                     {"short_queue", 16}, {"replicated_edges", 40}, {"round_pairs", 64}, {"hub_vertices", 0}};
// All vertices are hubs, which are rarely all visited, so remaining vertices are listed by a different step.
const Numbers kAllHubs{{"hub_share", 1}};
const Numbers kSegments{{"segment_vertices", 0}, {"segment_edges", 20}, {"segment_share", 100}, {"split_hubs", 0},
                        {"segment_hubs", 512}, {"segment_pulled", 1024}};

const Numbers kSplits{{"segment_vertices", 0}, {"segment_edges", kNever}, {"split_alpha", 0}, {"split_hubs", 16}};

constexpr uint64_t kShortRound = 8; // the graphs' levels have more pairs
const Numbers kShortRounds{{"round_pairs", kShortRound}};

// 64-bit ids; and a shift with which the third rank's global ids exceed 32 bits.
constexpr Construction kIds64{kUsual.round, kEnough, false, true}, kFar{kUsual.round, kEnough, false, true, 31};

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
bool is_right(const Job &job, const Graph &graph, uint32_t root) {
	const std::vector<int> level = levels(graph, root);
	for (uint32_t v = 0; v < graph.labels(); v++) {
		if (is_right(v, job.parent(v), graph, level)) continue;
		printf("root %u: vertex %u on level %d has parent %lld\n", root, v, level[v], (long long)job.parent(v));
		return false;
	}
	return true;
}

// Seen is the steps and exchanges in the traces of a form.
struct Seen {
	Steps steps;
	bool several_rounds = false; // a level had more pairs than fit into a round
};

// Returns the rounds of pairs in a level: two barriers of all ranks each, or two exchanges, of which the last one may be
// unnecessary.
uint32_t rounds(const std::vector<g500_level> &trace, size_t level) {
	return (trace[level].barriers - (level > 0 ? trace[level - 1].barriers : 0) + 1) / 2;
}

void look_at_trace(const Job &job, uint32_t ranks, Seen &seen) {
	for (uint32_t r = 0; r < ranks; r++) {
		const std::vector<g500_level> trace = job.trace(r);
		for (size_t i = 0; i < trace.size(); i++) {
			seen.steps.insert(trace[i].step);
			if (trace[i].step == G500_PUSH && rounds(trace, i) > 1) seen.several_rounds = true;
		}
	}
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

bool searches_are_right(const Graph &graph, const Shares &built, const Form &form, uint32_t result_bits,
                        const g500_policy &policy, Seen &seen) {
	const uint32_t ranks = (uint32_t)built.of.size();
	Job job(built, form, result_bits, policy);
	for (uint32_t root : graph.roots) {
		if (!job.search(root)) {
			printf("root %u: the search failed\n", root);
			return false;
		}
		if (!is_right(job, graph, root)) return false;
		if (!rounds_are_full(job, ranks, policy.round_pairs)) return false;
		look_at_trace(job, ranks, seen);
	}
	return true;
}

// Setting is a policy, and the construction of the graphs.
struct Setting {
	std::string name;
	Numbers policy;
	Construction how = kUsual;
	uint32_t every = 1; // one of this many graphs is searched, because far ids need much memory, and short rounds time
	bool directed = false; // all levels of directed graphs are top-down, for any exchange
};

// Returns the steps that a form must reach by a policy for small graphs.
Steps expected(const Form &form, uint32_t ranks, const g500_policy &policy, const Setting &setting) {
	const bool ids64 = setting.how.ids64;
	const bool decides = form.far && form.exchange == G500_EXCHANGE_AUTO;
	const uint32_t listing = policy.hub_share == 1 ? G500_PULL_LISTING : decides ? G500_DECIDE : G500_PULL_HUBS;
	const bool remote = ranks > 1 && form.far;
	if (form.exchange == G500_EXCHANGE_BINS || setting.directed) return {G500_PUSH, G500_WRITE_RESULT};
	if (form.exchange == G500_EXCHANGE_BITMAP && ranks > 1) return {G500_PULL, listing, G500_WRITE_RESULT};
	Steps steps{G500_PUSH, G500_PULL, listing, G500_PULL_REMAINING, G500_WRITE_RESULT};
	if (ranks > 1 && !remote && !ids64) steps.insert(G500_PUSH_REPLICATED);
	if (policy.segment_vertices == 0 && !remote && !ids64)
		steps.insert(policy.split_alpha == 0 ? G500_SPLIT : G500_PUSH_SEGMENTS);
	return steps;
}

std::string list(const Steps &steps) {
	std::string all;
	for (uint32_t step : steps) all += (all.empty() ? "" : ", ") + std::string(g500_step_name(step));
	return all;
}

struct Verdict {
	int jobs = 0, wrong = 0, missing = 0;
};

// Numbers of ranks. Above kMostRanks the host drives all searches.
const std::vector<uint32_t> kRanks{1, 2, 3, 4, 5, 6, 7, 8, 11, 16};
constexpr uint32_t kMostRanks = 4;

// Searches all graphs by one policy, on all numbers of ranks, in all forms that differ there.
void search_all(const Setting &setting, Verdict &verdict) {
	const std::string &name = setting.name;
	const g500_policy policy = policy_of(setting.policy);
	const bool ids64 = setting.how.ids64, far = setting.how.shift > 0;
	const bool small = policy.alpha == 3, every_form = policy.hub_share > 1 && policy.segment_vertices > 0;
	const bool short_rounds = policy.round_pairs == kShortRound;
	std::map<std::string, Seen> seen;
	uint32_t number = 0; // of the graph
	for (const Graph &graph : setting.directed ? directed_graphs() : graphs()) {
		number++;
		if (!small && number % 3 != 0) continue; // the defaults are for large graphs
		if (number % setting.every != 0) continue;
		for (const uint32_t ranks : kRanks) {
			if (ranks < (far ? 3 : ids64 ? 2 : 1)) continue;
			if (ranks > kMostRanks && (ids64 || !small || number % 4 != ranks % 4)) continue; // some graphs are enough
			Shares built;
			if (construct(graph, ranks, setting.how, built)) exit(1);
			for (const Form &form : forms) {
				if (form.far ? ranks == 1 : ranks > kMostRanks) continue;
				const bool peers = !form.far;
				if (ranks == 1 && !form.knows_labels) continue;
				const auto index = (uint32_t)(&form - forms.data());
				const bool often = small && !peers && setting.every == 1;
				if (often && (number + ranks + index) % 2) continue; // every second graph is enough
				if (!small && !peers && ranks != 3) continue; // one example of each is enough there
				if (short_rounds && form.exchange != G500_EXCHANGE_BINS) continue;
				const bool differs = peers || (form.far && policy.hub_share == 1);
				if (small && !every_form && (!differs || form.exchange != G500_EXCHANGE_AUTO)) continue;
				if (setting.directed && form.exchange != G500_EXCHANGE_AUTO) continue;                 // no difference
				const std::string job = form.name + ", " + std::to_string(ranks) + " ranks";
				const uint32_t bits = (number / 2 + every_form) % 2 ? 64 : 32; // both in every form
				verdict.jobs++;
				if (searches_are_right(graph, built, form, bits, policy, seen[job])) continue;
				verdict.wrong++;
				printf("wrong: %s, %s, %s, parents of %u bits\n", name.c_str(), graph.name.c_str(), job.c_str(), bits);
			}
		}
	}
	if (!small) return;
	for (uint32_t ranks = 1; ranks <= kMostRanks; ranks++)
		for (const Form &form : forms) {
			const auto found = seen.find(form.name + ", " + std::to_string(ranks) + " ranks");
			if (found == seen.end()) continue;
			Steps missing;
			for (uint32_t step : expected(form, ranks, policy, setting))
				if (!found->second.steps.count(step)) missing.insert(step);
			const bool bins = form.exchange == G500_EXCHANGE_BINS || setting.directed;
			const bool one_round = bins && ranks > 1 && !found->second.several_rounds;
			printf("%s, %s: %s\n", name.c_str(), found->first.c_str(), list(found->second.steps).c_str());
			if (!missing.empty()) printf("  not reached: %s\n", list(missing).c_str());
			if (one_round) printf("  no level had several rounds of pairs\n");
			verdict.missing += !missing.empty() || one_round;
		}
}

// Checks result entries of labels that a small graph does not have.
int wrong_results() {
	g500::State state{};
	state.ranks = 1000;
	const uint64_t number = (1u << 31) - 2, rank = 999, none = ~0ull;
	const bool ids64 = g500::result_word<uint64_t>(state, rank << 32 | number) == number * 1000 + rank &&
	                  g500::result_word<uint64_t>(state, none) == none;
	const bool ids32 = g500::result_word<uint64_t>(state, 0xfffffffeu) == 0xfffffffeu &&
	                    g500::result_word<uint64_t>(state, 0xffffffffu) == none;
	if (!ids64 || !ids32) printf("wrong result entries: 64-bit ids %d, 32-bit ids %d\n", ids64, ids32);
	return !ids64 + !ids32;
}

} // namespace emulator

int main(int count, char **arguments) {
	using namespace emulator;
	setvbuf(stdout, nullptr, _IOLBF, 0);
	if (count != 2 && count != 3) return fprintf(stderr, "usage: search_test POLICY.toml [WORD]\n"), 2;
	const Numbers defaults = with(read_policy(arguments[1]), kSlow), small = with(defaults, kSmall);
	Verdict verdict;
	verdict.wrong += wrong_results();
	const Setting settings[]{
		{"defaults", defaults},
		{"small, every form", small},
		{"small, in short rounds", with(small, kShortRounds), kUsual, 2},
		{"small, all hubs", with(small, kAllHubs)},
		{"small, with segments", with(small, kSegments)},
		{"small, with split levels", with(small, kSplits)},
		{"directed", small, kUsual, 2, true},
		{"directed, in short rounds", with(small, kShortRounds), kUsual, 3, true},
		{"directed, 64-bit", small, kIds64, 4, true},
		{"ids64, every form", small, kIds64, 4},
		{"ids64, in short rounds", with(small, kShortRounds), kIds64, 4},
		{"ids64, all hubs", with(small, kAllHubs), kIds64, 4},
		{"far, every form", small, kFar, 5},
		{"far, all hubs", with(small, kAllHubs), kFar, 5},
	};
	for (const Setting &setting : settings)
		if (count == 2 || setting.name.find(arguments[2]) != std::string::npos) search_all(setting, verdict);
	printf("%d of %d jobs wrong, %d forms with a step that was not reached\n", verdict.wrong, verdict.jobs,
	       verdict.missing);
	return verdict.wrong + verdict.missing > 0;
}
