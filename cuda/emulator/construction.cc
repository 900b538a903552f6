// SPDX-License-Identifier: Apache-2.0

#include "construction.h"

#include <algorithm>
#include <memory>

#include "kernel1/kernel1.h"
#include "cuda_runtime.h"

namespace emulator {

namespace {

struct Failed {
	int code;
};

void check(int code) {
	if (code) throw Failed{code};
}

// Sent is the messages of a rank, sorted by destination, and their number by rank.
template <typename Message>
struct Sent {
	std::vector<Message> messages;
	std::vector<uint64_t> counts;
};

int bin_ends(g500_bins *bins, const g500_edge *tuples, const float *, uint64_t n, Sent<uint64_t> &to) {
	return g500_bin_ends(bins, tuples, nullptr, n, to.messages.data(), to.counts.data());
}
int bin_ends(g500_bins *bins, const g500_edge *tuples, const float *weights, uint64_t n, Sent<g500_wide_message> &to) {
	return g500_bin_ends(bins, tuples, weights, n, to.messages.data(), to.counts.data());
}

struct Rank {
	std::vector<g500_edge> tuples;
	std::vector<float> weights; // of the tuples, in a weighted graph
	uint64_t memory = 0; // for sorting rows
	std::unique_ptr<g500_builder, void (*)(g500_builder *)> builder{nullptr, g500_builder_free};
	std::unique_ptr<g500_bins, void (*)(g500_bins *)> bins{nullptr, g500_bins_free};

	const g500_graph &graph() const { return *g500_builder_graph(builder.get()); }
	const float *weights_or_null() const { return weights.empty() ? nullptr : weights.data(); }
};

// Builder makes the calls in the order of the Go code (gpu/kernel1).
class Builder {
public:
	Builder(const Graph &graph, uint32_t ranks, const Construction &how)
		: how(how), weighted(how.weighted || !graph.weights.empty()), labels(graph.labels()), ranks(ranks) {
		for (size_t i = 0; i < graph.tuples.size(); i++) {
			const auto [u, v] = graph.tuples[i];
			Rank &rank = this->ranks[how.last_has_all ? ranks - 1 : i % ranks];
			rank.tuples.push_back({u, v, 0});
			if (!graph.weights.empty()) rank.weights.push_back(graph.weights[i]);
		}
		for (uint32_t r = 0; r < ranks; r++) create(r, graph);
	}

	void build(Shares &made) {
		count_degrees();
		order(made);
		while (next()) {
			made.pieces++;
			collect();
			for (Rank &rank : ranks) check(g500_builder_store(rank.builder.get()));
		}
		made.of.resize(count());
		for (uint32_t r = 0; r < count(); r++) check(g500_builder_finish(ranks[r].builder.get(), &made.of[r]));
	}

private:
	uint32_t count() const { return (uint32_t)ranks.size(); }
	static void *stream(uint32_t rank) { return (void *)(uintptr_t)(rank + 1); }

	void create(uint32_t rank, const Graph &graph) {
		g500_builder *builder;
		g500_bins *bins;
		const uint64_t known = how.round == 0 ? graph.labels() / 2 : graph.labels(); // one rank alone learns it later
		check(g500_builder_create(count(), rank, known, &builder, stream(rank)));
		if (weighted && !how.copies_order && !how.both) g500_builder_keep(builder, G500_WEIGHTED, kTypicalWeight);
		if (graph.directed) g500_builder_keep(builder, G500_DIRECTED, 0);
		if (how.packed) g500_builder_keep(builder, G500_PACKED, 0);
		ranks[rank].builder.reset(builder);
		check(g500_bins_create(count(), &bins, stream(rank)));
		ranks[rank].bins.reset(bins);
	}

	// Delivers all messages to their ranks.
	template <typename Message>
	std::vector<std::vector<Message>> deliver(const std::vector<Sent<Message>> &sent) const {
		std::vector<std::vector<Message>> received(count());
		for (const Sent<Message> &from : sent) {
			auto at = from.messages.begin();
			for (uint32_t to = 0; to < count(); at += from.counts[to++])
				received[to].insert(received[to].end(), at, at + from.counts[to]);
		}
		return received;
	}

