// Threads of a device on one CPU thread: fibers that take turns. A fiber runs until it has to wait for others, so that what a
// search forgets to wait for shows as a wrong tree, or as one that never ends.
#pragma once

#include <cstring>
#include <functional>
#include <vector>

namespace emulator {

constexpr uint32_t kWarp = 32;

// Meeting is where so many fibers wait for each other.
struct Meeting {
	uint32_t expected = 0, arrived = 0, over = 0; // over counts how often all have come
};

struct Warp {
	Meeting meeting;
	uint64_t given[2][kWarp]; // what each lane gives the others, in two exchanges by turns
};

struct Block {
	Meeting meeting;
	std::vector<Warp> warps;
	std::vector<unsigned char> shared;
};

struct Index {
	uint32_t x;
};

struct Fiber {
	Index thread, block, blocks;
	Block *own;
	Warp *warp;
	bool odd = false;                // which of the warp's exchanges is next
	const uint32_t *until = nullptr; // waits while this is as it was
	uint32_t was = 0;
	bool done = false;
	const std::function<void()> *body;
	void *stack, *top;
};

extern Fiber *running;

// Grid is one launch: what every thread of so many blocks does.
struct Grid {
	uint32_t blocks, threads;
	size_t shared; // bytes of a block
	std::function<void()> body;
};

// Runs grids side by side, as those of several ranks, until all threads have ended.
void run(const std::vector<Grid> &grids);

void pause(); // lets others go on
void meet(Meeting &meeting);

template <typename T>
struct AsDeclared {
	using type = T; // keeps what a call brings from having a say in a template's parameters
};

template <typename... Parameters>
void launch(void (*kernel)(Parameters...), uint32_t blocks, uint32_t threads, typename AsDeclared<Parameters>::type... arguments) {
	run({{blocks, threads, 0, [=] { kernel(arguments...); }}});
}

// Gives the other lanes a value. Returns what all have given.
template <typename T>
const uint64_t *exchange(T value) {
	static_assert(sizeof value <= sizeof(uint64_t));
	uint64_t *given = running->warp->given[running->odd];
	running->odd = !running->odd;
	uint64_t word = 0;
	memcpy(&word, &value, sizeof value);
	given[running->thread.x % kWarp] = word;
	meet(running->warp->meeting);
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

inline void __syncthreads() { emulator::meet(emulator::running->own->meeting); }
inline void __syncwarp() { emulator::meet(emulator::running->warp->meeting); }
inline void __threadfence() {}
inline void __threadfence_system() {}

// All lanes of a warp take part, as in the search.
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
T atomicOr(T *at, U value) {
	const T before = *at;
	*at |= (T)value;
	return before;
}

// Ways to read and write that differ in the caches only.
template <typename T>
T __ldg(const T *at) {
	return *at;
}
template <typename T>
T __ldcs(const T *at) {
	return *at;
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

inline int __popc(uint32_t word) { return __builtin_popcount(word); }
inline int __clz(uint32_t word) { return word ? __builtin_clz(word) : 32; }
inline int __ffs(uint32_t word) { return __builtin_ffs((int)word); }
