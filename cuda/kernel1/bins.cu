// SPDX-License-Identifier: Apache-2.0

// The messages of kernel 1, and queries for labels.
#include <memory>
#include <new>

#include "common/block.cuh"
#include "kernel1/bins.cuh"

namespace g500 {

namespace {

// Ends makes two messages of a tuple: to the owner of each end, with the other end's global id and, in wide messages,
// the bits of the tuple's weight. If one rank owns both ends or with kOneWay it makes only the first one.
template <typename OfMessage, bool kOneWay>
struct Ends {
	static constexpr int kMost = 2;
	using Message = OfMessage;
	struct Item {
		u32 u, v; // equal: nothing to send
		u32 weight;
	};
	const Tuples tuples;
	u32 ranks;
	LocalIds local;
	u64 count = tuples.count;

	__device__ Item load(u64 i) const {
		if (i >= count) return {0, 0, 0};
		const u32 weight = sizeof(Message) == sizeof(WideMessage) ? __float_as_uint(__ldcs(&tuples.weights[i])) : 0;
		return {__ldcs(&tuples.edges[i].low_u), __ldcs(&tuples.edges[i].low_v), weight};
	}
	__device__ u32 global_id(u32 rank, u32 number) const {
		return rank << local.shift | __ldg(&local.ids[rank * local.slice + number]);
	}
	template <class Send>
	__device__ void each(Item t, Send send) const {
		if (t.u == t.v) return;
		const u32 u_number = t.u / ranks, v_number = t.v / ranks, u_rank = t.u % ranks, v_rank = t.v % ranks;
		send(0, u_rank, u_number, global_id(v_rank, v_number), t.weight);
		if (!kOneWay && u_rank != v_rank) send(1, v_rank, v_number, global_id(u_rank, u_number), t.weight);
	}
};

// Neighbours makes one message of each that LongEnds sent to this rank: to the owner of the other end, with the global
// id of this rank's end.
struct Neighbours {
	static constexpr int kMost = 1;
	using Message = WideMessage;
	using Item = WideMessage;
	const MessageList<WideMessage> ends;
	const g500_graph graph;
	u64 count = ends.count;

	__device__ Item load(u64 i) const { return ends.at(i); }
	template <class Send>
	__device__ void each(const Item &end, Send send) const {
		if (end.place == kNoLocalId) return;
		const u32 local_id = __ldg(&graph.local_ids[end.place]);
		send(0, end.extra, end.word, graph.part64 > 0 ? local_id : graph.rank << graph.shift | local_id, graph.rank);
	}
};

// Owned is the two parts of a global id.
struct Owned {
	u32 rank, local_id; // local_id is kNoLocalId if there is no global id
};

// GlobalIdList reads global ids.
struct GlobalIdList {
	g500_global_ids of;
	u64 count;
	u32 shift;

	__device__ Owned at(u64 i) const {
		const u32 word = i < count ? of.words[i] : kNoLocalId;
		if (of.ranks) return {word == kNoLocalId ? 0u : of.ranks[i], word};
		return {word >> shift, word == kNoLocalId ? word : word & ((1u << shift) - 1)};
	}
};

// LabelQueries makes one message of each global id that another rank owns: to the owner, which has the label.
struct LabelQueries {
	static constexpr int kMost = 1;
	using Message = u64;
	struct Item {
		Owned global_id;
		u32 number;
	};
	const GlobalIdList global_ids;
	u32 rank;
	u64 count = global_ids.count;

