package bfs

import (
	"g500/graph"
	"g500/graph/csr"
)

// MaxScale is the largest scale of official graphs that these engines support: the scale of the largest problem class,
// huge. Two scales further on, the vertex of highest degree would have 2^32 edge tuples.
const MaxScale = 42

// HybridMemory is an upper estimate, in bytes, of the hybrid engine's peak memory on one rank, which is in kernel 1 or
// in the largest frontier.
func HybridMemory(s graph.Share) int64 {
	perVertex := csr.PosBytes(s.Wide) + 8 + 8 // parent, frontier queue with its offsets, tree
	return csr.Memory(s) + perVertex*s.Vertices + betweenRanks(s)
}

// The number of bitmaps of all ranks' bits, and of messages about one bitmap: received and forwarded.
const (
	bitmaps       = 3
	bitmapsOfNews = 2
)

// ranksOnHost is more than one node has. Jobs of at most that many ranks may replicate all bits; larger ones are on
// several nodes and use queries.
const ranksOnHost = 1 << 10

// pairBytes is the size of a pair in the bins of workers, in the merged bins, and in messages sent and received.
const pairBytes = 16

// betweenRanks is the memory for other ranks' vertices and for messages: with all bits replicated or with queries,
// whichever is more.
func betweenRanks(s graph.Share) int64 {
	all := s.Positions / 8
	news := bitmapsOfNews * min(all, int64(bounds.GatherRoom))
	if s.Ranks == 1 {
		return bitmaps*all + news
	}
	if s.Ranks > ranksOnHost {
		all = min(all, 2*int64(bounds.QueriesFrom)) // half the ranks are on other hosts, or more
	}
	hosts := max(2, s.Ranks/ranksOnHost)
	replicated := int64(s.Ranks) * int64(bounds.ReplicatedIDs(int(s.Positions)/s.Ranks, hosts))
	ghosts, found := csr.Ghosts(s)
	querying := found + bitmaps*(s.Vertices+replicated+ghosts)/8
	pairs := pairBytes * min(s.Ends, s.Positions, bounds.PushRoom) // a rank sends each vertex once
	return news + pairs + max(bitmaps*all, querying)
}
