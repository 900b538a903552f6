package bfs

import (
	"math"

	"g500/comm"
	"g500/graph/csr"
)

// Bounds choose how ranks on several hosts exchange. They are assumed, for a network of 100 Gb/s (ADR 23, ADR 28).
// Package model uses the same ones.
type Bounds struct {
	// An all-gather uses tiers if it brings a host TiersFrom bytes from others, because tiers take another round of
	// messages, some 100 us; ranks use queries from QueriesFrom bytes on, because these take some eight rounds per level.
	TiersFrom, QueriesFrom int
	// LeastReplicated is the least number of ids that are replicated of each rank.
	LeastReplicated int
	// ShortMessage is a length up to which a message costs more for being one than for its bytes.
	ShortMessage int
	// PairsInTiers is the largest number of pairs per two ranks that go in tiers: messages from rank to rank would have
	// about a kilobyte. It is not larger because all ranks of a host read all messages to the host.
	PairsInTiers int64
	// GatherRoom bounds the words of all ranks in one exchange, in bytes.
	GatherRoom int
	// PushRoom bounds the edges that a rank looks at between two exchanges of pairs, and so the memory of their messages.
	PushRoom int64
	// FewItems in a message have some ten bytes, so that the length of the message would matter.
	FewItems int64
}

// DefaultBounds are the program's.
func DefaultBounds() Bounds {
	return Bounds{
		TiersFrom: 1 << 20, QueriesFrom: 8 << 20, LeastReplicated: csr.WordBits, ShortMessage: 1 << 10,
		PairsInTiers: 256, FewItems: 8, GatherRoom: 64 << 20, PushRoom: 1 << 22,
	}
}

// bounds are the bounds of this process. Tests change them.
var bounds = DefaultBounds()

// ReplicatedIDs is how many of the first ids of each rank are replicated: whole words of a bitmap. Each replicated bit
// is sent to all other hosts, and the queries decrease by about as much as the replicated bits increase. Therefore the
// share of the vertices with the fewest bytes falls with the square root of the number of hosts. On official graphs of
// scale 16 to 20, on 2 to 64 hosts, it is 1/8 of the vertices over that root.
func (b Bounds) ReplicatedIDs(stride, hosts int) int {
	share := 8 * math.Sqrt(float64(hosts-1))
	return min(max(int(float64(stride)/share)/csr.WordBits*csr.WordBits, b.LeastReplicated), stride)
}

// UseQueries reports whether ranks with stride vertices each replicate some bits and query the others.
func (b Bounds) UseQueries(stride int, tiers *comm.TwoLevel) bool {
	return tiers.Several() && tiers.Incoming(stride/8) >= max(b.TiersFrom, b.QueriesFrom)
}

// QueriesPay reports whether queries take fewer bytes than the bytes of the words that they replace.
func (b Bounds) QueriesPay(queries, words int64) bool { return queries*queryBytes <= words }

// queryBytes is about the mean size of a query and its reply.
const queryBytes = 2

// PairsToHosts reports whether pairs, that many of all ranks, go from host to host: if messages between ranks would be
// many and short.
func (b Bounds) PairsToHosts(pairs, ranks int64) bool {
	return pairs > ranks && pairs <= b.PairsInTiers*ranks*ranks
}

// ItemsToHosts is PairsToHosts for items of a few bytes, in messages that are sent with their lengths.
func (b Bounds) ItemsToHosts(items, ranks int64) bool {
	return items >= b.FewItems*ranks*ranks && items <= b.PairsInTiers*ranks*ranks
}
