// The queue of an asynchronous push: a vertex that becomes nearer is pushed by the next free block, without waits
// between blocks (ADDS: Wang, Fussell and Lin, PPoPP 2021).
//
// Queuing an item takes a ticket. Tickets are assigned to the blocks in turn, and each block polls its own slots. A
// push ends when as many items are done as tickets were taken. An item contains its vertex's distance at the time of
// queuing, so a block needs no other writes to be visible.
//
// Each rank has a queue. Peers append to it like the rank's own blocks.
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

// Returns the number of slots of each rank's queue. All ranks have equally many blocks.
__device__ inline u32 capacity(const Context &k) { return k.state.depth * gridDim.x; }

// Takes n tickets. Only tickets below capacity have slots; beyond that no more should be taken, so that they stay far
// below 2^32.
template <bool kPeers>
__device__ inline u32 take_tickets(const Context &k, const Owner<kPeers> &owner, u32 n) {
	return (u32)owner.add(&owner.its(k.counters(k.at.rounds))->progress, (ull)n);
}

template <bool kPeers>
__device__ inline void put(const Context &k, const Owner<kPeers> &owner, u32 ticket, u64 item) {
	const u64 block = ticket % gridDim.x;
	*(volatile u64 *)(owner.its(k.state.slots) + block * k.state.depth + ticket / gridDim.x) = item;
}

// Return the tickets and the completed items of a rank's progress.
__device__ inline u64 tickets_in(const Context &k, u64 progress) { return min((u32)progress, capacity(k)); }
__device__ inline u64 done_in(u64 progress) { return progress >> 32; }

constexpr u32 kWatched = 32; // slots that an idle block polls

// Worker is one thread of a block.
template <bool kPeers>
class Worker {
public:
	__device__ inline explicit Worker(Context &k) {
		if (threadIdx.x == kThreads - 1) k.last_query = {~0ull, 0, {}}; // visible to all threads before they wait
	}

	// Takes an item for each thread, or kNothing. Returns how many the block has taken; 0 after the push is over or has
	// failed. All threads of the block call it.
	__device__ inline u32 take(Context &k, u64 &item) {
		for (;;) {
			const bool begins = started + blockIdx.x < k.at.queued, over = looks_around(k);
			item = begins ? take_seed(k) : take_slot(k);
			const u32 n = (u32)__syncthreads_count(item != kNothing);
			if (n > 0) {
				if (begins) started += gridDim.x * kThreads;
				else taken += n;
				polls = 0;
				return n;
			}
			polls++;
			if (__syncthreads_or(over)) return 0;
		}
	}

	// Records that the block has finished n items, after it has taken the tickets of their results. One thread.
	__device__ inline void finish(const Context &k, u32 n) const {
		if constexpr (kPeers) fence_system(); // a rank that reads this also reads the tickets taken of other ranks
		Owner<kPeers>::add(&k.counters(k.at.rounds)->progress, (ull)n << 32);
	}

private:
	u64 started = 0;        // vertices of the frontier that have been taken
	u32 slot = threadIdx.x; // of the thread's next item, among the block's
	u32 taken = 0;          // by the block, from its slots
	u32 polls = 0;          // consecutive polls without items

	__device__ inline u64 take_seed(const Context &k) const {
		const u64 at = started + blockIdx.x + (u64)gridDim.x * threadIdx.x;
		return at < k.at.queued ? item_of(__ldcg(k.frontier(k.at.rounds) + at), kIsPart) : kNothing;
	}

	// A slot is filled after those before it, apart from short delays.
	__device__ inline u64 take_slot(const Context &k) {
		if (slot >= k.state.depth || slot >= taken + (polls > 0 ? kWatched : kThreads)) return kNothing;
		volatile u64 *const at = (volatile u64 *)k.state.slots + (u64)blockIdx.x * k.state.depth + slot;
		const u64 item = *at;
		if (item == kNothing) return item;
		*at = kNothing;
		slot += kThreads;
		return item;
	}

