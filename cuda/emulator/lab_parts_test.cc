// SPDX-License-Identifier: Apache-2.0

// Parts of the laboratory on the emulator, each in a kernel of one block: they do what their papers describe, not only
// find right results as lab_test checks. Prints each mistake, and fails if there is one.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "cuda_runtime.h"
#include "lab/runner.cuh"

namespace emulator {

using namespace g500;
using namespace g500::lab;

int mistakes = 0;

void expect(bool holds, const char *mistake) {
	if (!holds) mistakes++, printf("%s\n", mistake);
}

// Thread t finds `each` vertices from each * t on.
template <typename Append>
void append_kernel(Queue out, uint32_t each) {
	G500_SHARED_MEMORY(memory);
	const Level level{};
	Append append(level, *reinterpret_cast<AppendShared *>(memory), out);
	for (uint32_t i = 0; i < each; i++) append(true, threadIdx.x * each + i);
	append.finish();
}

template <typename Append>
std::vector<uint32_t> queue_of(uint32_t each) {
	std::vector<uint32_t> vertices(kThreads * each, kNone);
	ull queued = 0;
	const Queue out = {vertices.data(), nullptr, vertices.size(), &queued};
	launch(append_kernel<Append>, {1, kThreads, nullptr, sizeof(AppendShared)}, out, each);
	cudaStreamSynchronize(nullptr);
	expect(queued == vertices.size(), "a queue has another number of vertices than were found");
	return vertices;
}

// The registers of a block are queued in the order of its threads, at places that one sum gives; with more vertices
// than registers a warp queues the others. Warps queue vertices in the order in which they are found.
void test_registers() {
	std::vector<uint32_t> ascending(4 * kThreads);
	std::iota(ascending.begin(), ascending.end(), 0);
	expect(queue_of<RegisterAppender>(4) == ascending, "registers of a block are not queued by thread");
	expect(queue_of<Appender>(4) != ascending, "warps queue by thread, so that the test of registers proves nothing");
	std::vector<uint32_t> many = queue_of<RegisterAppender>(7);
	std::sort(many.begin(), many.end());
	ascending.resize(7 * kThreads);
	std::iota(ascending.begin(), ascending.end(), 0);
	expect(many == ascending, "vertices beyond the registers of a thread are lost");
}

// A row in pages of 8 columns, in sequence. It counts the links that each lane follows.
struct CountingPages {
	const uint32_t *cols;
	uint32_t *links; // by lane
	bool one;

	bool one_walks() const { return one; }
	uint64_t forward(uint64_t at, uint64_t &end, uint64_t steps) const {
		for (at += steps; at >= end; end += 8) links[threadIdx.x]++;
		return at;
	}
};

void walk_kernel(CountingPages g, TileRow row, uint32_t *found) {
	auto visit = [&](uint32_t, uint32_t to, uint64_t) { found[threadIdx.x] += to == kNone ? 0 : to; };
	share_row(g, row, threadIdx.x, 32, visit);
}

// The first lane of a warp follows links over the columns of earlier steps, the others only within a step.
void test_walk() {
	constexpr uint32_t kColumns = 320;
	std::vector<uint32_t> cols(kColumns);
	std::iota(cols.begin(), cols.end(), 1);
	for (const bool one : {false, true}) {
		std::vector<uint32_t> links(32), found(32);
		launch(walk_kernel, {1, 32, nullptr, 16}, {cols.data(), links.data(), one}, {0, kColumns, 0, 8, 0}, found.data());
		cudaStreamSynchronize(nullptr);
		expect(std::accumulate(found.begin(), found.end(), 0u) == kColumns * (kColumns + 1) / 2, "a walk misses columns");
		expect(links[0] == (kColumns - 32) / 8, "the first lane does not follow each link to its columns");
		const uint32_t own = links[1]; // lane 1 has columns of the page of lane 0
		expect(one ? own == 0 : own == links[0], "other lanes follow the links of the first, or none walks alone");
	}
}

// Returns the totals of a search of a star with a ring through its leaves from the middle; prints wrong distances.
g500_lab_totals search_star(uint32_t lookup) {
	constexpr uint32_t kLeaves = 2000;
	std::vector<uint64_t> offsets{0};
	std::vector<uint32_t> columns(kLeaves);
	std::iota(columns.begin(), columns.end(), 1);
	for (uint32_t v = 1; v <= kLeaves; v++) {
		offsets.push_back(columns.size());
		columns.insert(columns.end(), {0, v % kLeaves + 1, (v + kLeaves - 2) % kLeaves + 1});
	}
	offsets.push_back(columns.size());
	const g500_lab_graph graph = {kLeaves + 1, columns.size(), offsets.data(), columns.data(), true};
	g500_lab_strategy parts;
	g500_lab_defaults(&parts);
	parts.lookup = lookup, parts.vertex_capacity = 10000;
	g500_lab *lab = nullptr;
	g500_lab_totals totals{};
	expect(!g500_lab_create(&graph, &lab, nullptr) && !g500_lab_prepare(lab, &parts, nullptr) &&
	       !g500_lab_run(lab, 0, &totals, nullptr), "a star is not searched");
	const uint32_t *const distances = g500_lab_distances(lab);
	for (uint32_t v = 0; v <= kLeaves; v++) expect(distances[v] == (v > 0), "a wrong distance in a star");
	g500_lab_free(lab);
	return totals;
}

// Bits of the mask may be stale in the caches of multiprocessors, labels may not: the result is right, and without
// labels more vertices are expanded twice.
void test_stale_mask() {
	faults.stale_caches = true;
	expect(search_star(kMask).repeated_vertices == 0, "a label did not find a vertex whose bit was stale");
	const uint64_t stale = search_star(kMaskAlone).repeated_vertices;
	faults.stale_caches = false;
	expect(stale > search_star(kMaskAlone).repeated_vertices, "the mask is not read through the cache");
}

} // namespace emulator

int main() {
	emulator::test_registers();
	emulator::test_walk();
	emulator::test_stale_mask();
	printf("%d mistakes\n", emulator::mistakes);
	return emulator::mistakes > 0;
}
