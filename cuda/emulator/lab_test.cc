// SPDX-License-Identifier: Apache-2.0

// The strategies of the laboratory on the emulator: each strategy of the table searches small graphs, with distances
// and with parents, and is compared with the levels of a queue. The test prints all faults, and fails if there is one.
//
//   lab_test STRATEGIES.toml [quick | NAME]     all strategies, or those whose names contain NAME; with "quick" on a
//                                               third of the graphs with distances, on another with parents, and on
//                                               another with low limits
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cuda_runtime.h"
#include "graphs.h"
#include "lab/lab.h"
#include "lab/runner.cuh"

namespace emulator {

constexpr uint32_t kNone = 0xffffffff;

struct Strategy {
	std::string name;
	g500_lab_strategy parts;
};

// Returns the strategies of a table that consist of parts. Rows are name = { key = "word", key = number }.
std::vector<Strategy> read_strategies(const char *path) {
	std::vector<Strategy> all;
	std::set<std::string> engines; // of this project
	const std::set<std::string> texts = {"paper", "section", "before", "count", "differs"}; // keys that are no parts
	std::ifstream file(path);
	for (std::string key, equals, value, rest; file >> key;) {
		if (key[0] == '#') std::getline(file, rest);
		if (key[0] == '#' || key == "," || key[0] == '}') continue;
		file >> equals >> std::quoted(value);
		if (value == "{") {
			all.push_back({key, {}});
			g500_lab_defaults(&all.back().parts);
			continue;
		}
		value = value.substr(0, value.find(','));
		const auto is_value = [&](const Strategy &s) { return s.name == value; };
		if (key == "engine") engines.insert(all.back().name);
		else if (key == "like") all.back().parts = std::find_if(all.begin(), all.end(), is_value)->parts;
		else if (!texts.count(key) && g500_lab_set(&all.back().parts, key.c_str(), value.c_str()))
			printf("%s: there is no %s = %s\n", all.back().name.c_str(), key.c_str(), value.c_str()), exit(1);
	}
	const auto is_engine = [&](const Strategy &s) { return engines.count(s.name) > 0; };
	all.erase(std::remove_if(all.begin(), all.end(), is_engine), all.end());
	return all;
}

// Rows is a graph in input order.
struct Rows {
	std::string name;
	std::vector<uint64_t> offsets;
	std::vector<uint32_t> columns, roots;
	bool symmetric;

	Rows(std::string name, uint32_t vertices, const Tuples &tuples, std::vector<uint32_t> roots, bool symmetric)
		: name(std::move(name)), offsets(vertices + 1), roots(std::move(roots)), symmetric(symmetric) {
		std::vector<std::vector<uint32_t>> rows(vertices);
		for (const auto &[u, v] : tuples) {
			rows[u].push_back(v);
			if (symmetric) rows[v].push_back(u);
		}
		for (uint32_t v = 0; v < vertices; v++) {
			columns.insert(columns.end(), rows[v].begin(), rows[v].end());
			offsets[v + 1] = columns.size();
		}
	}
	uint32_t vertices() const { return (uint32_t)offsets.size() - 1; }

	bool leads(uint32_t u, uint32_t v) const {
		for (uint64_t e = offsets[u]; e < offsets[u + 1]; e++)
			if (columns[e] == v) return true;
		return false;
	}

