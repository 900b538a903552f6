// SPDX-License-Identifier: Apache-2.0

// Device threads on one CPU thread: fibers that take turns. A fiber runs until it waits for others, so a missing wait
// in a search results in a wrong tree, or a search that never ends.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

namespace emulator {

constexpr uint32_t kWarp = 32;

// Barrier is a barrier of the fibers of consecutive warps.
struct Barrier {
	uint32_t expected = 0;          // number of fibers
	uint32_t *ready = nullptr;      // the first warp's bits in Block::ready; its other warps' follow
	uint32_t arrived = 0, over = 0; // over: how often all have arrived
	uint32_t holding[2] = {};       // number of fibers with a true predicate, for alternate barriers
};

struct Run; // of a grid
struct Block;
struct Warp;

struct Index {
	uint32_t x;
};

struct Fiber {
	Index thread, block, blocks;
	Block *own;
	Warp *warp;
	bool odd = false; // parity of the warp's next exchange
	bool done = false;
	void *stack = nullptr, *top = nullptr; // null before its first turn
};

struct Warp {
	Barrier barrier;
	uint64_t given[2][kWarp]; // each lane's value, in alternate exchanges
	Fiber lanes[kWarp];
};

struct Block {
	Run *run;
	Barrier barrier;
	std::vector<Warp> warps;
	std::vector<uint32_t> ready; // by warp, bits of the lanes that neither wait at a barrier nor have ended
	std::vector<unsigned char> shared;
	uint32_t threads_left;
	bool allows_next = false;
};

extern Fiber *running;

// Grid is one launch: the function of every thread, and the number of blocks. All blocks of a cooperative grid run
// together. An overlapping grid may start when all blocks of its predecessor in the stream allow it.
struct Grid {
	uint32_t blocks, threads;
	size_t shared; // bytes per block
	bool cooperative, overlaps;
	std::function<void()> body;
};

// Adds a grid to a stream. It runs while the host waits for streams.
void add(void *stream, const Grid &grid);
bool is_of_current_device(void *stream); // any device's, if it is the default stream

// Adds a grid after the running one and its earlier children: as a child, which runs before tails, or as a tail.
// Returns false if too many grids wait.
bool add_behind(const Grid &grid, bool tail);

// The stream of a slow device, whose grids take one turn while others take many; null if there is none.
extern void *slow_stream;

void pause(); // switches to other fibers
void wait(Barrier &barrier);
void allow_next_grid();
void await_previous_grid();

// Passes a value to the other lanes. Returns all lanes' values.
template <typename T>
const uint64_t *exchange(T value) {
	static_assert(sizeof value <= sizeof(uint64_t));
	uint64_t *given = running->warp->given[running->odd];
	running->odd = !running->odd;
	uint64_t word = 0;
	memcpy(&word, &value, sizeof value);
	given[running->thread.x % kWarp] = word;
	wait(running->warp->barrier);
	return given;
}

template <typename T>
T take(const uint64_t *given, uint32_t lane) {
	T value;
	memcpy(&value, given + lane % kWarp, sizeof value);
	return value;
}

} // namespace emulator

#define threadIdx (emulator::running->thread)
#define blockIdx (emulator::running->block)
#define gridDim (emulator::running->blocks)
#define blockDim (emulator::Index{emulator::running->own->barrier.expected})

inline void __syncthreads() { emulator::wait(emulator::running->own->barrier); }
inline int __syncthreads_count(int holds) {
	emulator::Barrier &barrier = emulator::running->own->barrier;
	uint32_t &holding = barrier.holding[barrier.over % 2];
	if (barrier.arrived == 0) holding = 0;
	holding += holds != 0;
	emulator::wait(barrier);
	return (int)holding;
}
inline int __syncthreads_or(int holds) { return __syncthreads_count(holds) > 0; }
inline void __syncwarp() { emulator::wait(emulator::running->warp->barrier); }
inline void __threadfence() {}
[[noreturn]] inline void __trap() { abort(); }
inline void __threadfence_system() {}

