// SPDX-License-Identifier: Apache-2.0

// common/device.cuh and common/launch.cuh for a CPU. Fibers switch only at waits, so memory accesses are in order;
// polling switches to other fibers.
#pragma once

#include <chrono>

#include "cuda_runtime.h"

#define G500_SIZE(emulated, on_gpus) emulated
#define G500_SHARED_MEMORY(name) unsigned char *const name = emulator::running->own->shared.data()

namespace g500 {

constexpr uint64_t kSharedUnit = 256; // small, because new memory is filled

inline uint32_t processor() { return blockIdx.x % 2; }

inline uint64_t now_ns() {
	return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1) + emulator::faults.ahead_ns;
}

inline uint32_t poll(const uint32_t *at) {
	emulator::pause();
	return *(const volatile uint32_t *)at;
}
inline uint32_t fetch_add_acq_rel(uint32_t *count) { return (*count)++; }
inline uint32_t load_acquire(const uint32_t *at) { return *at; }

inline void set_bits(uint32_t *at, uint32_t bits) { *at |= bits; }

inline void store_system(uint64_t *at, uint64_t value) { *at = value; }
inline uint64_t poll_system(const uint64_t *at) {
	emulator::pause();
	return *(const volatile uint64_t *)at;
}
inline uint64_t load_acquire_system(const uint64_t *at) { return *at; }
inline void fence_system() {}

inline void allow_next_kernel() { emulator::allow_next_grid(); }
inline void await_previous_kernel() { emulator::await_previous_grid(); }

} // namespace g500
