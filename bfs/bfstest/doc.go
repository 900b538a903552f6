// SPDX-License-Identifier: Apache-2.0

// Package bfstest is the suite that every engine of package bfs must pass, on any transport and number of ranks.
//
// It compares the levels of an engine's trees, because several parents may be valid, with a search of the tuples and
// with the golden levels of the Graph500 reference code.
package bfstest
