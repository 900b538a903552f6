// SPDX-License-Identifier: Apache-2.0

// Device features beyond C++ and warps: memory order between blocks and ranks, the clock, the multiprocessor of a
// block, shared memory, and programmatic dependent launch. emulator/device.h implements the same functions for a CPU.
#pragma once

#include "common/types.cuh"

#ifdef G500_EMULATED
#include "emulator/device.h"
#else

// G500_SIZE is a constant of the emulator, whose graphs are small, and the constant of GPUs.
#define G500_SIZE(emulated, on_gpus) on_gpus
#define G500_SHARED_MEMORY(name) extern __shared__ __align__(16) unsigned char name[]

namespace g500 {

constexpr u64 kSharedUnit = 2 << 20; // bytes: the driver shares memory between processes in units of this size

// Returns the multiprocessor that the block runs on.
__device__ inline u32 processor() {
	u32 id;
	asm volatile("mov.u32 %0, %smid;" : "=r"(id));
	return id;
}

// Returns the device's clock in nanoseconds. It is the same on all multiprocessors.
__device__ inline u64 now_ns() {
	u64 t;
	asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
	return t;
}

// Reads a word that other threads write, for a polling loop.
__device__ inline u32 poll(const u32 *at) { return *(const volatile u32 *)at; }

// Adds one to a counter and returns the old value, with acquire and release order: writes before earlier additions are
// visible to the caller, and the caller's earlier writes are visible after later additions.
__device__ inline u32 fetch_add_acq_rel(u32 *count) {
	u32 before;
	asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(count) : "memory");
	return before;
}

// Reads a word with acquire order: the writer's earlier writes are visible afterwards.
__device__ inline u32 load_acquire(const u32 *at) {
	u32 value;
	asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
	return value;
}

// Sets bits of a word in device memory that other threads may change, without waiting for its old value.
__device__ inline void set_bits(u32 *at, u32 bits) {
	asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(__cvta_generic_to_global(at)), "r"(bits) : "memory");
}

// Reads and writes of words that other ranks share. They bypass the caches of the multiprocessors.
__device__ inline void store_system(u64 *at, u64 value) {
	asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(at), "l"(value) : "memory");
}

__device__ inline u64 poll_system(const u64 *at) {
	u64 value;
	asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
	return value;
}

__device__ inline u64 load_acquire_system(const u64 *at) {
	u64 value;
	asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
	return value;
}

__device__ inline void fence_system() { asm volatile("fence.acq_rel.sys;" ::: "memory"); }

// Programmatic dependent launch (CUDA C++ Programming Guide; kOverlapped in common/launch.cuh). Once all blocks
// of a kernel have called allow_next_kernel or have ended, blocks of the next kernel in the stream may start. That
// makes no write visible. The next kernel may read the first one's results after await_previous_kernel, which waits
// until the first kernel has completed, or after an acquiring load of a word that the first kernel has released. Both
// functions do nothing before compute capability 9.0.
__device__ inline void allow_next_kernel() {
#if __CUDA_ARCH__ >= 900
	cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__device__ inline void await_previous_kernel() {
#if __CUDA_ARCH__ >= 900
	cudaGridDependencySynchronize();
#endif
}

} // namespace g500

#endif
