// SPDX-License-Identifier: Apache-2.0

package bfstest

import (
	"math/rand/v2"
	"slices"

	"g500/graph"
)

// Case is a graph and the roots to search from.
type Case struct {
	Name  string
	Edges []graph.Edge
	Roots []graph.Global
}

// Cases returns the graphs of the suite, except the official ones.
func Cases() []Case {
	return []Case{
		{"one vertex", Tuples(0, 0), roots(0)},
		{"one edge", Tuples(0, 1), roots(0, 1)},
		{"self-loops and duplicates", Tuples(0, 1, 1, 0, 0, 1, 1, 1, 2, 2, 1, 3, 3, 3), roots(0, 1, 2, 3)},
		{"several components", Tuples(0, 1, 2, 3, 3, 4, 4, 2, 6, 7, 9, 9), roots(0, 3, 6, 9)},
		{"isolated roots", Tuples(1, 2, 9, 9), roots(0, 5, 9)},
		{"labels far apart", Tuples(0, 100_000, 100_000, 77_777, 77_777, 3), roots(0, 3)},
		{"path", path(700), roots(0, 350, 699)},
		{"ring", ring(129), roots(0, 64)},
		{"star from its centre and a leaf", star(1000), roots(0, 1, 999)},
		{"two stars", twoStars(300), roots(0, 1, 300, 500)},
		{"complete", complete(67), roots(0, 66)},
		{"random, sparse", random(1, 500, 600), roots(0, 17, 499)},
		{"random, dense", random(2, 200, 8000), roots(0, 199)},
		{"random, odd sizes", random(3, 129, 1001), roots(5, 128)},
		{"hubs and leaves", HubsAndLeaves(4, 3000, 20_000), roots(0, 1, 2999)},
		{"only pairs", Tuples(0, 1, 5, 2, 3, 9), roots(0, 1, 2, 5, 9, 4)},
		{"pairs and a ring", append(ring(70), Tuples(100, 101, 71, 75)...), roots(100, 101, 71, 75, 3)},
		{"leaves of one rank only", leavesOfStride(12, 36), roots(0, 1, 12, 24, 420)},
		{"leaves of unreached vertices", unreachedLeaves(40), roots(0, 39, 40, 41, 80, 120, 200)},
		{"a large ring and a small one", append(shifted(ring(100), 9), ring(9)...), roots(0, 8, 9, 108)},
		{"a leaf that has its tuple twice", Tuples(0, 1, 0, 2, 0, 2, 0, 3, 3, 4, 2, 0), roots(0, 1, 2, 4)},
		{"a chain with leaves", withLeaves(path(130), 130), roots(0, 65, 129, 130, 200, 259)},
		{"leaves of hubs, and hubs of leaves", leafyHubs(6, 50, 4000), roots(0, 49, 50, 2000, 4049)},
	}
}

// DirectedCases returns directed graphs: the edges of all cases are arcs.
func DirectedCases() []Case {
	return append(Cases(), []Case{
		{"one arc", Tuples(1, 0), roots(1, 0)},
		{"one arc, and its opposite twice", Tuples(0, 1, 1, 0, 1, 0), roots(0, 1)},
		{"chain against the labels", reversed(path(300)), roots(299, 150, 0)},
		{"ring with an unreached source for each vertex", withLeaves(ring(64), 64), roots(0, 63, 64, 127)},
		{"sink of a dense part", append(complete(40), star(500)...), roots(39, 20, 499, 0)},
		{"source of a dense part", append(reversed(star(500)), random(5, 500, 3000)...), roots(0, 1, 499)},
		{"layers, each joined to the next", layers(12, 40), roots(0, 200, 479)},
		{"two strong parts, joined one way", joinedOneWay(90), roots(0, 89, 90, 179)},
		{"hubs that few arcs leave", append(HubsAndLeaves(7, 900, 9000), reversed(star(900))...), roots(0, 1, 450, 899)},
		{"sparse, with many sources and sinks", random(8, 3000, 4000), roots(0, 5, 1500, 2999)},
	}...)
}

func roots(labels ...graph.Global) []graph.Global { return labels }

// Tuples returns the edges of pairs of labels.
func Tuples(labels ...graph.Global) (edges []graph.Edge) {
	for pair := range slices.Chunk(labels, 2) {
		edges = append(edges, graph.NewEdge(pair[0], pair[1]))
	}
	return edges
}

func path(n graph.Global) (edges []graph.Edge) {
	for v := graph.Global(1); v < n; v++ {
		edges = append(edges, graph.NewEdge(v-1, v))
	}
	return edges
}

func star(n graph.Global) (edges []graph.Edge) {
	for v := graph.Global(1); v < n; v++ {
		edges = append(edges, graph.NewEdge(v, 0))
	}
	return edges
}

