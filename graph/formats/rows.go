package formats

import (
	"errors"
	"slices"
	"sync/atomic"
)

// checkRows returns an error unless offsets and neighbours are in range and, in an undirected graph, both ends of an
// edge have it with the same weight.
func (g *Graph) checkRows(workers int) error {
	if g.Offsets[0] != 0 || !slices.IsSorted(g.Offsets) || g.Offsets[g.Vertices()] != g.Entries() {
		return errors.New("the offsets of the rows do not rise from 0 to the number of entries")
	}
	var wrong, checksum atomic.Uint64
	g.eachRows(workers, func(lo, hi int) {
		outside, sum := uint64(0), uint64(0)
		for v := lo; v < hi; v++ {
			for at := g.Offsets[v]; at < g.Offsets[v+1]; at++ {
				to := int(g.Neighbours[at])
				if to >= g.Vertices() {
					outside++
				}
				edge := mix(uint64(min(v, to))<<32 | uint64(max(v, to)))
				if g.Weights != nil {
					edge = mix(edge + uint64(sortable(g.Weights[at])))
				}
				switch {
				case v < to:
					sum += edge
				case v > to:
					sum -= edge
				}
			}
		}
		wrong.Add(outside)
		checksum.Add(sum)
	})
	switch {
	case wrong.Load() > 0:
		return errors.New("a neighbour is no vertex")
	case !g.Directed && checksum.Load() != 0:
		return errors.New("the graph is undirected, but the reverse entry of an edge or its weight is missing")
	}
	return nil
}

// finished returns the rows of a list as a graph with the parameters of the spec, nil if it must be built anew.
func (l *list) finished(v values, workers int) *Graph {
	g, directed := l.rows, v.directed(l.arcs)
	if g == nil || g.Directed && !directed || v.is("shuffle") || drawnWeights[v["weights"]] != nil {
		return nil
	}
	least := int64(1) // difference of neighbours in a row
	if v["duplicates"] == "keep" {
		least = 0
	}
	var unusual atomic.Bool
	g.eachRows(workers, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			before := int64(-1)
			for _, to := range g.Row(u) {
				if int64(to)-before < least || int(to) == u && v["loops"] == "drop" {
					unusual.Store(true)
					return
				}
				before = int64(to)
			}
		}
	})
	if unusual.Load() {
		return nil
	}
	if v["weights"] == "none" {
		g.Weights = nil
	}
	g.Directed, g.Reading = directed, l.reading
	b := builder{list: l, g: g, workers: workers, directed: g.Directed, keepLoops: v["loops"] == "keep",
		keepDuplicates: v["duplicates"] == "keep"}
	b.keptRepeats()
	return g
}

// size returns the size of a list.
func (l *list) size() Size {
	if g := l.rows; g != nil {
		return Size{int64(g.Vertices()), g.Entries(), g.Weights != nil, 8*int64(g.Vertices()) + 8*g.Entries()}
	}
	return Size{Vertices: l.vertices, Edges: l.tuples(), Weighted: l.weighted()}
}

// unpackRows replaces the rows of a list by tuples, an undirected edge once.
func (l *list) unpackRows(workers int) {
	g := l.rows
	if g == nil {
		return
	}
	l.rows, l.chunks = nil, make([]chunk, (g.Vertices()+rowsAPiece-1)/rowsAPiece)
	g.eachRows(workers, func(lo, hi int) {
		c := &l.chunks[lo/rowsAPiece]
		for u := lo; u < hi; u++ {
			for at := g.Offsets[u]; at < g.Offsets[u+1]; at++ {
				to := g.Neighbours[at]
				switch {
				case !g.Directed && uint32(u) > to:
				case g.Weights != nil:
					c.addWeighted(uint32(u), to, g.Weights[at])
				default:
					c.add(uint32(u), to)
				}
			}
		}
	})
}

// transposed returns a directed graph with all edges reversed.
func (g *Graph) transposed() *Graph {
	t := &Graph{Directed: true, Offsets: make([]int64, len(g.Offsets)), Neighbours: make([]uint32, len(g.Neighbours))}
	if g.Weights != nil {
		t.Weights = make([]float32, len(g.Weights))
	}
	for _, v := range g.Neighbours {
		t.Offsets[v+1]++
	}
	for v := range g.Vertices() {
		t.Offsets[v+1] += t.Offsets[v]
	}
	next := slices.Clone(t.Offsets)
	for u := range g.Vertices() {
		for at := g.Offsets[u]; at < g.Offsets[u+1]; at++ {
			v := g.Neighbours[at]
			t.Neighbours[next[v]] = uint32(u)
			if g.Weights != nil {
				t.Weights[next[v]] = g.Weights[at]
			}
			next[v]++
		}
	}
	return t
}
