// SPDX-License-Identifier: Apache-2.0

// Package collect finds stored runs below a folder, groups them into points (runs of the same kind, scale and number of
// ranks) and the points into series over ranks, and computes how well they scale.
//
// The figure of a point is the median of its runs' harmonic means of TEPS, and its spread their minimum and maximum.
// The baseline of a series is its point with the fewest ranks. Parallel efficiency is TEPS per rank divided by TEPS per
// rank of the baseline, both in strong scaling (one graph) and in weak scaling (one graph size per rank).
package collect
