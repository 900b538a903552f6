// SPDX-License-Identifier: Apache-2.0

// A validator by messages to owners on each of several ranks, with copies in place of exchanges, in small rounds.
#pragma once

#include <algorithm>

#include "emulator/trial.h"
#include "generate/generate.h"
#include "validate/validate.h"

namespace emulator {

// Where the tuples are: in host memory they are as on the device or, with 32-bit labels, packed (ADR 16).
enum TupleMemory { kOnDevice, kInHost, kPackedInHost, kTupleMemories };

class OwnerTrial {
public:
	OwnerTrial(const Claim &claim, uint32_t ranks, uint32_t bits, TupleMemory in)
		: claim(claim), bits(bits), in(in), of(ranks) {
		for (uint32_t r = 0; r < ranks; r++) prepare(r);
	}

	Result tree() {
		each([this](Rank &r) {
			return g500_owner_enter(r.on, claim.root, r.parents.data(), (int)bits, &r.found);
		});
		if (rule() == 0) climb();
		if (rule() == 0) check_tuples();
		if (rule() == 0) each([](Rank &r) { return g500_owner_check_joined(r.on, &r.found); });
		return failed ? Result{-1} : result_of(findings());
	}

private:
	static constexpr uint64_t kPlaces = 5, kTuples = 7, kForwarded = 4; // in a round

	struct Rank {
		std::vector<g500_edge> tuples;
		std::vector<g500_edge32> packed; // tuples in host memory with 32-bit labels
		std::vector<g500_edge> piece = std::vector<g500_edge>(kTuples); // of tuples in host memory, on the device
		std::vector<unsigned char> parents;
		std::vector<uint32_t> levels, joined;
		uint64_t owned = 0;
		g500_owner_validator *on = nullptr;
		g500_bins *bins = nullptr;
		g500_findings found{};

		~Rank() { g500_owner_validator_free(on), g500_bins_free(bins); }
	};

	// Messages of a rank to all ranks, in their order, or from them.
	template <typename Message>
	struct Mail {
		std::vector<Message> list;
		std::vector<uint64_t> counts;
	};

	void prepare(uint32_t rank) {
		Rank &r = of[rank];
		const uint32_t ranks = (uint32_t)of.size();
		for (size_t i = rank; i < claim.tuples.size(); i += ranks)
			r.tuples.push_back({claim.tuples[i].first, claim.tuples[i].second, 0});
		r.packed.resize(r.tuples.size());
		failed |= g500_pack_edges(r.tuples.data(), r.tuples.size(), r.packed.data(), nullptr) != 0;
		for (uint32_t v = rank; v < claim.parents.size(); v += ranks, r.owned++) {
			const unsigned char *const word = (const unsigned char *)&claim.parents[v];
			r.parents.insert(r.parents.end(), word, word + bits / 8);
		}
		r.levels.resize(r.owned), r.joined.resize((r.owned + 31) / 32);
		g500_validator_parts parts{ranks, rank, claim.parents.size()};
		parts.levels = r.levels.data(), parts.joined = r.joined.data(), parts.directed = claim.directed;
		failed |= g500_owner_validator_create(&parts, &r.on, nullptr) || g500_bins_create(ranks, &r.bins, nullptr);
	}

	template <typename Step>
	void each(Step step) {
		for (Rank &r : of) failed |= step(r) != 0;
	}

	// Calls fill(rank, messages, counts) on every rank, with space for that many messages, and delivers them.
	template <typename Message, typename Fill>
	std::vector<Mail<Message>> send(uint64_t most, Fill fill) {
		std::vector<Mail<Message>> sent(of.size());
		for (size_t r = 0; r < of.size(); r++) {
			sent[r].list.resize(most), sent[r].counts.resize(of.size());
			failed |= fill(of[r], sent[r].list.data(), sent[r].counts.data()) != 0;
		}
		return deliver(sent);
	}

	template <typename Message>
	static std::vector<Mail<Message>> deliver(const std::vector<Mail<Message>> &sent) {
		std::vector<Mail<Message>> arrived(sent.size());
		for (const Mail<Message> &from : sent) {
			const Message *at = from.list.data();
			for (size_t r = 0; r < sent.size(); at += from.counts[r++]) {
				arrived[r].list.insert(arrived[r].list.end(), at, at + from.counts[r]);
				arrived[r].counts.push_back(from.counts[r]);
			}
		}
		return arrived;
	}

