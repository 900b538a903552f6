// The queue of a push without rounds: what has become nearer is pushed on by the next block that has nothing else to
// do, and nobody waits for anybody else (asynchronous, as ADDS: Wang, Fussell and Lin, PPoPP 2021).
//
// Who queues something takes a ticket. Tickets go round the blocks, and each block looks after slots of its own, in
// which it finds what it has to do: no block asks for work. A push ends when as much is done as there were tickets. An
// item says how far its vertex was when it was queued, so that a block needs to see nothing else that others wrote.
#pragma once

#include "sssp/context.cuh"

namespace g500::sssp {

constexpr u64 kNothing = ~0ull; // a slot without an item. Slots are so between two pushes

// An item is a vertex, and above it the bits of its distance: or, where kIsPart is set, which part of its row is meant,
// at the distance that it has in memory. Part 0 stands for the whole row.
constexpr u32 kIsPart = kFinal;
constexpr u32 kNoPart = kIsPart - 2; // beyond the end of any row

__device__ inline u64 item_of(u32 v, u32 word) { return (u64)word << 32 | v; }
__device__ inline u32 vertex_of(u64 item) { return (u32)item; }
__device__ inline u32 word_of(u64 item) { return (u32)(item >> 32); }

// Takes tickets for so many items. There are slots for those below room alone: beyond it none should be taken, so that
// they stay far below 2^32.
__device__ inline u32 take_tickets(const Context &k, u32 n) {
	return (u32)atomicAdd(&k.counters(k.at.rounds)->progress, (ull)n);
}
__device__ inline u32 room(const Context &k) { return k.state.depth * gridDim.x; }

__device__ inline void put(const Context &k, u32 ticket, u64 item) {
	const u64 block = ticket % gridDim.x;
	*(volatile u64 *)(k.state.slots + block * k.state.depth + ticket / gridDim.x) = item;
}

constexpr u32 kWatched = 32; // slots that an idle block looks at

// Worker is a thread, in the block that it belongs to.
class Worker {
public:
	// Takes an item for each thread, or kNothing. Returns how many the block has taken; 0 when all is done, or somebody
	// has failed. All threads of the block take part.
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

	// Says that the block has done what it took, and has taken tickets for what comes of it. One thread.
	__device__ inline void finish(const Context &k, u32 n) const {
		atomicAdd(&k.counters(k.at.rounds)->progress, (ull)n << 32);
	}

private:
	u64 started = 0;        // vertices of the frontier that blocks have started with
	u32 slot = threadIdx.x; // of the thread's next item, among the block's
	u32 taken = 0;          // by the block, from its slots
	u32 polls = 0;          // in vain, one after the other

	__device__ inline u64 take_seed(const Context &k) const {
		const u64 at = started + blockIdx.x + (u64)gridDim.x * threadIdx.x;
		return at < k.at.queued ? item_of(__ldcg(k.frontier(k.at.rounds) + at), kIsPart) : kNothing;
	}

	// A slot is filled later than those before it, but for a moment.
	__device__ inline u64 take_slot(const Context &k) {
		if (slot >= k.state.depth || slot >= taken + (polls > 0 ? kWatched : kThreads)) return kNothing;
		volatile u64 *const at = (volatile u64 *)k.state.slots + (u64)blockIdx.x * k.state.depth + slot;
		const u64 item = *at;
		if (item == kNothing) return item;
		*at = kNothing;
		slot += kThreads;
		return item;
	}

	// One thread looks at how far the others are, while some wait for items. Returns whether the push is over.
	__device__ inline bool looks_around(Context &k) const {
		if (threadIdx.x != kThreads - 1) return false;
		k.batch.nearest = *(volatile u32 *)&k.counters(k.at.rounds + 1)->nearest;
		const u64 progress = read_now(&k.counters(k.at.rounds)->progress);
		if (polls % 256 == 255 && has_failed(*k.ranks.barrier)) return k.at.failed = true;
		return (u32)(progress >> 32) == k.at.queued + min((u32)progress, room(k));
	}
};

} // namespace g500::sssp
