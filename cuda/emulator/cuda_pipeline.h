// Copies into shared memory that are done at once.
#pragma once

#include <cstddef>
#include <cstring>

inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
inline void __pipeline_commit() {}
inline void __pipeline_wait_prior(size_t) {}
