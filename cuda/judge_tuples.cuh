// The rules that concern edge tuples, once every vertex has its level.
#pragma once

#include "judge_levels.cuh"

namespace g500::judge {

// check_labels: finds a tuple with a label that is no vertex; the offence has no rule, so it is number 0.
// Map:    one thread a tuple, kTuplesPerBlock a block.
// Reads:  12 B a tuple.
__global__ void __launch_bounds__(kThreads) check_labels_kernel(const g500_edge *edges, u64 count, u32 n, Tally *tally) {
	const Range mine = share_of_block(count, kTuplesPerBlock);
	for (u64 i = mine.begin; i < mine.end; i += kThreads) {
		const g500_edge e = edges[i];
		if (e.high != 0 || e.low_u >= n || e.low_v >= n) offend(tally, 0, e.low_u, e.low_v);
	}
}

// Tuples that a thread has under way at a time: twice as many levels, then up to as many parents, are asked for
// before the first is needed.
constexpr int kBatch = 4;

__device__ inline void swap(u32 &a, u32 &b) {
	const u32 was = a;
	a = b;
	b = was;
}

// check_tuples: both ends of a tuple are in the tree, on levels that differ by at most one, or neither is. Counts the
// tuples of the component, and marks in joined each vertex that a tuple joins to its parent; only a tuple between
// neighbouring levels can.
// Map:    kBatch tuples a thread at a time, those of a warp side by side; kTuplesPerBlock a block.
// Reads:  12 B a tuple, two levels of it at random; a parent (4 B) at random for a tuple between neighbouring levels.
// Writes: one atomicOr for each tuple that is a tree edge.
template <typename Levels>
__global__ void __launch_bounds__(kThreads) check_tuples_kernel(const g500_edge *edges, u64 count, Levels levels, const u32 *parents,
                                                               u32 *joined, Tally *tally) {
	const Range mine = share_of_block(count, kTuplesPerBlock);
	ull inside = 0, loops = 0;
	for (u64 first = mine.begin; first < mine.end; first += kBatch * kThreads) {
		u32 upper[kBatch], lower[kBatch]; // the ends, upper the one nearer to the root
		u32 upper_level[kBatch], lower_level[kBatch];
#pragma unroll
		for (int k = 0; k < kBatch; k++) {
			const u64 i = first + k * kThreads;
			upper[k] = i < mine.end ? __ldcs(&edges[i].low_u) : kNone;
			lower[k] = i < mine.end ? __ldcs(&edges[i].low_v) : kNone;
		}
#pragma unroll
		for (int k = 0; k < kBatch; k++) {
			upper_level[k] = upper[k] == kNone ? Levels::kOutside : levels.of(upper[k]);
			lower_level[k] = lower[k] == kNone ? Levels::kOutside : levels.of(lower[k]);
		}
		u32 parent[kBatch]; // of the lower end, where the levels let it be the upper end
#pragma unroll
		for (int k = 0; k < kBatch; k++) {
			if (upper_level[k] > lower_level[k]) {
				swap(upper[k], lower[k]);
				swap(upper_level[k], lower_level[k]);
			}
			const bool neighbours = lower_level[k] != Levels::kOutside && lower_level[k] - upper_level[k] == 1;
			parent[k] = neighbours ? __ldcs(parents + lower[k]) : kNone;
		}
#pragma unroll
		for (int k = 0; k < kBatch; k++) {
			const u32 low = min(upper[k], lower[k]), high = max(upper[k], lower[k]);
			if (upper_level[k] == Levels::kOutside) continue; // then both are
			if (lower_level[k] == Levels::kOutside) {
				offend(tally, G500_RULE_SPAN, low, high);
			} else if (lower_level[k] - upper_level[k] > 1) {
				offend(tally, G500_RULE_LEVELS, low, high);
			} else {
				inside += upper[k] != lower[k];
				loops += upper[k] == lower[k];
			}
			if (parent[k] == upper[k]) atomicOr(joined + lower[k] / 32, 1u << lower[k] % 32);
		}
	}
	hand_in(&tally->edges, inside);
	hand_in(&tally->loops, loops);
}

// check_joined: every vertex of the tree but the root is joined to its parent by a tuple.
// Map:    one thread a label, kLabelsPerBlock a block.
// Reads:  4 B parent and a bit a label.
__global__ void __launch_bounds__(kThreads) check_joined_kernel(const u32 *parents, u32 n, u32 root, const u32 *joined, Tally *tally) {
	const Range mine = share_of_block(n, kLabelsPerBlock);
	for (u64 v = mine.begin; v < mine.end; v += kThreads) {
		const bool marked = joined[v / 32] >> v % 32 & 1;
		if (!marked && v != root && parents[v] != kNone) offend(tally, G500_RULE_TREE_EDGE, (u32)v, parents[v]);
	}
}

} // namespace g500::judge
