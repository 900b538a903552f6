// SPDX-License-Identifier: Apache-2.0

// Graphs in pages on the emulator: batches of updates, compared with a reference of sets; searches on pages and
// followed levels, compared with a queue. The test prints all faults, and fails if there is one.
//
//   pages_test [quick]     with "quick" each graph in one size of pages
#include <cstdio>
#include <cstring>
#include <memory>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "graphs.h"
#include "pages/pages.h"

namespace emulator {

int wrong = 0, checks = 0, refused = 0;

void expect(bool holds, const std::string &what) {
	checks++;
	if (holds) return;
	wrong++;
	printf("%s\n", what.c_str());
}

struct Update {
	uint32_t kind, u, v;
};

// Reference is a graph as sets.
struct Reference {
	std::vector<std::set<uint32_t>> rows;
	std::vector<uint8_t> there;

	g500_pages_totals apply(const std::vector<Update> &updates) {
		g500_pages_totals t{};
		const uint32_t n = (uint32_t)rows.size();
		for (const auto &[kind, u, v] : updates) {
			const bool has = u < n && rows[u].count(v), known = u < n && v < n && there[u] && there[v];
			if (kind == G500_PAGES_QUERY) (has ? t.found : t.missing)++;
			else if (kind == G500_PAGES_INSERT && !known) t.unknown++;
			else if (has == (kind == G500_PAGES_INSERT)) t.unchanged++;
			else if (kind == G500_PAGES_INSERT) rows[u].insert(v), t.inserted++;
			else rows[u].erase(v), t.deleted++;
		}
		return t;
	}
	void isolate(const std::vector<uint8_t> &chosen) {
		for (uint32_t u = 0; u < rows.size(); u++)
			for (auto at = rows[u].begin(); at != rows[u].end();) at = chosen[u] || chosen[*at] ? rows[u].erase(at) : ++at;
	}
	uint64_t pages(uint32_t bits) const {
		uint64_t sum = 0;
		for (const auto &row : rows) sum += (row.size() + (1ull << bits) - 1) >> bits;
		return sum;
	}
	uint64_t edges() const {
		uint64_t sum = 0;
		for (const auto &row : rows) sum += row.size();
		return sum;
	}
};

struct Rows {
	std::vector<uint64_t> offsets{0};
	std::vector<uint32_t> columns;

	explicit Rows(const Reference &reference) {
		for (const auto &row : reference.rows) {
			columns.insert(columns.end(), row.begin(), row.end());
			offsets.push_back(columns.size());
		}
	}
};

// Trial is a graph in pages, and its reference.
struct Trial {
	std::string name;
	Reference reference;
	uint32_t bits;
	uint64_t pages;
	g500_pages *p;

	Trial(const Graph &graph, uint32_t bits, uint64_t spare)
		: name(graph.name + ", bits " + std::to_string(bits)), bits(bits) {
		reference.rows = graph.neighbours;
		reference.there.assign(graph.labels(), 1);
		const Rows rows(reference);
		const g500_lab_graph given = {graph.labels(), rows.columns.size(), rows.offsets.data(), rows.columns.data(), 1};
		pages = reference.pages(bits) + spare;
		if (g500_pages_create(&given, bits, spare, &p, nullptr)) abort();
	}
	~Trial() { g500_pages_free(p); }

	uint32_t labels() const { return (uint32_t)reference.rows.size(); }

	g500_pages_totals run(const std::vector<Update> &updates) {
		const uint32_t own = g500_pages_bits(p);
		std::vector<uint64_t> words;
		for (const auto &[kind, u, v] : updates)
			words.push_back(((uint64_t)std::min(u, labels()) << own | std::min(v, labels())) << 2 | kind);
		g500_pages_totals totals;
		if (g500_pages_apply(p, words.data(), words.size(), &totals, nullptr)) abort();
		return totals;
	}

	// Applies a batch to both. If the pages do not suffice, the reference is restored.
	bool apply(const std::vector<Update> &updates, const std::string &what) {
		const Reference before = reference;
		const g500_pages_totals want = reference.apply(updates), got = run(updates);
		const bool full = reference.pages(bits) > pages;
		expect(!got.full == !full, name + ", " + what + ": wrongly refused or accepted");
		if (full) reference = before;
		else expect(!memcmp(&want, &got, 6 * sizeof(uint64_t)), name + ", " + what + ": other counts than the reference");
		compare(what);
		return !full;
	}

