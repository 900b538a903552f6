// SPDX-License-Identifier: Apache-2.0

// Kernel 1 on the emulator: compares the shares of small graphs, on one and several ranks, with an oracle made of maps
// and sets. Prints differences, and fails if there are any.
//
//   kernel1_test [quick]     with "quick" each graph in every second mode, the others on the next number of ranks
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "kernel1/kernel1.h"
#include "construction.h"
#include "cuda_runtime.h"

namespace emulator {

// Oracle computes the shares of a graph from the definitions in kernel1.h.
class Oracle {
public:
	Oracle(const Graph &graph, uint32_t ranks)
		: labels(graph.labels()), ranks(ranks), directed(graph.directed), neighbours(graph.neighbours), local_ids(ranks) {
		for (const auto &[u, v] : graph.tuples)
			if (u != v) ends[u]++, ends[v]++;
		number_vertices();
	}

	// Returns the first difference of a rank's share, or "".
	std::string difference(const g500_graph &got, uint32_t rank, Ids ids) const {
		const std::vector<uint32_t> &own = local_ids[rank];
		const std::vector<uint32_t> local_id_of = numbers(rank);
		const Lists want = rows(rank);
		std::vector<uint64_t> connected((local_id_of.size() + 63) / 64, ~0ull), want_connected(connected.size());
		for (size_t i = 0; i < local_id_of.size(); i++)
			want_connected[i / 64] |= (uint64_t)!neighbours[i * ranks + rank].empty() << i % 64;
		if (g500_find_connected(&got, connected.data(), nullptr)) return "no bits of connected vertices";
		const std::tuple<const char *, uint64_t, uint64_t> numbers[]{
			{"ranks", got.ranks, ranks}, {"rank", got.rank, rank}, {"shift", got.shift, shift()},
			{"owned labels", got.owned, local_id_of.size()}, {"non-isolated vertices", got.non_isolated, own.size()},
			{"first leaf", got.first_leaf, first_leaf}, {"64-bit labels", got.labels64, ids != k32Bits},
			{"vertices", got.vertices, labels}, {"edges", got.edges, want.cols.size()},
		};
		for (const auto &[name, is, right] : numbers)
			if (is != right) return differs(name, is, right);
		const std::string all[]{differs_at("label", got.labels, got.labels64 ? label_numbers(rank) : own),
			differs_at("local id of number", got.local_ids, local_id_of), differs_at("row", got.rows, want.offsets),
			differs_at("word of connected vertices", connected.data(), want_connected),
			differs_at("col", got.cols, ids == kIds64 ? want.local_ids : want.cols),
			ids == kIds64 ? differs_at("rank of col", got.col_ranks, want.ranks) : got.col_ranks ? "rank fields of cols" : ""};
		for (const std::string &one : all)
			if (!one.empty()) return one;
		return "";
	}

	bool has_edge() const { return !ends.empty(); }

private:
	struct Lists {
		std::vector<uint64_t> offsets{0};
		std::vector<uint32_t> cols, local_ids; // global ids; local ids in them
		std::vector<uint16_t> ranks;
	};

	// Returns the degree class of a number of ends, as its lowest number: classes of 1 from 0, of 2 from 8, of 4 from
	// 16 and so on, of 64 from 256.
	static int64_t class_of(int64_t ends) {
		int64_t number = 0, step = 1;
		for (int64_t begin = 0; begin + step <= ends; number++) {
			begin += step;
			if (begin >= 8 && begin <= 256 && (begin & (begin - 1)) == 0) step *= 2;
		}
		return number;
	}

	// Assigns local ids: the highest class first, then by label. A rank's leaves begin at its first vertex with one
	// end; directed graphs have none.
	void number_vertices() {
		std::vector<std::map<std::pair<int64_t, uint32_t>, uint32_t>> order(ranks);
		std::vector<uint32_t> inner(ranks);
		for (const auto &[label, n] : ends) {
			order[label % ranks][{-class_of(n), label}] = label;
			if (n > 1 || directed) inner[label % ranks]++;
		}
		first_leaf = *std::max_element(inner.begin(), inner.end());
		for (uint32_t r = 0; r < ranks; r++)
			for (const auto &[key, label] : order[r]) {
				local_id[label] = (uint32_t)local_ids[r].size();
				local_ids[r].push_back(label);
			}
	}

	// Each rank's local ids are padded to groups of 256, and to a power of 2.
	uint32_t shift() const {
		size_t most = 256;
		for (const auto &own : local_ids) most = std::max(most, own.size());
		uint32_t bits = 0;
		while (1ull << bits < most) bits++;
		return bits;
	}

	std::vector<uint32_t> numbers(uint32_t rank) const {
		std::vector<uint32_t> all;
		for (uint32_t v = rank; v < labels; v += ranks) all.push_back(local_id.count(v) ? local_id.at(v) : 0xffffffff);
		return all;
	}

