// Messages in the order of the ranks that they go to: two passes over what they are made of, one to count, one to
// write. Between them one block turns counts into places.
//
// What they are made of is a source: a list of items, each of which sends up to kMost messages.
#include <cub/block/block_scan.cuh>

#include <algorithm>
#include <new>

#include "kernel1/build.cuh"

struct g500_bins {
	uint32_t ranks;
	g500::Array<unsigned long long> counts, next; // by rank: messages; where the next goes
};

namespace g500 {

namespace {

using Counter = unsigned long long;

// Ends are the ends of tuples, each told to its owner with the label of the other end.
struct Ends {
	static constexpr int kMost = 2;
	struct Item {
		uint32_t u, v; // equal for nothing to send
	};
	const g500_edge *edges;
	uint64_t count;
	uint32_t ranks;

	__device__ Item load(uint64_t i) const {
		if (i >= count) return {0, 0};
		return {__ldcs(&edges[i].low_u), __ldcs(&edges[i].low_v)};
	}
	template <class Send>
	__device__ void each(Item t, Send send) const {
		if (t.u == t.v) return;
		send(0, t.u % ranks, message(t.u / ranks, t.v));
		send(1, t.v % ranks, message(t.v / ranks, t.u));
	}
};

// Neighbours are ends that this rank was told, passed on to the owners of the other ends, with the near end's position.
struct Neighbours {
	static constexpr int kMost = 1;
	using Item = uint64_t;
	const uint64_t *told;
	uint64_t count;
	uint32_t ranks, first; // the position of this rank's hub 0
	const uint32_t *hub_of;

	__device__ Item load(uint64_t i) const { return i < count ? __ldcs(&told[i]) : kNoMessage; }
	template <class Send>
	__device__ void each(Item end, Send send) const {
		if (end == kNoMessage) return;
		const uint32_t v = message_word(end);
		send(0, v % ranks, message(v / ranks, first | __ldg(&hub_of[message_place(end)])));
	}
};

// Questions are positions whose owners, other ranks, are to say the labels.
struct Questions {
	static constexpr int kMost = 1;
	struct Item {
		uint32_t position, number;
	};
	const uint32_t *positions;
	uint64_t count;
	uint32_t rank, shift;

	__device__ Item load(uint64_t i) const { return {i < count ? positions[i] : kNoHub, (uint32_t)i}; }
	template <class Send>
	__device__ void each(Item q, Send send) const {
		if (q.position == kNoHub || q.position >> shift == rank) return;
		send(0, q.position >> shift, message(q.position & ((1u << shift) - 1), q.number));
	}
};

// Loads a thread's items, all reads before anything else.
template <class Source>
__device__ inline void load_items(const Source &source, typename Source::Item (&items)[kPerThread]) {
#pragma unroll
	for (int k = 0; k < kPerThread; k++) items[k] = source.load(tile_index(k));
}

// count_bins: how many messages go to each rank.
// Map:    one thread for kPerThread items; a block counts for itself first.
// Reads:  the items. Writes: an atomic addition a block and rank.
// Races:  additions commute.
template <class Source>
__global__ void count_bins_kernel(Source source, uint32_t ranks, Counter *counts) {
	extern __shared__ uint32_t in_block[]; // by rank
	for (uint32_t r = threadIdx.x; r < ranks; r += kBlock) in_block[r] = 0;
	typename Source::Item items[kPerThread];
	load_items(source, items);
	__syncthreads();
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		source.each(items[k], [&](int, uint32_t rank, uint64_t) { atomicAdd(&in_block[rank], 1); });
	}
	__syncthreads();
	for (uint32_t r = threadIdx.x; r < ranks; r += kBlock) {
		if (in_block[r] > 0) atomicAdd(&counts[r], in_block[r]);
	}
}

// place_bins: where each rank's messages begin. One block, a thread a rank.
__global__ void __launch_bounds__(G500_MOST_RANKS) place_bins_kernel(const Counter *counts, uint32_t ranks, Counter *next) {
	using Scan = cub::BlockScan<Counter, G500_MOST_RANKS>;
	__shared__ typename Scan::TempStorage temp;
	Counter count = threadIdx.x < ranks ? counts[threadIdx.x] : 0, before;
	Scan(temp).ExclusiveSum(count, before);
	if (threadIdx.x < ranks) next[threadIdx.x] = before;
}

// fill_bins: the messages, those for one rank side by side.
// Map:    one thread for kPerThread items; a block reserves a run in each bin.
// Reads:  the items. Writes: 8 B a message, in runs; an atomic addition a block and rank.
// Races:  the reservations decide on the order within a bin, which nobody minds.
template <class Source>
__global__ void fill_bins_kernel(Source source, uint32_t ranks, Counter *next, uint64_t *__restrict__ messages) {
	extern __shared__ Counter begin[]; // by rank: where the block's run begins
	uint32_t *in_block = (uint32_t *)(begin + ranks);
	for (uint32_t r = threadIdx.x; r < ranks; r += kBlock) in_block[r] = 0;
	typename Source::Item items[kPerThread];
	load_items(source, items);
	__syncthreads();
	uint32_t slots[kPerThread][Source::kMost]; // within the run
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		source.each(items[k], [&](int m, uint32_t rank, uint64_t) { slots[k][m] = atomicAdd(&in_block[rank], 1); });
	}
	__syncthreads();
	for (uint32_t r = threadIdx.x; r < ranks; r += kBlock) {
		if (in_block[r] > 0) begin[r] = atomicAdd(&next[r], in_block[r]);
	}
	__syncthreads();
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		source.each(items[k], [&](int m, uint32_t rank, uint64_t text) { messages[begin[rank] + slots[k][m]] = text; });
	}
}