	void compare(const std::string &what) {
		const std::string edges = std::to_string(g500_pages_edges(p));
		expect(g500_pages_edges(p) == reference.edges(), name + ", " + what + ": " + edges + " edges");
		expect(g500_pages_unused(p) == pages - reference.pages(bits), name + ", " + what + ": pages lost");
		std::vector<uint64_t> offsets(labels() + 1);
		std::vector<uint32_t> columns(g500_pages_edges(p) + 1);
		if (g500_pages_read(p, offsets.data(), columns.data(), nullptr)) abort();
		for (uint32_t v = 0; v < labels(); v++) {
			const std::set<uint32_t> row(columns.begin() + offsets[v], columns.begin() + offsets[v + 1]);
			if (row != reference.rows[v] || row.size() != offsets[v + 1] - offsets[v])
				return expect(false, name + ", " + what + ": other neighbours of " + std::to_string(v));
		}
		expect(true, "");
	}

	std::vector<uint32_t> distances(uint32_t root) const {
		std::vector<uint32_t> of(labels(), ~0u);
		std::queue<uint32_t> queue({root});
		for (of[root] = 0; !queue.empty(); queue.pop())
			for (uint32_t to : reference.rows[queue.front()])
				if (of[to] == ~0u) of[to] = of[queue.front()] + 1, queue.push(to);
		return of;
	}

