// SPDX-License-Identifier: Apache-2.0

// Pulling a vertex: along its row, or again over the only edge that may improve it.
//
// A vertex reads its row, sorted by weight, until even a path from the nearest useful distance would be too long. Its
// distance is final if all its useful neighbours are settled or final. All other neighbours are at least as far as the
// threshold.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

constexpr u32 kAtOnce = 2; // edges per iteration after the first two

// OpenVertex is a vertex that is not final.
struct OpenVertex {
	u32 vertex;     // kNone: none
	float distance;
	Col edge; // the only edge that may lead to a shorter path; its global id is kNone if there are others. Negative
	          // weight: the first edge of the row
	float bound; // no path over it is shorter

	__device__ bool is_first() const { return __float_as_uint(edge.weight) >> 31; }
};

// Pulled is the result of pulling a vertex.
struct Pulled {
	float best = infinity(); // distance
	u32 parent = kUnknown;   // kUnknown if the distance is unchanged; kTied between ranks that are not peers if the
	                         // neighbour is at the same distance, because the weight vanishes in the sum; else as in
	                         // State.parent
	bool open = false;       // a neighbour that is not final may lead to a shorter path
	Col edge{kNone, 0};      // to it, as in OpenVertex
	float bound = infinity();

	__device__ u32 word() const { return __float_as_uint(best) | (open ? 0 : kFinal); }
};

// RowPull is the state of pulling along a row.
template <typename Form>
struct RowPull {
	const u32 *const words; // State.distance
	const float least;      // distance: no useful neighbour is nearer
	const float threshold;
	Pulled found;
	Col open{kNone, 0};       // the only edge to a neighbour that is not final and may help (OpenVertex)
	float bound = infinity(); // no path over such edges is shorter

	// Returns whether an edge of this weight, or a later one, may improve the distance.
	__device__ inline bool may_help(float weight) const { return least + weight < found.best; }

	// Returns a lower bound of paths over an edge that are shorter than the one by its end's word: they come over another
	// edge of the end, from a vertex that is not nearer than `least`.
	__device__ inline float bound_of(const Col &edge, u16 detour) const {
		return fmaxf(least + WeightBound::in(detour), threshold) + edge.weight;
	}

	// Processes an edge with this bound whose end has this word; `name` is its value as a parent.
	__device__ inline void take(const Col &edge, u32 word, u32 name, float shortest) {
		const float from = distance_in(word), path = from + edge.weight;
		if (path < found.best) found.best = path, found.parent = Form::kFar && !(from < path) ? kTied : name;
		if (is_final(word) || from < threshold || !(shortest < found.best)) return;
		open = bound < infinity() ? Col{kNone, 0} : edge;
		bound = fminf(bound, shortest);
	}

	// Processes the first edge of a row.
	__device__ inline void take_first(const Col &edge, u32 word, float shortest) {
		const float from = distance_in(word);
		take(edge, word, from < from + edge.weight ? kFirstEnd : edge.global_id, shortest);
		open.weight = -open.weight;
	}

	// Processes several edges after it has loaded their words, except the first word if it is given: calls
	// take(j, word). Returns whether later ones may help.
	template <u32 kEdges, typename Take>
	__device__ inline bool look(const Col (&edges)[kEdges], u32 first_word, Take take) {
		u32 word[kEdges];
#pragma unroll
		for (u32 j = 0; j < kEdges; j++) {
			const bool loads = may_help(edges[j].weight) && (j > 0 || first_word == kNone);
			word[j] = loads ? __ldcg(words + edges[j].global_id) : first_word;
		}
#pragma unroll
		for (u32 j = 0; j < kEdges; j++) {
			if (!may_help(edges[j].weight)) return false;
			take(j, word[j]);
		}
		return true;
	}

	// Processes the first two edges of a row, with their detours. Returns whether later ones may help.
	__device__ inline bool look_first(const FirstEdges &edges, u32 first_word, u16 first, u16 second) {
		return look(edges.of, first_word, [&](u32 j, u32 word) {
			if (j == 0) take_first(edges.of[0], word, bound_of(edges.of[0], first));
			else take(edges.of[1], word, edges.of[1].global_id, bound_of(edges.of[1], second));
		});
	}

	// Processes the edges of a row after the first two.
	__device__ inline void look_beyond(const Graph &g, u32 local_id) {
		const Col *const cols = g.cols;
		const u64 end = g.rows[local_id + 1];
		for (u64 i = g.rows[local_id] + 2; i < end; i += kAtOnce) {
			Col edges[kAtOnce];
#pragma unroll
			for (u32 j = 0; j < kAtOnce; j++) {
				const uint2 c = i + j < end ? __ldg((const uint2 *)(cols + i + j)) : make_uint2(kNone, kInfinite);
				edges[j] = {c.x, __uint_as_float(c.y)};
			}
			const auto take_one = [&](u32 j, u32 word) { take(edges[j], word, edges[j].global_id, bound_of(edges[j], 0)); };
			if (!look(edges, kNone, take_one)) break;
		}
	}

	__device__ inline Pulled end() {
		found.open = bound < found.best;
		found.edge = open;
		found.bound = bound;
		return found;
	}
};

// Pulls a vertex along its row. first_word is the word at the end of the first edge, if it was loaded before, else
// kNone. Reads 22 B per vertex; if the third edge may help, 16 B of rows and 8 B per edge; and a
// sector of distances per edge.
template <typename Form>
__device__ __noinline__ inline Pulled pull_row(const Graph &g, u32 local_id, u32 first_word, RowPull<Form> pull) {
	const ushort2 later = __ldg(g.later + local_id);
	const bool goes_on = pull.look_first(FirstEdges(g, local_id), first_word, __ldg(g.detour + local_id), later.x);
	if (goes_on && pull.may_help(WeightBound::in(later.y))) pull.look_beyond(g, local_id);
	return pull.end();
}

} // namespace g500::sssp
