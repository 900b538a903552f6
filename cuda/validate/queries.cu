// SPDX-License-Identifier: Apache-2.0

// Validation by messages to owners (validate.h). Its rules are in validate.cuh.
#include "validate/validate.h"

#include <new>

#include "kernel1/bins.cuh"
#include "validate/validate.cuh"

namespace g500::validate {

namespace {

// Levels of vertices without a level: of the tree, and not of the tree.
constexpr u32 kWaits = 0xfffffffe, kNotReached = 0xffffffff;

// End is a vertex: its rank, and its level if that is known.
struct End {
	u32 rank, level;
};

__device__ inline void set_message(WideMessage &to, u32 place, u32 word, End other) {
	to = {place, word, other.rank, other.level};
}

// ParentQueries makes a query for each vertex that waits for its level, to its parent's owner: the parent's place, and
// the vertex's.
struct ParentQueries {
	static constexpr int kMost = 1;
	using Message = u64;
	struct Item {
		u64 parent;
		u32 place;
	};
	Split<u64> split;
	Parents parents;
	const u32 *levels;
	u64 first, count;

	__device__ Item load(u64 i) const {
		const u64 place = first + i;
		return {i < count && levels[place] == kWaits ? parents[place] : kNoParent, (u32)place};
	}
	template <class Send>
	__device__ void each(const Item &query, Send send) const {
		if (query.parent == kNoParent) return;
		const u32 at = split.place(query.parent);
		send(0, split.owner(query.parent, at), at, query.place, 0u);
	}
};

// Forwarded sends tuples that LongEnds sent to this rank to the owner of the first end.
struct Forwarded {
	static constexpr int kMost = 1;
	using Message = WideMessage;
	using Item = WideMessage;
	u32 rank; // this one
	const WideMessage *received;
	u64 count;

	__device__ Item load(u64 i) const { return i < count ? received[i] : Item{kNoLocalId, 0, 0, 0}; }
	template <class Send>
	__device__ void each(const Item &tuple, Send send) const {
		if (tuple.place != kNoLocalId) send(0, tuple.extra, tuple.word, tuple.place, End{rank, tuple.level});
	}
};

// OwnerView is a rank's vertices as kernels see them.
struct OwnerView {
	Split<u64> split;
	Tree tree;
	u32 *levels, *joined; // by place
	bool directed;

	__device__ u64 label_of(u32 place, u32 rank) const { return (u64)place * split.ranks + rank; }

