// SPDX-License-Identifier: Apache-2.0

// The queue of an asynchronous push: a vertex that becomes nearer is pushed by the next free block, without waits
// between blocks (ADDS: Wang, Fussell and Lin, PPoPP 2021).
//
// Queuing an item takes a ticket. Tickets are assigned to the blocks in turn, and each block polls its own slots. A
// push ends when as many items are done as tickets were taken. An item contains its vertex's distance at the time of
// queuing, so a block needs no other writes to be visible.
//
// Each rank has a queue. Peers append to it like the rank's own blocks, but each rank has slots of its own there, whose
// tickets it counts itself. So no block waits for a reply of another rank.
#pragma once

#include "sssp/owner.cuh"

namespace g500::sssp {

constexpr u64 kNothing = ~0ull; // a slot without an item; between two pushes all slots are empty

// An item is a vertex in the low half, and in the high half the bits of its distance or, if kIsPart is set, the number
// of a part of its row, at its distance in memory. Part 0 is the complete row.
constexpr u32 kIsPart = kFinal;
constexpr u32 kNoPart = kIsPart - 2; // beyond the end of any row

__device__ inline u64 item_of(u32 v, u32 word) { return (u64)word << 32 | v; }
__device__ inline u32 vertex_of(u64 item) { return (u32)item; }
__device__ inline u32 word_of(u64 item) { return (u32)(item >> 32); }

// Returns the number of slots that a rank may fill in each rank's queue. All ranks have equally many blocks.
__device__ inline u32 capacity(const Context &k) { return k.state.depth * gridDim.x; }

// Takes n tickets of a rank's queue. Only tickets below capacity have slots; beyond that no more should be taken, so
// that they stay far below 2^32. The atomic has returned before an item is put or counted as done.
template <bool kPeers>
__device__ inline u32 take_tickets(const Context &k, u32 rank, u32 n) {
	return Owner<kPeers>::add(k.tickets(k.at.rounds) + rank, n);
}

template <bool kPeers>
__device__ inline void put(const Context &k, const Owner<kPeers> &owner, u32 ticket, u64 item) {
	const u64 block = (kPeers ? k.ranks.rank : 0) * gridDim.x + ticket % gridDim.x;
	*(volatile u64 *)(owner.its(k.state.slots) + block * k.state.depth + ticket / gridDim.x) = item;
}

constexpr u32 kWatched = 32; // slots that an idle block polls

// Worker is one thread of a block.
template <typename Form>
class Worker {
public:
	__device__ inline explicit Worker(Context &k) : slot(threadIdx.x % threads_per_sender(k)) {
		if (threadIdx.x == kThreads - 1) k.last_query = {~0ull, 0, {}}; // visible to all threads before they wait
		for (u32 r = threadIdx.x; r < senders(k); r += kThreads) k.taken[r] = 0;
		__syncthreads();
	}

	// Takes an item for each thread, or kNothing. Returns how many the block has taken; 0 after the push is over or has
	// failed. All threads of the block call it.
	__device__ inline u32 take(Context &k, u64 &item) {
		for (;;) {
			const bool begins = started + blockIdx.x < k.at.queued, over = looks_around(k);
			u32 nearest = 0; // loaded together with the items
			if (threadIdx.x == kThreads - 1) nearest = *(volatile u32 *)&k.counters(k.at.rounds + 1)->nearest;
			item = begins ? take_seed(k) : take_slot(k);
			if (threadIdx.x == kThreads - 1) k.batch.nearest = nearest;
			const u32 n = (u32)__syncthreads_count(item != kNothing);
			if (n > 0) {
				if (begins) started += gridDim.x * kThreads;
				polls = 0;
				return n;
			}
			polls++;
			if (__syncthreads_or(over)) return 0;
		}
	}

	// Records that the block has finished n items, after it has taken the tickets of their results. One thread.
	__device__ inline void finish(const Context &k, u32 n) const {
		Owner<Form::kPeers>::add(&k.counters(k.at.rounds)->done, (ull)n);
	}

private:
	u32 slot;        // of the thread's next item, among its sender's for this block
	u32 started = 0; // vertices of the frontier that have been taken
	u32 polls = 0;   // consecutive polls without items

	// Returns the number of ranks that append to the queue. Each thread takes the items of one of them.
	__device__ static inline u32 senders(const Context &k) { return Form::kPeers ? k.ranks.count : 1; }
	__device__ static inline u32 threads_per_sender(const Context &k) { return kThreads / senders(k); }

	__device__ inline u64 take_seed(const Context &k) const {
		const u32 at = started + blockIdx.x + gridDim.x * threadIdx.x;
		return at < k.at.queued ? item_of(__ldcg(k.frontier(k.at.rounds) + at), kIsPart) : kNothing;
	}