	__device__ Item load(u64 i) const { return {global_ids.at(i), (u32)i}; }
	template <class Send>
	__device__ void each(const Item &q, Send send) const {
		if (q.global_id.local_id == kNoLocalId || q.global_id.rank == rank) return;
		send(0, q.global_id.rank, q.global_id.local_id, q.number, 0u);
	}
};

constexpr u32 kPlacing = 256; // threads
using Scan = ull[kPlacing / kLanes];

// Computes the beginning of each rank's messages: the exclusive prefix sum of the counts.
// Map:    one block, one thread per rank, kPlacing ranks at a time. Reads: 8 B per rank. Writes: 8 B per rank.
__global__ void __launch_bounds__(kPlacing) place_bins_kernel(const ull *counts, u32 ranks, ull *next) {
	G500_SHARED_MEMORY(memory);
	ull lower = 0; // messages to the ranks of earlier passes
	for (u32 first = 0; first < ranks; first += kPlacing) {
		const u32 r = first + threadIdx.x;
		ull before, all;
		block_scan(*(Scan *)memory, r < ranks ? counts[r] : 0, before, all);
		if (r < ranks) next[r] = lower + before;
		lower += all;
		__syncthreads(); // the next pass writes the same shared memory
	}
}

// Looks up the labels of this rank's global ids; leaves other labels unchanged.
// Map:    one thread per global id. Reads: 4 B per global id and 4 random B of label. Writes: 4 B per label.
__global__ void look_up_kernel(g500_graph graph, GlobalIdList global_ids, u32 *labels) {
	const u64 i = thread_number<kBlock>();
	if (i >= global_ids.count) return;
	const Owned global_id = global_ids.at(i);
	if (global_id.local_id == kNoLocalId) labels[i] = kNoLocalId;
	else if (global_id.rank == graph.rank) labels[i] = graph.labels[global_id.local_id];
}

// Replaces the place in each query by its word.
// Map:    one thread per query. Reads: 8 B per query and 4 random B. Writes: 8 B per query.
__global__ void reply_kernel(const u32 *__restrict__ words, u64 *messages, u64 count) {
	const u64 i = thread_number<kBlock>();
	if (i < count) messages[i] = message(words[message_place(messages[i])], message_word(messages[i]));
}

// Stores each label at the number of its query.
// Map:    one thread per reply. Reads: 8 B per reply. Writes: 4 random B.
// Races:  none: query numbers are distinct.
__global__ void take_labels_kernel(const u64 *messages, u64 count, u32 *labels) {
	const u64 i = thread_number<kBlock>();
	if (i < count) labels[message_word(messages[i])] = message_place(messages[i]);
}

template <typename Message>
int fill_ends(g500_bins *bins, const Tuples &tuples, Message *messages, u64 *counts) {
	if (bins->one_way) return fill(bins, Ends<Message, true>{tuples, bins->ranks, bins->local}, messages, counts);
	return fill(bins, Ends<Message, false>{tuples, bins->ranks, bins->local}, messages, counts);
}

} // namespace

int reply(const u32 *words, u64 *messages, u64 count, cudaStream_t stream) {
	return G500_START(reply_kernel, thread_for(count, stream), words, messages, count);
}

int place_bins(g500_bins *bins) {
	const Launch how = {1, kPlacing, bins->stream, sizeof(Scan)};
	return G500_START(place_bins_kernel, how, bins->counts, bins->ranks, bins->next);
}

} // namespace g500

using namespace g500;

int g500_bins_create(uint32_t ranks, g500_bins **bins, void *stream) {
	*bins = nullptr;
	if (ranks == 0 || ranks > G500_MOST_RANKS) return cudaErrorInvalidValue;
	std::unique_ptr<g500_bins> made(new (std::nothrow) g500_bins{ranks, (cudaStream_t)stream, {}, {}, false, {}});
	if (made == nullptr) return cudaErrorMemoryAllocation;
	G500_TRY(made->counts.alloc(ranks));
	G500_TRY(made->next.alloc(ranks));
	*bins = made.release();
	return cudaSuccess;
}

void g500_bins_free(g500_bins *bins) { delete bins; }

void g500_bins_one_way(g500_bins *bins) { bins->one_way = true; }

void g500_bins_know(g500_bins *bins, const uint32_t *d_local_ids, uint64_t slice, uint32_t shift) {
	bins->local = {d_local_ids, slice, shift};
}

int g500_bin_ends(g500_bins *bins, const g500_edge *d_edges, const float *d_weights, uint64_t count, void *d_messages,
                  uint64_t *counts) {
	const Tuples tuples{d_edges, count, d_weights};
	WideMessage *const wide = (WideMessage *)d_messages;
	const bool knows = bins->local.ids != nullptr;
	if (!knows && d_weights) return cudaErrorInvalidValue;
	if (!knows && bins->one_way) return fill(bins, LongEnds<true>{tuples, bins->ranks}, wide, counts);
	if (!knows) return fill(bins, LongEnds<false>{tuples, bins->ranks}, wide, counts);
	return d_weights ? fill_ends(bins, tuples, wide, counts) : fill_ends(bins, tuples, (u64 *)d_messages, counts);
}

int g500_bin_neighbours64(g500_bins *bins, const g500_graph *graph, const g500_wide_message *d_ends, uint64_t count,
                             g500_wide_message *d_messages, uint64_t *counts) {
	const MessageList<WideMessage> ends = {d_ends, count};
	return fill(bins, Neighbours{ends, *graph}, d_messages, counts);
}

int g500_bin_label_queries(g500_bins *bins, const g500_graph *graph, g500_global_ids global_ids, uint64_t count,
                       uint64_t *d_messages, uint64_t *counts) {
	const LabelQueries queries{{global_ids, count, graph->shift}, graph->rank};
	return fill(bins, queries, d_messages, counts);
}

int g500_look_up(const g500_graph *graph, g500_global_ids ids, uint64_t count, uint32_t *d_labels, void *stream) {
	const GlobalIdList list{ids, count, graph->shift};
	return G500_START(look_up_kernel, thread_for(count, (cudaStream_t)stream), *graph, list, d_labels);
}

int g500_reply_labels(const g500_graph *graph, uint64_t *d_messages, uint64_t count, void *stream) {
	return reply(graph->labels, d_messages, count, (cudaStream_t)stream);
}

int g500_take_labels(const uint64_t *d_messages, uint64_t count, uint32_t *d_labels, void *stream) {
	return G500_START(take_labels_kernel, thread_for(count, (cudaStream_t)stream), d_messages, count, d_labels);
}
