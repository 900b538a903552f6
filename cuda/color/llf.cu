// SPDX-License-Identifier: Apache-2.0

// Jones-Plassmann by largest log-degree first (Hasenplaugh, Kaler, Schardl, Leiserson, SPAA 2014): vertices in the
// order of falling degree, rounded to an eighth; equal degrees in the order of a hash. A vertex gets the first colour
// that no neighbour before it has. Therefore the colours equal a greedy colouring in this order, for any timing of
// threads.
//
// There are no rounds. The vertices are sorted, and blocks take tickets in this order: a block colours a hub, a warp a
// long row, a thread a short row. Waiting threads wait only for earlier tickets. Until it has a colour, a vertex
// publishes the least colour that it may get, so that a neighbour that takes a smaller colour need not wait for it (the
// shortcut of Alabandi, Powers, Burtscher, PPoPP 2020).
#include <cub/device/device_radix_sort.cuh>

#include "color/color_set.cuh"
#include "color/state.cuh"

namespace g500::color {

namespace {

constexpr u32 kLong = 32;    // degree from which a warp processes a row
constexpr u32 kHub = 1024;   // degree from which a block processes a row
constexpr u32 kWindow = 1024; // colours in a window of long rows
constexpr u32 kSettled = 1u << 31;
constexpr u64 kPatience = 10'000'000'000; // ns that a thread waits at most

// Order has the arguments of the kernel.
struct Order {
	Csr g;
	const u16 *key;      // n: smaller keys first, equal keys by vertex number
	const u32 *vertices; // n, sorted
	u32 *state;          // n: the colour with kSettled, or its lower bound; 0 at the beginning means 1
	u32 *waiting;        // m: neighbours for which a long row waits, at the place of the row
	u32 *color;          // n, the result
	ull *hubs;           // counters: hubs; vertices with long rows, including hubs; tickets
	ull *longs;
	ull *tickets;
	GridBarrier *barrier; // fails if a thread waits for longer than kPatience: all end

	__device__ bool is_before(u32 a, u16 key_of_a, u32 b) const {
		const u16 key_of_b = __ldg(key + b);
		return key_of_a != key_of_b ? key_of_b < key_of_a : b < a;
	}
	__device__ u32 state_of(u32 v) const { return *(const volatile u32 *)(state + v); }
	__device__ void settle(u32 v, u32 c) const {
		*(volatile u32 *)(state + v) = c | kSettled;
		color[v] = c;
	}
	__device__ void publish(u32 v, u32 least) const { *(volatile u32 *)(state + v) = least; }
};

// Patience ends a wait that would last forever because of a fault in the kernel.
struct Patience {
	u64 began = now_ns();
	u32 polls = 0;

