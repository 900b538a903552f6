// The rules about edge tuples, after every vertex has its level. A tuple may be on any rank, whichever ranks own its
// ends.
#pragma once

#include "validate/levels.cuh"

namespace g500::validate {

// Finds a tuple with a label that is not a vertex. This offence is in no rule of the specification; it has number 0.
// Map:    one thread per tuple, kTuplesPerBlock per block. Reads: 12 B per tuple.
__global__ void __launch_bounds__(kTupleThreads) check_labels_kernel(Tuples tuples, u64 n, Tally *tally) {
	const Range mine = share_of_block(tuples.count, kTuplesPerBlock);
	for (u64 i = mine.begin; i < mine.end; i += kTupleThreads) {
		const u64 u = label_u<u64>(tuples.edges[i]), v = label_v<u64>(tuples.edges[i]);
		if (u >= n || v >= n) offend(tally, 0, u, v);
	}
}

// Places is a range of places, the same on all ranks.
struct Places {
	u64 first, count;
};

// Window holds the parents of the vertices at a range of places of all ranks. A vertex has a hint as long as no tuple
// of this rank has joined it to its parent: some bits of the parent, which few other neighbours have too. So most
// tuples read a byte, from the L2 cache if they are sorted, and not a parent.
template <typename Label>
struct Window {
	Places of;
	Parents parents;
	u8 *hints;

	static constexpr u32 kOutside = kNone<u32>;
	static constexpr u8 kNoHint = 0;

	static __device__ u8 hint(u64 parent) { return max((u8)parent, (u8)1); }

	// Returns the index of a vertex in the window, or kOutside.
	__device__ u32 at(const Split<Label> &split, Label label) const {
		const u32 place = split.place(label);
		return place - of.first < of.count ? (u32)(split.owner(label, place) * of.count + place - of.first) : kOutside;
	}

	// Returns whether a vertex may still have to be joined to this parent. The L1 cache may have an older hint.
	__device__ bool may_join(u32 at, Label parent) const {
		return at != kOutside && __ldca(hints + at) == hint(parent);
	}
	__device__ Label parent(u32 at) const { return parents.label<Label>(at); }
	__device__ void join(u32 at) const { hints[at] = kNoHint; }
};

// Writes eight parents as labels, to an address that is a multiple of 16 bytes.
__device__ inline void store_eight(const u64 (&parent)[8], u32 *to) {
#pragma unroll
	for (int i = 0; i < 8; i += 4)
		*(uint4 *)(to + i) = make_uint4((u32)parent[i], (u32)parent[i + 1], (u32)parent[i + 2], (u32)parent[i + 3]);
}
__device__ inline void store_eight(const u64 (&parent)[8], u64 *to) {
#pragma unroll
	for (int i = 0; i < 8; i++) to[i] = parent[i];
}

// Writes this rank's slice of the window's parents, kNone beyond its last vertex: all ranks exchange slices of the same
// length.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a parent per vertex. Writes: a label per vertex.
template <typename Label>
__global__ void __launch_bounds__(kThreads) gather_parents_kernel(Split<Label> split, Parents parents, Places of,
                                                                  Label *own) {
	const Range mine = share_of_block(of.count / 8, kBytesPerBlock);
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		u64 parent[8];
		load_eight(parents, of.first + b * 8, split.owned, parent);
		store_eight(parent, own + 8 * b);
	}
}

// Writes the hints of the window's vertices: none for the root, and for vertices without a parent.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a parent per vertex. Writes: a byte per vertex.
template <typename Label>
__global__ void __launch_bounds__(kThreads) hint_parents_kernel(Split<Label> split, Label root, Window<Label> window) {
	const u64 slots = split.ranks * window.of.count;
	const u64 left = split.owned > window.of.first ? split.owned - window.of.first : 0;
	const u64 parents = split.ranks > 1 ? slots : left; // gathered slices are complete
	const u32 root_at = window.at(split, root);
	const Range mine = share_of_block(slots / 8, kBytesPerBlock);
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		u64 parent[8], eight = 0;
		load_eight(window.parents, b * 8, parents, parent);
#pragma unroll
		for (int i = 0; i < 8; i++) {
			const bool joins = parent[i] != kNoParent && b * 8 + i != root_at;
			eight |= (u64)(joins ? window.hint(parent[i]) : window.kNoHint) << 8 * i;
		}
		((u64 *)window.hints)[b] = eight;
	}
}

