// SPDX-License-Identifier: Apache-2.0

// The rules about edge tuples, after every vertex has its level. A tuple may be on any rank, whichever ranks own its
// ends.
#pragma once

#include <cfloat>

#include "validate/window.cuh"

namespace g500::validate {

// Finds a tuple with a label that is not a vertex. This offence is in no rule of the specification; it has number 0.
// Map:    one thread per tuple, kTuplesPerBlock per block. Reads: 12 B per tuple.
__global__ void __launch_bounds__(kTupleThreads) check_labels_kernel(TuplesOf<u64> tuples, u64 n, Tally *tally) {
	const Range mine = share_of_block(tuples.count, kTuplesPerBlock);
	for (u64 i = mine.begin; i < mine.end; i += kTupleThreads) {
		const Labels<u64> ends = load_labels(tuples.edges + i);
		if (ends.u >= n || ends.v >= n) offend(tally, 0, ends.u, ends.v);
	}
}

// Batch is tuples that a thread processes together, kTupleThreads apart, from number `first` on: loads for all of them
// are issued before the first result is used.
template <typename Label, int kTuples>
struct Batch {
	u64 first;
	Label u[kTuples], v[kTuples];

	__device__ Batch(const TuplesOf<Label> &tuples, u64 first) : first(first) {
#pragma unroll
		for (int k = 0; k < kTuples; k++) {
			const Labels<Label> ends = load_labels(tuples.edges + first + k * kTupleThreads);
			u[k] = ends.u, v[k] = ends.v;
		}
	}
};

// Calls act for all tuples of the block, in batches as large as possible. The next large batch is loaded before act is
// called.
template <typename Label, typename Act>
__device__ inline void for_batches(const TuplesOf<Label> &tuples, Act &act) {
	constexpr int kMost = sizeof(Label) == sizeof(u32) ? 4 : 2; // without spilling registers
	constexpr u64 kLast = (kMost - 1) * kTupleThreads; // of a batch, after its first tuple
	const Range mine = share_of_block(tuples.count, kTuplesPerBlock);
	u64 first = mine.begin;
	if (first + kLast < mine.end) {
		Batch<Label, kMost> next(tuples, first);
		for (bool more = true; more;) {
			const Batch<Label, kMost> batch = next;
			first += kMost * kTupleThreads;
			more = first + kLast < mine.end;
			if (more) next = Batch<Label, kMost>(tuples, first);
			act(batch);
		}
	}
	for (; first < mine.end; first += kTupleThreads) act(Batch<Label, 1>(tuples, first));
}

// Counts is a thread's tuples in the component. A block's share of tuples is below 2^32.
struct Counts {
	u32 tuples = 0, loops = 0;

	__device__ void add(bool inside, bool loop) {
		tuples += inside;
		loops += inside && loop;
	}
	__device__ void store(Tally *tally) const {
		add_up((u64)(tuples - loops), &tally->edges);
		add_up((u64)loops, &tally->loops);
	}
};

// Joins vertices of the window to their parents, if may[k] is set and accept(k) returns true for the tuple between
// them.
template <typename Split, typename Label, int kTuples, typename Accept>
__device__ inline void join_batch(const Split &split, const Window<Split> &window, const Label (&vertex)[kTuples],
                                  const Label (&parent)[kTuples], bool (&may)[kTuples], Accept accept) {
	typename Split::Slot at[kTuples];
	Label right[kTuples];
#pragma unroll
	for (int k = 0; k < kTuples; k++) {
		at[k] = window.at(split, vertex[k]);
		may[k] = may[k] && at[k] != window.kOutside && window.waits(at[k]);
	}
#pragma unroll
	for (int k = 0; k < kTuples; k++) may[k] = may[k] && window.may_have_parent(at[k], parent[k]);
#pragma unroll
	for (int k = 0; k < kTuples; k++)
		if (may[k]) right[k] = window.parent(at[k]);
#pragma unroll
	for (int k = 0; k < kTuples; k++)
		if (may[k] && right[k] == parent[k] && accept(k)) window.join(at[k]);
}

// Records that a tuple breaks a rule.
template <typename Split, typename Label>
__device__ inline void offend_by_tuple(Tally *tally, int rule, Label u, Label v) {
	if (Split::kDirected) offend(tally, rule, u, v);
	else offend(tally, rule, min(u, v), max(u, v));
}

// TreeCheck checks that both ends of a tuple are in the tree, on levels that differ by at most one, or neither is; of
// directed tuples that the second end is in the tree if the first one is, at most one level below it. It counts the
// tuples of the component, and joins vertices of the window to their parents, which only a tuple between neighbouring
// levels can do.
template <typename Split>
struct TreeCheck {
	using Label = typename Split::Label;

	const Split &split;
	const Levels &levels;
	const Window<Split> &window;
	Tally *tally;
	Counts counts{};

