// SPDX-License-Identifier: Apache-2.0

// Package sssp is kernel 3 on CPUs (on GPUs: gpu/sssp, cuda/sssp): shortest paths from one root, on weighted edge
// tuples (specification, section "Kernel 3 - Single-Source Shortest Paths").
//
// A distance is the least sum of weights over all paths from the root, added in single precision from the root on, with
// each sum rounded. Rounded addition is monotone, so this least sum does not depend on the order of the work, and all
// correct programs agree bit by bit. A parent changes only if the distance decreases, therefore parents form a tree,
// even if a weight is zero or vanishes in the rounding.
//
// NewSearch is the fast engine (search.go) on a structure whose rows are sorted by weight (structure.go): vertices near
// the root push along their rows, most others pull once, and changed distances are pushed again. Ideas: delta-stepping
// (Meyer and Sanders, J. Algorithms 2003), and pulling along long edges (Chakaravarthy et al., IPDPS 2014).
// In a directed graph, vertices push to targets and pull from sources. NewBellmanFord is the reference implementation.
package sssp
