// SPDX-License-Identifier: Apache-2.0

// CUB's pair of arrays, of which a sort says which has the outcome.
#pragma once

namespace cub {

template <typename T>
struct DoubleBuffer {
	T *d_buffers[2] = {};
	int selector = 0;

	DoubleBuffer() = default;
	DoubleBuffer(T *current, T *alternate) : d_buffers{current, alternate} {}

	T *Current() const { return d_buffers[selector]; }
	T *Alternate() const { return d_buffers[selector ^ 1]; }
};

} // namespace cub
