#include "path_ranks.h"

#include <algorithm>
#include <limits>

#include "cuda_runtime.h"

namespace emulator {

PathRanks::PathRanks(const std::vector<g500_graph> &graphs, const g500_sssp_policy &policy, bool peers)
	: sweeps_(policy.sweeps), peers_(peers) {
	ranks_.resize(graphs.size());
	for (size_t r = 0; r < graphs.size(); r++) ranks_[r].graph = &graphs[r];
	prepare(policy);
}

void PathRanks::prepare(const g500_sssp_policy &policy) {
	const uint32_t n = (uint32_t)ranks_.size();
	g500_sssp_ranks known{};
	known.blocks = ~0u;
	for (Rank &rank : ranks_) {
		g500_sssp *search;
		g500_bins *bins;
		const uint32_t sharers = n == 4 && rank.graph->rank > 1 ? 2 : 1; // two of four ranks share a device
		if (g500_sssp_create(rank.graph, nullptr, &policy, sharers, &search, nullptr)) return;
		rank.search.reset(search);
		if (g500_bins_create(n, &bins, nullptr)) return;
		rank.bins.reset(bins);
		for (Words Rank::*array : {&Rank::distances, &Rank::parents, &Rank::labels}) (rank.*array).resize((size_t)n * part());
		const g500_graph &g = *rank.graph;
		std::copy(g.labels, g.labels + g.non_isolated, rank.labels.begin() + (size_t)g.rank * part());
		known.edges += g.edges;
		known.heaviest = std::max(known.heaviest, g500_sssp_heaviest(search));
		known.blocks = std::min(known.blocks, g500_sssp_blocks(search));
		rank.window.resize(g500_sssp_window_bytes(search));
		windows_.push_back(rank.window.data());
		distances_.push_back(rank.distances.data());
		parents_.push_back(rank.parents.data());
	}
	gather(&Rank::labels, 0, part());
	if (peers_) {
		known.windows = windows_.data();
		known.distances = distances_.data();
		known.parents = parents_.data();
	}
	ready_ = true;
	for (Rank &rank : ranks_) {
		known.d_distances = rank.distances.data();
		known.d_parents = rank.parents.data();
		known.d_labels = rank.labels.data();
		ready_ &= g500_sssp_connect(rank.search.get(), &known, nullptr) == 0;
	}
	gather(&Rank::distances, 0, part());
	gather(&Rank::parents, 0, part());
	for (Rank &rank : ranks_) ready_ &= g500_sssp_derive_detours(rank.search.get(), nullptr) == 0;
}

bool PathRanks::prune(std::vector<g500_graph> &graphs, g500_tree_levels &levels) {
	uint32_t local_id = 0;
	uint64_t longest = 0;
	for (const g500_graph &g : graphs)
		if (g.non_isolated > 0 && g.rows[1] >= longest) longest = g.rows[1], local_id = g.labels[0];
	bool done = search(local_id);
	for (Rank &rank : ranks_) done &= !g500_sssp_write_parents(rank.search.get(), nullptr);
	gather(&Rank::parents, 0, part());
	std::vector<std::unique_ptr<g500_pruning, void (*)(g500_pruning *)>> prunings;
	for (Rank &rank : ranks_) {
		float farthest;
		uint32_t hops;
		done &= !g500_sssp_survey(rank.search.get(), &farthest, &hops, nullptr);
		const double margin = 12.0 * (hops + 1) / (1 << 24) * farthest;
		g500_pruning *pruning;
		done &= !g500_pruning_create(rank.search.get(), margin, farthest, &pruning, nullptr);
		prunings.emplace_back(pruning, g500_pruning_free);
	}
	gather(&Rank::parents, 0, part());
	uint32_t first_leaf = 0;
	for (const auto &pruning : prunings) {
		uint32_t own = 0;
		done &= pruning && !g500_pruning_order(pruning.get(), &own);
		first_leaf = std::max(first_leaf, own);
	}
	gather(&Rank::parents, 0, part());
	for (size_t r = 0; done && r < graphs.size(); r++)
		done &= !g500_pruning_store(prunings[r].get(), first_leaf, &graphs[r], &levels);
	return done;
}

bool PathRanks::search_among(uint32_t root) {
	bool succeeded = true;
	slow_stream = slow_;
	for (size_t r = 0; root % 2 && r < ranks_.size(); r++)
		succeeded &= !g500_sssp_prelaunch(ranks_[r].search.get(), stream(r));
	for (size_t r = 0; r < ranks_.size(); r++) succeeded &= !g500_sssp_run(ranks_[r].search.get(), root, stream(r));
	for (size_t r = 0; r < ranks_.size(); r++) succeeded &= !g500_sssp_await(ranks_[r].search.get(), stream(r));
	slow_stream = nullptr;
	return succeeded;
}

bool PathRanks::search(uint32_t root) {
	if (peers_) return search_among(root);
	const uint32_t n = (uint32_t)ranks_.size();
	g500_sssp_root_path root_path;
	g500_sssp_find_root_path(ranks_[root % n].search.get(), root, &root_path, nullptr);
	nearest_ = std::numeric_limits<float>::infinity();
	farthest_ = 0;
	for (Rank &rank : ranks_) one(rank, {G500_SSSP_DO_BEGIN}, &root_path);
	agree();
	push(G500_SSSP_DO_PUSH, G500_SSSP_DO_TAKE);
	pull_beyond();
	settle_ties();
	for (Rank &rank : ranks_) g500_sssp_finish(rank.search.get(), root, nullptr);
	bool complete = true;
	for (Rank &rank : ranks_) complete &= !g500_sssp_await(rank.search.get(), nullptr);
	return complete;
}

void PathRanks::one(Rank &rank, g500_sssp_task task, const g500_sssp_root_path *root_path) {
	task.queued = rank.after.queued;
	task.nearest = nearest_;
	task.farthest = farthest_;
	g500_sssp_perform(rank.search.get(), &task, root_path, &rank.after, nullptr);
}

void PathRanks::all(int kind, uint32_t number) {
	for (Rank &rank : ranks_) one(rank, {kind, number});
}

void PathRanks::agree() {
	for (const Rank &rank : ranks_) {
		nearest_ = std::min(nearest_, rank.after.nearest);
		farthest_ = std::max(farthest_, rank.after.farthest);
	}
}

void PathRanks::push(int task, int take) {
	for (bool left = true; left;) {
		all(task, ++exchanges_);
		exchange_reached(take);
		agree();
		left = std::any_of(ranks_.begin(), ranks_.end(), [](const Rank &r) { return r.after.queued > 0; });
	}
}

void PathRanks::exchange_reached(int take) {
	const size_t n = ranks_.size();
	std::vector<std::vector<g500_weighted_message>> arrived(n);
	for (Rank &rank : ranks_) {
		std::vector<g500_weighted_message> messages(rank.after.remote);
		std::vector<uint64_t> counts(n);
		g500_sssp_bin_reached(rank.search.get(), rank.bins.get(), rank.after.remote, messages.data(), counts.data());
		auto at = messages.begin();
		for (size_t to = 0; to < n; at += counts[to++]) arrived[to].insert(arrived[to].end(), at, at + counts[to]);
	}
	for (size_t r = 0; r < n; r++) {
		g500_sssp_task task{take};
		task.d_messages = arrived[r].data();
		task.messages = arrived[r].size();
		if (task.messages > 0) one(ranks_[r], task);
	}
}

void PathRanks::pull_beyond() {
	gather(&Rank::distances, 0, part());
	if (nearest_ == std::numeric_limits<float>::infinity()) return;
	for (uint32_t i = 0; i < g500_sssp_classes(ranks_[0].search.get()); i++) {
		all(G500_SSSP_DO_PULL, i);
		uint32_t begin, end;
		g500_sssp_class(ranks_[0].search.get(), i, &begin, &end);
		gather(&Rank::distances, begin, end);
	}
	for (uint32_t i = 1; i < sweeps_; i++) {
		all(G500_SSSP_DO_PULL_AGAIN);
		gather(&Rank::distances, 0, part());
	}
	all(G500_SSSP_DO_PULL_LAST);
	agree();
	push(G500_SSSP_DO_PUSH_REST, G500_SSSP_DO_TAKE_REST);
	gather(&Rank::distances, 0, part());
}

void PathRanks::settle_ties() {
	for (all(G500_SSSP_DO_FIND_PARENTS);; all(G500_SSSP_DO_SETTLE_TIES)) {
		if (std::none_of(ranks_.begin(), ranks_.end(), [](const Rank &r) { return r.after.tied > 0; })) return;
		all(G500_SSSP_DO_LAY_OUT_PARENTS);
		gather(&Rank::parents, 0, part());
	}
}

void PathRanks::gather(Words Rank::*array, uint32_t begin, uint32_t end) {
	for (const Rank &from : ranks_)
		for (Rank &to : ranks_) {
			const size_t at = (size_t)from.graph->rank * part();
			const auto first = (from.*array).begin() + at;
			if (&from != &to) std::copy(first + begin, first + end, (to.*array).begin() + at + begin);
		}
}

uint64_t PathRanks::rounds() {
	g500_sssp_step steps[G500_SSSP_STEPS];
	g500_sssp_trace(ranks_[0].search.get(), steps, nullptr);
	return std::max(steps[G500_SSSP_PUSH].rounds, steps[G500_SSSP_PUSH_REST].rounds);
}

std::vector<int64_t> PathRanks::parents() const {
	std::vector<int64_t> all(ranks_[0].graph->vertices);
	for (size_t v = 0; v < all.size(); v++)
		all[v] = g500_sssp_parents(ranks_[v % ranks_.size()].search.get())[v / ranks_.size()];
	return all;
}

std::vector<float> PathRanks::distances() const {
	std::vector<float> all(ranks_[0].graph->vertices);
	for (size_t v = 0; v < all.size(); v++)
		all[v] = g500_sssp_distances(ranks_[v % ranks_.size()].search.get())[v / ranks_.size()];
	return all;
}

} // namespace emulator