// look_up: the labels at positions of this rank. One thread a position.
__global__ void look_up_kernel(g500_graph graph, const uint32_t *positions, uint64_t count, uint32_t *labels) {
	const uint64_t i = (uint64_t)blockIdx.x * kBlock + threadIdx.x;
	if (i >= count) return;
	const uint32_t position = positions[i];
	if (position == kNoHub) labels[i] = kNoHub;
	else if (position >> graph.shift == graph.rank) labels[i] = graph.labels[position & ((1u << graph.shift) - 1)];
}

// answer: the label of the hub that a question names. One thread a question.
__global__ void answer_kernel(const uint32_t *__restrict__ labels, uint64_t *messages, uint64_t count) {
	const uint64_t i = (uint64_t)blockIdx.x * kBlock + threadIdx.x;
	if (i < count) messages[i] = message(labels[message_place(messages[i])], message_word(messages[i]));
}

// take_answers: each label to the number of its question. One thread an answer.
__global__ void take_answers_kernel(const uint64_t *messages, uint64_t count, uint32_t *labels) {
	const uint64_t i = (uint64_t)blockIdx.x * kBlock + threadIdx.x;
	if (i < count) labels[message_word(messages[i])] = message_place(messages[i]);
}

// Writes the messages of a source and, to the host, their counts.
template <class Source>
int fill(g500_bins *bins, const Source &source, uint64_t *messages, uint64_t *counts, void *on_stream) {
	const uint32_t ranks = bins->ranks, blocks = blocks_for(source.count, kTile);
	const auto stream = (cudaStream_t)on_stream;
	std::fill_n(counts, ranks, 0);
	if (source.count == 0) return cudaStreamSynchronize(stream); // as always: what was read before may be overwritten
	const size_t words = ranks * sizeof(uint32_t), counters = ranks * sizeof(Counter);
	G500_TRY(cudaMemsetAsync(bins->counts, 0, counters, stream));
	G500_LAUNCH(count_bins_kernel<<<blocks, kBlock, words, stream>>>(source, ranks, bins->counts));
	G500_LAUNCH(place_bins_kernel<<<1, G500_MOST_RANKS, 0, stream>>>(bins->counts, ranks, bins->next));
	G500_LAUNCH(fill_bins_kernel<<<blocks, kBlock, counters + words, stream>>>(source, ranks, bins->next, messages));
	G500_TRY(cudaMemcpyAsync(counts, bins->counts, counters, cudaMemcpyDeviceToHost, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

int look_up(const g500_graph &graph, const uint32_t *positions, uint64_t count, uint32_t *labels, cudaStream_t stream) {
	if (count == 0) return cudaSuccess;
	G500_LAUNCH(look_up_kernel<<<blocks_for(count, kBlock), kBlock, 0, stream>>>(graph, positions, count, labels));
	return cudaSuccess;
}

int answer(const uint32_t *labels, uint64_t *messages, uint64_t count, cudaStream_t stream) {
	if (count == 0) return cudaSuccess;
	G500_LAUNCH(answer_kernel<<<blocks_for(count, kBlock), kBlock, 0, stream>>>(labels, messages, count));
	return cudaSuccess;
}

int take_answers(const uint64_t *messages, uint64_t count, uint32_t *labels, cudaStream_t stream) {
	if (count == 0) return cudaSuccess;
	G500_LAUNCH(take_answers_kernel<<<blocks_for(count, kBlock), kBlock, 0, stream>>>(messages, count, labels));
	return cudaSuccess;
}

} // namespace

} // namespace g500

int g500_bins_create(uint32_t ranks, g500_bins **bins) {
	*bins = nullptr;
	if (ranks == 0 || ranks > G500_MOST_RANKS) return cudaErrorInvalidValue;
	g500_bins *made = new (std::nothrow) g500_bins{ranks, {}, {}};
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

int g500_bin_ends(g500_bins *bins, const g500_edge *d_edges, uint64_t count, uint64_t *d_messages, uint64_t *counts, void *stream) {
	return g500::fill(bins, g500::Ends{d_edges, count, bins->ranks}, d_messages, counts, stream);
}

int g500_bin_neighbours(g500_bins *bins, const g500_graph *graph, const uint64_t *d_told, uint64_t count, uint64_t *d_messages,
                        uint64_t *counts, void *stream) {
	const g500::Neighbours neighbours = {d_told, count, bins->ranks, graph->rank << graph->shift, graph->hub_of};
	return g500::fill(bins, neighbours, d_messages, counts, stream);
}

int g500_bin_questions(g500_bins *bins, const g500_graph *graph, const uint32_t *d_positions, uint64_t count,
                       uint64_t *d_messages, uint64_t *counts, void *stream) {
	return g500::fill(bins, g500::Questions{d_positions, count, graph->rank, graph->shift}, d_messages, counts, stream);
}

int g500_look_up(const g500_graph *graph, const uint32_t *d_positions, uint64_t count, uint32_t *d_labels, void *stream) {
	return g500::look_up(*graph, d_positions, count, d_labels, (cudaStream_t)stream);
}

int g500_answer(const g500_graph *graph, uint64_t *d_messages, uint64_t count, void *stream) {
	return g500::answer(graph->labels, d_messages, count, (cudaStream_t)stream);
}

int g500_take_answers(const uint64_t *d_messages, uint64_t count, uint32_t *d_labels, void *stream) {
	return g500::take_answers(d_messages, count, d_labels, (cudaStream_t)stream);
}
