// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"math"
	"unsafe"

	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/nontemporal"
	"g500/internal/par"
)

// Label is a label, or graph.NoParent.
type Label interface{ int32 | graph.Global }

// LabelArray has a label for each vertex of a rank, by local id, or graph.NoParent. Labels have 32 bits if all labels of
// the graph fit. One of the arrays is nil.
type LabelArray struct {
	Short []int32
	Long  []graph.Global
}

// LabelBytes returns the size of a label in a LabelArray, in a graph with labels below vertices. Short labels have a
// sign, for graph.NoParent.
func LabelBytes(vertices int64) int64 {
	if vertices <= math.MaxInt32+1 {
		return 4
	}
	return 8
}

// newLabelArray returns labels of n vertices, all graph.NoParent, in a graph with labels below vertices.
func newLabelArray(workers, n int, vertices graph.Global) LabelArray {
	if LabelBytes(int64(vertices)) == 4 {
		return LabelArray{Short: noLabels[int32](workers, n)}
	}
	return LabelArray{Long: noLabels[graph.Global](workers, n)}
}

func noLabels[T Label](workers, n int) []T {
	labels := hugepage.MakeFull[T](workers, n)
	par.For(workers, n, vertexGrain, func(_, lo, hi int) { ClearLabels(labels[lo:hi]) })
	return labels
}

// At returns the label of a vertex.
func (a LabelArray) At(l graph.Local) graph.Global {
	if a.Long != nil {
		return a.Long[l]
	}
	return graph.Global(a.Short[l])
}

// Set sets the label of a vertex.
func (a LabelArray) Set(l graph.Local, label graph.Global) {
	if a.Long != nil {
		a.Long[l] = label
	} else {
		a.Short[l] = int32(label)
	}
}

// ClearLabels sets all labels to graph.NoParent.
func ClearLabels[T Label](labels []T) {
	for i := range labels {
		labels[i] = T(graph.NoParent)
	}
}

// CopyLabels copies labels past the caches.
func CopyLabels[T Label](to, from []T) {
	perLine := nontemporal.LineBytes / int(unsafe.Sizeof(to[0]))
	lines := len(to) / perLine
	if start := unsafe.Pointer(&to[0]); uintptr(start)%nontemporal.LineBytes == 0 {
		nontemporal.Stream(start, unsafe.Pointer(&from[0]), lines)
		nontemporal.Drain()
	} else {
		lines = 0
	}
	copy(to[lines*perLine:], from[lines*perLine:])
}