	// The reference: distances from a root; kNone without a path.
	std::vector<uint32_t> distances(uint32_t root) const {
		std::vector<uint32_t> distance(vertices(), kNone), queue{root};
		distance[root] = 0;
		for (size_t i = 0; i < queue.size(); i++)
			for (uint64_t e = offsets[queue[i]]; e < offsets[queue[i] + 1]; e++) {
				if (distance[columns[e]] != kNone) continue;
				distance[columns[e]] = distance[queue[i]] + 1;
				queue.push_back(columns[e]);
			}
		return distance;
	}
};

Tuples grid(uint32_t side) {
	Tuples tuples;
	for (uint32_t y = 0; y < side; y++)
		for (uint32_t x = 0; x < side; x++) {
			if (x + 1 < side) tuples.emplace_back(y * side + x, y * side + x + 1);
			if (y + 1 < side) tuples.emplace_back(y * side + x, y * side + x + side);
		}
	return tuples;
}

Tuples path(uint32_t length) {
	Tuples tuples;
	for (uint32_t v = 1; v < length; v++) tuples.emplace_back(v - 1, v);
	return tuples;
}

// Returns every tuple three times, and a loop at every vertex.
Tuples with_repeats(const Tuples &tuples, uint32_t vertices) {
	Tuples all;
	for (int i = 0; i < 3; i++) all.insert(all.end(), tuples.begin(), tuples.end());
	for (uint32_t v = 0; v < vertices; v++) all.emplace_back(v, v);
	return all;
}

std::vector<Rows> all_rows() {
	std::vector<Rows> all;
	for (const Graph &graph : graphs()) {
		std::vector<uint32_t> roots = graph.roots;
		roots.resize(std::min<size_t>(roots.size(), graph.labels() > 2000 ? 1 : 3));
		all.emplace_back(graph.name, graph.labels(), graph.tuples, roots, true);
	}
	all.emplace_back("grid", 900, grid(30), std::vector<uint32_t>{0, 435}, true);
	all.emplace_back("grid with repeats", 144, with_repeats(grid(12), 144), std::vector<uint32_t>{77}, true);
	all.emplace_back("path", 300, path(300), std::vector<uint32_t>{0}, true); // more levels than a byte can count
	const Graph small = kronecker(9);
	all.emplace_back("directed kronecker", small.labels(), small.tuples, small.roots, false);
	all.emplace_back("directed grid", 900, grid(30), std::vector<uint32_t>{0, 435, 899}, false);
	return all;
}

// Returns the fault of the result of a search, or "".
std::string fault(const Rows &rows, uint32_t root, const g500_lab *lab) {
	const std::vector<uint32_t> want = rows.distances(root);
	const uint32_t *const distance = g500_lab_distances(lab), *const parent = g500_lab_parents(lab);
	if (!distance && !parent) return "there is no result";
	for (uint32_t v = 0; v < rows.vertices(); v++) {
		const std::string at = "vertex " + std::to_string(v) + " at distance " + std::to_string((int)want[v]);
		if (distance && distance[v] != want[v]) return at + " has " + std::to_string((int)distance[v]);
		if (!parent) continue;
		const uint32_t p = parent[v];
		const bool right = want[v] == kNone ? p == kNone : want[v] == 0 ? p == root
		                 : p < rows.vertices() && want[p] + 1 == want[v] && rows.leads(p, v);
		if (!right) return at + " has parent " + std::to_string((int)p);
	}
	return "";
}

// Returns a contradiction between the counts and the result, or "".
std::string miscount(const Rows &rows, uint32_t root, const g500_lab *lab, const g500_lab_totals &totals,
                     const g500_lab_strategy &parts) {
	const bool top_down = !parts.direction, drops = parts.drop_degree;
	uint64_t reached = 0, edges = 0;
	const std::vector<uint32_t> distance = rows.distances(root);
	for (uint32_t v = 0; v < rows.vertices(); v++)
		if (distance[v] != kNone) reached++, edges += rows.offsets[v + 1] - rows.offsets[v];
	if (totals.reached != reached) return "reached is " + std::to_string(totals.reached);
	if (totals.reached_edges != edges) return "reached_edges is " + std::to_string(totals.reached_edges);
	std::vector<g500_lab_level> levels(totals.levels);
	if ((uint32_t)g500_lab_levels(lab, levels.data(), (int)totals.levels) != totals.levels) return "levels are missing";
	uint64_t inspected = 0;
	for (const g500_lab_level &level : levels) inspected += level.edges;
	if (inspected != totals.edges) return "levels and totals inspected different numbers of edges";
	if (top_down && totals.edges < edges && !drops) return "too few edges were inspected";
	return "";
}

struct Verdict {
	int searches = 0, wrong = 0, refused = 0;
	uint64_t repeated = 0, cache_hits = 0;
	std::set<std::pair<uint32_t, uint32_t>> steps; // directions and launches of levels
};

void search_all(const Strategy &strategy, const Rows &rows, Verdict &verdict) {
	const g500_lab_graph graph = {rows.vertices(), rows.columns.size(), rows.offsets.data(), rows.columns.data(),
		rows.symmetric};
	g500_lab *made = nullptr;
	if (g500_lab_create(&graph, &made, nullptr)) exit(1);
	const std::unique_ptr<g500_lab, void (*)(g500_lab *)> lab(made, g500_lab_free);
	if (g500_lab_prepare(made, &strategy.parts, nullptr)) {
		verdict.refused++;
		return;
	}
	faults.waiting_grids = strategy.parts.child_from == 4 ? 20 : 0; // then some launches of rows are refused
	for (uint32_t root : rows.roots) {
		g500_lab_totals totals;
		verdict.searches++;
		std::string wrong;
		if (const int code = g500_lab_run(made, root, &totals, nullptr)) wrong = "error " + std::to_string(code);
		else if (totals.outcome != G500_LAB_DONE) wrong = "a queue is full";
		else if ((wrong = fault(rows, root, made)) == "") wrong = miscount(rows, root, made, totals, strategy.parts);
		verdict.repeated += totals.repeated_vertices;
		verdict.cache_hits += totals.cache_hits;
		std::vector<g500_lab_level> levels(totals.levels);
		levels.resize((size_t)g500_lab_levels(made, levels.data(), (int)levels.size()));
		for (const g500_lab_level &level : levels) verdict.steps.insert({level.bottom_up, level.launches});
		if (!wrong.empty())
			verdict.wrong++, printf("%s, %s, root %u: %s\n", strategy.name.c_str(), rows.name.c_str(), root, wrong.c_str());
		if (!strategy.parts.output) break; // only searches for parents use all roots
	}
}

// Returns the totals of one search from the first root, and the figures of its shares.
g500_lab_totals search_once(const Strategy &strategy, const Rows &rows,
                            std::vector<g500_lab_share> *shares = nullptr) {
	const g500_lab_graph graph = {rows.vertices(), rows.columns.size(), rows.offsets.data(), rows.columns.data(),
		rows.symmetric};
	g500_lab *lab = nullptr;
	g500_lab_totals totals;
	if (g500_lab_create(&graph, &lab, nullptr) || g500_lab_prepare(lab, &strategy.parts, nullptr) ||
	    g500_lab_run(lab, rows.roots[0], &totals, nullptr)) exit(1);
	if (shares) shares->resize((size_t)g500_lab_shares(lab, shares->data(), (int)shares->size()));
	g500_lab_free(lab);
	return totals;
}

// Returns the strategy with low limits, so that small graphs reach all classes and both couplings, and turn bottom-up.
g500_lab_strategy small(g500_lab_strategy parts) {
	if (parts.warp_from) parts.warp_from = 3;
	if (parts.block_from) parts.block_from = 6;
	if (parts.grid_from) parts.grid_from = 12;
	if (parts.hub_cache) parts.hub_cache = 32, parts.hub_degree = 4;
	if (parts.child_from) parts.child_from = 4;
	if (parts.bin_from || parts.supports) parts.bin_from = 32, parts.supports = g500::lab::kSet;
	parts.tiles = 1;
	parts.history = 32;
	parts.fused_below = 24;
	parts.gamma = 5;
	parts.alpha = 100;
	return parts;
}

// Whether a strategy with a direction went bottom-up, concurrent classes and child kernels were several kernels, and
// the hybrid used both couplings.
bool reached(const Strategy &strategy, const Verdict &verdict) {
	const auto bottom_up = [](const std::pair<uint32_t, uint32_t> &step) { return step.first == 1; };
	const auto &steps = verdict.steps;
	if (strategy.parts.direction) return std::any_of(steps.begin(), steps.end(), bottom_up);
	const auto several = [](const std::pair<uint32_t, uint32_t> &step) { return step.second > 1; };
	const bool children = strategy.parts.child_from && !strategy.parts.loop;
	if (strategy.parts.classes || children) return std::any_of(steps.begin(), steps.end(), several);
	return strategy.name != "merrill-hybrid" || (steps.count({0, 1}) && steps.count({0, 2}));
}

// Returns the fault of the storage of Merrill's couplings, or "". It must be as in section 5, in 4-byte words, with a
// second queue of edges for parents, one more edge for the root, and the mask; on several GPUs each has these.
std::string storage_fault(Strategy strategy, const Rows &rows) {
	const uint64_t n = rows.vertices(), m = rows.columns.size() + 1, gpus = strategy.parts.gpus;
	const std::map<std::string, std::pair<uint64_t, uint64_t>> couplings = {{"merrill-expand-contract", {2 * n, 0}},
		{"merrill-contract-expand", {0, 2 * m}}, {"merrill-two-phase", {n, m}}, {"merrill-hybrid", {0, 2 * m}},
		{"merrill-partitioned", {n, 2 * m + 2 * (gpus - 1)}}};
	const auto found = couplings.find(strategy.name);
	if (found == couplings.end()) return "";
	strategy.parts.vertex_capacity = strategy.parts.edge_capacity = 100;
	g500_lab_totals totals = search_once(strategy, rows);
	const auto [vertices, edges] = found->second;
	const uint64_t want = 4 * (vertices + (strategy.parts.output ? 2 : 1) * edges) + gpus * (n / 8 + 1);
	return totals.queue_bytes == want ? "" : std::to_string(totals.queue_bytes) + " bytes, not " + std::to_string(want);
}

// Returns the strategy, a copy that drops vertices of degree 1 if its shape can, and if it uses several GPUs, also
// copies with other numbers of GPUs.
std::vector<Strategy> variants(const Strategy &strategy) {
	std::vector<Strategy> all{strategy};
	if (strategy.parts.shape != g500::lab::kTopology && strategy.parts.shape != g500::lab::kStatusQueue) {
		all.push_back({strategy.name + " without degree 1", strategy.parts});
		all.back().parts.drop_degree = 1;
	}
	for (uint32_t gpus : {1, 3, 4}) {
		if (strategy.parts.gpus == 1) break;
		all.push_back({strategy.name + " on " + std::to_string(gpus), strategy.parts});
		all.back().parts.gpus = gpus;
	}
	return all;
}

// Returns the fault of the counts of two GPUs on a path with alternating owners, or "". Each GPU sends each of its
// neighbours once. Neighbours nearer to the root are filtered, except the root, which its GPU has not seen as a
// neighbour.
std::string traffic_fault(Strategy strategy) {
	constexpr uint32_t kLength = 50;
	if (strategy.parts.shape != g500::lab::kPartitioned) return "";
	strategy.parts.gpus = 2;
	std::vector<g500_lab_share> shares(3);
	const g500_lab_totals totals = search_once(strategy, Rows("path", kLength, path(kLength), {0}, true), &shares);
	if (shares.size() != 2) return std::to_string(shares.size()) + " shares";
	if (shares[0].device == shares[1].device) return "one GPU, and there are two";
	const uint64_t word = strategy.parts.output ? 8 : 4, half = kLength / 2;
	for (const g500_lab_share &s : shares) {
		if (s.vertices != half || s.edges != 2 * half - 1) return std::to_string(s.edges) + " edges on a GPU";
		if (s.filtered != half - 1) return std::to_string(s.filtered) + " edges filtered on a GPU";
		if (s.pulled != word * half) return std::to_string(s.pulled) + " bytes pulled by a GPU";
	}
	return totals.edges == 2 * (kLength - 1) ? "" : "other edges in all than on the GPUs";
}

// Whether the last queue of unvisited vertices, of one class, is in ascending order: after the switch to bottom-up and
// the filters of later levels.
bool has_ordered_queue(g500_lab_strategy parts) {
	const Rows rows("path", 1000, path(5), {0}, true);
	const g500_lab_graph graph = {rows.vertices(), rows.columns.size(), rows.offsets.data(), rows.columns.data(), true};
	g500_lab *lab = nullptr;
	g500_lab_totals totals;
	parts.alpha = 1u << 20;
	if (g500_lab_create(&graph, &lab, nullptr) || g500_lab_prepare(lab, &parts, nullptr) ||
	    g500_lab_run(lab, 0, &totals, nullptr)) exit(1);
	std::vector<uint32_t> left(995);
	for (uint32_t i = 0; i < 995; i++) left[i] = 5 + i;
	const bool ordered = std::any_of(lab->memory.vertices, lab->memory.vertices + 2, [&](const auto &queue) {
		return std::equal(left.begin(), left.end(), queue.get());
	});
	g500_lab_free(lab);
	return ordered;
}

// Returns the repeated vertices with both culls and a number of tiles per block.
uint64_t repeated_by_tiles(Strategy strategy, const std::vector<Rows> &all, uint32_t tiles) {
	uint64_t sum = 0;
	strategy.parts.tiles = tiles;
	for (const Rows &rows : all) sum += search_once(strategy, rows).repeated_vertices;
	return sum;
}

// Whether searches in small queues report that duplicates filled a queue.
bool reports_full_queues(Strategy strategy, const std::vector<Rows> &all) {
	strategy.parts.vertex_capacity = strategy.parts.edge_capacity = 100;
	return std::any_of(all.begin(), all.end(),
	                   [&](const Rows &rows) { return search_once(strategy, rows).outcome == G500_LAB_QUEUE_FULL; });
}

} // namespace emulator