// All lanes of a warp must call the following functions, as in a search.
template <typename T>
T __shfl_sync(uint32_t, T value, uint32_t lane) {
	return emulator::take<T>(emulator::exchange(value), lane);
}
template <typename T>
T __shfl_xor_sync(uint32_t, T value, uint32_t other) {
	return emulator::take<T>(emulator::exchange(value), threadIdx.x ^ other);
}
template <typename T>
T __shfl_up_sync(uint32_t, T value, uint32_t distance) {
	const uint64_t *given = emulator::exchange(value);
	const uint32_t lane = threadIdx.x % emulator::kWarp;
	return lane < distance ? value : emulator::take<T>(given, lane - distance);
}
template <typename T>
T __shfl_down_sync(uint32_t, T value, uint32_t distance) {
	const uint64_t *given = emulator::exchange(value);
	const uint32_t lane = threadIdx.x % emulator::kWarp + distance;
	return lane < emulator::kWarp ? emulator::take<T>(given, lane) : value;
}
inline uint32_t __ballot_sync(uint32_t, bool holds) {
	const uint64_t *given = emulator::exchange(holds);
	uint32_t lanes = 0;
	for (uint32_t i = 0; i < emulator::kWarp; i++) lanes |= (uint32_t)given[i] << i;
	return lanes;
}
inline bool __any_sync(uint32_t lanes, bool holds) { return __ballot_sync(lanes, holds) != 0; }
inline bool __all_sync(uint32_t lanes, bool holds) { return __ballot_sync(lanes, holds) == ~0u; }

template <typename T, typename U>
T atomicAdd(T *at, U value) {
	const T before = *at;
	*at += (T)value;
	return before;
}
template <typename T, typename U>
T atomicMax(T *at, U value) {
	const T before = *at;
	*at = std::max(before, (T)value);
	return before;
}
template <typename T, typename U>
T atomicMin(T *at, U value) {
	const T before = *at;
	*at = std::min(before, (T)value);
	return before;
}
template <typename T, typename U>
T atomicOr(T *at, U value) {
	const T before = *at;
	*at |= (T)value;
	return before;
}
template <typename T, typename U>
T atomicAnd(T *at, U value) {
	const T before = *at;
	*at &= (T)value;
	return before;
}

template <typename T, typename U>
T atomicSub(T *at, U value) {
	return atomicAdd(at, -value);
}
template <typename T, typename U>
T atomicExch(T *at, U value) {
	const T before = *at;
	*at = (T)value;
	return before;
}

template <typename T>
T atomicCAS(T *at, T expected, T value) {
	const T before = *at;
	if (before == expected) *at = value;
	return before;
}

// The same with system scope.
template <typename T, typename U>
T atomicAdd_system(T *at, U value) {
	return atomicAdd(at, value);
}
template <typename T, typename U>
T atomicMin_system(T *at, U value) {
	return atomicMin(at, value);
}
template <typename T, typename U>
T atomicExch_system(T *at, U value) {
	return atomicExch(at, value);
}

// Shifts high:low right by shift mod 32, and returns the lower word.
inline uint32_t __funnelshift_r(uint32_t low, uint32_t high, uint32_t shift) {
	return (uint32_t)(((uint64_t)high << 32 | low) >> (shift & 31));
}

// Loads and stores that differ only in their use of caches.
template <typename T>
T __ldg(const T *at) {
	return *at;
}
template <typename T>
T __ldcs(const T *at) {
	return *at;
}
template <typename T>
T __ldca(const T *at) {
	static bool second = false;
	return emulator::faults.stale_caches && (second = !second) ? T{} : *at;
}
template <typename T>
T __ldcg(const T *at) {
	return *at;
}
template <typename T>
T __ldcv(const T *at) {
	return *at;
}
template <typename T>
void __stcs(T *at, T value) {
	*at = value;
}

inline uint32_t __float_as_uint(float value) {
	uint32_t bits;
	std::memcpy(&bits, &value, sizeof bits);
	return bits;
}
inline float __uint_as_float(uint32_t bits) {
	float value;
	std::memcpy(&value, &bits, sizeof value);
	return value;
}
inline uint64_t __umul64hi(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> 64); }
inline uint32_t __umulhi(uint32_t a, uint32_t b) { return (uint32_t)((uint64_t)a * b >> 32); }
inline int __popc(uint32_t word) { return __builtin_popcount(word); }
inline int __clz(uint32_t word) { return word ? __builtin_clz(word) : 32; }
inline int __clzll(uint64_t word) { return word ? __builtin_clzll(word) : 64; }
inline uint64_t __brevll(uint64_t word) {
	uint64_t reversed = 0;
	for (int bit = 0; bit < 64; bit++) reversed |= (word >> bit & 1) << (63 - bit);
	return reversed;
}
inline int __ffsll(uint64_t word) { return __builtin_ffsll((long long)word); }
inline int __ffs(uint32_t word) { return __builtin_ffs((int)word); }
