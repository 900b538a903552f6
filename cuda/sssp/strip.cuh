// SPDX-License-Identifier: Apache-2.0

// Stripping: which vertices become vertices of trees after edges were removed (prune.cu), and the vertex above each.
//
// One rank strips complete trees, round by round from their leaves. Several ranks make one round, and strip only
// vertices that are not above others: a search then needs no levels of trees. Each rank first receives which vertices
// are above the leaves of all ranks.
#pragma once

#include <vector>

#include "common/check.cuh"
#include "sssp/context.cuh"

namespace g500::sssp {

// Depths of vertices without vertices below them.
constexpr u32 kLeafDepth = kMostLevels + 1;
constexpr u32 kOldLeafDepth = kLeafDepth + 1; // of leaves of the old graph, on several ranks
constexpr u32 kDepths = kOldLeafDepth + 1;

// Kept is the kept edges, in rows of the old vertices outside trees.
struct Kept {
	u64 *rows;
	Col *cols;
};

// Stripped describes each vertex of the old graph, by this rank's old local id.
struct Stripped {
	u32 *degree; // of vertices outside trees: kept edges to vertices that are not stripped
	u32 *round;  // in which it was stripped; 0 if it is not
	u32 *listed; // last round for which it was listed
	Col *above;  // edge to the vertex above
	u32 *depth;  // distance from the non-tree subgraph in edges; on several ranks one of the depths above
	u32 *inner;  // 1 if another vertex is below it in a tree
};

// Renumbering maps old local ids to new ones and back.
struct Renumbering {
	u32 *old_id;  // by new local id
	u32 *new_id;  // by old global id, of all ranks
	u32 non_tree; // lower new local ids are outside trees, on every rank
};

constexpr u32 kStripRounds = kMostLevels - 4; // a vertex that would be deeper in a tree is not stripped

// StripRound strips the vertices at places begin to end-1 of the list, and appends others.
struct StripRound {
	u32 round, begin, end;
	u32 *list;
	ull *length; // of the list
};

// Lists the vertices outside trees with one edge.
// Map:    one thread per vertex outside trees. Reads: 4 B per vertex. Writes: 8 B per listed vertex.
__global__ void list_ends_kernel(Stripped tree, u32 non_tree, u32 *list, ull *length) {
	const u32 v = thread_number<kThreads>();
	if (v >= non_tree || tree.degree[v] != 1) return;
	tree.listed[v] = 1;
	list[atomicAdd(length, 1)] = v;
}

// Returns the edge of a vertex that has one left in a round: its neighbour was not stripped before.
__device__ inline Col last_edge(const Kept &kept, const Stripped &tree, u32 v, u32 round) {
	for (u64 i = kept.rows[v];; i++) {
		const u32 of = *(volatile u32 *)&tree.round[kept.cols[i].global_id];
		if (of == 0 || of == round) return kept.cols[i];
	}
}

// Strips the listed vertices, and lists those with one edge left. Of two vertices with only each other, the one with
// the lower local id stays.
// Map:    one thread per listed vertex. Reads: a row. Writes: 12 B per vertex.
// Races:  whether the neighbour is listed is known before the round. Only one thread reads that a degree falls to one.
__global__ void strip_kernel(Kept kept, Stripped tree, StripRound by) {
	const u32 i = by.begin + thread_number<kThreads>(), round = by.round;
	if (i >= by.end) return;
	const u32 v = by.list[i];
	if (*(volatile u32 *)&tree.degree[v] == 0) return; // its last neighbours were stripped in this round: it stays
	const Col edge = last_edge(kept, tree, v, round);
	if (tree.listed[edge.global_id] == round && edge.global_id > v) return;
	tree.above[v] = edge;
	tree.round[v] = round;
	if (atomicSub(&tree.degree[edge.global_id], 1) != 2) return;
	tree.listed[edge.global_id] = round + 1;
	by.list[atomicAdd(by.length, 1)] = edge.global_id;
}

// Computes the depths of the vertices stripped in a round; the vertices above them were stripped later, or stay.
// Map:    one thread per listed vertex. Reads: 20 B per vertex. Writes: 4 B.
__global__ void sink_kernel(Stripped tree, u32 round, u32 begin, u32 end, const u32 *list) {
	const u32 i = begin + thread_number<kThreads>();
	if (i < end && tree.round[list[i]] == round) tree.depth[list[i]] = tree.depth[tree.above[list[i]].global_id] + 1;
}

// Computes the depths of the old graph's leaves. Of two leaves with each other, the lower one counts as outside trees.
// Map:    one thread per leaf. Reads: 12 B per leaf. Writes: 12 B.
__global__ void hang_leaves_kernel(Graph g, Stripped tree) {
	const u32 v = g.non_tree + thread_number<kThreads>();
	if (v >= g.non_isolated) return;
	const Col above = g.above(v);
	const bool pair = !g.is_outside_trees(above.global_id);
	tree.above[v] = above;
	tree.depth[v] = pair ? v > above.global_id : tree.depth[above.global_id] + 1;
}

// Marks vertices that are above others.
// Map:    one thread per vertex. Reads: 4 B, per vertex of a tree 12 B. Writes: 4 random B per vertex of a tree.
__global__ void mark_inner_kernel(Stripped tree, u32 vertices) {
	const u32 v = thread_number<kThreads>();
	if (v < vertices && tree.depth[v] > 0) tree.inner[tree.above[v].global_id] = 1;
}

// Writes the neighbour's global id of each leaf of this rank in the old graph; kNone for other vertices.
// Map:    one thread per word of the part. Reads: 8 B per leaf. Writes: 4 B per word.
__global__ void lay_out_leaves_kernel(Graph g, u32 *words) {
	const u32 v = thread_number<kThreads>();
	if (v <= g.mask) words[g.base + v] = v >= g.own_non_tree && v < g.non_isolated ? g.above(v).global_id : kNone;
}

// Marks the vertices of all ranks that are above leaves of the old graph.
// Map:    one thread per global id. Reads: 4 B per global id. Writes: 1 random B per leaf.
// Races:  all writes of a byte are equal.
__global__ void mark_hung_kernel(u64 places, const u32 *words, unsigned char *hung) {
	const u32 p = thread_number<kThreads>();
	if (p < places && words[p] != kNone) hung[words[p]] = 1;
}

// Strips this rank's vertices with one edge that are not above others. Of two vertices with only each other both are
// stripped, as kernel 1 treats two leaves.
// Map:    one thread per vertex. Reads: 4 B per vertex, 17 B per stripped one. Writes: 12 B per vertex of a tree.
__global__ void strip_ends_kernel(Graph g, Kept kept, Stripped tree, const unsigned char *hung) {
	const u32 v = thread_number<kThreads>();
	if (v >= g.non_isolated) return;
	const bool old_leaf = v >= g.own_non_tree;
	if (!old_leaf && (tree.degree[v] != 1 || hung[g.base + v])) return;
	tree.above[v] = old_leaf ? g.above(v) : kept.cols[kept.rows[v]];
	tree.depth[v] = old_leaf ? kOldLeafDepth : kLeafDepth;
}

// Strips complete trees, on one rank.
inline int strip_trees(const Graph &g, const Kept &kept, const Stripped &tree, cudaStream_t stream) {
	const auto threads = [stream](u64 n) { return thread_for(n, stream); };
	Array<u32> list_of;
	Array<ull> length_of;
	G500_TRY(list_of.alloc(2 * (u64)g.non_tree)); // a vertex is listed at most twice
	G500_TRY(length_of.alloc_zeroed(1, stream));
	u32 *const list = list_of;
	ull *const on_device = length_of;
	G500_LAUNCH(list_ends_kernel, threads(g.non_tree), tree, g.non_tree, list, on_device);
	std::vector<u32> bounds{0};
	for (u32 round = 1; round <= kStripRounds; round++) {
		ull length;
		G500_TRY(read_back(&length, on_device, sizeof length, stream));
		const u32 begin = bounds.back(), end = (u32)length;
		if (begin == end) break;
		G500_LAUNCH(strip_kernel, threads(end - begin), kept, tree, StripRound{round, begin, end, list, on_device});
		bounds.push_back(end);
	}
	for (u32 round = (u32)bounds.size() - 1; round > 0; round--) {
		const u32 begin = bounds[round - 1], end = bounds[round];
		G500_LAUNCH(sink_kernel, threads(end - begin), tree, round, begin, end, list);
	}
	G500_LAUNCH(hang_leaves_kernel, threads(g.non_isolated - g.non_tree), g, tree);
	G500_LAUNCH(mark_inner_kernel, threads(g.non_isolated), tree, g.non_isolated);
	return cudaStreamSynchronize(stream); // before the list is freed
}

// Strips on several ranks, by the words that lay_out_leaves_kernel has written on all of them, which have that many
// places.
inline int strip_ends(const Graph &g, const Kept &kept, const Stripped &tree, u64 places, const u32 *words,
                      cudaStream_t stream) {
	Array<unsigned char> hung;
	G500_TRY(hung.alloc_zeroed(places, stream));
	unsigned char *const marks = hung;
	G500_LAUNCH(mark_hung_kernel, thread_for(places, stream), places, words, marks);
	G500_LAUNCH(strip_ends_kernel, thread_for(g.non_isolated, stream), g, kept, tree, marks);
	return cudaStreamSynchronize(stream); // before the marks are freed
}

} // namespace g500::sssp
