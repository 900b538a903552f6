// SPDX-License-Identifier: Apache-2.0

// Package validate checks breadth-first trees and shortest paths by the rules of the specification's section
// "Validation", on the original edge tuples. It shares no code with kernels 1 to 3 except goroutines, huge
// pages and prefetches (internal/par, internal/hugepage, internal/prefetch), and does not use their data structures.
//
// Both kernels use the Validator (validator.go), the climb along parents, and the pass over the edge tuples with its
// counts (check.go). They differ in the values of vertices and in the rules on tuples: levels in tree.go, distances in
// paths.go. The rules on trees and their implementation:
//
//	kernel 2's output: parents in range, the root its own  enter.go
//	1  the tree is a tree, without cycles                   enter.go; climb.go
//	2  tree edges join levels that differ by exactly one    true by construction: a level is the distance to the
//	                                                        root along parents; a tree that skips a level breaks
//	                                                        rule 3 at the tuple that it skips
//	3  tuples join levels that differ by at most one        tree.go
//	4  the tree spans its component                         tree.go: no tuple leaves the tree
//	5  a vertex and its parent are joined by a tuple        check.go, in the shorter of their two rows
//
// In a directed graph, rules 3 to 5 are rules on arcs, and each arc is stored in the row of its target only, whose
// owner checks it: if the source was reached, so was the target, at most one level further; an arc leads from a
// vertex's parent to it; for shortest paths, no arc makes the path to its target shorter. Arcs from unreached vertices
// may lead into the tree.
//
// Levels come only from the parents, never from the tuples. The Graph500 reference code propagates levels along the
// tuples, and therefore accepts a tree that claims another component by a cycle. Here such a cycle never leads to the
// root, which breaks rule 1.
//
// New sends every tuple to the owners of both its ends, once a run. A rank numbers its vertices by falling number of
// tuples (rows.go). A slot is the place of an owned vertex in this order, or the number of a ghost, a vertex of
// another rank that has a tuple to this one; arrays have the level of each slot. A tuple within the rank is in the row
// of the end with fewer tuples, as the slot of the other end (rows.go), and checked for both ends: most slots are then
// among the first, so their levels are in the cache. A tuple between ranks is in a row on both. For a tree, ranks send
// one level per ghost, in an order that both sides have, and each rank checks its own rows.
//
// On one rank, levels of trees with few of them are found by following all parents at the same time (enter.go), else by
// pointer doubling (climb.go).
//
// # Memory
//
// For T tuples, V vertices and G ghosts per rank, in bytes; G is at most 2T:
//
//	during and between trees   4T rows on one rank, 8T on several; 30V levels, parents and offsets on one rank, 54V
//	                           on several and after the first tree of more than 14 levels, as shortest paths have;
//	                           11G ghosts; another 4V+4G for shortest paths, and after a breadth-first tree of
//	                           that depth, which no official graph has
//	most, during New           9T pairs on one rank, 18T on several, and these rows; 44V to 60V, 9G ghosts
//	in addition                messages between ranks: about 100 MB, for any size of the graph
//
// The last bound assumes that a rank's vertices do not all query one rank for different ancestors at once. Labels are
// scrambled and each hub is queried once, so they do not.
package validate
