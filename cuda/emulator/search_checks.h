// SPDX-License-Identifier: Apache-2.0

// Checks of single functions of searches. Each returns the number of mistakes, and prints them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <utility>

#include "job.h"
#include "policies.h"
#include "search/policy.cuh"
#include "search/result.cuh"

namespace emulator {

extern uint64_t allocated; // bytes of device memory

// Checks the memory of a search on one rank, nearly all of whose vertices have several edges, by the policy that lists
// neighbours of hubs: of 2^15 vertices, without the first 2^14, because some arrays have a least size. gpu/memory.go
// plans it; 4 bytes are lists of missed vertices, which are equally long here.
inline int wrong_memory(const g500_policy &policy) {
	constexpr double kPlanned = 43 + 12 + 8 - 4; // per vertex: searchBytes, listBytes of 32-bit ids, 64-bit result
	uint64_t bytes[2];
	for (int i = 0; i < 2; i++) {
		Shares built;
		if (construct(even_degrees(1u << (14 + i)), 1, kUsual, built)) return 1;
		const uint64_t before = allocated;
		const Job job(built, {"memory", G500_EXCHANGE_AUTO, false, true}, 64, policy);
		bytes[i] = allocated - before;
	}
	const double each = (double)(bytes[1] - bytes[0]) / (1 << 14);
	printf("%.2f bytes per vertex, %.0f are planned\n", each, kPlanned);
	return each > kPlanned;
}

// Checks that a frontier of more edges than were left, by an estimate, leaves none.
inline int wrong_unexplored() {
	g500::Progress at{};
	at.unexplored = 5;
	at.explore(7);
	if (at.unexplored) printf("%llu unexplored edges are left of 5, after 7\n", (unsigned long long)at.unexplored);
	return at.unexplored != 0;
}

// Checks result entries of labels that a small graph does not have.
inline int wrong_results() {
	g500::State state{};
	state.ranks = 1000;
	const uint64_t number = (1u << 31) - 2, rank = 999, none = ~0ull;
	const bool labels64 = g500::result_word<uint64_t>(state, rank << 32 | number) == number * 1000 + rank &&
	                      g500::result_word<uint64_t>(state, none) == none;
	const bool labels32 = g500::result_word<uint64_t>(state, 0xfffffffeu) == 0xfffffffeu &&
	                    g500::result_word<uint64_t>(state, 0xffffffffu) == none;
	if (!labels64 || !labels32) printf("wrong result entries: 64-bit labels %d, 32-bit %d\n", labels64, labels32);
	return !labels64 + !labels32;
}

// Checks that with 2^28 labels each 1,024 ranks query bits, and two do not, by exchanges that begin after 30 us and
// move 50 GB/s. Without times, or if an all-to-all takes a second, no ranks do.
inline int wrong_choices() {
	const uint64_t part = 10 << 20, hubs = part / 24;
	int wrong = 0;
	for (const auto &[ranks, queries] : {std::pair<uint32_t, bool>{2, false}, {1024, true}}) {
		const uint64_t longest = 30'000 + (ranks - 1) * 20 * 1000;
		const g500::FarTrial slow{{1, 1'000'001}, {{30'000, longest}, {30'000, longest}}};
		wrong += g500::is_worth_queries(slow, ranks, part, hubs) != queries;
		const g500::FarTrial late{{1, 1'000'001}, {{30'000, longest}, {1'000'000'000, longest}}};
		wrong += g500::is_worth_queries(late, ranks, part, hubs) || g500::is_worth_queries({}, ranks, part, hubs);
	}
	if (wrong) printf("%d wrong choices of queries\n", wrong);
	return wrong;
}

// Checks that no search among peers has 64-bit ids, and no other one 32-bit ids of 64-bit labels.
inline int wrong_ids() {
	int wrong = 0;
	for (const Construction &how : {kLabels64Build, kIds64Build}) {
		Shares built;
		if (construct(kronecker(6), 2, how, built)) return 1;
		const Job job(built, {"ids", G500_EXCHANGE_AUTO, how.ids == kIds64, true}, 64, kSmall);
		g500_ranks other{};
		other.far = how.ids != kIds64;
		wrong += g500_search_connect(job.search_of(0), &other, job.stream(0)) != cudaErrorInvalidValue;
	}
	if (wrong) printf("%d wrong widths of ids are not refused\n", wrong);
	return wrong;
}

} // namespace emulator
