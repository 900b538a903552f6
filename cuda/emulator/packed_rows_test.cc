// SPDX-License-Identifier: Apache-2.0

// Packed rows on the emulator: rows of each length and width, and those of graphs, are unpacked bit by bit and entry by
// entry. Prints differences, and fails if there are any.
#include <cstdio>
#include <string>
#include <vector>

#include "construction.h"
#include "kernel1/packed_rows.cuh"

namespace emulator {

extern uint64_t allocated; // bytes of device memory

using Row = std::vector<uint32_t>;

// Returns n entries of a row from its address, bit by bit.
Row unpacked(uint64_t address, uint64_t n) {
	const uint32_t *const words = g500::words_at(address);
	if (address % 2 == 0) return Row(words, words + n);
	Row row(words, words + 8);
	for (uint32_t block = 0; row.size() < n; block++) {
		const uint32_t *const header = words + 8 + 4 * block, width = header[1] & 31;
		uint64_t low = 32ull * (header[1] >> 5); // number of a bit
		for (uint32_t bit = 0, zeros = 0; bit < 64 && row.size() < n; bit++) {
			if (!(header[2 + bit / 32] >> bit % 32 & 1)) {
				zeros++;
				continue;
			}
			uint32_t distance = zeros << width;
			for (uint32_t i = 0; i < width; i++, low++) distance |= (words[low / 32] >> low % 32 & 1) << i;
			row.push_back(header[0] + distance);
		}
	}
	return row;
}

// Returns whether a packed row has these entries, bit by bit and for kernels. Entries of blocks become global ids.
bool is_row(uint64_t address, const Row &row, g500::IdForm ids = {31, 0}) {
	Row got = unpacked(address, row.size());
	for (size_t i = address % 2 ? 8 : row.size(); i < row.size(); i++)
		got[i] = (got[i] >> ids.rank_bits) + ((got[i] % (1u << ids.rank_bits)) << ids.shift);
	if (got != row) return false;
	for (uint64_t i = 0; i < row.size(); i++)
		if (load_global_id(g500::PackedNeighbours<g500::IdForm>{address, i, ids}) != row[i]) return false;
	return true;
}

// Returns n rising entries, whose distances have up to that many bits.
Row rising(uint64_t n, uint32_t bits, uint64_t &state) {
	Row row;
	for (uint64_t entry = 0; row.size() < n; row.push_back((uint32_t)entry)) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		entry += 1 + (state >> 33) % (1ull << (state >> 20) % (bits + 1));
	}
	return row;
}

// Rows of each length with each width, of blocks with all widths, up to the highest id.
std::vector<Row> all_rows() {
	std::vector<Row> rows;
	uint64_t state = 1;
	for (uint64_t n : {0, 1, 7, 8, 9, 16, 17, 39, 40, 41, 72, 73, 1000, 0})
		for (uint32_t bits = 0; bits <= 27 && (n << bits) < 1ull << 32; bits++) rows.push_back(rising(n, bits, state));
	for (uint32_t last = 31; last > 0; last--) { // one wide distance in a block of narrow ones
		rows.push_back(rising(40, 0, state));
		rows.back().back() += last < 31 ? 1u << last : 0xffffff00;
	}
	rows.push_back(rising(1'000'000, 11, state));
	return rows;
}

// Packs rows as one group. Returns the number of wrong ones.
int pack(const std::vector<Row> &rows) {
	std::vector<uint64_t> offsets{77}, addresses(rows.size()); // earlier groups have 77 edges
	Row cols;
	for (const Row &row : rows) {
		cols.insert(cols.end(), row.begin(), row.end());
		offsets.push_back(77 + cols.size());
	}
	const uint64_t end = offsets.back();
	offsets.back() = 0; // set later, with the next group
	g500::GroupRows group{offsets.data(), &end, cols.data(), (uint32_t)rows.size(), {31, 0}, cols.size()};
	std::vector<uint32_t> low(group.slots()), words(rows.size());
	group.low = low.data(), group.words = words.data(), group.addresses = addresses.data();
	g500_chunks chunks;
	size_t bytes = g500::packing_bytes(cols.size());
	std::vector<char> temp(bytes);
	if (g500::pack_rows(group, temp.data(), bytes, &chunks, nullptr)) return printf("rows are not packed\n");
	cudaStreamSynchronize(nullptr);
	int wrong = 0;
	for (size_t i = 0; i < rows.size(); i++) {
		const bool packed = addresses[i] % 2, longer = rows[i].size() > g500::kLongestPlain;
		if (packed == longer && is_row(addresses[i], rows[i])) continue;
		wrong++;
		printf("row %zu with %zu entries is another one\n", i, rows[i].size());
	}
	return wrong;
}

