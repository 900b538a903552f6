// Exchange with remote ranks on other nodes: messages, device side (host_proxy.cuh is the host side). While all blocks
// wait at a rank barrier, the host proxy exchanges messages: the last block publishes the send buffers, the proxy
// exchanges them with the other nodes, by MPI for example, and received messages are in host memory when the barrier
// ends. Blocks read and write messages over PCIe: whole sectors, coalesced, each word once.
//
// A rank sends the bitmap words that have changed since its last message, or all of its part if that is shorter. The
// parts of remote ranks are equal in both bitmaps of a search, so the changes of one level suffice.
#pragma once

#include "common/exchange_shared.cuh"
#include "common/published.cuh"

namespace g500 {

// BitmapForm describes the bitmap words of a message: their number, and whether they are consecutive words of the
// sender's part or a list. An entry of a list has a word's place in the part in its low half.
struct BitmapForm {
	u32 words;
	bool is_part;

	__device__ u64 packed() const { return (u64)words << 1 | is_part; }
	__device__ u64 bytes() const { return words * (u64)(is_part ? sizeof(u32) : sizeof(u64)); }
};

__device__ inline BitmapForm form_from(const Ranks &ranks, u32 rank) {
	const u64 packed = read_now((const ull *)ranks.published_words + rank);
	return {(u32)(packed >> 1), (bool)(packed & 1)};
}

constexpr u32 kWordsOfGroup = kGroup / 32;

// Returns the length of a list that is sent in place of the replicated words, at most: it has half their length.
__device__ inline u32 longest_list(const Messages &m) { return min(m.replicated_words / 4, m.list_capacity); }

// Outgoing is the bitmap words of a message, and their address.
struct Outgoing {
	BitmapForm form;
	u64 *at;
};

__device__ inline Outgoing words_to_send(const Messages &m, const Posted &posted) {
	const u64 listed = count_of(posted.listed);
	const bool both = posted.as == PostedAs::kListOrReplicated;
	if (posted.as == PostedAs::kList || (both && listed <= longest_list(m))) return {{(u32)listed, false}, m.list};
	if (posted.as == PostedAs::kReplicated || both) return {{posted.words, true}, m.replicated};
	return {{posted.words, posted.as == PostedAs::kPiece}, m.list};
}

// Writes the headers of this rank's messages, which hold the published counters, and hands the messages to the proxy:
// one for each rank that receives messages, with the same bitmap words, and one for this rank itself, with a header
// only. Called by one warp per rank.
__device__ __noinline__ inline void post_messages(const Ranks &ranks, const Published &published, u32 barrier) {
	const Messages &m = ranks.messages;
	const Outgoing words = words_to_send(m, published.posted);
	const BitmapForm form = words.form;
	const u32 lane = lane_of_thread();
	for (u32 r = 0; r < ranks.count; r++) {
		const bool own = r == ranks.rank;
		if (!own && !gets_messages(ranks, r)) continue;
		const u64 pairs = published.of[kPairs] && !own ? read_now(published.of[kPairs] + r) : 0;
		u64 *message = (own || !form.words ? send_buffer(ranks, r, 0) : words.at) - kCounters;
		if (lane < kCounters) {
			const bool is_words = lane == kWords && !own;
			const u64 count = is_words ? form.packed() : published_word(ranks, published, lane);
			store_counter(message + lane, barrier, lane == kPairs ? pairs : count);
		}
		if (lane == 0) m.send[r] = {message, G500_HEADER_BYTES + (own ? 0 : pairs * sizeof(u64) + form.bytes())};
	}
	__syncwarp();
	if (lane != 0) return;
	*(volatile u32 *)&m.flags->content = published.content;
	__threadfence_system();
	*(volatile u32 *)&m.flags->ready = barrier;
}

__device__ inline bool is_lost(const Ranks &ranks) {
	return ranks.messages.flags && *(const volatile u32 *)&ranks.messages.flags->lost;
}

// Copies the counters of remote ranks into this rank's window. If the host exchanges messages, this rank's own counters
// come with them, with this many pairs, so that no barrier ends before the host has exchanged messages. The number of a
// remote rank's words is stored separately. The barrier fails if the host cannot exchange messages.
__device__ __noinline__ inline void forward_remote_counters(const Ranks &ranks, u32 barrier, u64 pairs) {
	const u32 lane = lane_of_thread();
	const u64 until = now_ns() + ranks.wait_ns;
	for (u32 r = 0; r < ranks.count; r++) {
		const bool own = r == ranks.rank;
		if (own ? !ranks.messages.flags : !is_remote(ranks, r)) continue;
		const u64 *sums = ranks.messages.headers + r * kCounters;
		if (shares_memory(ranks, r)) sums = counters_in_shared_window(ranks, r, ranks.rank, barrier);
		u64 sum = 0;
		const auto may_arrive = [&] { return !is_lost(ranks) && may_publish(ranks, r, until); };
		const bool arrived = lane >= kCounters || wait_for_counter(sums + lane, barrier, sum, may_arrive);
		if (!__all_sync(~0u, arrived)) {
			fail(*ranks.barrier);
			return;
		}
		if (own && lane == kPairs) sum = pairs;
		if (!own && lane == kWords) {
			ranks.published_words[r] = sum;
			sum = 0;
		}
		fence_system();
		if (lane < kCounters) store_counter(counters_in_window(ranks, ranks.window, r, barrier) + lane, barrier, sum);
	}
}

// Signals the proxy that no more messages follow.
__device__ inline void end_messages(const Ranks &ranks) {
	if (ranks.messages.flags) *(volatile u32 *)&ranks.messages.flags->ended = 1;
}

// Appends the changed words of a group to the list, up to its capacity. All lanes of the warp call it.
__device__ inline void list_changed(const Messages &m, u32 group, const uint4 &words, const uint4 &had, ull *listed) {
	const u32 now[4] = {words.x, words.y, words.z, words.w};
	const bool changed[4] = {words.x != had.x, words.y != had.y, words.z != had.z, words.w != had.w};
	const u32 n = changed[0] + changed[1] + changed[2] + changed[3], upto = warp_scan(n);
	u64 slot = 0;
	if (lane_of_thread() == 31 && upto) slot = atomicAdd(listed, (ull)upto);
	slot = __shfl_sync(~0u, slot, 31) + upto - n;
#pragma unroll
	for (u32 j = 0; j < 4; j++)
		if (changed[j] && slot < m.list_capacity) m.list[slot++] = (u64)now[j] << 32 | (group * 4 + j);
}

// Stores the words of received messages in both bitmaps. Consecutive words begin at group `first` of the sender's part.
__device__ __noinline__ inline void take_words(const Ranks &ranks, u32 *const (&visited)[2], u32 first) {
	const u32 thread = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
	for (u32 r = 0; r < ranks.count; r++) {
		if (!gets_messages(ranks, r)) continue;
		const BitmapForm form = form_from(ranks, r);
		const u64 part = ((u64)r << ranks.shift) / 32;
		const u64 *message = receive_buffer(ranks, r, 0);
		if (form.is_part) {
			for (u32 i = thread; i < form.words / 4; i += threads) {
				const uint4 words = __ldcv((const uint4 *)message + i);
				for (u32 *bitmap : visited) ((uint4 *)(bitmap + part))[first + i] = words;
			}
		} else {
			for (u32 i = thread; i < form.words; i += threads) {
				const u64 word = __ldcv((const ull *)message + i);
				for (u32 *bitmap : visited) bitmap[part + (u32)word] = word >> 32;
			}
		}
	}
}

} // namespace g500
