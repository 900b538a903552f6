// What a search needs of the device beside C++ and warps: the order of memory that others change, the clock, the place of a
// block, and its shared memory. It is all that the emulator (emulator/device.h) has in another form.
#pragma once

#include <cstdint>

#ifdef G500_EMULATED
#include "emulator/device.h"
#else

#define G500_SHARED_MEMORY(name) extern __shared__ __align__(16) unsigned char name[]

namespace g500 {

// The multiprocessor that a block runs on.
__device__ inline uint32_t processor() {
	uint32_t id;
	asm volatile("mov.u32 %0, %smid;" : "=r"(id));
	return id;
}

__device__ inline uint64_t now_ns() {
	uint64_t t;
	asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
	return t;
}

// Looks at a word that others change, while waiting for that.
__device__ inline uint32_t look(const uint32_t *at) { return *(const volatile uint32_t *)at; }

// Counts one more. Who knows of it sees what was written before, and the caller sees what those wrote whom it counts. Returns
// the count before.
__device__ inline uint32_t count_in(uint32_t *count) {
	uint32_t before;
	asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(count) : "memory");
	return before;
}

// Loads a word; what was written before it is to be seen from then on.
__device__ inline uint32_t load_acquire(const uint32_t *at) {
	uint32_t value;
	asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
	return value;
}

// The same for words that ranks write into each other's memory, past the caches of the multiprocessors.
__device__ inline void store_far(uint64_t *at, uint64_t value) {
	asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}

__device__ inline uint64_t look_far(const uint64_t *at) {
	uint64_t value;
	asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
	return value;
}

__device__ inline uint64_t load_acquire_far(const uint64_t *at) {
	uint64_t value;
	asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
	return value;
}

__device__ inline void fence_far() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }

} // namespace g500

#endif
