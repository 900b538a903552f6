package formats

import (
	"fmt"
	"sort"

	"g500/graph"
)

// EdgeList is the edges of a graph as a list of tuples, each edge once, in the order of rows. Any part of it can be
// read by itself, so that each rank of a run takes a share.
type EdgeList struct {
	g      *Graph
	before []int64 // edges in the pieces of rows before each piece, and in all
}

// NewEdgeList counts the edges of a graph, on that many workers.
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

// Tuples is the number of tuples in the whole list.
func (l *EdgeList) Tuples() int64 { return l.before[len(l.before)-1] }

// Vertices is the number of vertices of the graph; labels are below it.
func (l *EdgeList) Vertices() int { return l.g.Vertices() }

// Weighted reports whether the edges have weights.
func (l *EdgeList) Weighted() bool { return l.g.Weights != nil }

// Reading returns the record of how the graph's file was read.
func (l *EdgeList) Reading() Reading { return l.g.Reading }

// Read fills dst with the tuples from first on. The list must have as many.
func (l *EdgeList) Read(first int64, dst []graph.Edge) { l.read(first, dst, nil) }

// ReadWeighted is Read with the edges' weights, as many as tuples, or nil. A graph without weights takes nil only.
func (l *EdgeList) ReadWeighted(first int64, dst []graph.Edge, weights []float32) {
	l.read(first, dst, weights)
}

// CheckWeights returns an error that names the first edge with a weight that shortest paths do not take.
func (l *EdgeList) CheckWeights() error {
	return l.g.eachEdge(func(u, v int, at int64) error {
		if err := graph.WeightError(l.g.Weights[at]); err != nil {
			return fmt.Errorf("the edge between %d and %d has %w", u, v, err)
		}
		return nil
	})
}

func (l *EdgeList) read(first int64, dst []graph.Edge, weights []float32) {
	piece := sort.Search(len(l.before)-1, func(p int) bool { return l.before[p+1] > first })
	skip := first - l.before[piece]
	for v := piece * rowsAPiece; len(dst) > 0; v++ {
		at, end := l.g.firstForward(v), l.g.Offsets[v+1]
		passed := min(skip, end-at)
		skip -= passed
		n := min(int(end-at-passed), len(dst))
		for i, neighbour := range l.g.Neighbours[at+passed:][:n] {
			dst[i] = graph.NewEdge(graph.Global(v), graph.Global(neighbour))
		}
		if weights != nil {
			copy(weights[:n], l.g.Weights[at+passed:])
			weights = weights[n:]
		}
		dst = dst[n:]
	}
}
