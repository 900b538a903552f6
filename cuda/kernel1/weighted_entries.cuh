// Entries with weights: a key of row and weight, and an edge.
#pragma once

#include "kernel1/entries.cuh"

namespace g500 {

#ifdef G500_EMULATED
constexpr int kFewBits = 8, kManyBits = 16;
constexpr u32 kFewRows = 1 << 4;
#else
constexpr int kFewBits = 24, kManyBits = 32; // of a key; a pass of the sort takes 8
constexpr u32 kFewRows = 1 << 20;            // of a group whose keys have kFewBits
#endif

// Returns the number of bits of the weight in the keys of a group with that many rows.
__host__ __device__ inline int weight_bits(u32 rows) {
	const int left = (rows <= kFewRows ? kFewBits : kManyBits) - bits_for(rows - 1);
	return left < 0 ? 0 : left;
}

// WeightScale divides the weights into steps. Up to twice the typical weight all steps have the same width, and beyond
// they become wider, so that no distribution of weights crowds into few of them.
struct WeightScale {
	float factor; // 1 / (2 * typical weight)

	// Returns the step of a weight, of 2^bits; a higher one for no lower weight. bits is at most 24.
	__device__ u32 step(float weight, int bits) const {
		const float x = weight * factor; // each operation is rounded, so that it keeps the order
		const float share = x < 1 ? 0.875f * x : 1 - 0.125f / x;
		const u32 steps = 1u << bits;
		return min((u32)(share * (float)steps), steps - 1);
	}
};

// An edge is its weight's bits, then the neighbour's global id: a g500_weighted_col.
__device__ inline float weight_of(u64 edge) { return __uint_as_float((u32)(edge >> 32)); }
__device__ inline u32 global_id_of(u64 edge) { return (u32)edge; }

// WeightedCollection is the entries of a piece: a key of row and weight, and an edge.
struct WeightedCollection {
	Piece piece;
	LeafRule leaves;
	WeightScale scale;
	u32 *keys;
	u64 *edges;

	// Appends a block's entries to the groups, whose first rows are given.
	template <typename Split, typename At>
	__device__ void append(const Split &split, At at, const u32 *first) const {
		const auto edge_of = [&](int k, u32) { return (u64)at(k).extra << 32 | at(k).global_id; };
		const auto key_of = [&](int k, u32 group) {
			const int bits = weight_bits(first[group + 1] - first[group]);
			return (at(k).row - first[group]) << bits | scale.step(__uint_as_float(at(k).extra), bits);
		};
		split.template write<u64>(edge_of, [&](u32, u64 slot, u64 edge) {
			if (slot < piece.entries) __stcs(&edges[slot], edge);
		});
		split.template write<u32>(key_of, [&](u32, u64 slot, u32 key) {
			if (slot < piece.entries) __stcs(&keys[slot], key);
		});
	}
};

inline WeightScale weight_scale(float typical_weight) { return {1 / (2 * typical_weight)}; }

// WeightedEntries are the entries of a piece in device memory.
struct WeightedEntries {
	static constexpr u64 kBytes = sizeof(u32) + sizeof(u64); // of an entry

	PieceState state; // after collecting
	WeightScale scale;
	Array<u32> keys;
	Array<u64> edges;

	int allocate(u64 entries) {
		if (const int code = reported(keys.alloc(entries))) return code;
		return reported(edges.alloc(entries));
	}
	WeightedCollection collection(const Piece &piece, const g500_graph &graph) const {
		return {piece, LeafRule(graph), scale, keys, edges};
	}
};

} // namespace g500