	// One thread checks the progress of others while the block waits. Returns whether the push is over. With peers a
	// warp determines that for all blocks of its rank.
	__device__ inline bool looks_around(Context &k) {
		RoundCounters *const round = k.counters(k.at.rounds);
		if constexpr (kPeers)
			if (blockIdx.x == 0 && threadIdx.x >= kThreads - 32 && polls > 0 && query_all(k)) *(volatile u32 *)&round->over = 1;
		if (threadIdx.x != kThreads - 1) return false;
		k.batch.nearest = *(volatile u32 *)&k.counters(k.at.rounds + 1)->nearest;
		const u64 progress = kPeers ? 0 : read_now(&round->progress);
		if (++k.last_query.turns % kPollsPerLook == 0 && !goes_on(k)) return k.at.failed = true;
		return kPeers ? *(volatile u32 *)&round->over : is_done(k, k.at.queued, progress);
	}

	// Returns whether a rank has done all vertices of its frontier and all items of its queue.
	__device__ static inline bool is_done(const Context &k, u64 queued, u64 progress) {
		return done_in(progress) == queued + tickets_in(k, progress);
	}

	// One block of an idle rank reads the progress of all ranks, with a warp. If as much was done at the last query as
	// tickets exist now, there was no other work between the two queries on any rank (the four counters of Mattern,
	// Distributed Computing 1987).
	__device__ inline bool query_all(Context &k) {
		const u64 own = read_now(&k.counters(k.at.rounds)->progress);
		if (!is_done(k, k.at.queued, __shfl_sync(~0u, own, 0))) return false;
		u64 tickets = 0, done = 0;
		for (u32 r = lane_of_thread(); r < k.ranks.count; r += 32) {
			const u64 progress = poll_system((const u64 *)&in_window_of(k.ranks, r, k.counters(k.at.rounds))->progress);
			tickets += tickets_in(k, progress);
			done += done_in(progress);
		}
		fence_system(); // the next query reads the tickets that result from completed items read now
		tickets = warp_sum(tickets), done = warp_sum(done);
		const bool over = k.last_query.done == k.at.all_queued + tickets;
		__syncwarp();
		if (lane_of_thread() == 0) k.last_query.done = done;
		return over;
	}

	// Returns whether the push goes on: it was not given up, and made progress within the time limit. One block checks
	// all ranks, with a shorter time limit than the others have for their own rank.
	__device__ static __noinline__ bool goes_on(Context &k) {
		const bool is_leader = kPeers && blockIdx.x == 0;
		if (blockIdx.x == 0) heed(k);
		if (has_failed(*k.ranks.barrier)) return false;
		const u64 own = read_now(&k.counters(k.at.rounds)->progress), limit = k.ranks.wait_ns;
		if (k.last_query.patience.holds(is_leader ? progress_of_all(k) : own, is_leader ? limit : kOwnPatience * limit))
			return true;
		const u64 all = k.at.queued + tickets_in(k, own);
		const bool is_other = is_leader && is_done(k, k.at.queued, own);
		const g500_stall reason = is_other ? g500_stall{G500_RANK_SILENT, (int)busy_rank(k)}
		                                   : g500_stall{G500_QUEUE_STALLED, 0, done_in(own), all};
		if (give_up(k.ranks, reason)) say_where(k);
		return false;
	}

	// Ends the push if the host requests it: immediately on one rank; with peers on all of them, which agree at its
	// end.
	__device__ static inline void heed(const Context &k) {
		end_if_requested(k);
		if (!kPeers || !*(volatile u32 *)&k.ranks.barrier->ends) return;
		for (u32 r = 0; r < k.ranks.count; r++)
			*(volatile u32 *)&in_window_of(k.ranks, r, k.counters(k.at.rounds))->over = 1;
	}

	// Returns a number that changes with any progress of any rank.
	__device__ static inline u64 progress_of_all(const Context &k) {
		u64 sum = 0;
		for (u32 r = 0; r < k.ranks.count; r++) sum += read_now(&in_window_of(k.ranks, r, k.counters(k.at.rounds))->progress);
		return sum;
	}

	// Returns a peer that is not idle.
	__device__ static inline u32 busy_rank(const Context &k) {
		for (u32 i = 1; i < k.ranks.count; i++) {
			const RoundCounters *round = in_window_of(k.ranks, rank_after(k.ranks, i), k.counters(k.at.rounds));
			if (!is_done(k, read_now(&round->queued), read_now(&round->progress))) return rank_after(k.ranks, i);
		}
		return rank_after(k.ranks, 1);
	}
};

} // namespace g500::sssp
