// SPDX-License-Identifier: Apache-2.0

// Packed rows: neighbours in fewer bits (ADR 87). A row of more than kLongestPlain entries begins with kPlainEntries of
// them as words. The rest, which rises, is in blocks of kBlockEntries. All headers of the row's blocks follow the
// words, then the low bits of the blocks' entries. The low bits of an entry's distance from the block's first one have
// one width per block; the high bits are in unary: bit i + (distance >> width) of the header is set for entry i.
// Sources: Elias (1974) and Fano (1971); Vigna (WSDM 2013) for rows of graphs. A thread decodes any entry by itself.
#pragma once

#include "common/warp.cuh"

namespace g500 {

constexpr u32 kPlainEntries = 8, kLongestPlain = 16, kBlockEntries = 32;
constexpr u32 kHeaderWords = 4, kWidthBits = 5;
constexpr u64 kLongestPacked = 1 << 27; // the low bits of a longer row may begin too far away: it stays plain

// A row's address in memory has the number of its chunk (g500_chunks) from bit kAddressBits on, because a peer has
// other addresses for each chunk, and is odd if the row is packed.
constexpr u32 kAddressBits = 48;

__host__ __device__ inline u32 *words_at(u64 address) { return (u32 *)(address & ((1ull << kAddressBits) - 2)); }

// Header is a block's header as it is in memory. Its low bits begin at word where >> kWidthBits of the row; the lowest
// kWidthBits of `where` are the width.
struct alignas(16) Header {
	u32 first, where, high[2];
};
static_assert(sizeof(Header) == kHeaderWords * sizeof(u32));

__host__ __device__ inline bool is_packed(u64 entries) {
	return entries > kLongestPlain && entries <= kLongestPacked;
}
__host__ __device__ inline u32 blocks_of(u64 entries) {
	return is_packed(entries) ? (u32)((entries - kPlainEntries + kBlockEntries - 1) / kBlockEntries) : 0;
}

// Returns the width of a block of n entries with a distance of that many from the first to the last one: the least one
// with which the high bits fit.
__host__ __device__ inline u32 width_of(u32 distance, u32 n) {
	u32 width = 0;
	while ((distance >> width) + n > 64) width++;
	return width;
}
__host__ __device__ inline u32 low_words(u32 width, u32 n) { return (width * n + 31) / 32; }

// IdForm converts the entries of blocks, local id << rank_bits | rank, to global ids, rank << shift | local id: a row
// rises by the former. The words of a row are global ids.
struct IdForm {
	u32 shift, rank_bits;

	__device__ u32 id(u32 entry) const {
		return entry >> rank_bits | (entry & ((1u << rank_bits) - 1)) << shift;
	}
};
struct SameIds { // of one rank
	__device__ u32 id(u32 entry) const { return entry; }
};

// PackedNeighbours is a place in a row, which has an address as above.
template <typename Ids>
struct PackedNeighbours {
	u64 row;
	u64 at;
	Ids ids;

	__device__ PackedNeighbours operator+(u64 n) const { return {row, at + n, ids}; }
	__device__ const u32 *words() const { return words_at(row); }
	__device__ bool is_plain() const { return !(row & 1) || at < kPlainEntries; }
};

// PackedBlock reads a block of a packed row.
struct PackedBlock {
	const u32 *low;
	u32 first, width, high[2];

	// Reads the block of an entry, by its place after the row's words.
	__device__ PackedBlock(const u32 *row, u64 entry) {
		const uint4 header = __ldg((const uint4 *)(row + kPlainEntries) + entry / kBlockEntries);
		low = row + (header.y >> kWidthBits);
		first = header.x, width = header.y & ((1u << kWidthBits) - 1);
		high[0] = header.z, high[1] = header.w;
	}
	// Returns the place of entry i's bit among the high bits.
	__device__ u32 place(u32 i) const {
		const u32 lower = __popc(high[0]);
		return i < lower ? find_bit(high[0], i) : 32 + find_bit(high[1], i - lower);
	}
	// Returns entry i, whose bit has that place.
	__device__ u32 entry(u32 i, u32 place) const {
		const u32 bit = i * width;
		u64 bits = width > 0 ? __ldg(low + bit / 32) : 0;
		if (bit % 32 + width > 32) bits |= (u64)__ldg(low + bit / 32 + 1) << 32;
		return first + ((place - i) << width | ((u32)(bits >> bit % 32) & ((1u << width) - 1)));
	}
};

template <typename Ids>
__device__ inline u32 load_global_id(const PackedNeighbours<Ids> &at) {
	if (at.is_plain()) return __ldg(at.words() + at.at);
	const PackedBlock block(at.words(), at.at - kPlainEntries);
	const u32 i = (at.at - kPlainEntries) % kBlockEntries;
	return at.ids.id(block.entry(i, block.place(i)));
}

} // namespace g500