	template <int kTuples>
	__device__ void operator()(const Batch<Label, kTuples> &batch) {
		u32 at_u[kTuples], at_v[kTuples]; // codes
		Label upper[kTuples], lower[kTuples];
		bool may[kTuples];
		levels.load(split, batch.u, batch.v, at_u, at_v);
#pragma unroll
		for (int k = 0; k < kTuples; k++) {
			const u32 top = Split::kDirected ? at_u[k] : min(at_u[k], at_v[k]);
			const u32 bottom = max(at_u[k], at_v[k]); // of directed tuples top, unless they lead downwards
			counts.add(top < kOutside, batch.u[k] == batch.v[k]);
			if (bottom - top > 1 || (top < bottom && bottom == kOutside)) record(batch.u[k], batch.v[k], bottom);
			upper[k] = at_u[k] < at_v[k] ? batch.u[k] : batch.v[k];
			lower[k] = at_u[k] < at_v[k] ? batch.v[k] : batch.u[k];
			may[k] = bottom - top == 1 && bottom < kOutside;
		}
		join_batch(split, window, lower, upper, may, [](int) { return true; });
	}

	// Records a tuple between levels that must not be joined.
	__device__ __noinline__ void record(Label u, Label v, u32 bottom) const {
		offend_by_tuple<Split>(tally, bottom == kOutside ? G500_RULE_SPAN : G500_RULE_LEVELS, u, v);
	}
};

// Checks tuples by levels.
// Map:    a batch of tuples per thread at a time, coalesced; kTuplesPerBlock per block.
// Reads:  8 B per tuple (12 B with 64-bit labels), and random near codes of both ends; for each tuple between
//         neighbouring levels whose lower end is in the window, a random bit, a random byte if that is not set, and a
//         random parent if the byte fits.
// Writes: one atomicOr per tuple that is a tree edge.
template <typename Split>
__global__ void __launch_bounds__(kTupleThreads)
check_tuples_kernel(Split split, TuplesOf<typename Split::Label> tuples, Levels levels, Window<Split> window,
                    bool counted, Tally *tally) {
	TreeCheck<Split> check{split, levels, window, tally};
	for_batches(tuples, check);
	if (counted) check.counts.store(tally);
}

// Lengths are the weights of tuples, by number, and the distances of all vertices, by rank; negative if unreached.
struct Lengths {
	const float *weights, *distances; // weights are null for a tree, whose edges may be any tuples

	template <typename Split>
	__device__ float distance(const Split &split, typename Split::Label label) const {
		return __ldg(distances + split.slot(label));
	}

	__device__ float weight(u64 i) const { return __ldcs(weights + i); }

	// Returns whether a vertex may have tuple i to its parent in this direction.
	template <typename Split>
	__device__ bool leads(const Split &split, u64 i, typename Split::Label from, typename Split::Label to) const {
		return !weights || distance(split, from) + weight(i) == distance(split, to);
	}
};

// Joiner joins both ends of a tuple that `lengths` accept to their parents, of directed tuples only the second one.
template <typename Split>
struct Joiner {
	using Label = typename Split::Label;

	const Split &split;
	const Window<Split> &window;
	const Lengths &lengths;

	template <int kTuples>
	__device__ void operator()(const Batch<Label, kTuples> &batch) const {
		if (!Split::kDirected) join(batch.first, batch.u, batch.v);
		join(batch.first, batch.v, batch.u);
	}

	template <int kTuples>
	__device__ void join(u64 first, const Label (&vertex)[kTuples], const Label (&parent)[kTuples]) const {
		bool may[kTuples];
#pragma unroll
		for (bool &each : may) each = true;
		join_batch(split, window, vertex, parent, may, [&](int k) {
			return lengths.leads(split, first + k * kTupleThreads, parent[k], vertex[k]);
		});
	}
};

// Joins vertices of the window to their parents by tuples that `lengths` accept. Does not read levels, so a tuple
// without an end in the window costs only its load.
// Map:    a batch of tuples per thread at a time, coalesced; kTuplesPerBlock per block.
// Reads:  8 B per tuple; a random bit per end in the window, and a random byte and parent as check_tuples; the reads of
//         `lengths` per tree edge.
// Writes: one atomicOr per tuple that is a tree edge.
template <typename Split>
__global__ void __launch_bounds__(kTupleThreads)
join_tuples_kernel(Split split, TuplesOf<typename Split::Label> tuples, Lengths lengths, Window<Split> window) {
	const Joiner<Split> join{split, window, lengths};
	for_batches(tuples, join);
}

// The rules of shortest paths, after their parents have been validated as a tree. Labels have 32 bits.

// Checks distances: 0 of the root, -1 of vertices without a parent, and a non-negative number of others.
// Map:    one thread per vertex, kPlacesPerBlock per block. Reads: a parent and a distance per vertex.
__global__ void __launch_bounds__(kThreads)
check_distances_kernel(Split<u64> split, Tree tree, const float *distances, Tally *tally) {
	for_share_of_block(split.owned, kPlacesPerBlock, [&](u64 place) {
		const u64 parent = tree.parents[place];
		const float d = __ldcs(distances + place);
		const u64 label = split.label(place);
		const bool right = parent == kNoParent ? d == -1.0f : label == tree.root ? d == 0.0f : d >= 0.0f && d <= FLT_MAX;
		if (!right) offend(tally, G500_RULE_DISTANCE, label, parent);
	});
}

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
check_path_tuples_kernel(Split split, TuplesOf<u32> tuples, Lengths lengths, Window<Split> window, Tally *tally) {
	PathCheck<Split> check{split, lengths, window, tally};
	for_batches(tuples, check);
	check.counts.store(tally);
}

} // namespace g500::validate
