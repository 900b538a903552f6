package model

import (
	"fmt"
	"math"

	"g500/gpu/policy"
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

// Bounds of a rank's receive buffers: pairs received, in two alternating rounds; and labels of the largest hubs of all
// ranks (cuda/search/memory.cu, gpu/bfs/engine.go).
const (
	mostPairs       = 1 << 23 // from one rank
	mostPairsOfAll  = 1 << 26
	mostKnownLabels = 1 << 26
)

// Lists for segmented pushes (cuda/search/segments.cu), on 132 multiprocessors.
const (
	blockSegments   = 2 * 4 * 132
	segmentVertices = 48 << 10
	listedShare     = 5 // one directed edge in that many is listed, in official graphs (ADR 25)
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

// ids64 reports whether the graph needs 64-bit ids.
func (l layout) ids64() bool {
	return l.ranks > 1 && (l.packedIDs() > maxNarrow || l.g.Labels >= maxNarrow)
}

// arrays returns the arrays of a rank (cuda/search/memory.cu, cuda/search/graph_arrays.cu) in a run that validates,
// with the tuples in device memory.
func (l layout) arrays() []Array {
	v, e, n := l.g.Vertices/l.ranks, l.g.Edges/l.ranks, l.g.Labels/l.ranks
	word, of, half, wide := 4.0, "4", 0.0, ""
	if l.ids64() {
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
		{"first neighbours", 5 * word * v, "5 x " + of + " v"},
		{"result order", (7.2 + half) * v, "7.2 v" + wide},
		{"visited bitmaps", l.visited() / 4, "2 bitmaps of all vertices it needs"},
		{"ghosts", 4 * ghosts, "4 B a ghost"},
		{"segments", l.segments(), "4 B a hub and segment, 2 B for each fifth edge; none on several nodes"},
		{"receive buffers, labels", l.buffers(), "bounded: 16 B a pair, 4 B a known label; 4 v"},
		{"own bitmaps", 5 * v / 8, "5 v/8"},
		{"parents, queues, missed", (4*4+half)*v + 8*v/64, "4 x 4 v + v/8" + wide},
		{"result", 8 * n, "8 n"},
		validator,
	}
}

// segments returns the memory for segmented pushes, in graphs with 32-bit ids.
func (l layout) segments() float64 {
	p := policy.Default()
	if !l.oneNode() || l.ids64() || l.g.Inner < float64(p.SegmentVertices) {
		return 0
	}
	segments := blockSegments + l.g.Inner/l.ranks/segmentVertices
	return 4*float64(p.SegmentHubs)*segments + 2*l.g.Edges/l.ranks/listedShare
}

func (l layout) buffers() float64 {
	if l.ranks == 1 {
		return 0
	}
	pairs := min(l.ranks*min(l.packedIDs()/l.ranks, mostPairs), mostPairsOfAll)
	return 2*pairBytes*pairs + 4*min(l.g.Vertices, mostKnownLabels) + 4*l.packedIDs()/l.ranks
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
