// The rules of shortest paths, after their parents have been validated as a tree. Labels have 32 bits.
#pragma once

#include <cfloat>

#include "validate/tuples.cuh"

namespace g500::validate {

// Checks distances: 0 of the root, -1 of vertices without a parent, and a non-negative number of others.
// Map:    one thread per vertex, kPlacesPerBlock per block. Reads: a parent and a distance per vertex.
__global__ void __launch_bounds__(kThreads)
check_distances_kernel(Split<u32> split, Tree<u32> tree, const float *distances, Tally *tally) {
	const Range mine = share_of_block(split.owned, kPlacesPerBlock);
	for (u64 place = mine.begin; place < mine.end; place += kThreads) {
		const u64 parent = tree.parents[place];
		const float d = __ldcs(distances + place);
		const u32 label = split.label(place);
		const bool right = parent == kNoParent ? d == -1.0f : label == tree.root ? d == 0.0f : d >= 0.0f && d <= FLT_MAX;
		if (!right) offend(tally, G500_RULE_DISTANCE, label, parent);
	}
}

// Lengths are the weights of tuples, by number, and the distances of all vertices, by rank; negative if unreached.
struct Lengths {
	const float *weights, *distances;

	__device__ float distance(const Split<u32> &split, u32 label) const { return __ldg(distances + split.slot(label)); }

	// Returns whether a shortest path may use tuple i in this direction.
	__device__ bool leads(const Split<u32> &split, u64 i, u32 from, u32 to) const {
		return distance(split, from) + __ldcs(weights + i) == distance(split, to);
	}
};

// Checks that both ends of a tuple are reached, or neither, and that the tuple makes no path to an end shorter. Counts
// the tuples of the component, and joins vertices of the window to their parents by tuples whose length is the
// difference of distances, so that few parents are read. Sums are rounded to single precision.
// Map:    kBatch tuples per thread at a time, coalesced; kTuplesPerBlock per block.
// Reads:  12 B per tuple, and 4 random B of distance per end; a random hint per end in the window to which a shortest
//         path may use the tuple, and a random parent if the hint fits.
// Writes: a random hint per tuple that is a tree edge.
__global__ void __launch_bounds__(kTupleThreads)
check_path_tuples_kernel(Split<u32> split, Tuples tuples, Lengths lengths, Window<u32> window, Tally *tally) {
	const Range mine = share_of_block(tuples.count, kTuplesPerBlock);
	const auto join = [&](u32 vertex, u32 parent) { join_if(split, window, vertex, parent, [] { return true; }); };
	ull inside = 0, loops = 0;
	for (u64 first = mine.begin; first < mine.end; first += kBatch * kTupleThreads) {
		u32 u[kBatch], v[kBatch];
		float weight[kBatch], at_u[kBatch], at_v[kBatch]; // distances
		load_batch(tuples, first, mine.end, u, v);
#pragma unroll
		for (int k = 0; k < kBatch; k++) {
			const bool none = u[k] == kNone<u32>;
			weight[k] = none ? 0.0f : __ldcs(lengths.weights + first + k * kTupleThreads);
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