int main(int count, char **arguments) {
	using namespace emulator;
	setvbuf(stdout, nullptr, _IOLBF, 0);
	if (count < 2) return fprintf(stderr, "usage: lab_test STRATEGIES.toml [quick | NAME]\n"), 2;
	const bool quick = count > 2 && std::string(arguments[2]) == "quick";
	const std::string name = count > 2 && !quick ? arguments[2] : "";
	int wrong = 0, searches = 0;
	std::map<std::string, uint64_t> repeated;
	const std::vector<Rows> all = all_rows();
	for (Strategy strategy : read_strategies(arguments[1])) {
		if (strategy.name.find(name) == std::string::npos) continue;
		Verdict verdict;
		for (const char *output : {"distance", "parent"}) {
			g500_lab_set(&strategy.parts, "output", output);
			strategy.parts.edge_capacity = strategy.parts.vertex_capacity = 3000;
			if (strategy.name == "merrill-two-phase-mask-alone") strategy.parts.edge_capacity = 10000; // it culls least
			if (const std::string fault = storage_fault(strategy, all.back()); !fault.empty())
				wrong++, printf("%s, %s: its queues take %s\n", strategy.name.c_str(), output, fault.c_str());
			if (const std::string fault = traffic_fault(strategy); !fault.empty())
				wrong++, printf("%s, %s, on a path: %s\n", strategy.name.c_str(), output, fault.c_str());
			for (const Strategy &one : variants(strategy)) {
				const Strategy other = {one.name + ", small", small(one.parts)};
				for (const Rows &rows : all) {
					const size_t third = quick ? (&rows - all.data()) % 3 : 3;
					const bool in_time = rows.vertices() < 1000, has = third == 3 || third == one.parts.output;
					if (has && (!one.parts.drop_degree || in_time)) search_all(one, rows, verdict);
					if (third > 1 && other.parts.output && in_time && one.name == strategy.name) search_all(other, rows, verdict);
				}
			}
		}
		printf("%s: %d of %d searches wrong, %d graphs refused, %llu vertices repeated\n", strategy.name.c_str(),
		       verdict.wrong, verdict.searches, verdict.refused, (unsigned long long)verdict.repeated);
		repeated[strategy.name] = verdict.repeated;
		if (strategy.name == "merrill-two-phase-label" && !reports_full_queues(strategy, all))
			wrong++, printf("no queue was full without culls\n");
		if (strategy.name == "merrill-two-phase" &&
		    repeated_by_tiles(strategy, all, 16) >= repeated_by_tiles(strategy, all, 1))
			wrong++, printf("culls find no more duplicates with more tiles per block\n");
		if (!reached(strategy, verdict))
			wrong++, printf("%s never used its second kind of level\n", strategy.name.c_str());
		if (strategy.parts.lookup == g500::lab::kSwap && verdict.repeated)
			wrong++, printf("%s has expanded vertices twice, after an atomic claim\n", strategy.name.c_str());
		const bool by_alpha =
			strategy.parts.shape == g500::lab::kStatusQueue && strategy.parts.direction == g500::lab::kByAlpha;
		if (by_alpha && has_ordered_queue(strategy.parts) != (strategy.parts.switching == g500::lab::kBlocked))
			wrong++, printf("%s: the order of its queue is not that of its scan\n", strategy.name.c_str());
		if (strategy.parts.hub_cache && !verdict.cache_hits)
			wrong++, printf("the hub cache was never hit\n");
		wrong += verdict.wrong + (verdict.searches == 0), searches += verdict.searches;
	}
	for (const char *cull : {"warp-cull", "history-cull"})
		if (name.empty() && repeated[std::string("merrill-two-phase-") + cull] >= repeated["merrill-two-phase-mask"])
			wrong++, printf("%s finds no duplicates\n", cull);
	printf("%d of %d searches wrong\n", wrong, searches);
	return wrong > 0 || searches == 0;
}