	// Several strategies find the levels from a root.
	void search(uint32_t root, const std::string &what) {
		g500_lab *lab;
		if (g500_lab_create_on_pages(p, &lab)) abort();
		const std::vector<std::vector<std::pair<const char *, const char *>>> strategies{
			{{"shape", "topology"}}, {{"shape", "topology"}, {"loop", "device"}},
			{{"shape", "topology"}, {"gather", "block"}},
			{{"lookup", "swap"}}, {{"lookup", "swap"}, {"loop", "device"}}, {{"lookup", "swap"}, {"loop", "tail-launch"}},
			{{"lookup", "swap"}, {"gather", "scan"}, {"warp_from", "32"}, {"block_from", "256"}},
			{{"shape", "immediate-classes"}, {"lookup", "swap"}, {"warp_from", "5"}, {"block_from", "129"},
				{"grid_from", "400"}},
			{{"shape", "deferred-classes"}, {"lookup", "swap"}, {"warp_from", "5"}, {"block_from", "129"},
				{"grid_from", "400"}},
			{{"shape", "deferred-classes"}, {"lookup", "swap"}, {"warp_from", "5"}, {"block_from", "129"},
				{"loop", "tail-launch"}, {"walk", "links"}},
			{{"shape", "immediate-classes"}, {"lookup", "swap"}, {"warp_from", "5"}, {"block_from", "129"},
				{"walk", "links"}},
			{{"lookup", "swap"}, {"child_from", "40"}},
			{{"shape", "two-phase"}, {"gather", "warp-scan"}, {"edge_capacity", "10000"}, {"vertex_capacity", "10000"}},
			{{"shape", "status-queue"}, {"warp_from", "32"}}};
		for (const auto &settings : strategies) {
			g500_lab_strategy s;
			std::string name_of;
			g500_lab_defaults(&s);
			for (const auto &[key, value] : settings) {
				name_of += std::string(" ") + value;
				if (g500_lab_set(&s, key, value)) abort();
			}
			g500_lab_totals totals;
			std::vector<uint32_t> found(labels());
			if (g500_lab_prepare(lab, &s, nullptr) || g500_lab_run(lab, root, &totals, nullptr)) {
				expect(false, name + ", " + what + ": no search by" + name_of);
				continue;
			}
			cudaMemcpyAsync(found.data(), g500_lab_distances(lab), found.size() * 4, cudaMemcpyDeviceToHost, nullptr);
			expect(found == distances(root), name + ", " + what + ": other levels by" + name_of);
		}
		g500_lab_free(lab);
	}
};

// Returns a batch of updates, some of the same edges, some of vertices that do not exist.
std::vector<Update> draw(const Trial &t, std::mt19937 &draws, size_t n, double deletions) {
	std::vector<Update> batch;
	const uint32_t hub = draws() % t.labels();
	for (size_t i = 0; i < n; i++) {
		Update one = {G500_PAGES_INSERT, draws() % 4 ? (uint32_t)(draws() % t.labels()) : hub, 0};
		one.v = draws() % (t.labels() + 1);
		const auto &row = t.reference.rows[one.u];
		if (draws() % 1000 < 1000 * deletions) {
			one.kind = G500_PAGES_DELETE;
			if (!row.empty() && draws() % 8) one.v = *std::next(row.begin(), draws() % row.size());
		} else if (draws() % 8 == 0) one.kind = G500_PAGES_QUERY;
		else if (!batch.empty() && draws() % 8 == 0) one.u = batch.back().u, one.v = batch.back().v;
		batch.push_back(one);
	}
	return batch;
}

void fuzz(const Graph &graph, uint32_t bits, uint64_t spare, uint32_t seed) {
	Trial t(graph, bits, spare);
	std::mt19937 draws(seed);
	t.compare("laid out");
	for (int i = 0; i < 8; i++) {
		const double deletions = i % 4 == 3 ? 0.95 : i % 4 * 0.3;
		refused += !t.apply(draw(t, draws, 1 + draws() % (i % 3 ? 900 : 60), deletions), "batch " + std::to_string(i));
	}
	if (bits == 2) t.search(draws() % t.labels(), "after batches");
	// all edges away, and back again
	std::vector<Update> all;
	for (uint32_t u = 0; u < t.labels(); u++)
		for (uint32_t v : t.reference.rows[u]) all.push_back({G500_PAGES_DELETE, u, v});
	t.apply(all, "all away");
	for (Update &one : all) one.kind = G500_PAGES_INSERT;
	t.apply(all, "all back");
}

// Removed vertices lose their edges; then all changes are undone.
void isolate(const Graph &graph, uint32_t bits) {
	Trial t(graph, bits, 1000);
	const Reference before = t.reference;
	std::mt19937 draws(7);
	g500_pages_begin(t.p);
	t.apply(draw(t, draws, 200, 0.3), "before vertices go");
	for (uint32_t v = 0; v < t.labels(); v += 3) t.reference.there[v] = 0;
	std::vector<uint8_t> gone(t.labels());
	for (uint32_t v = 0; v < t.labels(); v++) gone[v] = !t.reference.there[v];
	g500_pages_totals totals;
	if (g500_pages_isolate(t.p, gone.data(), &totals, nullptr)) abort();
	t.reference.isolate(gone);
	if (g500_pages_set_vertices(t.p, t.reference.there.data(), nullptr)) abort();
	t.compare("vertices gone");
	t.apply(draw(t, draws, 300, 0.3), "some vertices unknown");
	t.reference = before;
	if (g500_pages_set_vertices(t.p, t.reference.there.data(), nullptr) || g500_pages_undo(t.p, nullptr)) abort();
	t.compare("undone");
	t.apply(draw(t, draws, 300, 0.5), "after that");
}

// Levels follow batches with every edge in both directions.
void follow(const Graph &graph, uint32_t bits, uint32_t seed) {
	Trial t(graph, bits, 3000);
	std::mt19937 draws(seed);
	const uint32_t root = draws() % t.labels();
	g500_levels *levels;
	if (g500_levels_create(t.p, root, &levels, nullptr)) abort();
	uint64_t lost = 0;
	for (int i = 0; i < 10; i++) {
		std::vector<uint32_t> found(t.labels());
		cudaMemcpyAsync(found.data(), g500_levels_of(levels), found.size() * 4, cudaMemcpyDeviceToHost, nullptr);
		expect(found == t.distances(root), t.name + ": other levels after batch " + std::to_string(i));
		const double deletions = i == 8 ? 1 : i % 3 * 0.4;
		std::vector<Update> batch;
		for (const Update &one : draw(t, draws, i == 8 ? 4000 : 1 + draws() % 40, deletions)) {
			if (one.u >= t.labels() || one.v >= t.labels()) continue;
			batch.push_back(one);
			batch.push_back({one.kind, one.v, one.u});
		}
		g500_pages_begin(t.p);
		t.apply(batch, "followed batch " + std::to_string(i));
		g500_levels_totals totals;
		if (g500_levels_update(levels, t.p, &totals, nullptr)) abort();
		g500_pages_keep(t.p);
		lost += totals.lost;
	}
	if (graph.name == "path") expect(lost > 0, t.name + ": no vertex lost its level");
	g500_levels_free(levels);
}

} // namespace emulator

int main(int count, char **) {
	using namespace emulator;
	setvbuf(stdout, nullptr, _IOLBF, 0);
	std::vector<Graph> all = graphs();
	uint32_t seed = 1;
	for (const Graph &graph : all) {
		if (graph.labels() > 1100) continue;
		for (const uint32_t bits : {0, 2, 4})
			if (seed++; count == 1 || seed % 3 == 0) fuzz(graph, bits, seed % 2 ? 2000 : 5, seed - 1);
		isolate(graph, 3);
		for (int i = 0; i < 2; i++, seed++)
			if (count == 1 || i == 0) follow(graph, 2, seed);
	}
	expect(refused > 0, "no batch was refused");
	printf("%d of %d checks of graphs in pages wrong\n", wrong, checks);
	return wrong > 0 || checks == 0;
}
