package formats

import (
	"fmt"
	"math"
)

// meanDegreeEdges is the number of edges that give n vertices a mean degree, or an error where there are not so many
// pairs of vertices.
func meanDegreeEdges(n int64, degree float64) (int64, error) {
	if degree > float64(n-1) {
		return 0, fmt.Errorf("degree = %g: %d vertices have at most %d neighbours each", degree, n, n-1)
	}
	return int64(math.Round(float64(n) * degree / 2)), nil
}

func uniformSize(v values) (Size, error) {
	n := v.whole("vertices")
	m, err := meanDegreeEdges(n, v.fraction("degree"))
	return Size{Vertices: n, Edges: m}, err
}

// uniform is a graph drawn from all with n vertices and m edges, G(n, m) of Erdos and Renyi: no edge occurs twice, and
// none is a self-loop. The edges are the first m of a random permutation of all pairs of vertices.
func uniform(on resources, v values) (*list, error) {
	size, err := uniformSize(v)
	if err != nil {
		return nil, err
	}
	n := uint64(size.Vertices)
	pairs := newPermutation(pairsOf(n), newStream(v.seed("seed"), forEdges))
	parts, err := generated(on, size.Edges, 1, func(lo, hi int64, into *part) {
		for i := lo; i < hi; i++ {
			into.add(pairOf(pairs.at(uint64(i)), n))
		}
	})
	return &list{vertices: size.Vertices, parts: parts, undirected: true}, err
}

// pairsOf is the number of pairs of n vertices. Unsigned words hold the product for as many as there can be.
func pairsOf(n uint64) uint64 { return n * (n - 1) / 2 }

// pairOf is pair number t of n vertices: they stand on a circle, and first come the pairs of those side by side, then
// those with one vertex between, and so on. Each pair has one number below n(n-1)/2.
func pairOf(t, n uint64) (u, v uint32) {
	at, apart := t%n, t/n+1
	return uint32(at), uint32((at + apart) % n)
}
