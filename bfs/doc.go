// Package bfs is kernel 2: from a root, a breadth-first tree of the root's component (specification, section
// "Kernel 2 - Breadth-First Search").
//
// Engine is the door. TopDown is the slow twin: it builds its own plain adjacency lists, shares no code with
// the others and judges them. Hybrid is the fast CPU engine on the degree-ordered structure of graph/csr. The
// suite in bfs/bfstest holds every engine to the same trees.
package bfs