	// Sends all ends to their owners, and calls body after each round with the received ones.
	template <typename Message, typename Body>
	void each_round(Body body) {
		size_t most = 0;
		for (const Rank &rank : ranks) most = std::max(most, rank.tuples.size());
		for (uint64_t first = 0; first < most; first += how.round) {
			std::vector<Sent<Message>> sent;
			for (Rank &rank : ranks) {
				const uint64_t begin = std::min(first, (uint64_t)rank.tuples.size());
				const uint64_t tuples = std::min(how.round, rank.tuples.size() - begin);
				Sent<Message> s{std::vector<Message>(2 * tuples), std::vector<uint64_t>(count())};
				const g500_edge *const list = rank.tuples.data() + begin;
				const float *const weights = rank.weights_or_null() ? rank.weights.data() + begin : nullptr;
				check(bin_ends(rank.bins.get(), list, weights, tuples, s));
				sent.push_back(std::move(s));
			}
			const auto received = deliver(sent);
			body(received);
			for (uint32_t r = 0; r < count(); r++) cudaStreamSynchronize(stream(r)); // before the received messages are
			                                                                         // freed
		}
	}

	void count_degrees() {
		if (how.round == 0) return count_tuples();
		if (how.ids == k32Bits) return add_counts();
		each_round<g500_wide_message>([&](const std::vector<std::vector<g500_wide_message>> &ends) {
			for (uint32_t r = 0; r < count(); r++)
				check(g500_builder_count64(ranks[r].builder.get(), ends[r].data(), ends[r].size()));
		});
	}

	// Counts the tuples in two calls. The highest label is unknown in the first one.
	void count_tuples() {
		const auto &tuples = ranks[0].tuples;
		const auto is_low = [&](const g500_edge &e) { return std::max(e.low_u, e.low_v) < ranks[0].graph().owned; };
		const size_t low = std::find_if_not(tuples.begin(), tuples.end(), is_low) - tuples.begin();
		g500_builder *const builder = ranks[0].builder.get();
		check(g500_builder_count_tuples(builder, tuples.data(), low));
		check(g500_builder_grow(builder, labels));
		check(g500_builder_count_tuples(builder, tuples.data() + low, tuples.size() - low));
	}

	// Counts the ends of each rank's tuples at all labels, and adds up the counts.
	void add_counts() {
		table.resize(slice() * count());
		std::vector<uint32_t *> counts(count());
		for (uint32_t r = 0; r < count(); r++) {
			g500_builder *const builder = ranks[r].builder.get();
			check(g500_builder_count_all(builder, slice(), &counts[r]));
			check(g500_builder_count_tuples(builder, ranks[r].tuples.data(), ranks[r].tuples.size()));
			cudaStreamSynchronize(stream(r));
		}
		std::vector<std::vector<uint32_t>> received(count());
		for (uint32_t r = 0; r < count(); r++)
			for (const uint32_t *from : counts)
				received[r].insert(received[r].end(), from + r * slice(), from + (r + 1) * slice());
		for (uint32_t r = 0; r < count(); r++) {
			check(g500_builder_add_counts(ranks[r].builder.get(), received[r].data()));
			cudaStreamSynchronize(stream(r));
		}
	}

	uint32_t slice() const { return labels / count() + 1; }

	// Gathers the local ids of all labels.
	void gather_local_ids() {
		if (how.ids != k32Bits || how.round == 0) return;
		for (uint32_t r = 0; r < count(); r++)
			std::copy_n(ranks[r].graph().local_ids, ranks[r].graph().owned, table.begin() + r * slice());
		for (Rank &rank : ranks) g500_bins_know(rank.bins.get(), table.data(), slice(), rank.graph().shift);
	}

	void order(Shares &made) {
		uint32_t non_isolated = 0, first_leaf = 0;
		for (Rank &rank : ranks) {
			uint64_t entries;
			const uint64_t bytes = 12ull * rank.graph().owned + 1; // the 1 replaces CUB's working memory
			check(g500_builder_order(rank.builder.get(), how.memory == kEnough ? kPlenty : bytes, &entries));
			if (how.copies_order) copy_order(rank);
			non_isolated = std::max(non_isolated, rank.graph().non_isolated);
			first_leaf = std::max(first_leaf, rank.graph().first_leaf);
		}
		for (Rank &rank : ranks) {
			const uint32_t shift = std::max(g500_local_id_bits(non_isolated), how.shift);
			if (how.both) build_plain(rank, shift, first_leaf, made);
			const uint32_t part64 = how.shift > 0 ? 1u << shift : g500_part64(first_leaf); // or with gaps between ranks
			if (how.ids != k32Bits) g500_builder_keep(rank.builder.get(), G500_LABELS64, 0);
			check(g500_builder_allocate_cols(rank.builder.get(), shift, first_leaf, how.ids == kIds64 ? part64 : 0));
			check(g500_builder_packed_bound(rank.builder.get(), &made.bounds.emplace_back()));
			rank.memory = memory(rank.graph());
			check(g500_builder_rows(rank.builder.get(), rank.memory));
			if (rank.graph().directed) g500_bins_one_way(rank.bins.get());
		}
		gather_local_ids();
	}

