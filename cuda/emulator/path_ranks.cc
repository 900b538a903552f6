// SPDX-License-Identifier: Apache-2.0

#include "path_ranks.h"

#include <algorithm>
#include <cstring>

#include "cuda_runtime.h"

namespace emulator {

PathRanks::PathRanks(const std::vector<g500_graph> &graphs, const g500_sssp_policy &policy, bool among_peers,
                     uint32_t listed, bool shares_light)
	: among_peers_(among_peers), listed_(listed), shares_light_(shares_light && !among_peers) {
	ranks_.resize(graphs.size());
	for (size_t r = 0; r < graphs.size(); r++) ranks_[r].graph = &graphs[r];
	prepare(policy);
}

void PathRanks::prepare(const g500_sssp_policy &policy) {
	const uint32_t n = (uint32_t)ranks_.size();
	g500_sssp_ranks known{};
	known.blocks = ~0u;
	for (Rank &rank : ranks_) {
		g500_searching *search;
		const uint32_t sharers = n == 4 && rank.graph->rank > 1 ? 2 : 1; // two of four ranks share a device
		if (g500_sssp_create(rank.graph, nullptr, &policy, sharers, &search, nullptr)) return;
		rank.search.reset(search);
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
	known.listed = listed_;
	if (among_peers_) {
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
	if (shares_light_) share_light();
	for (Rank &rank : ranks_) ready_ &= g500_sssp_derive_detours(rank.search.get(), nullptr) == 0;
}

// Gives every rank the light edges of all, if there are any.
void PathRanks::share_light() {
	uint64_t most = 0;
	for (Rank &rank : ranks_) {
		uint64_t own = 0;
		ready_ &= g500_sssp_count_light(rank.search.get(), &own, nullptr) == 0;
		most = std::max(most, own);
	}
	for (Rank &rank : ranks_) rank.light.resize(ranks_.size() * most);
	for (Rank &rank : ranks_)
		ready_ &= most == 0 || g500_sssp_store_light(rank.search.get(), rank.light.data(), most, nullptr) == 0;
	for (const Rank &from : ranks_)
		for (Rank &to : ranks_) {
			const auto own = from.light.begin() + from.graph->rank * most;
			if (&from != &to) std::copy(own, own + most, to.light.begin() + from.graph->rank * most);
		}
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
		succeeded &= !g500_searching_prelaunch(ranks_[r].search.get(), stream(r));
	for (size_t r = 0; r < ranks_.size(); r++) succeeded &= !g500_searching_run(ranks_[r].search.get(), root, stream(r));
	for (size_t r = 0; r < ranks_.size(); r++) succeeded &= !g500_searching_await(ranks_[r].search.get(), stream(r));
	slow_stream = nullptr;
	return succeeded;
}

bool PathRanks::search_far(uint32_t root) {
	const size_t n = ranks_.size();
	std::vector<g500_wanted> wanted(n);
	bool goes_on = true, failed = false;
	kinds_.clear();
	for (size_t r = 0; r < n; r++) goes_on &= !g500_searching_begin(ranks_[r].search.get(), root, &wanted[r], stream(r));
	while (goes_on && wanted[0].kind != G500_SEARCH_DONE) {
		goes_on = make_exchange(wanted);
		for (size_t r = 0; goes_on && r < n; r++) failed |= !advance_far(r, wanted[r]) || wanted[r].kind != wanted[0].kind;
		goes_on = goes_on && !failed;
	}
	for (size_t r = 0; goes_on && r < n; r++) goes_on = !g500_searching_await(ranks_[r].search.get(), stream(r));
	return goes_on;
}

// Continues a rank's search until it wants an exchange. Returns whether it goes on.
bool PathRanks::advance_far(size_t rank, g500_wanted &wanted) {
	int code;
	do code = g500_searching_next(ranks_[rank].search.get(), &wanted, stream(rank));
	while (code == 0 && wanted.kind == G500_WANTS_TIME);
	return code == 0;
}

// Makes the exchange that all ranks want. Returns false if they do not want the same one.
bool PathRanks::make_exchange(const std::vector<g500_wanted> &wanted) {
	const size_t n = ranks_.size();
	for (size_t r = 0; r < n; r++) cudaStreamSynchronize(stream(r));
	for (size_t r = 0; left_ == 0 && r < n; r++) g500_searching_fail(ranks_[r].search.get());
	if (left_-- == 0) return false;
	for (size_t from = 0; from < n; from++)
		for (size_t to = 0; to < n; to++) {
			const g500_wanted &out = wanted[from], &in = wanted[to];
			if (out.kind == G500_WANTS_ALL_GATHER) {
				if (out.bytes != in.bytes) return false;
				memmove((char *)in.d_all + from * in.bytes, out.d_own, in.bytes);
				continue;
			}
			const uint64_t bytes = out.send_bytes[to];
			if (bytes != in.receive_bytes[from] || bytes > in.place || bytes > in.longest) return false;
			memcpy((char *)in.d_receive + from * in.place, (const char *)out.d_send + to * out.place, bytes);
		}
	kinds_.push_back(wanted[0].kind);
	const uint64_t bytes = wanted[0].bytes; // of a report, if it is in its place
	if (wanted[1].kind == G500_WANTS_ALL_GATHER && (const char *)wanted[1].d_own == (char *)wanted[1].d_all + bytes) {
		if (first_ == 0) first_ = bytes;
		grown_ += bytes > first_;
	}
	return true;
}

bool PathRanks::search(uint32_t root) {
	return among_peers_ ? search_among(root) : search_far(root);
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
