// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"math"

	"g500/comm"
	"g500/graph/csr"
)

// Bounds select the exchanges between ranks. For several nodes they assume a network of 100 Gb/s (ADR 23, ADR 28).
type Bounds struct {
	// An all-gather is a two-level collective if a node receives at least TwoLevelFrom bytes from others, because that
	// takes another round of messages, about 100 us. Ranks use queries from QueriesFrom bytes on, because these take about
	// eight rounds per level.
	TwoLevelFrom, QueriesFrom int
	// LeastReplicated is the minimum number of replicated ids per rank.
	LeastReplicated int
	// ShortMessage is the length in bytes up to which the latency of a message is larger than its transfer time.
	ShortMessage int
	// TwoLevelPairs is the largest mean number of pairs between two ranks for which two-level collectives are used:
	// messages between ranks then have up to about 1 KB. It is limited: all ranks of a node read all messages to it.
	TwoLevelPairs int64
	// GatherBytes bounds the bitmap words of all ranks in one exchange, in bytes.
	GatherBytes int
	// PushEdges bounds the edges that a rank examines between two exchanges of pairs, and thereby the memory of messages.
	PushEdges int64
	// FewItems is the number of items in a message, about ten bytes, below which the length field of the message matters.
	FewItems int64
	// Share makes memory that all ranks, on one node, share.
	Share func(t comm.Transport, words int) (shared []uint64, unmap func() error, err error)
}

// bounds are the bounds of this process, which tests change.
var bounds = Bounds{
	TwoLevelFrom: 1 << 20, QueriesFrom: 8 << 20, LeastReplicated: csr.WordBits, ShortMessage: 1 << 10,
	TwoLevelPairs: 256, FewItems: 8, GatherBytes: 64 << 20, PushEdges: 1 << 22, Share: comm.SharedWords,
}

// ReplicatedIDs returns the number of first ids of each rank that are replicated, a multiple of WordBits. Each
// replicated bit is sent to all other nodes, and reduces the queries by about one. Therefore the share of replicated
// vertices with the fewest bytes falls with the square root of the number of nodes. For official graphs of scale 16 to
// 20, on 2 to 64 nodes, it is 1/8 divided by this root.
func (b Bounds) ReplicatedIDs(stride, nodes int) int {
	share := 8 * math.Sqrt(float64(nodes-1))
	return min(max(int(float64(stride)/share)/csr.WordBits*csr.WordBits, b.LeastReplicated), stride)
}

// UseQueries reports whether ranks with stride vertices each replicate only some bits, and query the others.
func (b Bounds) UseQueries(stride int, twoLevel *comm.TwoLevel) bool {
	return twoLevel.Several() && twoLevel.Incoming(stride/8) >= max(b.TwoLevelFrom, b.QueriesFrom)
}

// QueriesPay reports whether queries take at most as many bytes as the bitmap words that they replace.
func (b Bounds) QueriesPay(queries, words int64) bool { return queries*queryBytes <= words }

// queryBytes is the approximate mean size of a query and its reply.
const queryBytes = 2

// PairsToNodes reports whether pairs are sent from node to node, because messages between ranks would be many and
// short. pairs is their number on all ranks.
func (b Bounds) PairsToNodes(pairs, ranks int64) bool {
	return pairs > ranks && pairs <= b.TwoLevelPairs*ranks*ranks
}

// ItemsToNodes is PairsToNodes for items of a few bytes in messages with length fields.
func (b Bounds) ItemsToNodes(items, ranks int64) bool {
	return items >= b.FewItems*ranks*ranks && items <= b.TwoLevelPairs*ranks*ranks
}
