// What kernels need of the device beside C++ and warps: the order of accesses to memory that other blocks or ranks
// change, the clock, the multiprocessor of a block, its shared memory, and programmatic dependent launch. The emulator
// has the same functions for a CPU (emulator/device.h).
#pragma once

#include "common/types.cuh"

#ifdef G500_EMULATED
#include "emulator/device.h"
#else

#define G500_SHARED_MEMORY(name) extern __shared__ __align__(16) unsigned char name[]

namespace g500 {

// The multiprocessor that a block runs on.
__device__ inline u32 processor() {
	u32 id;
	asm volatile("mov.u32 %0, %smid;" : "=r"(id));
	return id;
}

// The device's clock, in nanoseconds. It is the same on all its multiprocessors.
__device__ inline u64 now_ns() {
	u64 t;
	asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
	return t;
}

// Reads a word that other threads change, for a loop that waits for the change.
__device__ inline u32 poll(const u32 *at) { return *(const volatile u32 *)at; }

// Adds one to a count and returns the count before, with acquire and release order: the caller sees what was written
// before the earlier additions, and later readers see what it wrote before this one.
__device__ inline u32 fetch_add_acq_rel(u32 *count) {
	u32 before;
	asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(count) : "memory");
	return before;
}

// Reads a word with acquire order: what its writer wrote before is visible from then on.
__device__ inline u32 load_acquire(const u32 *at) {
	u32 value;
	asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
	return value;
}

// The same for words that other ranks write or read: they go past the caches of the multiprocessors.
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

// Programmatic dependent launch (CUDA C++ Programming Guide; launch_overlapped in common/launch.cuh): once all blocks
// of a kernel have called allow_next_kernel or have ended, blocks of the next kernel in the stream start where there
// is room. That alone makes no write visible: the next kernel reads what this one wrote after await_previous_kernel,
// which waits for the end of all of it, or after an acquiring load of a word that this one has released. Before
// compute capability 9.0 both functions do nothing.
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