	// Joins a vertex to its parent if that is the other end of a tuple.
	__device__ void join(u32 place, u64 other) const {
		if (levels[place] != kNotReached && tree.parents[place] == other) mark(joined, place);
	}
};

// Enters the parents: finds parents out of range, and a root that is not its own parent.
// Map:    one thread per vertex, kPlacesPerBlock per block. Reads: a parent per vertex. Writes: 4 B per vertex.
__global__ void __launch_bounds__(kThreads) enter_owned_kernel(const OwnerView v, Tally *tally) {
	ull reached = 0;
	for_share_of_block(v.split.owned, kPlacesPerBlock, [&](u64 place) {
		const u64 parent = v.tree.parents[place], label = v.split.label(place);
		u32 level = kWaits;
		if (label == v.tree.root) {
			if (parent != v.tree.root) offend(tally, G500_RULE_ROOT, label, parent);
			level = 0;
		} else if (parent == kNoParent) {
			level = kNotReached;
		} else if (parent >= v.split.n) {
			offend(tally, G500_RULE_RANGE, label, parent);
		}
		v.levels[place] = level;
		reached += level != kNotReached;
	});
	add_up(reached, &tally->reached);
}

// Gives vertices their levels, if their parents have one. A vertex has one reply.
// Map:    one thread per reply, kPlacesPerBlock per block. Reads: 8 B per reply. Writes: 4 random B per level.
__global__ void __launch_bounds__(kThreads) take_levels_kernel(u32 *levels, const u64 *replies, u64 count,
                                                               Tally *tally) {
	ull settled = 0, deepest = 0;
	for_share_of_block(count, kPlacesPerBlock, [&](u64 i) {
		const u32 above = message_place(replies[i]);
		if (above >= kWaits) return;
		levels[message_word(replies[i])] = above + 1;
		settled++;
		deepest = max(deepest, (ull)above + 1);
	});
	add_up(settled, &tally->sizes[0]);
	if (deepest > *(volatile ull *)&tally->sizes[1]) atomicMax(&tally->sizes[1], deepest);
}

// Finds why vertices got no level: the parent of an orphan is not reached, other parents lead to a cycle or an orphan.
// Map:    one thread per reply, kPlacesPerBlock per block. Reads: 8 B and a random parent per reply.
__global__ void __launch_bounds__(kThreads) take_stuck_kernel(const OwnerView v, const u64 *replies, u64 count,
                                                              Tally *tally) {
	for_share_of_block(count, kPlacesPerBlock, [&](u64 i) {
		const u32 place = message_word(replies[i]);
		const int rule = message_place(replies[i]) == kNotReached ? G500_RULE_ORPHAN : G500_RULE_CYCLE;
		offend(tally, rule, v.split.label(place), v.tree.parents[place]);
	});
}

// Adds the level of this rank's end to each tuple, and joins the end to its parent. Counts self-loops of the component,
// which are not sent on.
// Map:    one thread per tuple, kPlacesPerBlock per block. Reads: 16 B per tuple, a random level and parent.
// Writes: 8 B per tuple; one atomicOr per tuple that is a tree edge.
__global__ void __launch_bounds__(kThreads)
forward_tuples_kernel(const OwnerView v, WideMessage *messages, u64 count, Tally *tally) {
	ull loops = 0;
	for_share_of_block(count, kPlacesPerBlock, [&](u64 i) {
		WideMessage &m = messages[i];
		m.level = v.levels[m.place];
		if (m.extra != v.split.rank || m.word != m.place) {
			v.join(m.place, v.label_of(m.word, m.extra));
			return;
		}
		loops += m.level != kNotReached;
		m.place = kNoLocalId;
	});
	add_up(loops, &tally->loops);
}

// Checks the levels of tuples as TreeCheck does (tuples.cuh), and joins this rank's ends to their parents.
// Map:    one thread per tuple, kPlacesPerBlock per block. Reads: 16 B per tuple, a random level and parent.
// Writes: one atomicOr per tuple that is a tree edge.
__global__ void __launch_bounds__(kThreads) check_forwarded_kernel(const OwnerView v, const WideMessage *messages,
                                                                   u64 count, Tally *tally) {
	ull inside = 0;
	for_share_of_block(count, kPlacesPerBlock, [&](u64 i) {
		const WideMessage m = messages[i];
		const u64 from = v.split.label(m.place), to = v.label_of(m.word, m.extra);
		const u32 above = v.levels[m.place], below = m.level;
		const bool in = above != kNotReached;
		inside += in;
		const bool leaves = in ? below == kNotReached : !v.directed && below != kNotReached;
		const bool far = in && !leaves && (below > above + 1 || (!v.directed && above > below + 1));
		if (leaves || far) {
			const int rule = leaves ? G500_RULE_SPAN : G500_RULE_LEVELS;
			if (v.directed) offend(tally, rule, from, to);
			else offend(tally, rule, min(from, to), max(from, to));
		}
		if (!v.directed) v.join(m.place, to);
	});
	add_up(inside, &tally->edges);
}

// Checks that vertices of the tree except the root are joined to their parents.
// Map:    one thread per vertex, kPlacesPerBlock per block. Reads: 4 B and a bit per vertex.
__global__ void __launch_bounds__(kThreads) check_owned_kernel(const OwnerView v, Tally *tally) {
	for_share_of_block(v.split.owned, kPlacesPerBlock, [&](u64 place) {
		const u32 level = v.levels[place];
		if (level == 0 || level == kNotReached || has_bit(v.joined, place)) return;
		offend(tally, G500_RULE_TREE_EDGE, v.split.label(place), v.tree.parents[place]);
	});
}

} // namespace

} // namespace g500::validate

