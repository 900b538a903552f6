package model

import (
	"fmt"
	"math"
)

// Array is one array of a rank, in bytes.
type Array struct {
	Name  string  `json:"name"`
	Bytes float64 `json:"bytes"`
	Basis string  `json:"basis"` // how it is counted: e, v and n are the rank's edges, vertices and labels
}

// maxPositions bounds the positions of vertices, rank << shift | hub id, which are words of 32 bits.
const maxPositions = 1 << 32

// positions is the number of bits in a bitmap of all vertices: each rank has a power of two of them.
func (l layout) positions() float64 {
	return l.ranks * math.Exp2(math.Ceil(math.Log2(l.g.Core/l.ranks)))
}

// arrays are those of a rank (cuda/search/memory.cu, cuda/search/columns.cu), the tuples and the judge's, in
// a run that validates. Where positions pass 32 bits, words that hold them are counted at 8 bytes.
func arrays(l layout) []Array {
	v, e, n := l.g.Vertices/l.ranks, l.g.Edges/l.ranks, l.g.Labels/l.ranks
	word, of := 4.0, "4"
	if l.positions() > maxPositions {
		word, of = 8, "8"
	}
	return []Array{
		{"tuples", 12 * l.g.Tuples / l.ranks, "12 B a tuple"},
		{"columns", word * e, of + " e"},
		{"rows", 8 * v, "8 v"},
		{"labels, hub ids", word*v + 4*n, of + " v + 4 n"},
		{"first neighbours", 5*word*v + e/8, "5 x " + of + " v + e/8"},
		{"label order", 7.2 * v, "7.2 v"},
		{"visited bitmaps", l.visited() / 4, "2 bitmaps of all vertices it needs"},
		{"push bitmaps", l.pushBitmaps() / 8, "2 bitmaps of all vertices, 1 of one rank"},
		{"receive buffers, hints, labels", l.buffers(), "bounded: 16 B a pair, 4 B a hint, 4 B a known label; 4 v"},
		{"own bitmaps", 5 * v / 8, "5 v/8"},
		{"parents, queues, missed", 4*word*v + 8*v/64, "4 x " + of + " v + v/8"},
		{"result", 8 * n, "8 n"},
		{"judge", l.g.Labels/2 + 9*n, "N/2 + 9 n"},
	}
}

// pushBitmaps is the number of bits for levels that are pushed through a bitmap: a rank's own, and those of others.
func (l layout) pushBitmaps() float64 {
	if l.ranks == 1 {
		return l.visited()
	}
	return 2 * l.visited()
}

// What a rank keeps for others is bounded: pairs that have come, in two rounds by turns, parent hints for their
// vertices, and labels of the largest hubs of all ranks (cuda/search.cu, gpu/engine.go).
const (
	mostPairs       = 1 << 23 // from one rank
	mostPairsOfAll  = 1 << 26
	hintShare       = 64 // of a rank's vertices, one in so many gets hints
	mostHints       = 1 << 26
	mostKnownLabels = 1 << 26
)

func (l layout) buffers() float64 {
	if l.ranks == 1 {
		return 0
	}
	pairs := min(l.ranks*min(l.positions()/l.ranks, mostPairs), mostPairsOfAll)
	hints := min(l.positions()/hintShare, mostHints)
	return 2*pairBytes*pairs + 4*hints + 4*min(l.g.Vertices, mostKnownLabels) + 4*l.positions()/l.ranks
}

// visited is the number of bits in a visited bitmap of the form.
func (l layout) visited() float64 {
	switch l.form {
	case Bitmap, Gaps:
		return l.positions()
	case Questions: // what is told, and the own part
		return l.bits() + l.positions()/l.ranks
	}
	return l.bits()
}

// Memory is the sum of a rank's arrays.
func (m *Prediction) Memory() (bytes float64) {
	for _, a := range m.Arrays {
		bytes += a.Bytes
	}
	return bytes
}

// limits says what keeps the program from running this as it is.
func (m *Prediction) limits() (limits []string) {
	l := layout{g: m.Graph, form: m.Form, ranks: float64(m.Ranks)}
	if !m.Form.Exists() {
		limits = append(limits, fmt.Sprintf("the program exchanges bitmaps or bins, not %s", m.Form))
	}
	if l.positions() > maxPositions || m.Graph.Labels >= maxPositions {
		limits = append(limits, "positions or labels pass 32 bits")
	}
	if have := m.Profile.GPU.MemoryGB * 1e9; m.Memory() > have {
		limits = append(limits, fmt.Sprintf("a GPU has %.0f GB, the arrays take %.0f GB", have/1e9, m.Memory()/1e9))
	}
	return limits
}
