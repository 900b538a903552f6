// The word types of all sources of kernels.
#pragma once

#include <cstdint>

namespace g500 {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using ull = unsigned long long; // what 64-bit atomics take

} // namespace g500
