// Binning: messages sorted by the rank that they go to. A source is a list of items, each of which makes up to kMost
// messages. Two passes go over the items: one counts the messages for each rank, one writes them. Between the passes
// one block turns the counts into offsets.
#include <cub/block/block_scan.cuh>

#include <algorithm>
#include <new>

#include "common/device.cuh"
#include "kernel1/build.cuh"

struct g500_bins {
	uint32_t ranks;
	cudaStream_t stream;
	g500::Array<g500::ull> counts, next; // by rank: messages; where the next goes
};

namespace g500 {

namespace {

// Ends makes two messages of a tuple: each end goes to its owner, with the label of the other end.
struct Ends {
	static constexpr int kMost = 2;
	struct Item {
		u32 u, v; // equal for nothing to send
	};
	const g500_edge *edges;
	u64 count;
	u32 ranks;

	__device__ Item load(u64 i) const {
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

// Neighbours makes one message of each that this rank got from Ends: it goes to the owner of the other end, with the
// position of this rank's end.
struct Neighbours {
	static constexpr int kMost = 1;
	using Item = u64;
	const u64 *ends;
	u64 count;
	u32 ranks, first; // the position of this rank's hub 0
	const u32 *hub_of;

	__device__ Item load(u64 i) const { return i < count ? __ldcs(&ends[i]) : kNoMessage; }
	template <class Send>
	__device__ void each(Item end, Send send) const {
		if (end == kNoMessage) return;
		const u32 v = message_word(end);
		send(0, v % ranks, message(v / ranks, first | __ldg(&hub_of[message_place(end)])));
	}
};

// Questions makes one message of each position that another rank owns: it goes to the owner, which knows the label.
struct Questions {
	static constexpr int kMost = 1;
	struct Item {
		u32 position, number;
	};
	const u32 *positions;
	u64 count;
	u32 rank, shift;

	__device__ Item load(u64 i) const { return {i < count ? positions[i] : kNoHub, (u32)i}; }
	template <class Send>
	__device__ void each(Item q, Send send) const {
		if (q.position == kNoHub || q.position >> shift == rank) return;
		send(0, q.position >> shift, message(q.position & ((1u << shift) - 1), q.number));
	}
};

// Loads a thread's items. All reads are under way before the first is used.
template <class Source>
__device__ inline void load_items(const Source &source, typename Source::Item (&items)[kPerThread]) {
#pragma unroll
	for (int k = 0; k < kPerThread; k++) items[k] = source.load(tile_index(k));
}

// count_bins: the number of messages to each rank.
// Map:    one thread for kPerThread items; a block adds up its own messages in shared memory first.
// Reads:  the items, 8 B each (tuples, messages) or 4 B (positions). Writes: one atomic addition a block and rank.
// Races:  additions commute.
template <class Source>
__global__ void count_bins_kernel(Source source, u32 ranks, ull *counts) {
	G500_SHARED_MEMORY(memory);
	u32 *const in_block = (u32 *)memory; // by rank
	for (u32 r = threadIdx.x; r < ranks; r += kBlock) in_block[r] = 0;
	typename Source::Item items[kPerThread];
	load_items(source, items);
	__syncthreads();
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		source.each(items[k], [&](int, u32 rank, u64) { atomicAdd(&in_block[rank], 1); });
	}
	__syncthreads();
	for (u32 r = threadIdx.x; r < ranks; r += kBlock) {
		if (in_block[r] > 0) atomicAdd(&counts[r], in_block[r]);
	}
}

using Scan = cub::BlockScan<ull, G500_MOST_RANKS>;

// place_bins: where each rank's messages begin, the exclusive sum of the counts.
// Map:    one block, a thread a rank. Reads: 8 B a rank. Writes: 8 B a rank.
__global__ void __launch_bounds__(G500_MOST_RANKS) place_bins_kernel(const ull *counts, u32 ranks, ull *next) {
	G500_SHARED_MEMORY(memory);
	ull count = threadIdx.x < ranks ? counts[threadIdx.x] : 0, before;
	Scan(*(Scan::TempStorage *)memory).ExclusiveSum(count, before);
	if (threadIdx.x < ranks) next[threadIdx.x] = before;
}

// fill_bins: writes the messages, those for one rank side by side.
// Map:    one thread for kPerThread items; a block reserves a run in each bin.
// Reads:  the items, as count_bins. Writes: 8 B a message, in runs; one atomic addition a block and rank.
// Races:  the order of the reservations is the order within a bin, on which nothing depends.
template <class Source>
__global__ void fill_bins_kernel(Source source, u32 ranks, ull *next, u64 *__restrict__ messages) {
	G500_SHARED_MEMORY(memory);
	ull *const begin = (ull *)memory; // by rank: where the block's run begins
	u32 *const in_block = (u32 *)(begin + ranks);
	for (u32 r = threadIdx.x; r < ranks; r += kBlock) in_block[r] = 0;
	typename Source::Item items[kPerThread];
	load_items(source, items);
	__syncthreads();
	u32 slots[kPerThread][Source::kMost]; // within the run
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		source.each(items[k], [&](int m, u32 rank, u64) { slots[k][m] = atomicAdd(&in_block[rank], 1); });
	}
	__syncthreads();
	for (u32 r = threadIdx.x; r < ranks; r += kBlock) {
		if (in_block[r] > 0) begin[r] = atomicAdd(&next[r], in_block[r]);
	}
	__syncthreads();
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		source.each(items[k], [&](int m, u32 rank, u64 text) { messages[begin[rank] + slots[k][m]] = text; });
	}
}

// look_up: the labels at positions of this rank; labels at other positions are left as they are.
// Map:    one thread a position. Reads: 4 B a position, and a label (4 B) at random. Writes: 4 B a label.
__global__ void look_up_kernel(g500_graph graph, const u32 *positions, u64 count, u32 *labels) {
	const u64 i = (u64)blockIdx.x * kBlock + threadIdx.x;
	if (i >= count) return;
	const u32 position = positions[i];
	if (position == kNoHub) labels[i] = kNoHub;
	else if (position >> graph.shift == graph.rank) labels[i] = graph.labels[position & ((1u << graph.shift) - 1)];
}

// answer: replaces the hub id in each question by the hub's label.
// Map:    one thread a question. Reads: 8 B a question, and a label (4 B) at random. Writes: 8 B a question.
__global__ void answer_kernel(const u32 *__restrict__ labels, u64 *messages, u64 count) {
	const u64 i = (u64)blockIdx.x * kBlock + threadIdx.x;
	if (i < count) messages[i] = message(labels[message_place(messages[i])], message_word(messages[i]));
}

// take_answers: stores each label under the number of its question.
// Map:    one thread an answer. Reads: 8 B an answer. Writes: 4 B at random.
// Races:  none: question numbers are distinct.
__global__ void take_answers_kernel(const u64 *messages, u64 count, u32 *labels) {
	const u64 i = (u64)blockIdx.x * kBlock + threadIdx.x;
	if (i < count) labels[message_word(messages[i])] = message_place(messages[i]);
}

// Writes the messages of a source, and to host memory the number for each rank. It always waits for the stream, so that
// the caller may overwrite what earlier calls have read.
template <class Source>
int fill(g500_bins *bins, const Source &source, u64 *messages, u64 *counts) {
	const u32 ranks = bins->ranks, blocks = blocks_for(source.count, kTile);
	const cudaStream_t stream = bins->stream;
	std::fill_n(counts, ranks, 0);
	if (source.count == 0) return cudaStreamSynchronize(stream);
	const size_t words = ranks * sizeof(u32), counters = ranks * sizeof(ull);
	G500_TRY(cudaMemsetAsync(bins->counts, 0, counters, stream));
	G500_LAUNCH(count_bins_kernel<Source>, Launch{blocks, kBlock, stream, words}, source, ranks, bins->counts);
	const Launch placing = {1, G500_MOST_RANKS, stream, sizeof(Scan::TempStorage)};
	G500_LAUNCH(place_bins_kernel, placing, bins->counts, ranks, bins->next);
	const Launch filling = {blocks, kBlock, stream, counters + words};
	G500_LAUNCH(fill_bins_kernel<Source>, filling, source, ranks, bins->next, messages);
	G500_TRY(cudaMemcpyAsync(counts, bins->counts, counters, cudaMemcpyDeviceToHost, stream));
	G500_TRY(cudaStreamSynchronize(stream));
	return cudaSuccess;
}

int look_up(const g500_graph &graph, const u32 *positions, u64 count, u32 *labels, cudaStream_t stream) {
	if (count == 0) return cudaSuccess;
	G500_LAUNCH(look_up_kernel, Launch{blocks_for(count, kBlock), kBlock, stream}, graph, positions, count, labels);
	return cudaSuccess;
}

int answer(const u32 *labels, u64 *messages, u64 count, cudaStream_t stream) {
	if (count == 0) return cudaSuccess;
	G500_LAUNCH(answer_kernel, Launch{blocks_for(count, kBlock), kBlock, stream}, labels, messages, count);
	return cudaSuccess;
}

int take_answers(const u64 *messages, u64 count, u32 *labels, cudaStream_t stream) {
	if (count == 0) return cudaSuccess;
	G500_LAUNCH(take_answers_kernel, Launch{blocks_for(count, kBlock), kBlock, stream}, messages, count, labels);
	return cudaSuccess;
}

} // namespace

} // namespace g500

