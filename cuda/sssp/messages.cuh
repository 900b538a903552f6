// Messages between ranks: a vertex of the receiver has become nearer.
#pragma once

#include "sssp/peers.cuh"
#include "sssp/push.cuh"

namespace g500::sssp {

// Who has pushed the distance of a vertex, as far as it is known: kNone if it is not.
__device__ inline u32 pusher_of(const Graph &g, const State &s, const Policy &policy, u32 v, u32 word) {
	const ull hint = policy.has_hint(g, v) ? s.hint[policy.hint_at(g, v)] : ~0ull;
	return (u32)(hint >> 32) == word ? (u32)hint : kNone;
}

// Takes messages into the frontier of a round.
template <typename Messages>
__device__ __noinline__ void take(Context &k, const Messages &messages, const Reach &reach, u32 round) {
	const State &s = k.state;
	RoundCounters *counters = k.counters(round);
	RelaxEdges visit{k.graph, s, k.policy, reach, true, 0};
	const u64 threads = (u64)gridDim.x * kThreads, first = (u64)blockIdx.x * kThreads + threadIdx.x;
	const u64 count = messages.count();
	for (u64 i = first; i < (count + 31) / 32 * 32; i += threads) {
		u32 reached = kNone;
		if (i < count) {
			const uint4 m = messages.at(i);
			const u32 v = k.graph.base + m.x;
			if (visit.take(v, m.y, __uint_as_float(m.z), round)) reached = v;
		}
		enqueue(reached, k.frontier(round), &counters->queued);
	}
	keep_nearest(visit, counters);
	grid_barrier(k);
}

// Where the messages of one rank to another lie, in the latter's window.
__device__ inline uint4 *messages_in(const Context &k, u32 to, u32 from, u32 barrier) {
	const Peers &peers = k.state.peers;
	const u64 slot = (u64)(barrier & 1) * (k.ranks.count - 1) + (from < to ? from : from - 1);
	return in_window<uint4>(k.ranks, to, peers.messages) + slot * peers.room;
}

// Writes a message of each listed vertex into the window of its owner, for the next barrier of ranks.
__device__ __noinline__ inline void send_reached(Context &k) {
	const State &s = k.state;
	const u64 listed = read_now(&s.totals->remote), threads = (u64)gridDim.x * kThreads;
	for (u64 i = (u64)blockIdx.x * kThreads + threadIdx.x; i < (listed + 31) / 32 * 32; i += threads) {
		const u32 v = i < listed ? __ldcg(s.remote + i) : kNone, word = v == kNone ? 0 : k.word(v);
		const u32 owner = v == kNone ? kNone : v >> k.graph.shift;
		for (u32 left = __ballot_sync(~0u, v != kNone); left;) {
			const u32 to = __shfl_sync(~0u, owner, __ffs(left) - 1), lanes = __ballot_sync(~0u, owner == to);
			u64 at = 0;
			if (lane_of_thread() == 0) at = atomicAdd(k.ranks.sent + to, (ull)__popc(lanes));
			at = __shfl_sync(~0u, at, 0) + __popc(lanes & lanes_below());
			if (owner == to)
				messages_in(k, to, k.ranks.rank, k.at.barriers + 1)[at] =
					make_uint4(k.graph.hub(v), pusher_of(k.graph, s, k.policy, v, word), word, 0);
			left &= ~lanes;
		}
	}
}

// Inbox is what peers have sent to the last barrier of ranks.
struct Inbox {
	const Context &k;

	__device__ u64 count() const { return k.bins.upto[k.ranks.count - 1]; }
	__device__ uint4 at(u64 i) const {
		const u32 *upto = k.bins.upto, from = sender_of(upto, k.ranks.count, (u32)i);
		const u64 place = i - (from ? upto[from - 1] : 0);
		return __ldcv(messages_in(k, k.ranks.rank, from, k.at.barriers) + place);
	}
};

// Exchanges what a round of a push has reached, and takes what has come into the frontier of the next round. Returns
// the number of vertices, of all ranks, that have changed in the round.
__device__ inline u64 exchange_reached(Context &k, const Reach &reach) {
	send_reached(k);
	Published published{};
	published.of[kVertices] = &k.counters(k.at.rounds + 1)->queued;
	published.of[kEdges] = &k.state.totals->remote;
	published.of[kPairs] = k.ranks.sent;
	const u64 changed = agree(k, published);
	if (is_first_thread()) k.state.totals->remote = 0;
	if (blockIdx.x == 0)
		for (u32 r = threadIdx.x; r < k.ranks.count; r += kThreads) k.ranks.sent[r] = 0;
	alone([&] {
		for (u32 r = 1; r < k.ranks.count; r++) k.bins.upto[r] += k.bins.upto[r - 1];
	});
	if (changed) take(k, Inbox{k}, reach, k.at.rounds + 1);
	return changed;
}

} // namespace g500::sssp
