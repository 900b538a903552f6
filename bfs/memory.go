package bfs

import "g500/graph/csr"

// MaxScale is the largest scale of official graphs that the engines here reach.
const MaxScale = csr.MaxScale

// HybridMemory is an upper estimate, in bytes per rank, of what the hybrid engine needs at its highest, which is
// while kernel 1 runs or in the largest frontier.
func HybridMemory(tuplesPerRank, verticesPerRank int64, ranks int) int64 {
	const (
		perVertex = 8 + 4 + 8 // parent, frontier queue with its offsets, tree
		bitmaps   = 3 + 2     // and, between hosts, messages that tell of one: those that come, and those handed on
	)
	return csr.Memory(tuplesPerRank, verticesPerRank) + perVertex*verticesPerRank +
		bitmaps*verticesPerRank*int64(ranks)/8
}
