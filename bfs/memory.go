package bfs

import (
	"g500/graph"
	"g500/graph/csr"
)

// MaxScale is the largest scale of official graphs for which the engines here are made: that of the largest problem
// class, huge. Two scales further on, the greatest hub of a graph would have 2^32 edge tuples.
const MaxScale = 42

// HybridMemory is an upper estimate, in bytes, of what the hybrid engine needs on one rank at its highest, which is
// while kernel 1 runs or in the largest frontier.
func HybridMemory(s graph.Share) int64 {
	// Bitmaps of all positions and, between hosts, messages that tell of one: those that come, and those handed on.
	const bitmaps = 3 + 2
	perVertex := csr.PosBytes(s.Wide) + 8 + 8 // parent, frontier queue with its offsets, tree
	return csr.Memory(s) + perVertex*s.Vertices + bitmaps*s.Positions/8
}
