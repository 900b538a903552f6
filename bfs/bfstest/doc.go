// SPDX-License-Identifier: Apache-2.0

// Package bfstest is the suite that every engine of package bfs must pass, on any transport and number of ranks.
//
// It checks that parents are one level above, because several parents may be valid. The levels are from a search of the
// tuples, which the golden levels of the Graph500 reference code check.
package bfstest
