package formats

import (
	"bytes"
	"fmt"
	"math"
	"slices"
)

// adjHeader reads the first lines of a graph in the format of Ligra (Shun, Blelloch: Ligra: A Lightweight Graph
// Processing Framework for Shared Memory, 2013): its name, the numbers of vertices and edges. The offsets of the
// rows follow, the neighbours and, in a WeightedAdjacencyGraph, the weights, each number in its own line. Files
// cannot say that edges have no direction, so edges are arcs, as Ligra takes them.
func adjHeader(h *header) error {
	f := h.next(adjacency)
	name := bytes.TrimSpace(f.text)
	if !isAdjacency(name) {
		return f.fault(1, "expected %s or %s alone in the line, found %q: give format= if the file has another format",
			adjacency, weightedAdjacency, short(name))
	}
	h.weighted, h.arcs = string(name) == weightedAdjacency, true
	vertices := h.next("the number of vertices")
	h.vertices = vertices.integer("the number of vertices", 1, MaxVertices)
	if err := vertices.end("the number of vertices"); err != nil {
		return err
	}
	edges := h.next("the number of edges")
	h.tuplesOf(edges, "edges")
	return edges.end("the number of edges")
}

const (
	adjacency         = "AdjacencyGraph"
	weightedAdjacency = "WeightedAdjacencyGraph"
)

// isAdjacency reports whether a line is the first of a file in Ligra's format.
func isAdjacency(line []byte) bool {
	name := string(bytes.TrimSpace(line))
	return name == adjacency || name == weightedAdjacency
}

// adjLine parses a number. Until adjCheck, a pair has the 64 bits of an offset, a neighbour, or the bits of a weight.
func adjLine(h *header, b *block, into *chunk) {
	row := int64(b.row)
	b.row++
	switch {
	case row < h.vertices:
		offset := b.integer("the offset of a row", 0, h.tuples)
		into.add(uint32(offset>>32), uint32(offset))
	case row < h.vertices+h.tuples:
		into.add(0, uint32(b.integer("a neighbour", 0, h.vertices-1)))
	case h.weighted && row < h.vertices+2*h.tuples:
		into.add(0, math.Float32bits(b.weight()))
	case b.blank():
		return
	}
	b.end("a number, or after the last one")
}

// adjCheck makes tuples of the numbers.
func adjCheck(h *header, _ int, l *list) error {
	want := h.vertices + h.tuples
	if h.weighted {
		want += h.tuples
	}
	if n := l.tuples(); n != want {
		return fmt.Errorf("%s:%d:1: the file ends after %d of %d numbers", h.path, h.line+1, n, want)
	}
	offsets := make([]int64, 0, h.vertices+1)
	for _, c := range l.part(0, h.vertices) {
		for _, e := range c.pairs {
			offsets = append(offsets, int64(e.u)<<32|int64(e.v))
		}
	}
	offsets = append(offsets, h.tuples)
	if offsets[0] != 0 || !slices.IsSorted(offsets) {
		return fmt.Errorf("%s: the offsets of the rows do not rise from 0", h.path)
	}
	edges, weights := l.part(h.vertices, h.vertices+h.tuples), l.part(h.vertices+h.tuples, want)
	row, at := 0, int64(0)
	for _, c := range edges {
		for i := range c.pairs {
			for offsets[row+1] <= at {
				row++
			}
			c.pairs[i].u = uint32(row)
			at++
		}
	}
	l.chunks = edges
	if h.weighted {
		l.takeWeights(weights)
	}
	return nil
}

// part returns the tuples lo to hi-1 of a list.
func (l *list) part(lo, hi int64) (part []chunk) {
	begin := int64(0)
	for _, c := range l.chunks {
		end := begin + int64(len(c.pairs))
		if from, to := max(lo, begin), min(hi, end); from < to {
			part = append(part, chunk{pairs: c.pairs[from-begin : to-begin]})
		}
		begin = end
	}
	return part
}

// takeWeights gives each tuple its weight, which has its bits in the second word of a pair.
func (l *list) takeWeights(bits []chunk) {
	weights := make([]float32, 0, l.tuples())
	for _, c := range bits {
		for _, e := range c.pairs {
			weights = append(weights, math.Float32frombits(e.v))
		}
	}
	for i := range l.chunks {
		n := len(l.chunks[i].pairs)
		l.chunks[i].weights, weights = weights[:n:n], weights[n:]
	}
}