// Writes a bit for each vertex of the window that needs no tuple or has been joined.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a byte per vertex. Writes: a bit per vertex.
__global__ void __launch_bounds__(kThreads) collect_joined_kernel(u64 slots, const u8 *hints, u8 *joined) {
	const Range mine = share_of_block(slots / 8, kBytesPerBlock);
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		const u64 eight = ((const u64 *)hints)[b];
		u32 bits = 0;
#pragma unroll
		for (int i = 0; i < 8; i++) bits |= (u32)((eight >> 8 * i & 0xff) == 0) << i;
		joined[b] = (u8)bits;
	}
}

// Tuples that a thread processes at a time: loads of all of them are issued before the first tuple is used.
constexpr int kBatch = 4;

// Loads the labels of a thread's next tuples from number `first` on, kNone beyond the last.
template <typename Label>
__device__ inline void load_batch(const Tuples &tuples, u64 first, u64 end, Label (&u)[kBatch], Label (&v)[kBatch]) {
#pragma unroll
	for (int k = 0; k < kBatch; k++) {
		const u64 i = first + k * kTupleThreads;
		u[k] = i < end ? label_u<Label>(tuples.edges[i]) : kNone<Label>;
		v[k] = i < end ? label_v<Label>(tuples.edges[i]) : kNone<Label>;
	}
}

template <typename T>
__device__ inline void swap(T &a, T &b) {
	const T was = a;
	a = b;
	b = was;
}

// Checks that both ends of a tuple are in the tree, on levels that differ by at most one, or neither is. Counts the
// tuples of the component, and joins vertices of the window to their parents, which only a tuple between neighbouring
// levels can do.
// Map:    kBatch tuples per thread at a time, coalesced; kTuplesPerBlock per block.
// Reads:  8 B per tuple (12 B with 64-bit labels), and random near codes of both ends; for each tuple between
//         neighbouring levels whose lower end is in the window, a random hint, and a random parent if the hint fits.
// Writes: a random hint per tuple that is a tree edge.
template <typename Label>
__global__ void __launch_bounds__(kTupleThreads)
check_tuples_kernel(Split<Label> split, Tuples tuples, Levels levels, Window<Label> window, bool counted,
                    Tally *tally) {
	const Range mine = share_of_block(tuples.count, kTuplesPerBlock);
	ull inside = 0, loops = 0;
	Label next_u[kBatch], next_v[kBatch];
	load_batch(tuples, mine.begin, mine.end, next_u, next_v);
	for (u64 first = mine.begin; first < mine.end; first += kBatch * kTupleThreads) {
		Label upper[kBatch], lower[kBatch]; // the ends; upper is the one closer to the root
		u32 upper_code[kBatch], lower_code[kBatch];
#pragma unroll
		for (int k = 0; k < kBatch; k++) {
			upper[k] = next_u[k], lower[k] = next_v[k];
			upper_code[k] = levels.near_code(split, upper[k]);
			lower_code[k] = levels.near_code(split, lower[k]);
		}
		load_batch(tuples, first + kBatch * kTupleThreads, mine.end, next_u, next_v);
		u32 at[kBatch]; // index of the lower end, if its level allows the upper end as its parent
		Label parent[kBatch];
#pragma unroll
		for (int k = 0; k < kBatch; k++) {
			upper_code[k] = levels.code(split, upper[k], upper_code[k]);
			lower_code[k] = levels.code(split, lower[k], lower_code[k]);
			if (upper_code[k] > lower_code[k]) {
				swap(upper[k], lower[k]);
				swap(upper_code[k], lower_code[k]);
			}
			const bool neighbours = lower_code[k] != kOutside && lower_code[k] - upper_code[k] == 1;
			at[k] = neighbours ? window.at(split, lower[k]) : window.kOutside;
		}
#pragma unroll
		for (int k = 0; k < kBatch; k++)
			parent[k] = window.may_join(at[k], upper[k]) ? window.parent(at[k]) : kNone<Label>;
#pragma unroll
		for (int k = 0; k < kBatch; k++) {
			if (upper_code[k] == kOutside) continue; // then both are
			const Label low = min(upper[k], lower[k]), high = max(upper[k], lower[k]);
			if (lower_code[k] == kOutside) {
				offend(tally, G500_RULE_SPAN, low, high);
			} else if (lower_code[k] - upper_code[k] > 1) {
				offend(tally, G500_RULE_LEVELS, low, high);
			} else {
				inside += upper[k] != lower[k];
				loops += upper[k] == lower[k];
			}
			if (parent[k] == upper[k]) window.join(at[k]); // kNone only beyond the last tuple, which was left out
		}
	}
	add_up(counted ? inside : 0, &tally->edges);
	add_up(counted ? loops : 0, &tally->loops);
}

