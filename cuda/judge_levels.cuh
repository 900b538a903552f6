// Levels from the parents alone, by pointer doubling: each vertex asks its ancestor for that one's ancestor, so that
// a tree of L levels takes about log2 L rounds. What has not come to the root when the known path is longer than
// any tree can be goes round in a cycle. Source: Wyllie's list ranking (1979), on trees.
#pragma once

#include "judge.cuh"

namespace g500::judge {

// An ancestor is a vertex (low half) and the steps to it along parents (high half). Both are read and written as one
// word, so that a round may work in place: whatever a vertex reads of another, old or new, is true.
// On a cycle the steps may overflow; there they mean nothing.
constexpr u64 kUnreached = ~0ull;

__device__ inline u64 ancestor(u32 at, u32 steps) { return (u64)steps << 32 | at; }
__device__ inline u32 at(u64 ancestor) { return (u32)ancestor; }
__device__ inline u32 steps(u64 ancestor) { return (u32)(ancestor >> 32); }

// enter: takes over the parents as first ancestors; finds labels out of range, and a root that is not its own parent.
// Map:    one thread a label, kLabelsPerBlock a block.
// Reads:  4 B a label. Writes: 8 B a label.
__global__ void __launch_bounds__(kThreads) enter_kernel(const u32 *parents, u32 n, u32 root, u64 *up, Tally *tally) {
	const Range mine = share_of_block(n, kLabelsPerBlock);
	ull reached = 0, open = 0;
	for (u64 v = mine.begin; v < mine.end; v += kThreads) {
		const u32 parent = parents[v];
		if (v == root) {
			if (parent != root) offend(tally, G500_RULE_ROOT, root, parent);
			up[v] = ancestor(root, 0);
			reached++;
		} else if (parent == kNone) {
			up[v] = kUnreached;
		} else {
			if (parent >= n) offend(tally, G500_RULE_RANGE, (u32)v, parent);
			up[v] = ancestor(parent, 1);
			reached++;
			open += parent != root;
		}
	}
	hand_in(&tally->reached, reached);
	hand_in(&tally->open, open);
}

// climb: each vertex that has not come to the root takes over the ancestor of its ancestor. In the first round every
// such vertex asks its parent, and so all that hang on an unreached one are found; if there are any, it is the last.
// Map:    one thread a label, kLabelsPerBlock a block.
// Reads:  8 B a label, 8 B at random an open one. Writes: 8 B an open one.
// Races:  an ancestor may be updated before or after it is asked; either answer is true (see above). A vertex that
//         hangs on an unreached one keeps its parent, so that it is told whatever the order.
__global__ void __launch_bounds__(kThreads) climb_kernel(u32 n, u32 root, u64 *up, Tally *tally) {
	const Range mine = share_of_block(n, kLabelsPerBlock);
	ull open = 0;
	for (u64 v = mine.begin; v < mine.end; v += kThreads) {
		const u64 known = __ldcg(up + v);
		if (known == kUnreached || at(known) == root) continue;
		const u64 further = __ldcg(up + at(known));
		if (further == kUnreached) {
			offend(tally, G500_RULE_TREE, (u32)v, at(known));
			continue;
		}
		__stcg(up + v, ancestor(at(further), steps(known) + steps(further)));
		open += at(further) != root;
	}
	hand_in(&tally->open, open);
}

// find_stuck: finds the lowest vertex that never comes to the root.
// Map:    one thread a label, kLabelsPerBlock a block.
// Reads:  8 B a label.
__global__ void __launch_bounds__(kThreads) find_stuck_kernel(const u32 *parents, u32 n, u32 root, const u64 *up, Tally *tally) {
	const Range mine = share_of_block(n, kLabelsPerBlock);
	for (u64 v = mine.begin; v < mine.end; v += kThreads) {
		if (up[v] != kUnreached && at(up[v]) != root) offend(tally, G500_RULE_TREE, (u32)v, parents[v]);
	}
}

// NarrowLevels are levels of four bits, eight to a word, so that those of a scale-26 graph (33 MB) stay in the L2
// cache of a large GPU. They serve every tree of an official graph, which has fewer than ten levels.
struct NarrowLevels {
	const u32 *words;

	static constexpr u32 kLabelsPerWord = 8;
	static constexpr u32 kOutside = 15; // level of a vertex that is not in the tree
	static constexpr u32 kDeepest = 14;

	__device__ u32 of(u32 label) const { return __ldg(words + label / 8) >> label % 8 * 4 & 15; }
};

// WideLevels serve any tree: they are the steps to the root as the climb has left them.
struct WideLevels {
	const u64 *up;

	static constexpr u32 kOutside = kUnreached >> 32;

	__device__ u32 of(u32 label) const { return steps(__ldg(up + label)); }
};

// pack_levels: makes narrow levels of the steps to the root, and finds the deepest level. Where that does not fit,
// the narrow levels are nonsense.
// Map:    one thread a word of eight labels, kLabelsPerBlock words a block.
// Reads:  8 B a label. Writes: half a byte a label.
__global__ void __launch_bounds__(kThreads) pack_levels_kernel(u32 n, const u64 *up, u32 *words, Tally *tally) {
	constexpr u32 per_word = NarrowLevels::kLabelsPerWord;
	const Range mine = share_of_block(((u64)n + per_word - 1) / per_word, kLabelsPerBlock);
	u32 deepest = 0;
	for (u64 w = mine.begin; w < mine.end; w += kThreads) {
		u32 word = 0;
#pragma unroll
		for (u32 i = 0; i < per_word; i++) {
			const u64 label = w * per_word + i;
			const u64 known = label < n ? up[label] : kUnreached;
			if (known == kUnreached) {
				word |= NarrowLevels::kOutside << i * 4;
			} else {
				word |= steps(known) << i * 4;
				deepest = max(deepest, steps(known));
			}
		}
		words[w] = word;
	}
	hand_in_largest(&tally->deepest, deepest);
}

} // namespace g500::judge