int g500_bins_create(uint32_t ranks, g500_bins **bins, void *stream) {
	*bins = nullptr;
	if (ranks == 0 || ranks > G500_MOST_RANKS) return cudaErrorInvalidValue;
	g500_bins *made = new (std::nothrow) g500_bins{ranks, (cudaStream_t)stream, {}, {}};
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

int g500_bin_ends(g500_bins *bins, const g500_edge *d_edges, uint64_t count, uint64_t *d_messages, uint64_t *counts) {
	return g500::fill(bins, g500::Ends{d_edges, count, bins->ranks}, d_messages, counts);
}

int g500_bin_neighbours(g500_bins *bins, const g500_graph *graph, const uint64_t *d_ends, uint64_t count,
                        uint64_t *d_messages, uint64_t *counts) {
	const g500::Neighbours neighbours = {d_ends, count, bins->ranks, graph->rank << graph->shift, graph->hub_of};
	return g500::fill(bins, neighbours, d_messages, counts);
}

int g500_bin_questions(g500_bins *bins, const g500_graph *graph, const uint32_t *d_positions, uint64_t count,
                       uint64_t *d_messages, uint64_t *counts) {
	return g500::fill(bins, g500::Questions{d_positions, count, graph->rank, graph->shift}, d_messages, counts);
}

int g500_look_up(const g500_graph *graph, const uint32_t *d_positions, uint64_t count, uint32_t *d_labels,
                 void *stream) {
	return g500::look_up(*graph, d_positions, count, d_labels, (cudaStream_t)stream);
}

int g500_answer(const g500_graph *graph, uint64_t *d_messages, uint64_t count, void *stream) {
	return g500::answer(graph->labels, d_messages, count, (cudaStream_t)stream);
}

int g500_take_answers(const uint64_t *d_messages, uint64_t count, uint32_t *d_labels, void *stream) {
	return g500::take_answers(d_messages, count, d_labels, (cudaStream_t)stream);
}