	__device__ bool is_over(GridBarrier &barrier) {
		if (++polls % 1024) return false;
		if (now_ns() - began > kPatience) *(volatile u32 *)&barrier.failed = 1; // ends all waits
		return has_failed(barrier);
	}
};

// Returns the degree rounded to an eighth, as a number below 256.
__device__ inline u32 log_degree(u32 degree) {
	if (degree < 8) return degree;
	const u32 log = 31 - __clz(degree);
	return 8 * (log - 2) + (degree >> (log - 3) & 7);
}

__global__ void __launch_bounds__(kThreads) key_kernel(Csr g, u16 *key, u32 *vertices, ull *hubs, ull *longs) {
	u64 hub = 0, wide = 0;
	for (u64 v = blockIdx.x * kThreads + threadIdx.x; v < g.n; v += gridDim.x * kThreads) {
		const u32 degree = (u32)min(g.degree((u32)v), (u64)kNone);
		key[v] = (u16)((255 - log_degree(degree)) << 8 | (u32)v * 0x9e3779b1 >> 24);
		vertices[v] = (u32)v;
		hub += degree >= kHub;
		wide += degree >= kLong;
	}
	add_up(hub, hubs);
	add_up(wide, longs);
}

struct LongShared {
	BitSet<kWindow> set;
	u32 waiting, least, left;
	bool gives_up;
};

struct OrderShared {
	LongShared of[kWarps]; // one per warp; a block uses the first
	u64 ticket;
};

// Synchronises a block or a warp.
template <u32 kTeam>
__device__ inline void sync() {
	if constexpr (kTeam == 32) __syncwarp();
	else __syncthreads();
}

// Adds the settled neighbours before v to the set, and the others to the list. `base` is the first colour of the
// window.
template <u32 kTeam>
__device__ void look(const Order &k, LongShared &sh, u32 v, u32 base) {
	const u64 begin = k.g.rows[v], end = k.g.rows[v + 1];
	const u16 key = k.key[v];
	for (u64 e = begin + threadIdx.x % kTeam; e < end; e += kTeam) {
		const u32 to = __ldg(k.g.cols + e);
		if (!k.is_before(v, key, to)) continue;
		const u32 s = k.state_of(to);
		if (!(s & kSettled)) k.waiting[begin + atomicAdd(&sh.waiting, 1u)] = to;
		else if (const u32 c = s - kSettled - base; c < kWindow) sh.set.forbid_together(c);
	}
}

// Tests the neighbours again for which v waits.
template <u32 kTeam>
__device__ void look_again(const Order &k, LongShared &sh, u32 v, u32 base) {
	u32 *const list = k.waiting + k.g.rows[v];
	for (u32 i = threadIdx.x % kTeam; i < sh.waiting; i += kTeam) {
		if (list[i] == kNone) continue;
		const u32 s = k.state_of(list[i]);
		if (s & kSettled) {
			if (const u32 c = s - kSettled - base; c < kWindow) sh.set.forbid_together(c);
			list[i] = kNone;
		} else {
			atomicMin(&sh.least, s);
			atomicAdd(&sh.left, 1u);
		}
	}
}

// Colours a vertex with a long row. If a window has no free colour, the row is read again for the next window.
template <u32 kTeam>
__device__ void color_long(const Order &k, LongShared &sh, u32 v) {
	const bool first = threadIdx.x % kTeam == 0;
	Patience patience;
	for (u32 base = 1;; base += kWindow) {
		if (first) sh.waiting = 0;
		sh.set.open(kWindow, threadIdx.x % kTeam, kTeam);
		sync<kTeam>();
		look<kTeam>(k, sh, v, base);
		for (;;) {
			sync<kTeam>();
			if (first) sh.least = kNone, sh.left = 0, sh.gives_up = patience.is_over(*k.barrier);
			sync<kTeam>();
			if (sh.gives_up) return;
			look_again<kTeam>(k, sh, v, base);
			sync<kTeam>();
			const u32 found = sh.set.first(kWindow), left = sh.left;
			const u32 c = base + min(found, kWindow);
			const bool done = found != kNone && (!left || c < sh.least);
			if (first && done) k.settle(v, c);
			if (done) return;
			if (!left) break;
			if (first) k.publish(v, c);
		}
		sync<kTeam>();
	}
}

// Colours vertices with short rows, one or kNone per thread. Their colours are among the first 32.
__device__ void color_short(const Order &k, u32 v) {
	const u64 begin = v == kNone ? 0 : k.g.rows[v];
	const u32 n = v == kNone ? 0 : (u32)(k.g.rows[v + 1] - begin);
	const u16 key = v == kNone ? 0 : k.key[v];
	u32 waits = 0, free = ~0u, published = 1; // neighbours in the row; colours; the published bound
	Patience patience;
	for (u32 i = 0; i < n; i++)
		if (k.is_before(v, key, __ldg(k.g.cols + begin + i))) waits |= 1u << i;
	for (bool open = v != kNone; __any_sync(~0u, open);) {
		if (__any_sync(~0u, patience.is_over(*k.barrier))) break;
		u32 least = kNone;
		for (u32 rest = waits; rest; rest &= rest - 1) {
			const u32 i = __ffs(rest) - 1, s = k.state_of(__ldg(k.g.cols + begin + i));
			if (s & kSettled) {
				waits &= ~(1u << i);
				if (s - kSettled <= 32) free &= ~(1u << (s - kSettled - 1));
			} else least = min(least, s);
		}
		const u32 c = __ffs(free);
		if (open && (!waits || c < least)) {
			k.settle(v, c);
			open = false, waits = 0;
		} else if (open && c != published) k.publish(v, published = c);
	}
}

// Tickets: hubs one by one; then long rows, one for each warp; then short ones, one for each thread.
__global__ void __launch_bounds__(kThreads) order_kernel(Order k) {
	G500_SHARED_MEMORY(memory);
	OrderShared &sh = *reinterpret_cast<OrderShared *>(memory);
	const u64 hubs = *k.hubs, longs = *k.longs, warps = (longs - hubs + kWarps - 1) / kWarps;
	for (;;) {
		__syncthreads();
		if (threadIdx.x == 0) sh.ticket = has_failed(*k.barrier) ? ~0ull : atomicAdd(k.tickets, 1ull);
		__syncthreads();
		u64 ticket = sh.ticket;
		if (ticket == ~0ull) break;
		if (ticket < hubs) {
			color_long<kThreads>(k, sh.of[0], k.vertices[ticket]);
			continue;
		}
		ticket -= hubs;
		if (ticket < warps) {
			const u64 i = hubs + ticket * kWarps + threadIdx.x / 32;
			if (i < longs) color_long<32>(k, sh.of[threadIdx.x / 32], k.vertices[i]);
			continue;
		}
		const u64 tile = longs + (ticket - warps) * kThreads, i = tile + threadIdx.x;
		if (tile >= k.g.n) break;
		color_short(k, i < k.g.n ? k.vertices[i] : kNone);
	}
}

int allocate(g500_color *c) {
	if (c->waiting.get()) return cudaSuccess;
	const u64 n = c->g.n;
	for (auto &keys : c->keys) G500_TRY(keys.alloc(n));
	G500_TRY(cub::DeviceRadixSort::SortPairs(nullptr, c->sort_bytes, c->keys[0].get(), c->keys[1].get(),
		c->lists[0].get(), c->lists[1].get(), n, 0, 16, c->stream));
	G500_TRY(c->sort.alloc(c->sort_bytes));
	return c->waiting.alloc(c->g.m);
}

} // namespace

int prepare_order(g500_color *c) { return allocate(c); }

int color_in_order(g500_color *c) {
	const u64 n = c->g.n;
	const Order k = {c->g, c->keys[0], c->lists[1], c->marks, c->waiting, c->color,
		c->counters, c->counters + 1, c->counters + 2, c->barrier};
	Launch how = {0, kThreads, c->stream};
	G500_TRY(c->shape(key_kernel, n, true, &how));
	G500_LAUNCH(key_kernel, how, c->g, c->keys[0], c->lists[0], k.hubs, k.longs);
	G500_TRY(cub::DeviceRadixSort::SortPairs(c->sort.get(), c->sort_bytes, c->keys[0].get(), c->keys[1].get(),
		c->lists[0].get(), c->lists[1].get(), n, 0, 16, c->stream));
	G500_TRY(cudaMemsetAsync(c->marks, 0, n * sizeof(u32), c->stream));
	how.shared = sizeof(OrderShared);
	G500_TRY(c->shape(order_kernel, n, true, &how));
	G500_LAUNCH(order_kernel, how, k);
	u32 failed;
	G500_TRY(read_back(&failed, &c->barrier.get()->failed, sizeof failed, c->stream));
	if (failed) return cudaErrorLaunchTimeout;
	c->totals.launches = 4; // the sort is one of keys and one of each byte
	return cudaSuccess;
}

} // namespace g500::color
