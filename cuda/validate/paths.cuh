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

	template <typename Split>
	__device__ float distance(const Split &split, u32 label) const { return __ldg(distances + split.slot(label)); }

	__device__ float weight(u64 i) const { return __ldcs(weights + i); }

	// Returns whether a shortest path may use tuple i in this direction.
	template <typename Split>
	__device__ bool leads(const Split &split, u64 i, u32 from, u32 to) const {
		return distance(split, from) + weight(i) == distance(split, to);
	}
};

// PathCheck checks that both ends of a tuple are reached, or neither, and that the tuple makes no path to an end
// shorter; of directed tuples that the second end is reached if the first one is, and not by a longer path. It counts
// the tuples of the component, and joins vertices of the window to their parents by tuples whose length is the
// difference of distances, so that few parents are read. Sums are rounded to single precision.
template <typename Split>
struct PathCheck {
	const Split &split;
	const Lengths &lengths;
	const Window<Split> &window;
	Tally *tally;
	Counts counts{};

	template <int kTuples>
	__device__ void operator()(const Batch<u32, kTuples> &batch) {
		float weight[kTuples], to_u[kTuples], to_v[kTuples]; // distances
		bool joins_u[kTuples], joins_v[kTuples];
#pragma unroll
		for (int k = 0; k < kTuples; k++) {
			weight[k] = lengths.weight(batch.first + k * kTupleThreads);
			to_u[k] = lengths.distance(split, batch.u[k]);
			to_v[k] = lengths.distance(split, batch.v[k]);
		}
#pragma unroll
		for (int k = 0; k < kTuples; k++) {
			const float past_u = to_u[k] + weight[k], past_v = to_v[k] + weight[k];
			const bool inside = to_u[k] >= 0.0f;
			const bool leaves = (inside || !Split::kDirected) && inside != (to_v[k] >= 0.0f);
			counts.add(inside, batch.u[k] == batch.v[k]);
			if (leaves || (inside && (past_u < to_v[k] || (!Split::kDirected && past_v < to_u[k]))))
				record(batch.u[k], batch.v[k], leaves);
			joins_v[k] = inside && past_u == to_v[k];
			joins_u[k] = !Split::kDirected && inside && past_v == to_u[k];
		}
		join_batch(split, window, batch.v, batch.u, joins_v, [](int) { return true; });
		if (!Split::kDirected) join_batch(split, window, batch.u, batch.v, joins_u, [](int) { return true; });
	}

	// Records a tuple that leaves the component, or makes a path shorter.
	__device__ __noinline__ void record(u32 u, u32 v, bool leaves) const {
		offend_by_tuple<Split>(tally, leaves ? G500_RULE_SPAN : G500_RULE_SHORTER, u, v);
	}
};

// Checks tuples by distances.
// Map:    a batch of tuples per thread at a time, coalesced; kTuplesPerBlock per block.
// Reads:  12 B per tuple, and 4 random B of distance per end; for each end in the window to which a shortest path may
//         use the tuple, a random bit, and a random byte and parent as check_tuples.
// Writes: one atomicOr per tuple that is a tree edge.
template <typename Split>
__global__ void __launch_bounds__(kTupleThreads)
check_path_tuples_kernel(Split split, Tuples<u32> tuples, Lengths lengths, Window<Split> window, Tally *tally) {
	PathCheck<Split> check{split, lengths, window, tally};
	for_batches(tuples, check);
	check.counts.store(tally);
}

} // namespace g500::validate
