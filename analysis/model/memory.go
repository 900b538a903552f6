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

// maxNarrow bounds the positions of vertices, rank << shift | hub id, and labels in words of 32 bits. Beside each word
// of a graph with more of either lies a half word (ADR 26).
const maxNarrow = 1 << 32

// A rank owns fewer than maxOwned labels, and messages are sorted for maxRanks ranks.
const (
	maxOwned = 1 << 31
	maxRanks = 1 << 10
)

// positions is the number of bits in a bitmap of all vertices: each rank has a power of two of them.
func (l layout) positions() float64 {
	return l.ranks * math.Exp2(math.Ceil(math.Log2(l.g.Core/l.ranks)))
}

// isWide reports whether the graph needs half words.
func (l layout) isWide() bool {
	return l.ranks > 1 && (l.positions() > maxNarrow || l.g.Labels >= maxNarrow)
}

// arrays are those of a rank (cuda/search/memory.cu, cuda/search/columns.cu), the tuples and the judge's, in
// a run that validates. In a wide graph a position takes 6 bytes, and so do labels of other ranks' vertices.
func arrays(l layout) []Array {
	v, e, n := l.g.Vertices/l.ranks, l.g.Edges/l.ranks, l.g.Labels/l.ranks
	word, of, half, beside := 4.0, "4", 0.0, ""
	if l.isWide() {
		word, of, half, beside = 6, "6", 2, " + 2 v"
	}
	return []Array{
		{"tuples", 12 * l.g.Tuples / l.ranks, "12 B a tuple"},
		{"columns", word * e, of + " e"},
		{"rows", 8 * v, "8 v"},
		{"labels, hub ids", 4*v + 4*n, "4 v + 4 n"},
		{"first neighbours", 5*word*v + e/8, "5 x " + of + " v + e/8"},
		{"label order", (7.2 + half) * v, "7.2 v" + beside},
		{"visited bitmaps", l.visited() / 4, "2 bitmaps of all vertices it needs"},
		{"ghosts", 4 * l.ghosts(), "4 B a ghost"},
		{"push bitmaps", l.pushBitmaps() / 8, "2 bitmaps of all vertices, 1 of one rank, none on several hosts"},
		{"receive buffers, hints, labels", l.buffers(), "bounded: 16 B a pair, 4 B a hint, 4 B a known label; 4 v"},
		{"own bitmaps", 5 * v / 8, "5 v/8"},
		{"parents, queues, missed", (4*4+half)*v + 8*v/64, "4 x 4 v + v/8" + beside},
		{"result", 8 * n, "8 n"},
		{"judge", l.g.Labels/2 + 9*n, "N/2 + 9 n"},
	}
}

// pushBitmaps is the number of bits for levels that are pushed through a bitmap: a rank's own, and those of others.
// Only peers push so.
func (l layout) pushBitmaps() float64 {
	switch {
	case l.ranks == 1:
		return l.visited()
	case l.ranks > l.host:
		return 0
	}
	return 2 * l.visited()
}

// What a rank keeps for others is bounded: pairs that have come, in two rounds by turns, parent hints for their
// vertices, and labels of the largest hubs of all ranks (cuda/search.cu, gpu/bfs/engine.go).
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
	if l.ranks > l.host {
		hints = 0
	}
	return 2*pairBytes*pairs + 4*hints + 4*min(l.g.Vertices, mostKnownLabels) + 4*l.positions()/l.ranks
}

// visited is the number of bits in a visited bitmap of the form.
func (l layout) visited() float64 {
	switch l.form {
	case Bitmap, Gaps:
		return l.positions()
	case Questions: // what is told, the own part, and ghosts
		return l.bits() + l.positions()/l.ranks + l.ghosts()
	}
	return l.bits()
}

// ghosts is how many vertices of other ranks a rank that asks has bits for, beside those that are told (ADR 33).
func (l layout) ghosts() float64 {
	if l.asked == nil {
		return 0
	}
	return l.asked.ghosts
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
	if m.Ranks > maxRanks {
		limits = append(limits, fmt.Sprintf("GPUs exchange messages with %d ranks at most", maxRanks))
	}
	if m.Graph.Labels/l.ranks >= maxOwned {
		limits = append(limits, "a GPU owns fewer than 2^31 labels")
	}
	if have := m.Profile.GPU.MemoryGB * 1e9; m.Memory() > have {
		limits = append(limits, fmt.Sprintf("a GPU has %.0f GB, the arrays take %.0f GB", have/1e9, m.Memory()/1e9))
	}
	return limits
}