	std::vector<uint32_t> label_numbers(uint32_t rank) const {
		std::vector<uint32_t> all;
		for (uint32_t label : local_ids[rank]) all.push_back(label / ranks);
		return all;
	}

	Lists rows(uint32_t rank) const {
		Lists lists;
		for (uint32_t v : local_ids[rank]) {
			std::set<std::pair<uint32_t, uint32_t>> row; // local id, rank
			for (uint32_t u : neighbours.at(v))
				if (local_id.at(v) >= first_leaf || local_id.at(u) < first_leaf) row.insert({local_id.at(u), u % ranks});
			for (const auto &[id, owner] : row) {
				lists.cols.push_back((owner << shift()) + id);
				lists.local_ids.push_back(id);
				lists.ranks.push_back((uint16_t)owner);
			}
			lists.offsets.push_back(lists.cols.size());
		}
		return lists;
	}

	static std::string differs(const std::string &what, uint64_t is, uint64_t right) {
		return what + " is " + std::to_string(is) + ", want " + std::to_string(right);
	}

	template <typename T>
	static std::string differs_at(const std::string &what, const T *got, const std::vector<T> &want) {
		for (size_t i = 0; i < want.size(); i++)
			if (got[i] != want[i]) return differs(what + " " + std::to_string(i), got[i], want[i]);
		return "";
	}

	const uint32_t labels, ranks;
	const bool directed;
	std::map<uint32_t, int64_t> ends; // tuples that end at a label
	const std::vector<std::set<uint32_t>> neighbours;
	std::vector<std::vector<uint32_t>> local_ids; // by rank, then local id: labels
	std::map<uint32_t, uint32_t> local_id;        // by label
	uint32_t first_leaf = 0;
};

// Random pairs of labels below a bound, some of them repeatedly.
Graph random_graph(uint32_t labels, uint32_t tuples) {
	Graph graph("random, " + std::to_string(tuples) + " tuples", labels, {});
	uint32_t state = labels;
	const auto label = [&] { return (state = state * 1664525 + 1013904223) / 7 % labels; };
	for (uint32_t i = 0; i < tuples; i++) {
		const uint32_t u = label(), v = label();
		for (uint32_t k = 0; k <= (i % 4 == 0); k++) graph.join(k ? v : u, k ? u : v);
		if (i % 10 == 0) graph.join(u, u);
	}
	return graph;
}

// The graphs of searches, and graphs with duplicates and with many leaves.
std::vector<Graph> graphs_to_build() {
	std::vector<Graph> all;
	for (Graph &graph : graphs())
		if (graph.tuples.size() < 30000) all.push_back(std::move(graph));
	Graph twice("a star with every tuple twice", 300, {}), rays("two stars of leaves", 2600, {});
	for (uint32_t v = 1; v < twice.labels(); v++) twice.join(0, v), twice.join(v, 0);
	for (uint32_t v = 2; v < rays.labels(); v++) rays.join(v % 3 == 0, v);
	for (const Graph &graph : {twice, rays, random_graph(70, 1000), random_graph(3000, 2000), random_graph(1, 9)})
		all.push_back(graph);
	all.push_back(joined("no label", 0, {}, {}));
	all.push_back(joined("the same edge four times", 2, {}, {{0, 1}, {1, 0}, {0, 1}, {0, 1}}));
	all.push_back(joined("pairs", 9, {}, {{0, 1}, {2, 4}, {3, 8}, {8, 3}, {6, 6}}));
	all.push_back(joined("leaves of another rank's vertices", 12, {}, {{0, 1}, {0, 5}, {0, 9}, {4, 3}, {4, 7}, {1, 1}}));
	for (Graph &graph : directed_graphs())
		if (graph.tuples.size() < 10000) all.push_back(std::move(graph));
	all.push_back(joined("a triangle with leaves", 9, {}, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 4}, {1, 5}, {1, 4}}));
	return all;
}

struct Verdict {
	int graphs = 0, wrong = 0;
	std::set<std::string> in_pieces; // modes in which a rank has sorted several pieces of rows
};

struct Mode {
	std::string name;
	Construction how;
};

const std::vector<Mode> modes{
	{"tuples", {0, kEnough, false}},
	{"tuples, short of memory", {0, kShort, false}},
	{"messages", kUsual},
	{"messages in rounds, short of memory", {700, kShort, true}},
	{"64-bit labels", kLabels64Build},
	{"64-bit ids", kIds64Build},
	{"64-bit labels in rounds, short of memory", {700, kShort, true, kLabels64}},
	{"64-bit ids in rounds, short of memory", {700, kShort, true, kIds64}},
};

