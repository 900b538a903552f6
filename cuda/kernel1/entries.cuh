// SPDX-License-Identifier: Apache-2.0

// Collecting entries from tuples or messages, for both kinds of rows. Each has a Collection for unsorted entries.
#pragma once

#include "common/warp.cuh"
#include "kernel1/rows.cuh"

namespace g500 {

// Entry is an end of a tuple: its row, the other end and, in addition, the bits of the weight or, with 64-bit ids, the
// other end's rank.
struct Entry {
	u32 row, global_id, extra;
};

__device__ inline u32 weight_at(const Tuples &tuples, u64 i) {
	return tuples.weights && i < tuples.count ? __float_as_uint(__ldcs(&tuples.weights[i])) : 0;
}

// LeafRule leaves out edges from non-leaf vertices to leaves.
struct LeafRule {
	u32 first_leaf; // local ids from here on are leaves
	u32 local_mask; // of a global id's word

	explicit LeafRule(const g500_graph &graph)
		: first_leaf(graph.first_leaf), local_mask((u32)((1ull << graph.shift) - 1)) {}

	__device__ bool omits(const Entry &entry) const {
		return entry.row < first_leaf && (entry.global_id & local_mask) >= first_leaf;
	}
};

// CollectMemory is a block's shared memory for splitting kEntries entries of each thread. A collection writes words of
// at most 64 bits.
template <int kEntries>
struct CollectMemory {
	u32 first[kMostParts + 1]; // by group: its first row
	SplitMemory<kEntries, u64> split;
};

// Returns the group of a row of the piece.
__device__ inline u32 group_of(const u32 *first, u32 row) {
	u32 group = 0;
#pragma unroll
	for (u32 step = kMostParts / 2; step > 0; step /= 2) group += first[group + step] <= row ? step : 0;
	return group;
}

// Stores a block's entries at the ends of their groups; at(k) returns entry k of a thread. An entry without a row of
// the piece is ignored. Entries beyond the end of a group are counted, but may overwrite others.
template <int kEntries, typename At, typename Collection>
__device__ inline void append_entries(PieceState *state, At at, const Collection &to) {
	G500_SHARED_MEMORY(memory);
	CollectMemory<kEntries> &block = *(CollectMemory<kEntries> *)memory;
	for (u32 g = threadIdx.x; g <= kMostParts; g += kBlock) block.first[g] = state->first[g];
	u32 omitted = 0;
	const Split<kEntries, u64> split(block.split, state->end, [&](int k) {
		const Entry entry = at(k);
		if (entry.row - to.piece.first >= to.piece.last - to.piece.first) return kNoPart;
		if (!to.leaves.omits(entry)) return group_of(block.first, entry.row);
		omitted++;
		return kNoPart;
	});
	add_up((u64)omitted, &state->omitted);
	to.append(split, at, block.first);
}

// Collects the entries of a piece's rows, in any order in a group, on one rank: local ids are global ids. Rows of a
// directed graph have only second ends.
// Map:    one thread for kPerThread tuples; a block reserves space in each group.
// Reads:  8 B per tuple, 4 B of weight if any, and two random local ids. Writes: an entry, in runs.
// Races:  the order of the reservations is the order of the entries, which are sorted afterwards.
template <bool kDirected, typename Collection>
__global__ void __launch_bounds__(kBlock)
collect_entries_kernel(Tuples tuples, const u32 *__restrict__ local_ids, PieceState *state, Collection to) {
	u32 ends[kPerThread][2], weight[kPerThread];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		const u64 i = tile_index(k);
		ends[k][0] = i < tuples.count ? local_ids[__ldcs(&tuples.edges[i].low_u)] : kNoLocalId;
		ends[k][1] = i < tuples.count ? local_ids[__ldcs(&tuples.edges[i].low_v)] : kNoLocalId;
		weight[k] = weight_at(tuples, i);
	}
	// Ends with equal local id are a self-loop, or beyond the end of the list. kNoLocalId is in no piece.
	append_entries<2 * kPerThread>(state, [&](int k) {
		const u32 row = ends[k / 2][k % 2], col = ends[k / 2][1 - k % 2];
		const bool is_entry = row != col && !(kDirected && k % 2);
		return Entry{is_entry ? row : kNoLocalId, col, weight[k / 2]};
	}, to);
}

