// SPDX-License-Identifier: Apache-2.0

// The generator on the emulator: writes the packed edges, or the weights, of an official graph of edge factor 16 to
// standard output. Arguments: scale, both seeds, "edges" or "weights".
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cuda_runtime.h"
#include "generate/generate.h"
#include "generate/mrg.cuh"

// Returns whether all 128 bits of the seeds are used, as in the reference code (generator/utils.c: make_mrg_seed). The
// golden graphs have small seeds.
static bool uses_all_seed_bits() {
	const auto state = g500::mrg::seeded(~0ull, ~0ull);
	for (int k = 0; k < 4; k++)
		if (state.z[k] != 1u << 30) return false;
	return state.z[4] == 256 && g500::mrg::seeded(1ull << 60, 0).z[4] == 2 && g500::mrg::seeded(0, 1ull << 60).z[4] == 17;
}

int main(int arguments, char **argument) {
	if (arguments != 5) return 2;
	if (!uses_all_seed_bits()) return std::fprintf(stderr, "wrong: some bits of the seeds are not used\n"), 1;
	const g500_kronecker graph{std::atoi(argument[1]), std::strtoull(argument[2], nullptr, 10),
	                           std::strtoull(argument[3], nullptr, 10)};
	const size_t count = (size_t)16 << graph.scale;
	std::vector<g500_edge> edges(count);
	std::vector<float> weights(count);
	const size_t first_part = count / 3; // two launches, the second one at an arbitrary edge
	const auto generate = [&](size_t first, size_t end) {
		return g500_generate(&graph, first, end - first, &edges[first], &weights[first], nullptr);
	};
	if (generate(0, first_part) || generate(first_part, count) || cudaStreamSynchronize(nullptr)) return 1;
	const bool weighted = std::string(argument[4]) == "weights";
	return weighted ? std::fwrite(weights.data(), sizeof weights[0], count, stdout) != count
	                : std::fwrite(edges.data(), sizeof edges[0], count, stdout) != count;
}
