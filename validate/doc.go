// Package validate checks breadth-first trees and shortest paths by the rules of the specification's section
// "Validation", on the original edge tuples. It shares no code with kernels 1 to 3, and never sees their structure.
//
// Both kernels share the Validator (validator.go), the climb along parents, and the pass over the edge tuples with its
// counts (check.go). They differ in the values of vertices and in the rules on tuples: levels in tree.go, distances in
// paths.go. The rules on trees, and where they are checked:
//
//	kernel 2's output: parents in range, the root its own  climb.go, enter
//	1  the tree is a tree, without cycles                   climb.go and round.go
//	2  tree edges join levels that differ by exactly one    true by construction: a level is the distance to the
//	                                                        root along parents; a tree that skips a level breaks
//	                                                        rule 3 at the tuple that was passed over
//	3  tuples join levels that differ by at most one        tree.go
//	4  the tree spans its component                         tree.go: no tuple leaves the tree
//	5  a vertex and its parent are joined by a tuple        check.go
//
// Levels come from the parents alone, never from the tuples. The official program spreads them along the tuples
// and so accepts another component that is claimed as reached by a cycle of its own; here such a cycle never
// leads to the root, which is rule 1.
//
// New deals every tuple to the owners of both its ends, once a run. A rank lists, for each vertex it owns, the
// other ends of its tuples as slots: places in an array that holds the level of each owned vertex and of each
// ghost, a vertex of another rank that has a tuple to this one. For a tree only one level a ghost travels, in an
// order that both sides know, and each rank checks its own rows.
//
// # Memory
//
// For T tuples and V vertices a rank, all in bytes, G being its ghosts, of which there are at most 2T:
//
//	between trees and in them  8T rows, 25V levels and offsets, 10G ghosts; another 4V+4G for shortest paths, and
//	                           once a tree has come that is deeper than 253 levels, which no official graph has
//	most, while New runs       9T pairs on one rank, 18T on several, and 8T rows, 16V offsets, 9G ghosts
//	on top                     what is under way between ranks: about 100 MB, however large the graph
//
// The last bound supposes that a rank's vertices do not all ask one rank for different ancestors at once. Labels
// are scrambled and hubs are asked for once, so they do not.
package validate
