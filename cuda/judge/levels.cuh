// Levels from the parents alone: a vertex is one level below its parent. From the root on, the vertices of a level are
// marked in a bitmap that all ranks have whole, and each rank finds those of its own whose parents are marked. What
// has a parent and is not found when a level comes out empty hangs on a cycle or on a vertex outside the tree.
//
// A vertex at place p is bit p % 8 of byte p / 8 of its rank's slice of a bitmap, and half byte p % 8 of word p / 8 of
// its slice of the levels. One thread takes eight vertices, so that nobody shares a byte or a word.
#pragma once

#include "judge/judge.cuh"

namespace g500::judge {

// Levels are kept in four bits, so that those of a scale-26 graph (33 MB) stay in the L2 cache of a large GPU. An
// official graph has fewer than ten. Codes are levels counted from a base: that of a vertex above the base is 0, and
// that of a vertex which is not yet found, if it has a parent, is kBelow. So codes never differ by more than levels.
constexpr u32 kDeepest = G500_JUDGE_LEVELS - 1; // the last code that is exactly one level
constexpr u32 kBelow = 14;
constexpr u32 kOutside = 15; // the vertex is not in the tree
static_assert(kDeepest < kBelow);

// Spreads eight bits over the half bytes of a word.
__device__ inline u32 spread(u32 bits) {
	bits = (bits | bits << 12) & 0x000f000f;
	bits = (bits | bits << 6) & 0x03030303;
	return (bits | bits << 3) & 0x11111111;
}

// enter: takes over the parents; finds labels out of range, and a root that is not its own parent. Marks the root, and
// lists who waits to be found.
// Map:    one thread eight vertices, kBytesPerBlock times that a block.
// Reads:  4 B a vertex. Writes: two bits and half a byte.
__global__ void __launch_bounds__(kThreads) enter_kernel(Split split, const u32 *parents, u32 root, u8 *waiting, u8 *marks, u32 *levels,
                                                        Tally *tally) {
	const Range mine = share_of_block(split.slice / 8, kBytesPerBlock);
	ull reached = 0;
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		u32 parent[8], wait = 0, mark = 0, outside = 0;
		load_eight(parents, b * 8, split.owned, parent);
#pragma unroll
		for (int i = 0; i < 8; i++) {
			const u32 label = split.label(b * 8 + i);
			if (label == root && b * 8 + i < split.owned) {
				if (parent[i] != root) offend(tally, G500_RULE_ROOT, root, parent[i]);
				mark |= 1u << i;
			} else if (parent[i] == kNone) {
				outside |= 1u << i;
			} else {
				if (parent[i] >= split.n) offend(tally, G500_RULE_RANGE, label, parent[i]);
				wait |= 1u << i;
			}
		}
		reached += __popc(mark | wait);
		waiting[b] = (u8)wait;
		marks[b] = (u8)mark;
		levels[b] = spread(outside) * kOutside | spread(wait) * kBelow;
	}
	hand_in(&tally->reached, reached);
}

// descend: finds the vertices whose parents are marked in above, which holds one level of all ranks. They are marked
// in marks, and get a code.
// Map:    one thread eight vertices, kBytesPerBlock times that a block.
// Reads:  a bit a vertex; of each that waits 4 B parent and a bit at random. Writes: a bit a vertex, and half a byte
//         where one is found.
__global__ void __launch_bounds__(kThreads) descend_kernel(Split split, const u32 *parents, const u32 *above, u32 code, u8 *waiting,
                                                          u8 *marks, u32 *levels, Tally *tally) {
	const Range mine = share_of_block(split.slice / 8, kBytesPerBlock);
	ull settled = 0;
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		const u32 wait = waiting[b];
		u32 found = 0;
		if (wait != 0) {
			u32 parent[8];
			load_eight(parents, b * 8, split.owned, parent);
#pragma unroll
			for (int i = 0; i < 8; i++) {
				if (wait >> i & 1) found |= (u32)has_bit(above, split.slot(parent[i])) << i;
			}
		}
		marks[b] = (u8)found;
		if (found == 0) continue;
		waiting[b] = (u8)(wait & ~found);
		levels[b] = (levels[b] & ~(spread(found) * 15)) | spread(found) * code;
		settled += __popc(found);
	}
	hand_in(&tally->settled, settled);
}

// raise_base: makes the deepest level that has a code of its own the base, with code 0, which all above it get too.
// Map:    one thread eight vertices, kBytesPerBlock times that a block.
// Reads and writes: half a byte a vertex.
__global__ void __launch_bounds__(kThreads) raise_base_kernel(Split split, u32 *levels) {
	const Range mine = share_of_block(split.slice / 8, kBytesPerBlock);
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		const u32 codes = levels[b];
		const u32 kept = codes >> 3 & codes >> 2 & codes >> 1 & 0x11111111; // kBelow and kOutside, not less
		levels[b] = codes & kept * 15;
	}
}

// mark_reached: marks who is in the tree, or claims to be.
// Map:    one thread eight vertices, kBytesPerBlock times that a block.
// Reads:  4 B a vertex. Writes: a bit.
__global__ void __launch_bounds__(kThreads) mark_reached_kernel(Split split, const u32 *parents, u8 *marks) {
	const Range mine = share_of_block(split.slice / 8, kBytesPerBlock);
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		u32 parent[8], reached = 0;
		load_eight(parents, b * 8, split.owned, parent);
#pragma unroll
		for (int i = 0; i < 8; i++) reached |= (u32)(parent[i] != kNone) << i;
		marks[b] = (u8)reached;
	}
}

// find_stuck: finds who still waits, and tells those whose parents were not reached from the others.
// Map:    one thread eight vertices, kBytesPerBlock times that a block.
// Reads:  a bit a vertex; of each that waits 4 B parent and a bit at random.
__global__ void __launch_bounds__(kThreads) find_stuck_kernel(Split split, const u32 *parents, const u32 *reached, const u8 *waiting,
                                                             Tally *tally) {
	const Range mine = share_of_block(split.slice / 8, kBytesPerBlock);
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		for (u32 wait = waiting[b]; wait != 0; wait &= wait - 1) {
			const u64 place = b * 8 + __ffs(wait) - 1;
			const u32 parent = parents[place];
			const int rule = has_bit(reached, split.slot(parent)) ? G500_RULE_CYCLE : G500_RULE_ORPHAN;
			offend(tally, rule, split.label(place), parent);
		}
	}
}

} // namespace g500::judge
