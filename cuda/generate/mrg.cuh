// SPDX-License-Identifier: Apache-2.0

// The official random number generator: L'Ecuyer's multiple recursive generator of order 5. Each output is kRecent*z1 +
// kOld*z5 modulo the prime 2^31-1, where z1 is the last output and z5 the fifth last.
#pragma once

#include "common/types.cuh"

namespace g500::mrg {

constexpr u32 kModulus = 0x7fffffffu;
constexpr u32 kRecent = 107374182;
constexpr u32 kOld = 104480;
constexpr int kOrder = 5; // number of outputs that determine the next one

// State is the last five outputs, the newest first, each below kModulus.
struct State {
	u32 z[kOrder];
};

// Matrix is a linear map of states, rows first, its entries below kModulus. n draws are such a map, the n-th power of
// one draw.
struct Matrix {
	u32 at[kOrder][kOrder];
};

// Moves s closer to [0, kModulus) without changing its residue, because 2^31 is 1 modulo 2^31-1. The result is below
// 2^31 + s/2^31.
__host__ __device__ inline u64 fold(u64 s) { return (s >> 31) + (s & kModulus); }

// Returns the residue of an s below 2^62 - 1. One fold leaves less than twice the modulus. Of that value and the value
// minus the modulus, which wraps if negative, the smaller one is the residue.
__host__ __device__ inline u32 canonical(u64 s) {
	const u32 once = (u32)fold(s), less = once - kModulus;
	return once < less ? once : less;
}

// Draws one output.
__host__ __device__ inline u32 next(State &s) {
	const u32 out = canonical((u64)kRecent * s.z[0] + (u64)kOld * s.z[4]);
	s = {{out, s.z[0], s.z[1], s.z[2], s.z[3]}};
	return out;
}

// Returns m times s. Four products of 31 bits fit in 64 bits, five do not, so four are folded before the fifth is
// added. The sum stays below canonical's bound unless m's last column has one of the three largest residues, which no
// power of one draw in use has.
__host__ __device__ inline State apply(const Matrix &m, const State &s) {
	State product;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
	for (int i = 0; i < kOrder; i++) {
		const u32(&row)[kOrder] = m.at[i];
		const u64 four = (u64)row[0] * s.z[0] + (u64)row[1] * s.z[1] + (u64)row[2] * s.z[2] + (u64)row[3] * s.z[3];
		product.z[i] = canonical(fold(four) + (u64)row[4] * s.z[4]);
	}
	return product;
}

// Returns one draw as a matrix.
inline Matrix one_draw() {
	return {{{kRecent, 0, 0, 0, kOld}, {1, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}}};
}

// Returns the map of twice as many draws as m.
inline Matrix squared(const Matrix &m) {
	Matrix square;
	for (int j = 0; j < kOrder; j++) {
		State column;
		for (int i = 0; i < kOrder; i++) column.z[i] = m.at[i][j];
		column = apply(m, column);
		for (int i = 0; i < kOrder; i++) square.at[i][j] = column.z[i];
	}
	return square;
}

// Spreads the 128 bits of the user seeds over a state. No word of it is zero, for any seeds.
inline State seeded(u64 seed1, u64 seed2) {
	constexpr u32 low30 = (1u << 30) - 1;
	return {{(u32)(seed1 & low30) + 1, (u32)(seed1 >> 30 & low30) + 1, (u32)(seed2 & low30) + 1,
	         (u32)(seed2 >> 30 & low30) + 1, (u32)((seed2 >> 60 << 4) + (seed1 >> 60) + 1)}};
}

} // namespace g500::mrg