// One rank may read tuples, several exchange messages, and only these support 64-bit labels.
bool has_mode(const Mode &mode, uint32_t ranks) {
	return ranks == 1 ? mode.how.ids == k32Bits : mode.how.round > 0;
}

void compare(const Graph &graph, uint32_t ranks, const Mode &mode, Verdict &verdict) {
	const Oracle oracle(graph, ranks);
	const std::string name = mode.name + ", " + std::to_string(ranks) + " ranks";
	Shares made;
	const int code = construct(graph, ranks, mode.how, made);
	std::string wrong;
	if (code) wrong = "error " + std::to_string(code);
	for (uint32_t r = 0; wrong.empty() && r < ranks; r++) {
		wrong = oracle.difference(made.of[r], r, mode.how.ids);
		if (!wrong.empty()) wrong = "rank " + std::to_string(r) + ": " + wrong;
	}
	verdict.graphs++;
	verdict.wrong += !wrong.empty();
	if (!wrong.empty()) printf("%s, %s: %s\n", graph.name.c_str(), name.c_str(), wrong.c_str());
	if (made.pieces > 1) verdict.in_pieces.insert(name);
}

// A row that does not fit into the working memory is an error, and no graph remains.
void expect_refusal(const Graph &graph, uint32_t ranks, Verdict &verdict) {
	Shares made;
	const bool has_edge = Oracle(graph, ranks).has_edge();
	const int code = construct(graph, ranks, {1000, kTooLittle, false}, made);
	if (!has_edge || (code == cudaErrorMemoryAllocation && made.of.empty())) return;
	verdict.wrong++;
	printf("%s, too little memory, %u ranks: error %d\n", graph.name.c_str(), ranks, code);
}

// Checks the number of vertices, also if labels exceed 2^32.
void find_vertices(const Graph &graph, uint32_t high, Verdict &verdict) {
	std::vector<g500_edge> edges;
	uint64_t got, want = 0;
	for (const auto &[u, v] : graph.tuples) {
		const uint64_t bits = u % 5 == 0 ? high : 0; // past the 32nd: v's, then u's
		edges.push_back({u, v, (uint32_t)bits});
		want = std::max({want, u + ((bits & 0xffff) << 32) + 1, v + (bits >> 16 << 32) + 1});
	}
	const int code = g500_find_vertices(nullptr, edges.data(), edges.size(), &got, nullptr);
	verdict.graphs++;
	if (code == 0 && got == want) return;
	verdict.wrong++;
	printf("%s, high bits %x: %llu vertices, want %llu\n", graph.name.c_str(), high, (unsigned long long)got,
	       (unsigned long long)want);
}

// Bins is the bins of a rank.
struct Bins {
	g500_bins *bins;

	explicit Bins(uint32_t ranks) { g500_bins_create(ranks, &bins, nullptr); }
	Bins(const Bins &) = delete;
	Bins &operator=(const Bins &) = delete;
	~Bins() { g500_bins_free(bins); }
};

// Returns the rank of edge number i's end, and the label for its word.
uint32_t owner_of(const g500_graph &own, uint64_t i) {
	return own.col_ranks ? own.col_ranks[i] : own.cols[i] >> own.shift;
}
uint64_t label_of(const g500_graph &own, uint64_t i, uint32_t word) {
	return own.labels64 ? (uint64_t)word * own.ranks + owner_of(own, i) : word;
}

// Returns the labels at the ends of all edges of a rank, with some global ids masked out: looks up its own labels and
// queries the others' owners.
std::vector<uint64_t> far_labels(const Shares &shares, uint32_t rank) {
	const g500_graph &own = shares.of[rank];
	const uint32_t ranks = own.ranks;
	std::vector<uint32_t> words(own.cols, own.cols + own.edges);
	for (size_t i = 0; i < words.size(); i += 7) words[i] = 0xffffffff;
	const g500_global_ids global_ids{words.data(), own.col_ranks};
	std::vector<uint64_t> messages(words.size()), counts(ranks), labels;
	const Bins bins(ranks);
	g500_bin_label_queries(bins.bins, &own, global_ids, words.size(), messages.data(), counts.data());
	g500_look_up(&own, global_ids, words.size(), words.data(), nullptr);
	cudaStreamSynchronize(nullptr);
	uint64_t *at = messages.data();
	for (uint32_t r = 0; r < ranks; at += counts[r++]) g500_reply_labels(&shares.of[r], at, counts[r], nullptr);
	g500_take_labels(messages.data(), at - messages.data(), words.data(), nullptr);
	cudaStreamSynchronize(nullptr);
	for (size_t i = 0; i < words.size(); i++)
		labels.push_back(words[i] == 0xffffffff ? ~0ull : label_of(own, i, words[i]));
	return labels;
}

