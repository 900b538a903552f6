// The rules of shortest paths, once it is known that their parents are a tree. Labels have 32 bits.
#pragma once

#include <cfloat>

#include "validate/tuples.cuh"

namespace g500::validate {

// check_distances: the root's distance is 0, that of a vertex without a parent -1, and any other a number from 0 on.
// Map:    one thread a vertex, kTuplesPerBlock a block.
// Reads:  a parent and a distance a vertex.
__global__ void __launch_bounds__(kThreads)
check_distances_kernel(Split<u32> split, Tree<u32> tree, const float *distances, Tally *tally) {
	const Range mine = share_of_block(split.owned, kTuplesPerBlock);
	for (u64 place = mine.begin; place < mine.end; place += kThreads) {
		const u64 parent = tree.parents[place];
		const float d = __ldcs(distances + place);
		const u32 label = split.label(place);
		const bool right = parent == kNoParent ? d == -1.0f : label == tree.root ? d == 0.0f : d >= 0.0f && d <= FLT_MAX;
		if (!right) offend(tally, G500_RULE_DISTANCE, label, parent);
	}
}

// Lengths are the weights of tuples, by number, and the distances of all vertices, rank by rank; below 0 of those that
// were not reached.
struct Lengths {
	const float *weights, *distances;

	__device__ float distance(const Split<u32> &split, u32 label) const { return __ldg(distances + split.slot(label)); }

	// Whether a shortest path may lead along tuple i from one end to the other.
	__device__ bool leads(const Split<u32> &split, u64 i, u32 from, u32 to) const {
		return distance(split, from) + __ldcs(weights + i) == distance(split, to);
	}
};

// check_path_tuples: both ends of a tuple were reached, or neither was, and it makes no path to one of them shorter.
// Counts the tuples of the component, and joins vertices of the window to their parents by tuples that have the length
// of the difference, so that few parents are read. Sums are rounded to single precision.
// Map:    kBatch tuples a thread at a time, those of a warp side by side; kTuplesPerBlock a block.
// Reads:  12 B a tuple, and the distances of both ends (4 B) at random; a parent (4 B) at random for each end in the
//         window to which a shortest path may lead along the tuple.
// Writes: one atomicOr for each tuple that is a tree edge.
__global__ void __launch_bounds__(kThreads) check_path_tuples_kernel(Split<u32> split, Tuples tuples, Lengths lengths,
                                                                     Window<u32> window, Tally *tally) {
	const Range mine = share_of_block(tuples.count, kTuplesPerBlock);
	const auto join = [&](u32 vertex, u32 parent) {
		const u32 at = window.at(split, vertex);
		if (window.parent(at) == parent) window.join(at);
	};
	ull inside = 0, loops = 0;
	for (u64 first = mine.begin; first < mine.end; first += kBatch * kThreads) {
		u32 u[kBatch], v[kBatch];
		float weight[kBatch], at_u[kBatch], at_v[kBatch]; // distances
		load_batch(tuples, first, mine.end, u, v);
#pragma unroll
		for (int k = 0; k < kBatch; k++) {
			const bool none = u[k] == kNone<u32>;
			weight[k] = none ? 0.0f : __ldcs(lengths.weights + first + k * kThreads);
			at_u[k] = none ? -1.0f : lengths.distance(split, u[k]);
			at_v[k] = none ? -1.0f : lengths.distance(split, v[k]);
		}
#pragma unroll
		for (int k = 0; k < kBatch; k++) {
			const u32 low = min(u[k], v[k]), high = max(u[k], v[k]);
			const float past_u = at_u[k] + weight[k], past_v = at_v[k] + weight[k];
			if (at_u[k] < 0.0f && at_v[k] < 0.0f) continue;
			if (at_u[k] < 0.0f || at_v[k] < 0.0f) {
				offend(tally, G500_RULE_SPAN, low, high);
				continue;
			}
			inside += u[k] != v[k];
			loops += u[k] == v[k];
			if (past_u < at_v[k] || past_v < at_u[k]) offend(tally, G500_RULE_SHORTER, low, high);
			if (past_u == at_v[k]) join(v[k], u[k]);
			if (past_v == at_u[k]) join(u[k], v[k]);
		}
	}
	add_up(inside, &tally->edges);
	add_up(loops, &tally->loops);
}

} // namespace g500::validate
