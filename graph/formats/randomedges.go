// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"errors"
	"fmt"
	"math"

	"g500/graph"
	"g500/kronecker"
)

// kron is the official edge list of the benchmark, made by package kronecker.
func kron(v values) (Size, generator, error) {
	p := kronecker.Params{
		Scale: int(v.integer("scale")), EdgeFactor: v.integer("edgefactor"), Seed1: v.seed("seed"), Seed2: v.seed("seed2"),
	}
	return Size{Vertices: int64(p.Vertices()), Edges: p.Edges()}, func(on task) (*list, error) {
		return on.generated(p.Edges(), 1, func(lo, hi int64, into *chunk) {
			var edges [1 << 12]graph.Edge // starting a Fill costs as much as some hundred edges
			for at := lo; at < hi; at += int64(len(edges)) {
				some := edges[:min(int64(len(edges)), hi-at)]
				p.Fill(at, some, nil)
				for _, e := range some {
					into.add(uint32(e.U()), uint32(e.V()))
				}
			}
		})
	}, nil
}

// rmat draws each edge by choosing one of four quadrants of the adjacency matrix, scale times (Chakrabarti, Zhan,
// Faloutsos: R-MAT: A Recursive Model for Graph Mining, SDM 2004). a, b and c are the shares of the quadrants (0,0),
// (0,1) and (1,0). Vertices are not renumbered: if a is the largest share, low numbers have the most edges.
func rmat(v values) (Size, generator, error) {
	const levels = 64 // random words per edge
	scale, draws := int(v.integer("scale")), newStream(v.seed("seed"), forEdges)
	a, ab := v.real("a"), v.real("a")+v.real("b")
	abc := ab + v.real("c")
	if abc > 1+1e-9 {
		return Size{}, nil, errors.New("a + b + c is more than 1: they are the shares of three quadrants, " +
			"and the fourth has the rest")
	}
	n := int64(1) << scale
	m := n * v.integer("edgefactor")
	return Size{Vertices: n, Edges: m}, func(on task) (*list, error) {
		return on.generated(m, 1, func(lo, hi int64, into *chunk) {
			for i := lo; i < hi; i++ {
				var from, to uint32
				for level := range scale {
					from, to = from<<1, to<<1
					switch x := draws.unit(uint64(i)*levels + uint64(level)); {
					case x < a:
					case x < ab:
						to |= 1
					case x < abc:
						from |= 1
					default:
						from, to = from|1, to|1
					}
				}
				into.add(from, to)
			}
		})
	}, nil
}

// meanDegreeEdges returns the number of edges with which n vertices have a mean degree, or an error if there are not
// that many pairs of vertices.
func meanDegreeEdges(n int64, degree float64) (int64, error) {
	if degree > float64(n-1) {
		return 0, fmt.Errorf("degree = %g: %d vertices have at most %d neighbours each", degree, n, n-1)
	}
	return int64(math.Round(float64(n) * degree / 2)), nil
}

// uniform is drawn from all graphs with n vertices and m edges, G(n, m) of Erdos and Renyi, without duplicates and
// self-loops. The edges are the first m of a random permutation of all pairs of vertices.
func uniform(v values) (Size, generator, error) {
	n := v.integer("vertices")
	m, err := meanDegreeEdges(n, v.real("degree"))
	return Size{Vertices: n, Edges: m}, func(on task) (*list, error) {
		pairs := newPermutation(pairsOf(uint64(n)), newStream(v.seed("seed"), forEdges))
		return on.generated(m, 1, func(lo, hi int64, into *chunk) {
			for i := lo; i < hi; i++ {
				into.add(pairOf(pairs.at(uint64(i)), uint64(n)))
			}
		})
	}, err
}

// pairsOf returns the number of pairs of n vertices. The product fits into 64 bits for n up to MaxVertices.
func pairsOf(n uint64) uint64 { return n * (n - 1) / 2 }

// pairOf returns pair number t of n vertices, for t below pairsOf(n): on a circle of all vertices, first the pairs of
// adjacent vertices, then those with one vertex between them, and so on.
func pairOf(t, n uint64) (u, v uint32) {
	at, apart := t%n, t/n+1
	return uint32(at), uint32((at + apart) % n)
}
