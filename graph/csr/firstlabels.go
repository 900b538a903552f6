// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"math"
	"unsafe"

	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/nontemporal"
)

// FirstLabels has the label of the first neighbour of each vertex, by local id, or graph.NoParent for an empty row. It
// has 32-bit labels if all labels of the graph fit.
type FirstLabels struct {
	short []int32
	long  []graph.Global
}

// firstLabelBytes returns the size of a label in a graph with labels below vertices. Short labels have a sign, for
// graph.NoParent.
func firstLabelBytes(vertices int64) int64 {
	if vertices <= math.MaxInt32+1 {
		return 4
	}
	return 8
}

// newFirstLabels returns labels of n vertices, in a graph with labels below vertices.
func newFirstLabels(n int, vertices graph.Global) (f FirstLabels) {
	if firstLabelBytes(int64(vertices)) == 4 {
		f.short = hugepage.Make[int32](n)
	} else {
		f.long = hugepage.Make[graph.Global](n)
	}
	return f
}

// At returns the label of the first neighbour of a vertex.
func (f *FirstLabels) At(l graph.Local) graph.Global {
	if f.long != nil {
		return f.long[l]
	}
	return graph.Global(f.short[l])
}

func (f *FirstLabels) set(l graph.Local, label graph.Global) {
	if f.long != nil {
		f.long[l] = label
	} else {
		f.short[l] = int32(label)
	}
}

// Copy copies the labels of the vertices from a local id on, past the caches if they are short.
func (f *FirstLabels) Copy(to []graph.Global, from int) {
	if f.long != nil {
		copy(to, f.long[from:])
		return
	}
	short, lines := f.short[from:from+len(to)], len(to)/nontemporal.Widened
	if start := unsafe.Pointer(unsafe.SliceData(to)); uintptr(start)%nontemporal.LineBytes == 0 {
		nontemporal.Widen(start, unsafe.Pointer(unsafe.SliceData(short)), lines)
		nontemporal.Drain()
	} else {
		lines = 0
	}
	for i := lines * nontemporal.Widened; i < len(to); i++ {
		to[i] = graph.Global(short[i])
	}
}
