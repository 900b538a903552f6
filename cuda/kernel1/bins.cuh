// SPDX-License-Identifier: Apache-2.0

// Binning: sorting messages by destination rank. A source is a list of items, each of which makes up to kMost messages.
// A first pass over the items counts the messages to each rank, one block computes the offsets, and a second pass
// writes the messages.
#pragma once

#include <algorithm>

#include "common/device.cuh"
#include "kernel1/kernel1.h"
#include "kernel1/build.cuh"

namespace g500 {

// LocalIds are the local ids of all labels, by rank and number.
struct LocalIds {
	const u32 *ids; // a slice for each rank
	u64 slice;
	u32 shift; // of packed global ids
};

} // namespace g500

struct g500_bins {
	uint32_t ranks;
	cudaStream_t stream;
	g500::Array<g500::ull> counts, next; // by rank: number of messages; place of the next message
	bool one_way;                        // see g500_bins_one_way
	g500::LocalIds local;                // see g500_bins_know
};

namespace g500 {

static_assert(G500_MOST_RANKS * sizeof(u32) <= 48 << 10, "the shared memory that a block has without a request");

// Sets next to the beginning of each rank's messages: the exclusive prefix sum of the counts.
int place_bins(g500_bins *bins);

// Turns queries into replies, in place: replaces the place in each by the word there.
int reply(const u32 *words, u64 *messages, u64 count, cudaStream_t stream);

// Counts the messages to each rank, or with kWrites writes them from the next place of each rank on.
// Map:    one thread for kPerThread items; a block first counts its own messages in shared memory, and reserves a run
//         in each bin.
// Reads:  the items: 8 B (tuples, messages) or 4 B (global ids). Writes: one atomic addition per block and rank; 8 B
//         per message, 16 B per weighted one, in runs.
// Races:  additions commute; the order of the reservations determines the order in a bin, on which nothing depends.
template <bool kWrites, class Source>
__global__ void bins_kernel(Source source, u32 ranks, ull *next, typename Source::Message *__restrict__ messages) {
	G500_SHARED_MEMORY(memory);
	u32 *const in_block = (u32 *)memory; // by rank: messages of the block, and then the beginning of its run
	for (u32 r = threadIdx.x; r < ranks; r += kBlock) in_block[r] = 0;
	typename Source::Item items[kPerThread];
#pragma unroll
	for (int k = 0; k < kPerThread; k++) items[k] = source.load(tile_index(k)); // all before the first use
	__syncthreads();
	u32 slots[kPerThread][Source::kMost]; // places in the run
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		source.each(items[k], [&](int m, u32 rank, u32, u32, auto) { slots[k][m] = atomicAdd(&in_block[rank], 1); });
	}
	__syncthreads();
	for (u32 r = threadIdx.x; r < ranks; r += kBlock) {
		if (in_block[r] > 0) in_block[r] = (u32)atomicAdd(&next[r], in_block[r]);
	}
	if constexpr (!kWrites) return;
	__syncthreads();
#pragma unroll
	for (int k = 0; k < kPerThread; k++) {
		source.each(items[k], [&](int m, u32 rank, u32 place, u32 word, auto extra) {
			set_message(messages[in_block[rank] + slots[k][m]], place, word, extra);
		});
	}
}

// LongEnds makes two messages of a tuple with labels of up to 48 bits: to the owner of each end, with the other end's
// label. With kOneWay it makes only the second one: its receiver forwards the second end to the first one. With kLoops
// it makes the messages of self-loops, too.
template <bool kOneWay, bool kLoops = false>
struct LongEnds {
	static constexpr int kMost = 2;
	using Message = WideMessage;
	using Item = Labels<u64>; // none: kNoEnd, or equal unless kLoops
	const Tuples tuples;
	u32 ranks;
	u64 count = tuples.count;
	static constexpr u64 kNoEnd = kLoops ? ~0ull : 0;

	__device__ Item load(u64 i) const {
		return i < count ? load_labels(tuples.edges + i) : Item{kNoEnd, kNoEnd};
	}
	template <class Send>
	__device__ void each(const Item &t, Send send) const {
		if (t.u == (kLoops ? kNoEnd : t.v)) return;
		const u32 u_number = (u32)(t.u / ranks), v_number = (u32)(t.v / ranks);
		const u32 u_rank = (u32)(t.u % ranks), v_rank = (u32)(t.v % ranks);
		if (!kOneWay) send(0, u_rank, u_number, v_number, v_rank);
		send(1, v_rank, v_number, u_number, u_rank);
	}
};

// Writes the messages of a source, fewer than 2^32, and the number for each rank to host memory. Synchronizes the
// stream, so that the caller may overwrite the input of earlier calls.
template <class Source>
int fill(g500_bins *bins, const Source &source, typename Source::Message *messages, u64 *counts) {
	const u32 ranks = bins->ranks, blocks = blocks_for(source.count, kListTile);
	const Launch how = {blocks, kBlock, bins->stream, ranks * sizeof(u32)};
	std::fill_n(counts, ranks, 0);
	if (source.count == 0) return cudaStreamSynchronize(how.stream);
	if (source.count > ~0u / Source::kMost) return cudaErrorInvalidValue;
	const size_t counters = ranks * sizeof(ull);
	G500_TRY(cudaMemsetAsync(bins->counts, 0, counters, how.stream));
	const auto count = bins_kernel<false, Source>, write = bins_kernel<true, Source>;
	G500_LAUNCH_BY("count_bins_kernel", launch(count, how, source, ranks, bins->counts, nullptr));
	if (const int code = place_bins(bins)) return code;
	G500_LAUNCH_BY("fill_bins_kernel", launch(write, how, source, ranks, bins->next, messages));
	return read_back(counts, bins->counts, counters, how.stream);
}

} // namespace g500
