// The words of the result: a parent's label, or -1 where a vertex was not reached, of 64 or of 32 bits.
#pragma once

#include "search/state.cuh"

namespace g500 {

// The word for a parent's label, or for kNone: all ones.
template <typename Word>
__device__ inline Word result_word(u32 parent) {
	return parent == kNone ? ~(Word)0 : parent;
}

// Stores the parent of the vertex whose label has that number among the owned ones.
__device__ inline void store_result(const State &s, u64 owned, u32 parent) {
	if (s.result_bits == 64) ((u64 *)s.result)[owned] = result_word<u64>(parent);
	else ((u32 *)s.result)[owned] = parent;
}

// The same for as many numbers on end as have 16 bytes, aligned to these; nothing reads them soon.
template <typename Word>
__device__ inline void store_16_bytes(const State &s, u64 owned, const u32 *parent) {
	uint4 *const to = (uint4 *)((Word *)s.result + owned);
	if constexpr (sizeof(Word) == sizeof(u32)) {
		__stcs(to, make_uint4(parent[0], parent[1], parent[2], parent[3]));
	} else {
		const u64 a = result_word<u64>(parent[0]), b = result_word<u64>(parent[1]);
		__stcs(to, make_uint4((u32)a, (u32)(a >> 32), (u32)b, (u32)(b >> 32))); // low word first
	}
}

} // namespace g500
