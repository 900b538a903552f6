// SPDX-License-Identifier: Apache-2.0

// Integer types of the kernel sources.
#pragma once

#include <cstdint>

namespace g500 {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using ull = unsigned long long; // the type of 64-bit atomics

} // namespace g500