	template <typename Message, typename Step>
	void take(std::vector<Mail<Message>> &arrived, Step step) {
		for (size_t r = 0; r < of.size(); r++) failed |= step(of[r], arrived[r].list.data(), arrived[r].list.size()) != 0;
	}

	// Queries the levels of parents for all vertices without a level, and takes the replies by a step.
	template <typename Step>
	void query(Step step) {
		for (uint64_t first = 0; first < of[0].owned; first += kPlaces) {
			auto queries = send<uint64_t>(kPlaces, [&](Rank &r, uint64_t *messages, uint64_t *counts) {
				const uint64_t begin = std::min(first, r.owned), n = std::min(kPlaces, r.owned - begin);
				return g500_owner_bin_parents(r.on, r.bins, begin, n, messages, counts);
			});
			take(queries, [](Rank &r, uint64_t *messages, uint64_t n) {
				return g500_owner_reply_levels(r.on, messages, n);
			});
			auto replies = deliver(queries);
			take(replies, step);
		}
	}

	void climb() {
		uint64_t left = ~0ull; // vertices without a level, and the root
		for (;;) {
			query([](Rank &r, const uint64_t *messages, uint64_t n) {
				return g500_owner_take_levels(r.on, messages, n, &r.found);
			});
			uint64_t waiting = 0;
			for (const Rank &r : of) waiting += r.found.reached - r.found.sizes[0];
			if (waiting == 1) return;
			if (waiting == left) break;
			left = waiting;
		}
		query([](Rank &r, const uint64_t *messages, uint64_t n) {
			return g500_owner_take_stuck(r.on, messages, n, &r.found);
		});
	}

	void check_tuples() {
		for (uint64_t first = 0; first < of[0].tuples.size(); first += kTuples) {
			auto ends = send<g500_wide_message>(kTuples, [&](Rank &r, g500_wide_message *messages, uint64_t *counts) {
				const uint64_t begin = std::min<uint64_t>(first, r.tuples.size());
				const uint64_t n = std::min<uint64_t>(kTuples, r.tuples.size() - begin);
				return g500_owner_bin_tuples(r.on, r.bins, at(r, begin, n), n, messages, counts);
			});
			for (Rank &r : of) std::fill(r.piece.begin(), r.piece.end(), g500_edge{}); // the next piece overwrites it
			take(ends, [](Rank &r, g500_wide_message *messages, uint64_t n) {
				return g500_owner_forward_tuples(r.on, messages, n);
			});
			size_t most = 0;
			for (const auto &of_rank : ends) most = std::max(most, of_rank.list.size());
			for (uint64_t at = 0; at < most; at += kForwarded) forward(ends, at);
		}
	}

	void forward(const std::vector<Mail<g500_wide_message>> &ends, uint64_t at) {
		auto forwarded = send<g500_wide_message>(kForwarded, [&](Rank &r, g500_wide_message *messages, uint64_t *counts) {
			const auto &received = ends[&r - of.data()].list;
			const uint64_t begin = std::min<uint64_t>(at, received.size());
			const uint64_t n = std::min<uint64_t>(kForwarded, received.size() - begin);
			return g500_owner_bin_forwarded(r.on, r.bins, received.data() + begin, n, messages, counts);
		});
		take(forwarded, [](Rank &r, const g500_wide_message *messages, uint64_t n) {
			return g500_owner_check_tuples(r.on, messages, n, &r.found);
		});
	}

	// Returns n tuples in device memory, after a copy from host memory if they are there.
	const g500_edge *at(Rank &r, uint64_t first, uint64_t n) {
		if (in == kOnDevice) return r.tuples.data() + first;
		if (in == kInHost) std::copy_n(r.tuples.begin() + first, n, r.piece.begin());
		else failed |= g500_unpack_edges(r.packed.data() + first, n, r.piece.data(), nullptr) != 0;
		return r.piece.data();
	}

	std::vector<g500_findings> findings() const {
		std::vector<g500_findings> all;
		for (const Rank &r : of) all.push_back(r.found);
		return all;
	}
	int rule() const { return failed ? -1 : first_broken(findings()); }

	const Claim &claim;
	const uint32_t bits;
	const TupleMemory in;
	bool failed = false;
	std::vector<Rank> of;
};

} // namespace emulator
