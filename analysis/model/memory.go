package model

import (
	"fmt"
	"math"
)

// Array is the memory of one kind of array of a rank.
type Array struct {
	Name  string  `json:"name"`
	Bytes float64 `json:"bytes"`
	Basis string  `json:"basis"` // its formula: e, v and n are the rank's edges, vertices and labels
}

// Limits of the GPU engine. A graph with more labels or packed ids (rank << shift | id) than maxNarrow has 64-bit ids:
// a 16-bit rank field in addition to each 32-bit word (ADR 26).
const (
	maxNarrow = 1 << 32
	maxOwned  = 1 << 31 // labels of a rank, exclusive
	maxRanks  = 1 << 10 // for which messages are sorted
)

// Bounds of a rank's receive buffers: pairs received, in two alternating rounds; parent hints; and labels of the
// largest hubs of all ranks (cuda/search.cu, gpu/bfs/engine.go).
const (
	mostPairs       = 1 << 23 // from one rank
	mostPairsOfAll  = 1 << 26
	hintShare       = 64 // one vertex in that many has hints
	mostHints       = 1 << 26
	mostKnownLabels = 1 << 26
)

// Memory of the validator (gpu/validate/memory.go).
const (
	bytesOnOneRank = 2.375   // per label
	bitsPerLabel   = 8       // of all ranks; 6 if labels exceed 32 bits
	mostParents    = 1 << 28 // that are checked in one pass over the tuples
	bitsPerParent  = 10      // in addition to the parent
)

// packedIDs returns the number of bits in a bitmap of all vertices: each rank has a power of two of them.
func (l layout) packedIDs() float64 {
	return l.ranks * math.Exp2(math.Ceil(math.Log2(l.g.Inner/l.ranks)))
}

// arrays returns the arrays of a rank (cuda/search/memory.cu, cuda/search/graph_arrays.cu) in a run that validates,
// with the tuples in device memory.
func (l layout) arrays() []Array {
	v, e, n := l.g.Vertices/l.ranks, l.g.Edges/l.ranks, l.g.Labels/l.ranks
	word, of, half, wide := 4.0, "4", 0.0, ""
	if l.ranks > 1 && (l.packedIDs() > maxNarrow || l.g.Labels >= maxNarrow) {
		word, of, half, wide = 6, "6", 2, " + 2 v"
	}
	validator := Array{"validator", bytesOnOneRank * n, "2.375 n"}
	if l.ranks > 1 {
		parents, bytes, bits := min(mostParents, l.g.Labels+128*l.ranks), 4.0, float64(bitsPerLabel)
		if l.g.Labels > maxNarrow {
			bytes, bits = 8, 6
		}
		validator = Array{"validator", bits*l.g.Labels/8 + n/4 + (bytes+bitsPerParent/8.0)*parents,
			fmt.Sprintf("%g bits a label of all ranks, n/4, %g B and 10 bits a parent of at most 2^28", bits, bytes)}
	}
	ghosts := 0.0
	if l.queried != nil {
		ghosts = l.queried.ghosts
	}
	return []Array{
		{"tuples", 12 * l.g.Tuples / l.ranks, "12 B a tuple"},
		{"neighbours", word * e, of + " e"},
		{"rows", 8 * v, "8 v"},
		{"labels, ids", 4*v + 4*n, "4 v + 4 n"},
		{"first neighbours", 5*word*v + e/8, "5 x " + of + " v + e/8"},
		{"result order", (7.2 + half) * v, "7.2 v" + wide},
		{"visited bitmaps", l.visited() / 4, "2 bitmaps of all vertices it needs"},
		{"ghosts", 4 * ghosts, "4 B a ghost"},
		{"push bitmaps", l.pushBitmaps() / 8, "2 bitmaps of all vertices, 1 of one rank, none on several nodes"},
		{"receive buffers, hints, labels", l.buffers(), "bounded: 16 B a pair, 4 B a hint, 4 B a known label; 4 v"},
		{"own bitmaps", 5 * v / 8, "5 v/8"},
		{"parents, queues, missed", (4*4+half)*v + 8*v/64, "4 x 4 v + v/8" + wide},
		{"result", 8 * n, "8 n"},
		validator,
	}
}

// pushBitmaps returns the bits for levels that peers push through a bitmap: their own bits, and other ranks'.
func (l layout) pushBitmaps() float64 {
	switch {
	case l.ranks == 1:
		return l.visited()
	case l.ranks > l.node:
		return 0
	}
	return 2 * l.visited()
}

func (l layout) buffers() float64 {
	if l.ranks == 1 {
		return 0
	}
	pairs := min(l.ranks*min(l.packedIDs()/l.ranks, mostPairs), mostPairsOfAll)
	hints := min(l.packedIDs()/hintShare, mostHints)
	if l.ranks > l.node {
		hints = 0
	}
	return 2*pairBytes*pairs + 4*hints + 4*min(l.g.Vertices, mostKnownLabels) + 4*l.packedIDs()/l.ranks
}

// visited returns the bits of a visited bitmap of the scheme.
func (l layout) visited() float64 {
	switch l.scheme {
	case Bitmap, Gaps:
		return l.packedIDs()
	case Queries: // replicated bits, the own part, and ghosts
		return l.bits() + l.packedIDs()/l.ranks + l.queried.ghosts
	}
	return l.bits()
}

// Memory returns the sum of a rank's arrays in bytes.
func (m *Prediction) Memory() (bytes float64) {
	for _, a := range m.Arrays {
		bytes += a.Bytes
	}
	return bytes
}

// limits returns the reasons why the program cannot run this.
func (m *Prediction) limits() (limits []string) {
	if !m.Scheme.Exists() {
		limits = append(limits, fmt.Sprintf("the GPU engine does not have the exchange %s as it is modelled", m.Scheme))
	}
	if m.Ranks > maxRanks {
		limits = append(limits, fmt.Sprintf("GPUs exchange messages with %d ranks at most", maxRanks))
	}
	if m.Graph.Labels/float64(m.Ranks) >= maxOwned {
		limits = append(limits, "a GPU owns fewer than 2^31 labels")
	}
	if have := m.Profile.GPU.MemoryGB * 1e9; m.Memory() > have {
		limits = append(limits, fmt.Sprintf("a GPU has %.0f GB, the arrays take %.0f GB", have/1e9, m.Memory()/1e9))
	}
	return limits
}
