// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"math"
)

// meanDegreeEdges returns the number of edges with which n vertices have a mean degree, or an error if there are not
// that many pairs of vertices.
func meanDegreeEdges(n int64, degree float64) (int64, error) {
	if degree > float64(n-1) {
		return 0, fmt.Errorf("degree = %g: %d vertices have at most %d neighbours each", degree, n, n-1)
	}
	return int64(math.Round(float64(n) * degree / 2)), nil
}

func uniformSize(v values) (Size, error) {
	n := v.integer("vertices")
	m, err := meanDegreeEdges(n, v.real("degree"))
	return Size{Vertices: n, Edges: m}, err
}

// uniform is drawn from all graphs with n vertices and m edges, G(n, m) of Erdos and Renyi, without duplicates and
// self-loops. The edges are the first m of a random permutation of all pairs of vertices.
func uniform(on task) (*list, error) {
	n := uint64(on.size.Vertices)
	pairs := newPermutation(pairsOf(n), newStream(on.seed("seed"), forEdges))
	return on.generated(on.size.Edges, 1, func(lo, hi int64, into *chunk) {
		for i := lo; i < hi; i++ {
			into.add(pairOf(pairs.at(uint64(i)), n))
		}
	})
}

// pairsOf returns the number of pairs of n vertices. The product fits into 64 bits for n up to MaxVertices.
func pairsOf(n uint64) uint64 { return n * (n - 1) / 2 }

// pairOf returns pair number t of n vertices, for t below pairsOf(n): on a circle of all vertices, first the pairs of
// adjacent vertices, then those with one vertex between them, and so on.
func pairOf(t, n uint64) (u, v uint32) {
	at, apart := t%n, t/n+1
	return uint32(at), uint32((at + apart) % n)
}
