// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"sort"

	"g500/graph"
)

// EdgeList has the edges of a graph as a list of tuples, each edge once, in the order of rows. Any part of it can be
// read on its own, so each rank of a run reads its share.
type EdgeList struct {
	*Graph
	before []int64 // the number of edges before each piece of rows, and of all edges
}

// NewEdgeList counts the edges of a graph, with several workers.
func NewEdgeList(g *Graph, workers int) *EdgeList {
	pieces := (g.Vertices() + rowsAPiece - 1) / rowsAPiece
	l := &EdgeList{g, make([]int64, pieces+1)}
	g.eachRows(workers, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			l.before[lo/rowsAPiece+1] += g.Offsets[v+1] - g.firstForward(v)
		}
	})
	for p := range pieces {
		l.before[p+1] += l.before[p]
	}
	return l
}

// Tuples returns the number of tuples of the complete list.
func (l *EdgeList) Tuples() int64 { return l.before[len(l.before)-1] }

// CheckWeights returns an error that names the first edge with a weight that shortest paths do not accept.
func (l *EdgeList) CheckWeights() error {
	return l.eachEdge(func(u, v int, at int64) error {
		if err := graph.WeightError(l.Weights[at]); err != nil {
			from, to, numbered := uint64(u), uint64(v), "vertices"
			if l.Labels != nil {
				from, to, numbered = l.Labels[u], l.Labels[v], "labels"
			}
			return fmt.Errorf("the edge between %s %d and %d has %w: weights=uniform draws others", numbered, from, to, err)
		}
		return nil
	})
}

// Read fills dst with the tuples from number first on, and weights, unless it is nil, with their weights. The list must
// have len(dst) more tuples. weights has the length of dst, and is nil for a graph without weights.
func (l *EdgeList) Read(first int64, dst []graph.Edge, weights []float32) {
	piece := sort.Search(len(l.before)-1, func(p int) bool { return l.before[p+1] > first })
	skip := first - l.before[piece]
	for v := piece * rowsAPiece; len(dst) > 0; v++ {
		at, end := l.firstForward(v), l.Offsets[v+1]
		skipped := min(skip, end-at)
		skip -= skipped
		at += skipped
		n := min(int(end-at), len(dst))
		for i, neighbour := range l.Neighbours[at:][:n] {
			dst[i] = graph.NewEdge(graph.Global(v), graph.Global(neighbour))
		}
		if weights != nil {
			copy(weights[:n], l.Weights[at:])
			weights = weights[n:]
		}
		dst = dst[n:]
	}
}