// Computes the same from the array of neighbours.
std::vector<uint64_t> plain_far_labels(const Shares &shares, uint32_t rank) {
	const g500_graph &own = shares.of[rank];
	std::vector<uint64_t> labels;
	for (uint64_t i = 0; i < own.edges; i++) {
		const uint32_t local_id = own.col_ranks ? own.cols[i] : own.cols[i] & ((1u << own.shift) - 1);
		labels.push_back(i % 7 == 0 ? ~0ull : label_of(own, i, shares.of[owner_of(own, i)].labels[local_id]));
	}
	return labels;
}

void look_up(const Graph &graph, uint32_t ranks, Ids ids, Verdict &verdict) {
	Shares shares;
	if (construct(graph, ranks, {kUsual.round, kEnough, false, ids}, shares)) return; // compare reports it
	for (uint32_t r = 0; r < ranks; r++) {
		verdict.graphs++;
		if (far_labels(shares, r) == plain_far_labels(shares, r)) continue;
		verdict.wrong++;
		printf("%s, ids %d: rank %u of %u gets other labels\n", graph.name.c_str(), ids, r, ranks);
	}
}

// Checks that ends of tuples with labels beyond 32 bits reach their owners with all bits of the other label.
void send_ends64(uint32_t ranks, Verdict &verdict) {
	std::multiset<std::tuple<uint32_t, uint64_t, uint64_t>> want, got; // owner of an end, the end, the other one
	std::vector<g500_edge> edges;
	for (uint64_t i = 0; i < 3000; i++) {
		const uint64_t limit = (1ull << 31) * ranks; // numbers have 31 bits
		const uint64_t u = i * 0x9e3779b97f4a7c15 % limit, v = i % 9 == 0 ? u : (i + 77) * 0xbf58476d1ce4e5b9 % limit;
		edges.push_back({(uint32_t)u, (uint32_t)v, (uint32_t)(u >> 32 | v >> 32 << 16)});
		if (u != v) want.insert({u % ranks, u, v}), want.insert({v % ranks, v, u});
	}
	std::vector<g500_wide_message> messages(2 * edges.size());
	std::vector<uint64_t> counts(ranks);
	const Bins bins(ranks);
	g500_bin_ends(bins.bins, edges.data(), nullptr, edges.size(), messages.data(), counts.data());
	size_t at = 0;
	for (uint32_t r = 0; r < ranks; r++)
		for (uint64_t end = at + counts[r]; at < end; at++) {
			const g500_wide_message &m = messages[at];
			got.insert({r, (uint64_t)m.place * ranks + r, (uint64_t)m.word * ranks + m.extra});
		}
	verdict.graphs++;
	if (got == want) return;
	verdict.wrong++;
	printf("64-bit ends, %u ranks: %zu messages, want %zu, or others\n", ranks, got.size(), want.size());
}

void compare_all(bool quick, Verdict &verdict) {
	uint32_t turn = 0;
	for (uint32_t ranks : {7u, 1024u, 1025u, 3000u, (uint32_t)G500_MOST_RANKS}) send_ends64(ranks, verdict);
	for (const Graph &graph : graphs_to_build()) {
		for (uint32_t high : {0u, 7u, 7u << 16, 0xffff0001}) find_vertices(graph, high, verdict);
		for (uint32_t ranks : {1u, 2u, 3u, kFewRanks, 7u, kMostRanks}) {
			const bool long_or_other = graph.tuples.size() > 4000 || (graph.tuples.size() + ranks / 4) % 2;
			if (ranks > kFewRanks && long_or_other) continue; // one of the two is enough
			turn++;
			for (const Mode &mode : modes)
				if (has_mode(mode, ranks) && !(quick && (turn + (&mode - modes.data())) % 2)) compare(graph, ranks, mode, verdict);
			expect_refusal(graph, ranks, verdict);
			for (Ids ids : {k32Bits, kLabels64, kIds64})
				if (ranks > 1) look_up(graph, ranks, ids, verdict);
		}
	}
}

// Returns whether each mode with little memory has sorted several pieces of rows.
bool all_in_pieces(const Verdict &verdict) {
	bool all = true;
	for (const Mode &mode : modes)
		for (uint32_t ranks = 1; ranks <= 4; ranks++) {
			const std::string name = mode.name + ", " + std::to_string(ranks) + " ranks";
			if (mode.how.memory != kShort || !has_mode(mode, ranks) || verdict.in_pieces.count(name)) continue;
			printf("%s: no graph took several pieces of rows\n", name.c_str());
			all = false;
		}
	return all;
}

} // namespace emulator

int main(int count, char **) {
	using namespace emulator;
	Verdict verdict;
	compare_all(count > 1, verdict);
	const bool in_pieces = all_in_pieces(verdict);
	printf("%d of %d graphs built wrongly\n", verdict.wrong, verdict.graphs);
	return verdict.wrong > 0 || !in_pieces;
}