// The same from the messages of g500_builder_collect. With kBoth a message about two own vertices has both ends.
// Map:    one thread for kPerThread messages.
// Reads:  8 B per message, 16 B with a weight or a rank, and one or two random local ids. Writes: an entry, in runs.
// Races:  as above.
template <bool kBoth, typename Collection, typename Message>
__global__ void __launch_bounds__(kBlock) collect_received_kernel(
	MessageList<Message> neighbours, g500_graph graph, PieceState *state, Collection to) {
	constexpr int kEach = kBoth ? 2 : 1;
	Entry entry[kPerThread];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		const Message received = neighbours.at(tile_index(k));
		const u32 row = message_place(received) != kNoLocalId ? graph.local_ids[message_place(received)] : kNoLocalId;
		entry[k] = {row, message_word(received), message_extra(received)};
	}
	append_entries<kEach * kPerThread>(state, [&](int k) {
		const Entry &one = entry[k / kEach];
		if (k % kEach == 0) return one;
		const bool is_own = one.row != kNoLocalId && one.global_id >> graph.shift == graph.rank;
		const u32 row = is_own ? one.global_id & to.leaves.local_mask : kNoLocalId;
		return Entry{row, graph.rank << graph.shift | one.row, one.extra};
	}, to);
}

// Launches collect_entries_kernel or collect_received_kernel.
template <typename Collection>
int collect_entries(const Tuples &tuples, const g500_graph &graph, PieceState *state, const Collection &to,
                    cudaStream_t stream) {
	const Launch how = {blocks_for(tuples.count, kListTile), kBlock, stream, sizeof(CollectMemory<2 * kPerThread>)};
	const auto one_way = collect_entries_kernel<true, Collection>, both_ways = collect_entries_kernel<false, Collection>;
	const auto kernel = graph.directed ? one_way : both_ways;
	return G500_START_BY("collect_entries_kernel", launch(kernel, how, tuples, graph.local_ids, state, to));
}

template <typename Collection, typename Message>
int collect_entries(const MessageList<Message> &neighbours, const g500_graph &graph, PieceState *state,
                    const Collection &to, cudaStream_t stream) {
	if (neighbours.count == 0 || to.piece.entries == 0) return cudaSuccess;
	const bool both = !graph.directed && !graph.labels64; // see g500_bin_ends
	const Launch how = {blocks_for(neighbours.count, kListTile), kBlock, stream,
	                    both ? sizeof(CollectMemory<2 * kPerThread>) : sizeof(CollectMemory<kPerThread>)};
	const auto one = collect_received_kernel<false, Collection, Message>;
	const auto kernel = both ? collect_received_kernel<true, Collection, Message> : one;
	return G500_START_BY("collect_received_kernel", launch(kernel, how, neighbours, graph, state, to));
}

// Entries with weights: a key of row and weight, and an edge.

constexpr int kFewBits = G500_SIZE(8, 24), kManyBits = G500_SIZE(16, 32); // of a key; a pass of the sort takes 8
constexpr u32 kFewRows = G500_SIZE(1 << 4, 1 << 20); // of a group whose keys have kFewBits

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

// WeightedEntries are the entries of a piece in device memory.
struct WeightedEntries {
	static constexpr u64 kBytes = sizeof(u32) + sizeof(u64); // of an entry

	const WeightScale scale;
	const bool for_both; // plain rows collect them, before weighted rows are made
	Array<u32> keys;
	Array<u64> edges;
	PieceState state{}; // after collecting for both

	WeightedEntries(float typical_weight, bool for_both) : scale{1 / (2 * typical_weight)}, for_both(for_both) {}

	int allocate(u64 entries) {
		G500_TRY(keys.alloc(entries));
		return edges.alloc(entries);
	}
	WeightedCollection collection(const Piece &piece, const g500_graph &graph) const {
		return {piece, LeafRule(graph), scale, keys, edges};
	}
};

} // namespace g500