// Returns whether a rank's share has the same rows packed as plain, in chunks that together have the bound's bytes.
bool is_packed(const g500_graph &want, const g500_graph &got, uint64_t bound) {
	const g500::IdForm ids{want.shift, want.ranks > 1 ? (uint32_t)g500::bits_for(want.ranks - 1) : 0};
	uint64_t ends = 0, want_ends = 0, bytes = 0, all = 0;
	for (uint32_t i = 0; i < g500_packed_chunks(&got); i++) {
		g500_packed_chunk(&got, i, &bytes);
		all += bytes - g500::kBlockEntries * sizeof(uint32_t); // without the words beyond the rows
		bound += sizeof(g500::Header); // a row that does not fit leaves a few words free
	}
	if (got.edges != want.edges || g500_packed_bytes(&want) > 0 || bound < all) return false;
	g500_count_leaf_ends(&got, &ends, nullptr);
	for (uint32_t v = 0; v < got.non_isolated; v++) {
		const Row row(want.cols + want.rows[v], want.cols + want.rows[v + 1]);
		if (got.rows[v] != want.rows[v] || !is_row(got.packed[v], row, ids)) return false;
		want_ends += v >= want.first_leaf && row[0] % (1u << want.shift) >= want.first_leaf;
	}
	return ends == want_ends;
}

// Returns whether a graph has the same rows packed as plain, in memory within the bound. Adds the numbers of pieces.
bool is_packed(const Graph &graph, uint32_t ranks, Memory memory, uint32_t &pieces, uint32_t &plain_pieces) {
	Construction how{ranks > 1 ? 1ull << 32 : 0, memory, false};
	Shares plain, made;
	if (construct(graph, ranks, how, plain)) return false;
	how.packed = true;
	if (construct(graph, ranks, how, made)) return false;
	pieces += made.pieces, plain_pieces += plain.pieces;
	bool all = true;
	for (uint32_t r = 0; r < ranks; r++) all = all && is_packed(plain.of[r], made.of[r], made.bounds[r]);
	return all;
}
int wrong_graphs() {
	int wrong = 0;
	uint32_t pieces[2]{}, plain_pieces[2]{}; // with enough memory, and without
	std::vector<Graph> all = graphs();
	for (Graph &graph : directed_graphs()) all.push_back(std::move(graph));
	for (const Graph &graph : all)
		for (uint32_t trial = 0; trial < 6; trial++) {
			const uint32_t ranks = 1 + trial / 2 * 2; // 1, 3, 5
			if (is_packed(graph, ranks, trial % 2 ? kShort : kEnough, pieces[trial % 2], plain_pieces[trial % 2])) continue;
			wrong++;
			printf("%s, %u ranks, trial %u: other rows, or beyond the bound\n", graph.name.c_str(), ranks, trial);
		}
	// without enough memory packed rows take fewer pieces, because each has all free memory
	if (pieces[0] == plain_pieces[0] && pieces[0] < pieces[1] && pieces[1] < plain_pieces[1]) return wrong;
	printf("%u and %u pieces; plain rows took %u and %u\n", pieces[0], pieces[1], plain_pieces[0], plain_pieces[1]);
	return wrong + 1;
}

// A thread that reads a batch of the last row also loads words beyond it, which must be in memory of the rows.
int wrong_ends() {
	constexpr uint64_t n = 64;
	const uint64_t before = allocated;
	g500_chunks chunks;
	uint64_t rows = 0;
	if (!chunks.take(n, &rows) && allocated - before >= (n + g500::kBlockEntries) * sizeof(uint32_t)) return 0;
	printf("no memory beyond the rows\n");
	return 1;
}

} // namespace emulator

int main() {
	const int wrong = emulator::pack(emulator::all_rows()) + emulator::wrong_graphs() + emulator::wrong_ends();
	printf("%d rows or graphs packed wrongly\n", wrong);
	return wrong > 0;
}
