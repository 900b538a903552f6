// SPDX-License-Identifier: Apache-2.0

// Packing of rows. Blocks have slots: those of a row follow each other, from the number of entries before the row over
// kBlockEntries, plus the number of the row, on. So no slot belongs to two rows, some belong to none, and the row of a
// slot is found by binary search.
#include "kernel1/packed_rows.cuh"

#include <climits>

namespace g500 {

namespace {

// PlainRow is a row of a group before packing.
struct PlainRow {
	const u32 *cols;
	u64 n;
};

__device__ inline PlainRow plain_row(const GroupRows &g, u32 row) {
	const u64 begin = g.rows[row], end = row + 1 < g.count ? g.rows[row + 1] : *g.end;
	return {g.cols + (begin - g.rows[0]), end - begin};
}

__device__ inline u32 first_slot(const GroupRows &g, u32 row) {
	return (u32)((g.rows[row] - g.rows[0]) / kBlockEntries) + row;
}

// Returns the sum of the items before item i, from the sums up to each one.
__device__ inline u32 before(const u32 *sums, u32 i) { return i > 0 ? sums[i - 1] : 0; }

// Block is a block of a packed row; without entries, if the slot is empty.
struct Block {
	u32 row, number, entries;
	const u32 *cols;

	__device__ Block(const GroupRows &g, u32 slot) : entries(0) {
		row = first_not(1u, g.count, [&](u32 r) { return first_slot(g, r) <= slot; }) - 1;
		number = slot - first_slot(g, row);
		const PlainRow plain = plain_row(g, row);
		if (number >= blocks_of(plain.n)) return;
		const u64 begin = kPlainEntries + (u64)number * kBlockEntries;
		entries = (u32)min((u64)kBlockEntries, plain.n - begin);
		cols = plain.cols + begin;
	}
	__device__ u32 width() const { return width_of(cols[entries - 1] - cols[0], entries); }
};

// Counts the words of low bits of each slot's block. One thread per slot.
__global__ void measure_blocks_kernel(GroupRows g) {
	const u64 slot = thread_number<kBlock>();
	if (slot >= g.slots()) return;
	const Block block(g, (u32)slot);
	g.low[slot] = block.entries > 0 ? low_words(block.width(), block.entries) : 0;
}

// Counts the words of each row, from the sums of low: for a packed one also those before a multiple of a header's.
// One thread per row.
__global__ void measure_rows_kernel(GroupRows g) {
	const u64 row = thread_number<kBlock>();
	if (row >= g.count) return;
	const u64 n = plain_row(g, (u32)row).n;
	const u32 blocks = blocks_of(n), slot = first_slot(g, (u32)row);
	const u32 low = before(g.low, slot + blocks) - before(g.low, slot);
	g.words[row] = is_packed(n) ? kPlainEntries + kHeaderWords * blocks + low + kHeaderWords - 1 : (u32)n;
}

// Sets the address of each row, and copies the entries that stay words. Rows up to `split` words are from the address
// `first` on, the others from `rest` on. One thread per row.
__global__ void place_rows_kernel(GroupRows g, u32 split, u64 first, u64 rest) {
	const u64 row = thread_number<kBlock>();
	if (row >= g.count) return;
	const PlainRow plain = plain_row(g, (u32)row);
	const bool packed = is_packed(plain.n);
	const u32 words = before(g.words, (u32)row);
	u64 at = words < split ? first + words * sizeof(u32) : rest + (words - split) * sizeof(u32);
	if (packed) at = (at + sizeof(Header) - 1) / sizeof(Header) * sizeof(Header);
	g.addresses[row] = at | packed;
	u32 *const to = words_at(at);
	for (u64 i = 0; i < (packed ? kPlainEntries : plain.n); i++) to[i] = g.ids.id(plain.cols[i]);
}

// Writes the blocks of packed rows. One warp per slot.
__global__ void pack_blocks_kernel(GroupRows g) {
	const u64 slot = warp_number<kBlock>();
	if (slot >= g.slots()) return;
	const Block block(g, (u32)slot);
	if (block.entries == 0) return;
	const u32 lane = lane_of_thread(), width = block.width();
	u32 *const row = words_at(g.addresses[block.row]);
	const u32 headers = kPlainEntries + kHeaderWords * blocks_of(plain_row(g, block.row).n);
	const u32 where = headers + before(g.low, (u32)slot) - before(g.low, first_slot(g, block.row));
	const bool any = lane < block.entries;
	const u32 distance = any ? block.cols[lane] - block.cols[0] : 0, high = (distance >> width) + lane;
	const u32 lower = warp_or(any && high < 32 ? 1u << high : 0);
	const u32 upper = warp_or(any && high >= 32 ? 1u << (high - 32) : 0);
	const u64 low = any ? (u64)(distance & ((1u << width) - 1)) << lane * width % 32 : 0;
	u32 mine = 0;
	for (u32 word = 0; word < low_words(width, block.entries); word++) {
		const u32 first = lane * width / 32; // of this lane's bits, which may end in the next word
		const u32 bits = warp_or(word == first ? (u32)low : word == first + 1 ? (u32)(low >> 32) : 0);
		if (lane == word) mine = bits;
	}
	if (lane < low_words(width, block.entries)) row[where + lane] = mine;
	if (lane > 0) return;
	((Header *)(row + kPlainEntries))[block.number] = {block.cols[0], where << kWidthBits | width, {lower, upper}};
}

// Adds up an upper bound of the words of each row, by its degree. The entries of a block with a distance d have at most
// log2(1 + d / 33) + 1 low bits each, and the distances of a row's blocks add up to at most `limit`.
__global__ void bound_rows_kernel(const u64 *rows, u32 count, float limit, ull *words) {
	const u64 row = thread_number<kBlock>(), n = row < count ? rows[row + 1] - rows[row] : 0;
	const float entries = (float)(n - kPlainEntries), each = 1 + log2f(1 + limit * kBlockEntries / (33 * entries));
	const u64 low = is_packed(n) ? (u64)(entries * each / 32) + 2 : 0; // the last block may end within a word
	add_up(is_packed(n) ? kPlainEntries + kHeaderWords * (1 + blocks_of(n)) + low : n, words);
}

} // namespace

int bound_packed(const g500_graph &graph, u32 first, u32 last, u64 *bytes, cudaStream_t stream) {
	Array<ull> words;
	G500_TRY(words.alloc_zeroed(1, stream));
	const u32 n = last - first, vertices = graph.non_isolated;
	const float limit = graph.ranks > 1 ? (float)graph.first_leaf * (1u << bits_for(graph.ranks - 1)) : vertices;
	G500_LAUNCH(bound_rows_kernel, thread_for(n, stream), graph.rows + first, n, limit, words.get());
	G500_TRY(read_back(bytes, words, sizeof *bytes, stream));
	*bytes = sizeof(u32) * (*bytes + *bytes / g500_chunks::kLeast);
	return cudaSuccess;
}

size_t packing_bytes(u64 largest) {
	size_t bytes = 0;
	sum_up(nullptr, bytes, (u32 *)nullptr, std::min<u64>(2 * largest + 1, INT_MAX), 0);
	return bytes;
}

// Sets *words to the words of a group's first rows, as many as have at most `most`. Reads back 4 B about 30 times.
static int fit_rows(const GroupRows &group, u64 most, u32 *words, cudaStream_t stream) {
	u32 sum;
	*words = 0;
	for (u32 rows = 0, others = group.count; rows < others;) {
		const u32 next = rows + (others - rows) / 2;
		G500_TRY(read_back(&sum, group.words + next, sizeof sum, stream));
		if (sum <= most) rows = next + 1, *words = sum;
		else others = next;
	}
	return cudaSuccess;
}

int pack_rows(const GroupRows &group, void *temp, size_t bytes, g500_chunks *chunks, cudaStream_t stream) {
	if (group.entries + group.count >= INT_MAX) return cudaErrorInvalidValue;
	u32 words = 0;
	G500_LAUNCH(measure_blocks_kernel, thread_for(group.slots(), stream), group);
	G500_LAUNCH_BY("sum_low (CUB)", sum_up(temp, bytes, group.low, group.slots(), stream));
	G500_LAUNCH(measure_rows_kernel, thread_for(group.count, stream), group);
	G500_LAUNCH_BY("sum_words (CUB)", sum_up(temp, bytes, group.words, group.count, stream));
	G500_TRY(read_back(&words, group.words + group.count - 1, sizeof words, stream));
	u32 split = 0;
	u64 first = 0, rest = 0;
	if (words > chunks->left()) G500_TRY(fit_rows(group, chunks->left(), &split, stream));
	if (split > 0) G500_TRY(chunks->take(split, &first));
	G500_TRY(chunks->take(words - split, &rest));
	G500_LAUNCH(place_rows_kernel, thread_for(group.count, stream), group, split, first, rest);
	return G500_START(pack_blocks_kernel, thread_for(group.slots() * (u64)kLanes, stream), group);
}

} // namespace g500
