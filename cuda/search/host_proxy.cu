// The host proxy: it exchanges messages while a search waits for them.
#include "search/host_proxy.cuh"

#include <algorithm>
#include <atomic>

#include "common/host_poll.h"

namespace g500 {

namespace {

// In 64-bit words. The payload of a message is aligned to a grain; its header is directly before it.
constexpr u64 kGrain = 256 / sizeof(u64);

constexpr u64 grains(u64 words) { return (words + kGrain - 1) / kGrain * kGrain; }

g500_message message(u64 *payload, u64 words) { return {payload - kCounters, G500_HEADER_BYTES + words * sizeof(u64)}; }

} // namespace

int HostProxy::open(const g500_ranks &known, const MessageSizes &sizes, Ranks &ranks, PairBuffers &buffers) {
	if (!known.some_messages) return cudaSuccess;
	count = ranks.count;
	std::vector<u32> remote;
	for (u32 r = 0; r < count; r++)
		if (!known.windows[r] && !known.shared[r]) remote.push_back(r);
	G500_TRY(flags.alloc(1));
	G500_TRY(outgoing.alloc(count));
	G500_TRY(incoming.alloc(count));
	G500_TRY(headers.alloc(count * kCounters));
	G500_TRY(own.alloc(2 * kGrain));
	buffers.send[ranks.rank] = own + kCounters;
	buffers.receive[ranks.rank] = own + kGrain + kCounters;
	incoming[ranks.rank] = message(buffers.receive[ranks.rank], 0);
	Messages &m = ranks.messages;
	m.flags = flags;
	m.send = outgoing;
	m.headers = headers;
	m.ranks = (u32)remote.size();
	if (remote.empty()) return cudaSuccess;
	m.replicated_words = (u32)(2 * sizes.replicated);
	m.list_capacity = (u32)sizes.list;
	G500_TRY(replicated.alloc(kGrain + sizes.replicated));
	G500_TRY(list.alloc(kGrain + sizes.list));
	m.replicated = replicated + kGrain;
	m.list = list + kGrain;
	return open_buffers(remote, sizes, buffers);
}

// Bitmap words have one buffer for all ranks; only pairs have a buffer per rank.
int HostProxy::open_buffers(const std::vector<u32> &remote, const MessageSizes &sizes, PairBuffers &buffers) {
	const u64 each_out = kGrain + grains(sizes.pairs), each_in = kGrain + grains(sizes.most);
	G500_TRY(out.alloc(remote.size() * each_out));
	G500_TRY(in.alloc(remote.size() * each_in));
	for (u64 i = 0; i < remote.size(); i++) {
		const u32 r = remote[i];
		buffers.send[r] = out + (i * each_out + kGrain);
		buffers.receive[r] = in + (i * each_in + kGrain);
		incoming[r] = message(buffers.receive[r], sizes.most);
	}
	return cudaSuccess;
}

void HostProxy::begin() {
	if (flags) flags->ended = 0;
}

int HostProxy::await(int *ready, cudaStream_t stream) {
	*ready = G500_ENDED;
	if (!flags) return cudaSuccess;
	return poll_until(stream, [&] {
		const u32 barrier = load_flag(flags->ready);
		if (barrier == served) return load_flag(flags->ended) != 0;
		served = barrier;
		*ready = G500_REACHED + (int)load_flag(flags->content);
		return true;
	});
}

// Copies the headers last: the search polls them.
void HostProxy::report(bool delivered) {
	if (!delivered) {
		__atomic_store_n(&flags->lost, 1, __ATOMIC_RELEASE);
		return;
	}
	std::atomic_thread_fence(std::memory_order_seq_cst);
	for (u32 r = 0; r < count; r++) {
		const u64 *header = (const u64 *)incoming[r].at; // null for a peer
		if (!header) continue;
		u64 *of_rank = headers + r * kCounters;
		for (int k = 0; k < kCounters; k++) __atomic_store_n(of_rank + k, header[k], __ATOMIC_RELEASE);
	}
}

} // namespace g500