	// A slot is filled after those before it by the same rank, apart from short delays.
	__device__ inline u64 take_slot(const Context &k) {
		const u32 threads = threads_per_sender(k), sender = threadIdx.x / threads;
		if (sender >= senders(k)) return kNothing;
		u32 *const taken = k.taken + sender;
		const u32 watched = *(volatile u32 *)taken + (polls > 0 ? kWatched : kThreads);
		if (slot >= min(k.state.depth, watched)) return kNothing;
		volatile u64 *const at =
			(volatile u64 *)k.state.slots + ((u64)sender * gridDim.x + blockIdx.x) * k.state.depth + slot;
		const u64 item = *at;
		if (item == kNothing) return item;
		*at = kNothing;
		slot += threads;
		atomicAdd(taken, 1);
		return item;
	}

	// One thread checks the progress of others while the block waits. Returns whether the push is over, which a warp of
	// the first block determines.
	__device__ inline bool looks_around(Context &k) {
		u32 *const over = &k.counters(k.at.rounds)->over;
		if (blockIdx.x == 0 && threadIdx.x >= kThreads - 32 && polls > 0 && query_all(k)) *(volatile u32 *)over = 1;
		if (threadIdx.x != kThreads - 1) return false;
		if (++k.last_query.turns % kPollsPerLook == 0 && !goes_on(k)) return k.at.failed = true;
		return polls > 0 && *(volatile u32 *)over;
	}

	// Returns the tickets that a rank has taken of another rank's queue.
	__device__ static inline u32 tickets_of(const Context &k, u32 rank, u32 of) {
		const Owner<Form::kPeers> owner{k.ranks, rank};
		return min(read_now(owner.its(k.tickets(k.at.rounds)) + of), capacity(k));
	}

	// The lanes of a warp read the progress of all ranks. If as much was done at the last query as tickets exist now,
	// there was no other work between the two queries on any rank (the four counters of Mattern, Distributed Computing
	// 1987). No fence orders done items after tickets, because the atomics that took these have returned.
	__device__ inline bool query_all(Context &k) {
		u64 all = lane_of_thread() > 0 ? 0 : Form::kPeers ? k.at.all_queued : k.at.queued, done = 0;
		for (u32 r = lane_of_thread(); r < senders(k); r += 32) {
			const Owner<Form::kPeers> owner{k.ranks, r};
			for (u32 to = 0; to < senders(k); to++) all += tickets_of(k, r, Form::kPeers ? to : k.ranks.rank);
			done += read_now(&owner.its(k.counters(k.at.rounds))->done);
		}
		fence_system(); // the next query reads the tickets that result from completed items read now
		all = warp_sum(all), done = warp_sum(done);
		const bool over = k.last_query.done == all;
		__syncwarp();
		if (lane_of_thread() == 0) k.last_query.done = done;
		return over;
	}

	// Returns the vertices and items that a rank has yet to process.
	__device__ static inline u64 pending_on(const Context &k, u32 rank) {
		const RoundCounters *const round = Owner<Form::kPeers>{k.ranks, rank}.its(k.counters(k.at.rounds));
		u64 all = read_now(&round->queued);
		for (u32 r = 0; r < senders(k); r++) all += tickets_of(k, r, rank);
		return all - read_now(&round->done);
	}

	// Returns whether the push goes on: it was not given up, and made progress within the time limit. One block checks
	// all ranks, with a shorter time limit than the others have for their own rank.
	__device__ static __noinline__ bool goes_on(Context &k) {
		const bool is_leader = Form::kPeers && blockIdx.x == 0;
		if (blockIdx.x == 0) heed(k);
		if (has_failed(*k.ranks.barrier)) return false;
		const u64 own = read_now(&k.counters(k.at.rounds)->done), limit = k.ranks.wait_ns;
		if (k.last_query.patience.holds(is_leader ? progress_of_all(k) : own, is_leader ? limit : kOwnPatience * limit))
			return true;
		const u64 pending = pending_on(k, k.ranks.rank);
		const g500_stall reason = is_leader && pending == 0 ? g500_stall{G500_RANK_SILENT, (int)busy_rank(k)}
		                                                    : g500_stall{G500_QUEUE_STALLED, 0, own, own + pending};
		if (give_up(k.ranks, reason)) say_where(k);
		return false;
	}

	// Ends the push if the host requests it: immediately on one rank; with peers on all of them, which agree at its end.
	__device__ static inline void heed(const Context &k) {
		end_if_requested(k);
		const bool ends = Form::kPeers && *(volatile u32 *)&k.ranks.barrier->ends;
		for (u32 r = 0; ends && r < k.ranks.count; r++)
			*(volatile u32 *)&in_window_of(k.ranks, r, k.counters(k.at.rounds))->over = 1;
	}

	// Returns a number that changes with any progress of any rank.
	__device__ static inline u64 progress_of_all(const Context &k) {
		u64 sum = 0;
		for (u32 r = 0; r < k.ranks.count; r++) sum += read_now(&in_window_of(k.ranks, r, k.counters(k.at.rounds))->done);
		return sum;
	}

	// Returns a peer that is not idle.
	__device__ static inline u32 busy_rank(const Context &k) {
		for (u32 i = 1; i < k.ranks.count; i++)
			if (pending_on(k, rank_after(k.ranks, i)) > 0) return rank_after(k.ranks, i);
		return rank_after(k.ranks, 1);
	}
};

} // namespace g500::sssp
