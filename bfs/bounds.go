package bfs

import (
	"math"

	"g500/comm"
	"g500/graph/csr"
)

// Bounds choose how ranks on several hosts exchange. They are assumed, for a network of 100 Gb/s (ADR 23, ADR 28).
// Package model follows the engine by the same ones.
type Bounds struct {
	// What an all-gather of words has to bring to a host from others, in bytes: for tiers to pay, which take a round of
	// messages more, some 100 us; and for ranks to ask each other, which takes some eight rounds more in a level.
	TiersFrom, AsksFrom int
	// LeastTold is the least number of ids of a rank that are told.
	LeastTold int
	// ShortMessage is a length up to which a message costs more for being one than for its bytes.
	ShortMessage int
	// PairsInTiers is how many pairs there may be for each two ranks, at most, for these to go in tiers: then messages
	// from rank to rank would have about a kilobyte. Not more, since all ranks of a host read what comes there.
	PairsInTiers int64
	// GatherRoom bounds the words of all ranks that are told at a time, in bytes: what lies in messages.
	GatherRoom int
	// PushRoom bounds the edges that a rank looks at between two exchanges of pairs, and so the memory of their messages.
	PushRoom int64
	// FewItems in a message have some ten bytes: its length would count beside them.
	FewItems int64
}

// DefaultBounds are the program's.
func DefaultBounds() Bounds {
	return Bounds{
		TiersFrom: 1 << 20, AsksFrom: 8 << 20, LeastTold: csr.WordBits, ShortMessage: 1 << 10, PairsInTiers: 256, FewItems: 8,
		GatherRoom: 64 << 20, PushRoom: 1 << 22,
	}
}

// bounds are those of this process. Tests have others.
var bounds = DefaultBounds()

// HubsTold is how many ids of each rank are told: whole words of a bitmap. Each told bit goes to all other hosts,
// and the questions fall by about as much as the told bits grow, so that the least bytes are at a share of the vertices
// that falls with the root of the hosts. On official graphs of scale 16 to 20, on 2 to 64 hosts, it is 1/8 of the
// vertices over that root.
func (b Bounds) HubsTold(stride, hosts int) int {
	share := 8 * math.Sqrt(float64(hosts-1))
	return min(max(int(float64(stride)/share)/csr.WordBits*csr.WordBits, b.LeastTold), stride)
}

// Ask reports whether ranks with parts of so many vertices ask each other.
func (b Bounds) Ask(stride int, tiers *comm.Tiers) bool {
	return tiers.Several() && tiers.Incoming(stride/8) >= max(b.TiersFrom, b.AsksFrom)
}

// Asks reports whether questions about so many vertices take less than words that have so many bytes.
func (b Bounds) Asks(questions, words int64) bool { return questions*questionBytes <= words }

// questionBytes is about what a question and its answer take on average.
const questionBytes = 2

// PairsToHosts reports whether so many pairs of all ranks go from host to host: where messages between ranks would be
// many and short.
func (b Bounds) PairsToHosts(pairs, ranks int64) bool {
	return pairs > ranks && pairs <= b.PairsInTiers*ranks*ranks
}

// ItemsToHosts is the same of items of a few bytes in messages whose lengths go beside them.
func (b Bounds) ItemsToHosts(items, ranks int64) bool {
	return items >= b.FewItems*ranks*ranks && items <= b.PairsInTiers*ranks*ranks
}