using namespace g500;
using namespace g500::validate;

struct g500_owner_validator : Validation {
	OwnerView view() const { return {split, tree, parts.levels, parts.joined, parts.directed != 0}; }
};

int g500_owner_validator_create(const g500_validator_parts *parts, g500_owner_validator **validator, void *stream) {
	*validator = nullptr;
	if (parts->vertices > 1ull << 48 || parts->rank >= parts->ranks) return cudaErrorInvalidValue;
	const auto split = split_among(parts->ranks, parts->rank, parts->vertices);
	auto *const v = new (std::nothrow) g500_owner_validator{{(cudaStream_t)stream, split, *parts}};
	return v ? created(v, validator, cudaSuccess) : (int)cudaErrorMemoryAllocation;
}

void g500_owner_validator_free(g500_owner_validator *validator) { delete validator; }

int g500_owner_enter(g500_owner_validator *v, uint64_t root, const void *d_parents, int bits, g500_findings *findings) {
	G500_TRY(v->enter(root, d_parents, bits));
	const size_t words = (v->split.owned + 31) / 32;
	G500_TRY((int)cudaMemsetAsync(v->parts.joined, 0, words * sizeof(uint32_t), v->stream));
	return G500_CHECK(v, findings, enter_owned_kernel, v->over(v->split.owned), v->view(), v->tally);
}

int g500_owner_bin_parents(g500_owner_validator *v, g500_bins *bins, uint64_t first, uint64_t count,
                           uint64_t *d_messages, uint64_t *counts) {
	return fill(bins, ParentQueries{v->split, v->tree.parents, v->parts.levels, first, count}, d_messages, counts);
}

int g500_owner_reply_levels(g500_owner_validator *v, uint64_t *d_messages, uint64_t count) {
	G500_TRY(reply(v->parts.levels, d_messages, count, v->stream));
	return cudaStreamSynchronize(v->stream);
}

int g500_owner_take_levels(g500_owner_validator *v, const uint64_t *d_messages, uint64_t count,
                           g500_findings *findings) {
	G500_LAUNCH(take_levels_kernel, v->over(count), v->parts.levels, d_messages, count, v->tally);
	return v->fetch(findings);
}

int g500_owner_take_stuck(g500_owner_validator *v, const uint64_t *d_messages, uint64_t count,
                          g500_findings *findings) {
	return G500_CHECK(v, findings, take_stuck_kernel, v->over(count), v->view(), d_messages, count, v->tally);
}

int g500_owner_bin_tuples(g500_owner_validator *v, g500_bins *bins, const g500_edge *d_edges, uint64_t count,
                          g500_wide_message *d_messages, uint64_t *counts) {
	return fill(bins, LongEnds<true, true>{{d_edges, count}, v->split.ranks}, d_messages, counts);
}

int g500_owner_forward_tuples(g500_owner_validator *v, g500_wide_message *d_messages, uint64_t count) {
	G500_LAUNCH(forward_tuples_kernel, v->over(count), v->view(), d_messages, count, v->tally);
	return cudaStreamSynchronize(v->stream);
}

int g500_owner_bin_forwarded(g500_owner_validator *v, g500_bins *bins, const g500_wide_message *d_received,
                             uint64_t count, g500_wide_message *d_messages, uint64_t *counts) {
	return fill(bins, Forwarded{v->split.rank, d_received, count}, d_messages, counts);
}

int g500_owner_check_tuples(g500_owner_validator *v, const g500_wide_message *d_messages, uint64_t count,
                            g500_findings *findings) {
	return G500_CHECK(v, findings, check_forwarded_kernel, v->over(count), v->view(), d_messages, count, v->tally);
}

int g500_owner_check_joined(g500_owner_validator *v, g500_findings *findings) {
	return G500_CHECK(v, findings, check_owned_kernel, v->over(v->split.owned), v->view(), v->tally);
}
