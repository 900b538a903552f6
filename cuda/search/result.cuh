// The entries of the result: the parent's label, or -1 if the vertex was not reached, in 64 or 32 bits.
#pragma once

#include "search/state.cuh"

namespace g500 {

// Returns the entry for a parent's label, all ones for none.
template <typename Word>
__device__ inline Word result_word(const State &, u32 parent) {
	return parent == kNone ? ~(Word)0 : parent;
}
template <typename Word>
__device__ inline Word result_word(const State &s, u64 parent) {
	return is_none(parent) ? ~(Word)0 : (Word)((u64)(u32)parent * s.ranks + (parent >> 32));
}

// Stores the parent of the vertex with that number among the owned labels.
template <typename Id>
__device__ inline void store_result(const State &s, u64 owned, Id parent) {
	if (s.result_bits == 64) ((u64 *)s.result)[owned] = result_word<u64>(s, parent);
	else ((u32 *)s.result)[owned] = result_word<u32>(s, parent);
}

// Stores 16 aligned bytes of entries, which are not read soon.
template <typename Word, typename Id>
__device__ inline void store_16_bytes(const State &s, u64 owned, const Id *parent) {
	uint4 *const to = (uint4 *)((Word *)s.result + owned);
	const auto word = [&](int i) { return result_word<Word>(s, parent[i]); };
	if constexpr (sizeof(Word) == sizeof(u32)) {
		__stcs(to, make_uint4(word(0), word(1), word(2), word(3)));
	} else {
		const u64 a = word(0), b = word(1);
		__stcs(to, make_uint4((u32)a, (u32)(a >> 32), (u32)b, (u32)(b >> 32))); // low word first
	}
}

} // namespace g500
