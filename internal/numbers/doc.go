// SPDX-License-Identifier: Apache-2.0

// Package numbers reads files with one number per vertex, as programs for graphs write them: text, NumPy arrays, and
// binary numbers of 64 or 32 bits.
package numbers