// twoStars returns stars with centres 0 and n, which are joined by an edge.
func twoStars(n graph.Global) []graph.Edge {
	return append(append(star(n), reversed(shifted(star(n), n))...), graph.NewEdge(0, n))
}

func complete(n graph.Global) (edges []graph.Edge) {
	for u := range n {
		for v := range u {
			edges = append(edges, graph.NewEdge(u, v))
		}
	}
	return edges
}

func random(seed uint64, n int64, m int) []graph.Edge {
	rng := rand.New(rand.NewPCG(seed, 0))
	edges := make([]graph.Edge, m)
	for i := range edges {
		edges[i] = graph.NewEdge(graph.Global(rng.Int64N(n)), graph.Global(rng.Int64N(n)))
	}
	return edges
}

// HubsAndLeaves draws labels with a falling density: few vertices have most of the edges, and many have none, as in a
// Kronecker graph.
func HubsAndLeaves(seed uint64, n int64, m int) []graph.Edge {
	rng := rand.New(rand.NewPCG(seed, 0))
	draw := func() graph.Global {
		x := rng.Float64()
		return graph.Global(x * x * x * x * float64(n))
	}
	edges := []graph.Edge{graph.NewEdge(0, graph.Global(n-1))}
	for len(edges) < m {
		edges = append(edges, graph.NewEdge(draw(), draw()))
	}
	return edges
}

func ring(n graph.Global) []graph.Edge { return append(path(n), graph.NewEdge(n-1, 0)) }

// shifted adds a number to every label.
func shifted(edges []graph.Edge, by graph.Global) (moved []graph.Edge) {
	for _, e := range edges {
		moved = append(moved, graph.NewEdge(e.U()+by, e.V()+by))
	}
	return moved
}

// leavesOfStride returns a ring whose vertices have leaves with labels that are multiples of stride. One rank owns all
// leaves if the number of ranks divides stride.
func leavesOfStride(stride, n graph.Global) (edges []graph.Edge) {
	for v := range n {
		edges = append(edges, graph.NewEdge(v*stride+1, (v+1)%n*stride+1), graph.NewEdge(v*stride+1, v*stride))
	}
	return edges
}

// unreachedLeaves returns two separate rings of n vertices, and a star. Each vertex of a ring has a leaf.
func unreachedLeaves(n graph.Global) (edges []graph.Edge) {
	for v := range n {
		next := (v + 1) % n
		edges = append(edges, graph.NewEdge(v, next), graph.NewEdge(v, v+2*n))
		edges = append(edges, graph.NewEdge(v+n, next+n), graph.NewEdge(v+3*n, v+n))
		edges = append(edges, graph.NewEdge(4*n, 4*n+1+v))
	}
	return edges
}

// withLeaves joins a further vertex to each of n vertices.
func withLeaves(edges []graph.Edge, n graph.Global) []graph.Edge {
	for v := range n {
		edges = append(edges, graph.NewEdge(v+n, v))
	}
	return edges
}

// leafyHubs joins hubs at random and adds leaves to them; a few hubs have only leaves.
func leafyHubs(seed uint64, hubs, leaves int64) []graph.Edge {
	edges := random(seed, hubs*4/5, int(hubs))
	rng := rand.New(rand.NewPCG(seed, 1))
	for leaf := hubs; leaf < hubs+leaves; leaf++ {
		edges = append(edges, graph.NewEdge(graph.Global(leaf), graph.Global(rng.Int64N(hubs))))
	}
	return edges
}

// reversed exchanges sources and targets.
func reversed(edges []graph.Edge) (all []graph.Edge) {
	for _, e := range edges {
		all = append(all, graph.NewEdge(e.V(), e.U()))
	}
	return all
}

// layers returns layers of size vertices, with arcs from each vertex to some of the next layer, and a few back to the
// first.
func layers(count, size int64) (edges []graph.Edge) {
	rng := rand.New(rand.NewPCG(9, 0))
	for v := range count*size - size {
		for range 5 {
			to := (v/size+1)*size + rng.Int64N(size)
			edges = append(edges, graph.NewEdge(graph.Global(v), graph.Global(to)))
		}
		if rng.IntN(50) == 0 {
			edges = append(edges, graph.NewEdge(graph.Global(v), graph.Global(rng.Int64N(size))))
		}
	}
	return append(edges, graph.NewEdge(0, graph.Global(count*size-1)))
}

// joinedOneWay returns two rings of n vertices with chords, and arcs from the first to the second.
func joinedOneWay(n graph.Global) []graph.Edge {
	edges := append(ring(n), shifted(ring(n), n)...)
	for v := range n {
		edges = append(edges, graph.NewEdge(v, v*v%n), graph.NewEdge(v+n, v*v%n+n))
		if v%7 == 0 {
			edges = append(edges, graph.NewEdge(v, v+n))
		}
	}
	return edges
}
