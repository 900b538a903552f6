// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"fmt"
	"math"

	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
)

// position is the packed global id of a vertex: its owner's rank times the stride plus its id there.
type position uint32

// edge has the bits of its weight in the high half, and the neighbour in the low half. Weights are not negative, so
// edges have the order of weights.
type edge uint64

func edgeTo(to position, weight float32) edge { return edge(math.Float32bits(weight))<<32 | edge(to) }

func (e edge) to() position    { return position(e) }
func (e edge) weight() float32 { return math.Float32frombits(uint32(e >> 32)) }

// structure is one rank's part of the weighted graph, without self-loops, and with the lightest edge between two
// vertices. Rows are sorted by rising weight. Those of a directed graph have targets, and in has rows of sources; else
// both are the same.
type structure struct {
	csr.Order
	csr.Adjacency[edge]
	in *csr.Adjacency[edge]
}

// directed reports whether the graph is directed.
func (s *structure) directed() bool { return s.in != &s.Adjacency }

func (s *structure) first() position       { return position(s.Rank * s.Stride) }
func (s *structure) label(h csr.ID) uint32 { return uint32(s.Label(h)) }

// MaxScale is the largest scale of official graphs. Labels have 32 bits, because a label and a distance are stored in
// 64 bits.
const (
	MaxScale = 32
	maxLabel = 1<<MaxScale - 1
)

// build returns the structure of tuples, whose distribution over the ranks is arbitrary. It is collective.
func build(t comm.Transport, tuples graph.Tuples, workers int) (*structure, error) {
	host, err := tuples.Host(true)
	if err != nil {
		return nil, err
	}
	b, err := number(t, host, workers)
	if err != nil {
		return nil, err
	}
	s := &structure{Order: b.Order()}
	if s.Adjacency, err = fill(b, workers); err != nil {
		return nil, err
	}
	s.in = &s.Adjacency
	if targets := b.Opposite(); targets != nil {
		sources := s.Adjacency
		s.in = &sources
		s.Adjacency, err = fill(targets, workers)
	}
	return s, err
}

// fill returns the rows of one direction.
func fill(b *csr.Builder, workers int) (csr.Adjacency[edge], error) {
	order := b.Order()
	cleaners := newRowCleaners(workers, int64(order.Positions()), b.MeanEnds())
	return csr.Fill(b, func(worker int, _ csr.ID, row []edge) int { return cleaners[worker].clean(row) })
}

// number is the first half of kernel 1, which numbers the vertices.
func number(t comm.Transport, tuples graph.HostTuples, workers int) (*csr.Builder, error) {
	layout, err := csr.Discover(t, tuples.Edges, workers)
	if err != nil {
		return nil, err
	}
	if highest := layout.Vertices() - 1; highest > maxLabel {
		return nil, fmt.Errorf("kernel 1: label %d: shortest paths on CPUs have labels below 2^32: "+
			"choose scale %d or less", highest, MaxScale)
	}
	b, err := csr.Number(t, layout, tuples, workers)
	if err != nil {
		return nil, err
	}
	b.JoinLeaves()
	if b.IDs64() {
		return nil, fmt.Errorf("kernel 1: non-isolated vertices on %d ranks need positions of more than 32 bits: "+
			"choose scale %d or less", t.Size(), MaxScale)
	}
	return b, nil
}

// Memory returns upper estimates of the bytes that the fast engine takes on one rank, and of those that kernel 1 takes
// and frees in addition.
func Memory(s graph.Share, prune Pruning) (engine, building int64) {
	const (
		edgeBytes     = 8
		vertexBytes   = 2*8 + 4 + 3*4 + 12 // distances, search, result
		positionBytes = 4 + 4 + 4          // labels and distances of all ranks
		pruneBytes    = 4 + 4 + 4          // distances, parents and depths of all ranks
	)
	positions := s.Vertices * int64(s.Ranks)
	all := positions * positionBytes
	if prune == PruneHub {
		all += positions * pruneBytes
	}
	structure, building := csr.FillMemory(s, edgeBytes)
	building += bitmapBytes(positions, max(s.Ends, 2*s.Tuples))
	return structure + s.Vertices*vertexBytes + all, building
}

// rowCleaner has the bitmap of one worker: the neighbours of a row that were met, in a range of positions.
type rowCleaner struct {
	seen      []uint64 // all zero between calls
	positions int      // of all ranks' vertices
}

const (
	wordBits    = 64
	wordBytes   = wordBits / 8
	fullBitmaps = 64 // workers with a bit for each position; the bitmaps of more workers have as much memory in all
)

// bitmapBytes returns the size of the bitmaps of all workers of a rank, at most, given the number of all ranks'
// positions, and of the rank's tuple ends: they have at most one byte per end.
func bitmapBytes(positions, ends int64) int64 {
	return min(fullBitmaps*wordsOf(positions)*wordBytes, ends)
}

// wordsOf returns the number of words with a number of bits.
func wordsOf(bits int64) int64 { return (bits + wordBits - 1) / wordBits }

// newRowCleaners returns a rowCleaner for each of a rank's workers.
func newRowCleaners(workers int, positions, ends int64) []rowCleaner {
	share := bitmapBytes(positions, ends) / wordBytes / int64(workers)
	all := make([]rowCleaner, workers)
	for w := range all {
		all[w] = rowCleaner{make([]uint64, max(min(wordsOf(positions), share), 1)), int(positions)}
	}
	return all
}

// clean keeps the lightest edge to each neighbour in a row, which is sorted by weight, and returns the number of these
// edges.
func (c *rowCleaner) clean(row []edge) int {
	if len(row) < 2 {
		return len(row)
	}
	for from := 0; from < c.positions; from += len(c.seen) * wordBits {
		row = row[:c.cleanRange(row, position(from))]
	}
	return len(row)
}

// cleanRange is clean for the neighbours at the positions from the given one on that have a bit; it keeps all others.
// It has no branch that depends on the neighbours, if all have a bit.
func (c *rowCleaner) cleanRange(row []edge, from position) int {
	seen, n := c.seen, 0
	for _, e := range row {
		row[n] = e
		at := e.to() - from
		if word := int(at / wordBits); word < len(seen) {
			bit := at % wordBits
			n -= int(seen[word] >> bit & 1)
			seen[word] |= 1 << bit
		}
		n++
	}
	for _, e := range row[:n] {
		if word := int((e.to() - from) / wordBits); word < len(seen) {
			seen[word] = 0
		}
	}
	return n
}
