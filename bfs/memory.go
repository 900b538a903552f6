// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"g500/graph"
	"g500/graph/csr"
)

// MaxScale is the largest scale of official graphs that the engines support, the scale of the problem class huge. At
// scale 44, the highest degree is 2^32.
const MaxScale = 42

// HybridMemory returns upper estimates, in bytes, of the hybrid engine's memory on one rank, and of the memory that
// kernel 1 takes and frees in addition.
func HybridMemory(s graph.Share) (engine, building int64) {
	structure, building := csr.Memory(s)
	perVertex := csr.PosBytes(s.IDs64) + 8 + 8 // parent, lists of the next frontier, tree
	return structure + perVertex*s.Vertices + betweenRanks(s), building
}

// Numbers of bitmaps with all ranks' bits, and of messages with one bitmap: received and forwarded.
const (
	bitmaps       = 3
	bitmapsOfNews = 2
)

// ranksOnNode is an upper bound of the ranks of a node. Smaller jobs may replicate all bits; larger ones have several
// nodes and use queries.
const ranksOnNode = 1 << 10

// pairBytes is the size of a pair in the bins of workers, in the merged bins, and in messages sent and received.
const pairBytes = 16

// betweenRanks returns the memory for other ranks' vertices and for messages: the maximum with all bits replicated and
// with queries.
func betweenRanks(s graph.Share) int64 {
	all := s.Positions / 8
	news := bitmapsOfNews * min(all, int64(bounds.GatherBytes))
	if s.Ranks == 1 {
		return bitmaps*all + news
	}
	if s.Ranks > ranksOnNode {
		all = min(all, 2*int64(bounds.QueriesFrom)) // at least half of the ranks are on other nodes
	}
	nodes := max(2, s.Ranks/ranksOnNode)
	replicated := int64(s.Ranks) * int64(bounds.ReplicatedIDs(int(s.Positions)/s.Ranks, nodes))
	ghosts, found := csr.Ghosts(s)
	querying := found + bitmaps*(s.Vertices+replicated+ghosts)/8
	pairs := pairBytes * min(s.Ends, s.Positions, bounds.PushEdges) // a rank sends each vertex once
	return news + pairs + max(bitmaps*all, querying)
}
