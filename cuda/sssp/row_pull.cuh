// How a vertex pulls: along its row, or again over the only edge that may help it.
//
// It goes along its row, by rising weight, until even a path from the nearest distance that may help would be too
// long. Its distance is final if all its neighbours that may help are settled or final themselves; a neighbour that is
// neither is at least as far as the threshold.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

constexpr u32 kAtOnce = 2; // edges of a row behind the first two: a thread waits for all of them together

// OpenVertex is a vertex that is not final.
struct OpenVertex {
	u32 vertex;     // kNone: there is none
	float distance;
	Col edge; // the only one by which a shorter path may still come; its position is kNone if there are others
	          // too, and its weight has a sign if it is the first in its row

	__device__ bool is_first() const { return __float_as_uint(edge.weight) >> 31; }
};

// Pulled is what a vertex has found in its row.
struct Pulled {
	float best = infinity(); // distance
	u32 parent = kUnknown;   // kUnknown if it is the distance from before; else as State.parent has it
	bool open = false;       // a shorter path may come by a neighbour that is not final
	Col edge{kNone, 0};      // to it, as OpenVertex has it
};

// Whether an edge's end at that distance is nearer than the vertex at the path's end: a weight may vanish in the sum.
__device__ inline bool is_nearer(float from, const Col &edge) { return from < from + edge.weight; }

// RowPull is what a vertex has found so far on its way along its row.
struct RowPull {
	const float least; // distance: no neighbour that can help is nearer
	const float threshold;
	Pulled found;
	Col open{kNone, infinity()}; // edge to a neighbour that is not final, the lightest one, as OpenVertex has it

	// Whether an edge of that weight may help, and those behind it.
	__device__ inline bool may_help(float weight) const { return least + weight < found.best; }

	// The word of an edge's end; what cannot help is not asked for.
	__device__ inline u32 word_of(const Context &k, const Col &edge) const {
		return may_help(edge.weight) ? k.word(edge.global_id) : kFinal | kInfinite;
	}

	// Takes an edge whose end has that word; as a parent it goes by that name.
	__device__ inline void take(const Col &edge, u32 word, u32 name) {
		const float from = distance_in(word), path = from + edge.weight;
		if (path < found.best) found.best = path, found.parent = name;
		if (is_final(word) || from < threshold) return;
		if (open.weight == infinity()) open = edge; // rows rise by weight
		else open.global_id = kNone;
	}

	// Takes the first edge of a row.
	__device__ inline void take_first(const Col &edge, u32 word) {
		take(edge, word, is_nearer(distance_in(word), edge) ? kFirstEnd : edge.global_id);
		if (open.weight < infinity()) open.weight = -open.weight;
	}

	// Looks at edges, and waits for the distances of all of them together.
	template <u32 kEdges>
	__device__ inline void look(const Context &k, const Col (&edges)[kEdges]) {
		u32 word[kEdges];
#pragma unroll
		for (u32 j = 0; j < kEdges; j++) word[j] = word_of(k, edges[j]);
#pragma unroll
		for (u32 j = 0; j < kEdges; j++) take(edges[j], word[j], edges[j].global_id);
	}

	// Looks at the edges of a row behind the first two.
	__device__ inline void look_beyond(const Context &k, u32 local_id) {
		const Graph &g = k.graph;
		const u64 end = g.rows[local_id + 1];
		for (u64 i = g.rows[local_id] + 2; i < end; i += kAtOnce) {
			Col edges[kAtOnce];
#pragma unroll
			for (u32 j = 0; j < kAtOnce; j++) {
				const uint2 c = i + j < end ? __ldg((const uint2 *)(g.cols + i + j)) : make_uint2(kNone, kInfinite);
				edges[j] = {c.x, __uint_as_float(c.y)};
			}
			if (!may_help(edges[0].weight)) break;
			look(k, edges);
		}
	}

	__device__ inline Pulled end() {
		const float weight = fabsf(open.weight);
		found.open = threshold + weight < found.best || (found.best == infinity() && weight < infinity());
		found.edge = open;
		return found;
	}
};

// Goes along the row of a hub of that distance, as far as an edge can help if no neighbour is nearer than `least`. One
// edge is enough for most vertices, so the second is looked at after the first. Reads 16 B a vertex; 16 B of rows and
// 8 B an edge behind the second; and a sector of distances an edge.
__device__ inline Pulled pull_row(const Context &k, u32 local_id, float distance, float least) {
	RowPull pull{least, k.threshold(), {distance, kUnknown}};
	const FirstEdges first(k.graph, local_id);
	pull.take_first(first.of[0], pull.word_of(k, first.of[0]));
	pull.look(k, {first.of[1]});
	if (first.more && pull.may_help(first.of[1].weight)) pull.look_beyond(k, local_id);
	return pull.end();
}

// Looks again at the only edge that may help an open vertex. Reads a sector of distances.
__device__ inline Pulled pull_edge(const Context &k, const OpenVertex &at) {
	RowPull pull{k.threshold(), k.threshold(), {at.distance, kUnknown}};
	const Col edge{at.edge.global_id, fabsf(at.edge.weight)};
	const u32 word = k.word(edge.global_id);
	if (at.is_first()) pull.take_first(edge, word);
	else pull.take(edge, word, edge.global_id);
	return pull.end();
}

} // namespace g500::sssp
