// Package sssp is kernel 3 of Graph500 on CPUs: shortest paths from one root, on weighted edge tuples (specification,
// section "Kernel 3 - Single-Source Shortest Paths").
//
// A distance is the least sum of weights over all paths from the root, added up from the root on in single precision,
// each sum rounded. Rounded addition is monotone, so that this least sum does not depend on the order of the work: all
// right programs agree on it to the bit. A parent is changed only together with a distance that falls; then parents
// form a tree, even where a weight is zero or vanishes in the rounding.
//
// Build makes the structure (structure.go). The search is in search.go: vertices near the root push along rows that are
// sorted by weight, most others pull once, and what is left is pushed (the idea is that of delta-stepping, Meyer and
// Sanders, J. Algorithms 2003, with one bucket that is chosen by what lies in it, and of Chakaravarthy et al., IPDPS
// 2014, who pull long edges). BellmanFord is the plain engine, which judges it.
package sssp
