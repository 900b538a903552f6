// The messages of kernel 1, and queries for labels.
#include <cub/block/block_scan.cuh>

#include <new>

#include "kernel1/bins.cuh"

namespace g500 {

namespace {

// Ends makes two messages of a tuple: to the owner of each end, with the other end's global id and, in weighted
// messages, the tuple's weight. If one rank owns both ends or with kOneWay it makes only the first one.
template <typename OfMessage, bool kOneWay>
struct Ends {
	static constexpr int kMost = 2;
	using Message = OfMessage;
	struct Item {
		u32 u, v; // equal: nothing to send
		float weight;
	};
	const Tuples tuples;
	u32 ranks;
	LocalIds local;
	u64 count = tuples.count;

	__device__ Item load(u64 i) const {
		if (i >= count) return {0, 0, 0};
		return {__ldcs(&tuples.edges[i].low_u), __ldcs(&tuples.edges[i].low_v), weight(i)};
	}
	__device__ float weight(u64 i) const {
		if constexpr (sizeof(Message) == sizeof(WeightedMessage)) return __ldcs(&tuples.weights[i]);
		return 0;
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

// LongEnds makes two messages of a tuple with labels of up to 48 bits: to the owner of each end, with the other end's
// label. With kOneWay it makes only the second one: its receiver forwards the second end to the first one.
template <bool kOneWay>
struct LongEnds {
	static constexpr int kMost = 2;
	using Message = Message64;
	struct Item {
		u64 u, v; // equal: nothing to send
	};
	const Tuples tuples;
	u32 ranks;
	u64 count = tuples.count;

	__device__ Item load(u64 i) const {
		if (i >= count) return {0, 0};
		const g500_edge e{__ldcs(&tuples.edges[i].low_u), __ldcs(&tuples.edges[i].low_v), __ldcs(&tuples.edges[i].high)};
		return {label_u(e), label_v(e)};
	}
	template <class Send>
	__device__ void each(const Item &t, Send send) const {
		if (t.u == t.v) return;
		const u32 u_number = (u32)(t.u / ranks), v_number = (u32)(t.v / ranks);
		const u32 u_rank = (u32)(t.u % ranks), v_rank = (u32)(t.v % ranks);
		if (!kOneWay) send(0, u_rank, u_number, v_number, v_rank);
		send(1, v_rank, v_number, u_number, u_rank);
	}
};

// Neighbours makes one message of each that LongEnds sent to this rank: to the owner of the other end, with the global
// id of this rank's end.
struct Neighbours {
	static constexpr int kMost = 1;
	using Message = Message64;
	using Item = Message64;
	const MessageList<Message64> ends;
	u32 rank; // of this rank's ends
	const u32 *local_ids;
	u64 count = ends.count;

	__device__ Item load(u64 i) const { return ends.at(i); }
	template <class Send>
	__device__ void each(const Item &end, Send send) const {
		if (end.place != kNoLocalId) send(0, end.rank, end.word, __ldg(&local_ids[end.place]), rank);
	}
};

// Owned is the two parts of a global id.
struct Owned {
	u32 rank, local_id; // local_id is kNoLocalId if there is no global id
};

// GlobalIdList reads global ids in a graph's format.
template <bool kIds64>
struct GlobalIdList {
	static constexpr bool kIds64Form = kIds64;

	g500_global_ids of;
	u64 count;
	u32 shift;

	__device__ Owned at(u64 i) const {
		const u32 word = i < count ? of.words[i] : kNoLocalId;
		if constexpr (kIds64) return {word == kNoLocalId ? 0u : of.ranks[i], word};
		else return {word >> shift, word == kNoLocalId ? word : word & ((1u << shift) - 1)};
	}
};

// LabelQueries makes one message of each global id that another rank owns: to the owner, which has the label.
template <bool kIds64>
struct LabelQueries {
	static constexpr int kMost = 1;
	using Message = u64;
	struct Item {
		Owned global_id;
		u32 number;
	};
	const GlobalIdList<kIds64> global_ids;
	u32 rank;
	u64 count = global_ids.count;

	__device__ Item load(u64 i) const { return {global_ids.at(i), (u32)i}; }
	template <class Send>
	__device__ void each(const Item &q, Send send) const {
		if (q.global_id.local_id == kNoLocalId || q.global_id.rank == rank) return;
		send(0, q.global_id.rank, q.global_id.local_id, q.number, 0.0f);
	}
};

constexpr u32 kPlacing = 256; // threads
using Scan = cub::BlockScan<ull, kPlacing>;

// Computes the beginning of each rank's messages: the exclusive prefix sum of the counts.
// Map:    one block, one thread per rank, kPlacing ranks at a time. Reads: 8 B per rank. Writes: 8 B per rank.
__global__ void __launch_bounds__(kPlacing) place_bins_kernel(const ull *counts, u32 ranks, ull *next) {
	G500_SHARED_MEMORY(memory);
	ull lower = 0; // messages to the ranks of earlier passes
	for (u32 first = 0; first < ranks; first += kPlacing) {
		const u32 r = first + threadIdx.x;
		ull before, all;
		Scan(*(Scan::TempStorage *)memory).ExclusiveSum(r < ranks ? counts[r] : 0, before, all);
		if (r < ranks) next[r] = lower + before;
		lower += all;
		__syncthreads(); // the next pass writes the same shared memory
	}
}

// Looks up the labels of this rank's global ids; leaves other labels unchanged.
// Map:    one thread per global id. Reads: 4 B per global id and 4 random B of label. Writes: 4 B per label.
template <bool kIds64>
__global__ void look_up_kernel(g500_graph graph, GlobalIdList<kIds64> global_ids, u32 *labels) {
	const u64 i = thread_number<kBlock>();
	if (i >= global_ids.count) return;
	const Owned global_id = global_ids.at(i);
	if (global_id.local_id == kNoLocalId) labels[i] = kNoLocalId;
	else if (global_id.rank == graph.rank) labels[i] = graph.labels[global_id.local_id];
}

// Replaces the local id in each query by its label.
// Map:    one thread per query. Reads: 8 B per query and 4 random B of label. Writes: 8 B per query.
__global__ void reply_kernel(const u32 *__restrict__ labels, u64 *messages, u64 count) {
	const u64 i = thread_number<kBlock>();
	if (i < count) messages[i] = message(labels[message_place(messages[i])], message_word(messages[i]));
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

template <bool kIds64>
int look_up(const g500_graph &graph, const GlobalIdList<kIds64> &global_ids, u32 *labels, cudaStream_t stream) {
	if (global_ids.count == 0) return cudaSuccess;
	const Launch how = {blocks_for(global_ids.count, kBlock), kBlock, stream};
	return G500_START(look_up_kernel<kIds64>, how, graph, global_ids, labels);
}

// Calls act with a list of global ids in the graph's format.
template <typename Act>
int in_form_of(const g500_graph &graph, const g500_global_ids &global_ids, u64 count, Act act) {
	if (graph.col_ranks) return act(GlobalIdList<true>{global_ids, count, graph.shift});
	return act(GlobalIdList<false>{global_ids, count, graph.shift});
}

} // namespace

int place_bins(g500_bins *bins) {
	const Launch how = {1, kPlacing, bins->stream, sizeof(Scan::TempStorage)};
	return G500_START(place_bins_kernel, how, bins->counts, bins->ranks, bins->next);
}

} // namespace g500

int g500_bins_create(uint32_t ranks, g500_bins **bins, void *stream) {
	*bins = nullptr;
	if (ranks == 0 || ranks > G500_MOST_RANKS) return cudaErrorInvalidValue;
	g500_bins *made = new (std::nothrow) g500_bins{ranks, (cudaStream_t)stream, {}, {}, false, {}};
	if (made == nullptr) return cudaErrorMemoryAllocation;
	cudaError_t code = made->counts.alloc(ranks);
	if (code == cudaSuccess) code = made->next.alloc(ranks);
	if (code != cudaSuccess) {
		delete made;
		return code;
	}
	*bins = made;
	return cudaSuccess;
}

void g500_bins_free(g500_bins *bins) { delete bins; }

void g500_bins_one_way(g500_bins *bins) { bins->one_way = true; }

void g500_bins_know(g500_bins *bins, const uint32_t *d_local_ids, uint64_t slice, uint32_t shift) {
	bins->local = {d_local_ids, slice, shift};
}

int g500_bin_ends(g500_bins *bins, const g500_edge *d_edges, uint64_t count, uint64_t *d_messages, uint64_t *counts) {
	return g500::fill_ends(bins, {d_edges, count}, d_messages, counts);
}

int g500_bin_weighted_ends(g500_bins *bins, const g500_edge *d_edges, const float *d_weights, uint64_t count,
                           g500_weighted_message *d_messages, uint64_t *counts) {
	return g500::fill_ends(bins, {d_edges, count, d_weights}, d_messages, counts);
}

int g500_bin_ends64(g500_bins *bins, const g500_edge *d_edges, uint64_t count, g500_message64 *d_messages,
                       uint64_t *counts) {
	if (bins->one_way) return g500::fill(bins, g500::LongEnds<true>{{d_edges, count}, bins->ranks}, d_messages, counts);
	return g500::fill(bins, g500::LongEnds<false>{{d_edges, count}, bins->ranks}, d_messages, counts);
}

int g500_bin_neighbours64(g500_bins *bins, const g500_graph *graph, const g500_message64 *d_ends, uint64_t count,
                             g500_message64 *d_messages, uint64_t *counts) {
	const g500::MessageList<g500::Message64> ends = {d_ends, count};
	return g500::fill(bins, g500::Neighbours{ends, graph->rank, graph->local_ids}, d_messages, counts);
}

int g500_bin_label_queries(g500_bins *bins, const g500_graph *graph, g500_global_ids global_ids, uint64_t count,
                       uint64_t *d_messages, uint64_t *counts) {
	const auto fill_queries = [&](auto list) {
		return g500::fill(bins, g500::LabelQueries<decltype(list)::kIds64Form>{list, graph->rank}, d_messages, counts);
	};
	return g500::in_form_of(*graph, global_ids, count, fill_queries);
}

int g500_look_up(const g500_graph *graph, g500_global_ids ids, uint64_t count, uint32_t *d_labels, void *stream) {
	const auto look_up = [&](auto list) { return g500::look_up(*graph, list, d_labels, (cudaStream_t)stream); };
	return g500::in_form_of(*graph, ids, count, look_up);
}

int g500_reply_labels(const g500_graph *graph, uint64_t *d_messages, uint64_t count, void *stream) {
	if (count == 0) return cudaSuccess;
	const g500::Launch how{g500::blocks_for(count, g500::kBlock), g500::kBlock, (cudaStream_t)stream};
	return G500_START_BY("reply_kernel", g500::launch(g500::reply_kernel, how, graph->labels, d_messages, count));
}

int g500_take_labels(const uint64_t *d_messages, uint64_t count, uint32_t *d_labels, void *stream) {
	if (count == 0) return cudaSuccess;
	const g500::Launch how{g500::blocks_for(count, g500::kBlock), g500::kBlock, (cudaStream_t)stream};
	return G500_START_BY("take_labels_kernel",
	                     g500::launch(g500::take_labels_kernel, how, d_messages, count, d_labels));
}
