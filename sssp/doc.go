// Package sssp is kernel 3 of Graph500 on CPUs: shortest paths from one root, on weighted edge tuples (specification,
// section "Kernel 3 - Single-Source Shortest Paths").
//
// A distance is the least sum of weights over all paths from the root, added up from the root on in single precision,
// each sum rounded. Rounded addition is monotone, so that this least sum does not depend on the order of the work: all
// right programs agree on it to the bit. A parent is changed only together with a distance that falls; then parents
// form a tree, even where a weight is zero or vanishes in the rounding.
//
// NewSearch is the fast engine (search.go) on a structure of rows that are sorted by weight (structure.go): vertices
// near the root push along their rows, most others pull once, and changed distances are pushed again. Ideas: delta-
// stepping (Meyer and Sanders, J. Algorithms 2003), and pulling along long edges (Chakaravarthy et al., IPDPS 2014).
// NewBellmanFord is the plain engine, the reference for the fast one.
package sssp
