// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"math"
	"math/bits"
	"sort"

	"g500/graph"
	"g500/internal/par"
)

// Graph is a graph as compressed sparse rows, its vertices numbered as in the input, from 0. The neighbours of vertex v
// are Neighbours[Offsets[v]:Offsets[v+1]], in rising order. The rows of both ends have an undirected edge; a self-loop
// has one entry.
type Graph struct {
	Offsets    []int64   // one more than there are vertices
	Neighbours []uint32  // one for each entry
	Weights    []float32 // one for each entry, or nil if edges have no weights
	Directed   bool

	Repeats // of the input, even if the graph does not have them
	Reading // of the file that has the graph; zero for a generated graph

	loops int64 // entries that lead to their own row
}

// MaxVertices is the largest number of vertices of a Graph: 32 bits hold any vertex number, and the number of vertices.
const MaxVertices = 1<<32 - 1

// Vertices returns the number of vertices, including isolated ones.
func (g *Graph) Vertices() int { return len(g.Offsets) - 1 }

// Entries returns the number of neighbours in all rows.
func (g *Graph) Entries() int64 { return int64(len(g.Neighbours)) }

// Edges returns the number of edges. An undirected edge counts once, although it has two entries.
func (g *Graph) Edges() int64 {
	if g.Directed {
		return g.Entries()
	}
	return (g.Entries() + g.loops) / 2
}

// Row returns the neighbours of a vertex. It must not be changed.
func (g *Graph) Row(v int) []uint32 { return g.Neighbours[g.Offsets[v]:g.Offsets[v+1]] }

// Degree returns the number of neighbours of a vertex, including duplicates.
func (g *Graph) Degree(v int) int { return int(g.Offsets[v+1] - g.Offsets[v]) }

// firstForward returns the first entry of a row that represents an edge, such that each edge counts once: in a directed
// graph all entries do, in an undirected one the entries that lead to the vertex itself or to a higher number.
func (g *Graph) firstForward(v int) int64 {
	if g.Directed {
		return g.Offsets[v]
	}
	row := g.Row(v)
	return g.Offsets[v] + int64(sort.Search(len(row), func(i int) bool { return row[i] >= uint32(v) }))
}

// eachEdge calls body for each edge once, with its index among the entries, until body returns an error.
func (g *Graph) eachEdge(body func(u, v int, at int64) error) error {
	for u := range g.Vertices() {
		for at := g.firstForward(u); at < g.Offsets[u+1]; at++ {
			if err := body(u, int(g.Neighbours[at]), at); err != nil {
				return err
			}
		}
	}
	return nil
}

// rowsAPiece is the number of rows that a worker takes at a time.
const rowsAPiece = 1 << 12

// eachRows calls body for pieces of the rows, on several workers. Piece p begins at row p*rowsAPiece.
func (g *Graph) eachRows(workers int, body func(lo, hi int)) {
	par.For(workers, g.Vertices(), rowsAPiece, func(_, lo, hi int) { body(lo, hi) })
}

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
	par.SumUp(1, l.before)
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

// Degrees are statistics of the numbers of neighbours of the vertices, including duplicates. In a directed graph, only
// the edges that leave a vertex count.
type Degrees struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"standard_deviation"` // of all vertices, not of a sample
	Max       int     `json:"max"`
	MaxVertex int     `json:"max_vertex"` // the first vertex with that degree
	Gini      float64 `json:"gini"`       // 0 if all degrees are equal, near 1 if few vertices have nearly all edges
	Powers    []int64 `json:"powers"`     // numbers of vertices of degree 0, 1, 2 to 3, 4 to 7 and so on
}

// Degrees returns the statistics of all vertices.
func (g *Graph) Degrees() Degrees {
	n := g.Vertices()
	if n == 0 {
		return Degrees{}
	}
	d := Degrees{Mean: float64(g.Entries()) / float64(n), Max: -1}
	squares := 0.0
	for v := range n {
		degree := g.Degree(v)
		if degree > d.Max {
			d.Max, d.MaxVertex = degree, v
		}
		for len(d.Powers) <= bits.Len(uint(degree)) {
			d.Powers = append(d.Powers, 0)
		}
		d.Powers[bits.Len(uint(degree))]++
		squares += (float64(degree) - d.Mean) * (float64(degree) - d.Mean)
	}
	d.Deviation = math.Sqrt(squares / float64(n))
	d.Gini = g.gini(d.Max)
	return d
}

// gini returns the coefficient of Gini (1912) of the degrees, of which most is the largest: the mean difference of the
// degrees of two vertices over twice the mean degree. For degrees d in rising order, i from 1, it is
// 2 sum(i d) / (n sum(d)) - (n+1)/n.
func (g *Graph) gini(most int) float64 {
	if g.Entries() == 0 {
		return 0
	}
	vertices := make([]int64, most+1)
	for v := range g.Vertices() {
		vertices[g.Degree(v)]++
	}
	before, ranks := 0.0, 0.0
	for degree, count := range vertices {
		k := float64(count)
		ranks += float64(degree) * (k*before + k*(k+1)/2)
		before += k
	}
	n := float64(g.Vertices())
	return 2*ranks/(n*float64(g.Entries())) - (n+1)/n
}

// Components returns the number of connected components, the number of vertices of the largest one, and the number of
// isolated vertices, which are components of one vertex. Components of a directed graph are the weakly connected ones.
//
// Sets of vertices are trees in an array; an edge joins two sets, and each walk to a root halves its path (Tarjan, van
// Leeuwen: Worst-case Analysis of Set Union Algorithms, J. ACM 31, 1984).
func (g *Graph) Components() (count, largest, isolated int) {
	parent := make([]uint32, g.Vertices())
	for v := range parent {
		parent[v] = uint32(v)
	}
	root := func(v uint32) uint32 {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	for v := range parent {
		for _, to := range g.Row(v) {
			if a, b := root(uint32(v)), root(to); a != b {
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	size := make([]int, len(parent))
	for v := range parent {
		size[root(uint32(v))]++
	}
	for _, vertices := range size {
		largest = max(largest, vertices)
		if vertices > 0 {
			count++
		}
		if vertices == 1 {
			isolated++
		}
	}
	return count, largest, isolated
}

// Sweep is the result of a search from a root.
type Sweep struct {
	Eccentricity int // the largest distance of a reached vertex from the root, in edges
	Farthest     int // the first vertex that was found at that distance
	Reached      int // vertices, including the root
}

// Sweep searches from a root, vertex by vertex.
func (g *Graph) Sweep(root int) Sweep {
	seen := make([]bool, g.Vertices())
	seen[root] = true
	level, s := []uint32{uint32(root)}, Sweep{}
	for depth := 0; len(level) > 0; depth++ {
		s = Sweep{depth, int(level[0]), s.Reached + len(level)}
		var next []uint32
		for _, v := range level {
			for _, to := range g.Row(int(v)) {
				if !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		level = next
	}
	return s
}

// DiameterAtLeast returns a lower bound of the diameter of a root's component, mostly a close one: the larger of the
// eccentricities of the root and of the vertex farthest from it (the double sweep of Magnien, Latapy, Habib: Fast
// Computation of Empirically Tight Bounds for the Diameter of Massive Graphs, J. Exp. Algorithmics 13, 2009). For a
// directed graph it bounds the largest finite distance.
func (g *Graph) DiameterAtLeast(from Sweep) int {
	return max(from.Eccentricity, g.Sweep(from.Farthest).Eccentricity)
}