// Joins a vertex of the window to its parent by a tuple of the right length.
template <typename Label, typename HasLength>
__device__ inline void join_if(const Split<Label> &split, const Window<Label> &window, Label vertex, Label parent,
                               HasLength has_length) {
	const u32 at = window.at(split, vertex);
	if (window.may_join(at, parent) && window.parent(at) == parent && has_length()) window.join(at);
}

// AnyLength accepts every tuple as an edge between a vertex and its parent.
struct AnyLength {
	template <typename Label>
	__device__ bool leads(const Split<Label> &, u64, Label, Label) const { return true; }
};

// Joins vertices of the window to their parents by tuples that `length` accepts. Does not read levels, so a tuple
// without an end in the window costs only its load.
// Map:    kBatch tuples per thread at a time, coalesced; kTuplesPerBlock per block.
// Reads:  8 B per tuple; a random hint per end in the window, and a random parent if it fits; the reads of `length` per
//         tree edge.
// Writes: a random hint per tuple that is a tree edge.
template <typename Label, typename Length>
__global__ void __launch_bounds__(kTupleThreads)
join_tuples_kernel(Split<Label> split, Tuples tuples, Length length, Window<Label> window) {
	const Range mine = share_of_block(tuples.count, kTuplesPerBlock);
	for (u64 first = mine.begin; first < mine.end; first += kBatch * kTupleThreads) {
		Label u[kBatch], v[kBatch];
		load_batch(tuples, first, mine.end, u, v);
#pragma unroll
		for (int k = 0; k < kBatch; k++) {
			if (u[k] == kNone<Label>) continue;
			const u64 i = first + k * kTupleThreads;
			join_if(split, window, u[k], v[k], [&] { return length.leads(split, i, v[k], u[k]); });
			join_if(split, window, v[k], u[k], [&] { return length.leads(split, i, u[k], v[k]); });
		}
	}
}

// Joined is the bits of this rank's vertices in the window, by sending rank, and the rule that requires them.
struct Joined {
	Places of;
	const u8 *bits;
	int rule;
};

// Checks that every vertex of the tree except the root is joined to its parent by a tuple on any rank.
// Map:    one thread per eight vertices, kBytesPerBlock times that per block.
// Reads:  a parent, and a bit of each rank, per vertex.
template <typename Label>
__global__ void __launch_bounds__(kThreads) check_joined_kernel(Split<Label> split, Tree<Label> tree, Joined joined,
                                                                Tally *tally) {
	const u64 first = joined.of.first, bytes = joined.of.count / 8;
	const Range mine = share_of_block(bytes, kBytesPerBlock);
	for (u64 b = mine.begin; b < mine.end; b += kThreads) {
		u64 parent[8];
		u32 marked = 0;
		for (u32 rank = 0; rank < split.ranks; rank++) marked |= joined.bits[rank * bytes + b];
		load_eight(tree.parents, first + b * 8, split.owned, parent);
#pragma unroll
		for (int i = 0; i < 8; i++) {
			const Label label = split.label(first + b * 8 + i);
			if (marked >> i & 1 || parent[i] == kNoParent || label == tree.root) continue;
			offend(tally, joined.rule, label, parent[i]);
		}
	}
}

} // namespace g500::validate
