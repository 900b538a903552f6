// SPDX-License-Identifier: Apache-2.0

// Package compare compares the speed of two sets of runs: the difference of their harmonic means at each scale and
// number of ranks, with a confidence interval.
//
// A difference is the logarithm of a ratio, so that exchanging A and B only changes its sign. The harmonic mean of TEPS
// is the inverse of the mean seconds per edge; therefore means of seconds per edge are compared.
package compare