	void copy_order(Rank &rank) const {
		g500_builder *copy;
		check(g500_builder_copy_order(rank.builder.get(), &copy));
		rank.builder.reset(copy);
		if (weighted) g500_builder_keep(copy, G500_WEIGHTED, kTypicalWeight);
	}

	// Builds a graph without weights, and continues with a copy of its order and its entries.
	void build_plain(Rank &rank, uint32_t shift, uint32_t first_leaf, Shares &made) {
		Rank plain;
		plain.builder.swap(rank.builder);
		g500_builder *weighted;
		check(g500_builder_copy_order(plain.builder.get(), &weighted));
		rank.builder.reset(weighted);
		g500_builder_keep(weighted, G500_WEIGHTED, kTypicalWeight);
		check(g500_builder_allocate_cols(plain.builder.get(), shift, first_leaf, 0));
		check(g500_builder_rows_for_both(plain.builder.get(), weighted, kPlenty));
		uint32_t rows;
		for (check(g500_builder_next(plain.builder.get(), 0, &rows)); rows > 0;
		     check(g500_builder_next(plain.builder.get(), 0, &rows))) {
			check(g500_builder_collect_tuples(plain.builder.get(), rank.tuples.data(), rank.weights_or_null(),
			                                  rank.tuples.size()));
			check(g500_builder_store(plain.builder.get()));
		}
		check(g500_builder_finish(plain.builder.get(), &made.plain));
	}

	// Returns the memory for sorting rows: bytes per entry, for as many again in one group and, except for kTooLittle, 8
	// bytes per run and a few more.
	uint64_t memory(const g500_graph &graph) const {
		const uint64_t all = graph.rows[graph.non_isolated];
		uint64_t longest = 0;
		for (uint32_t v = 0; v < graph.non_isolated; v++) longest = std::max(longest, graph.rows[v + 1] - graph.rows[v]);
		const uint64_t entries = std::max(all / 3, longest);
		constexpr uint64_t bytes = 16; // per entry and its space in a group
		if (how.memory == kEnough) return kPlenty;
		if (how.memory == kTooLittle) return bytes * longest;
		return bytes * (entries + 64) + 8 * (entries / 512 + 3);
	}

	// Chooses the next piece of rows on each rank. Packed rows so far take memory. Returns false after the last piece.
	bool next() {
		uint32_t most = 0;
		for (Rank &rank : ranks) {
			uint32_t rows;
			check(g500_builder_next(rank.builder.get(), rank.memory - g500_packed_bytes(&rank.graph()), &rows));
			most = std::max(most, rows);
		}
		return most > 0;
	}

	void collect() {
		Rank &only = ranks[0];
		if (g500_builder_collected(only.builder.get())) return;
		if (how.round == 0)
			return check(g500_builder_collect_tuples(only.builder.get(), only.tuples.data(), only.weights_or_null(),
			                                         only.tuples.size()));
		if (weighted) collect_received<g500_wide_message>();
		else if (how.ids != k32Bits) collect_forwarded();
		else collect_received<uint64_t>();
	}

	template <typename Message>
	void take(const std::vector<std::vector<Message>> &neighbours) {
		for (uint32_t r = 0; r < count(); r++)
			check(g500_builder_collect(ranks[r].builder.get(), neighbours[r].data(), neighbours[r].size()));
	}

	template <typename Message>
	void collect_received() {
		each_round<Message>([&](const std::vector<std::vector<Message>> &ends) { take(ends); });
	}

	void collect_forwarded() {
		each_round<g500_wide_message>([&](const std::vector<std::vector<g500_wide_message>> &ends) {
			std::vector<Sent<g500_wide_message>> sent;
			for (uint32_t r = 0; r < count(); r++) {
				Sent<g500_wide_message> s{std::vector<g500_wide_message>(ends[r].size()), std::vector<uint64_t>(count())};
				check(g500_bin_neighbours64(ranks[r].bins.get(), &ranks[r].graph(), ends[r].data(), ends[r].size(),
				                            s.messages.data(), s.counts.data()));
				sent.push_back(std::move(s));
			}
			const auto received = deliver(sent);
			take(received);
			for (uint32_t r = 0; r < count(); r++) cudaStreamSynchronize(stream(r)); // before the received messages are
			                                                                         // freed
		});
	}

	static constexpr uint64_t kPlenty = 1ull << 40;
	static constexpr float kTypicalWeight = 0.5f;

	const Construction how;
	const bool weighted;
	const uint32_t labels;
	std::vector<uint32_t> table; // by label, in slices of the ranks
	std::vector<Rank> ranks;
};

} // namespace

int construct(const Graph &graph, uint32_t ranks, const Construction &how, Shares &made) {
	try {
		Builder(graph, ranks, how).build(made);
	} catch (const Failed &failed) {
		return failed.code;
	}
	return 0;
}

} // namespace emulator
