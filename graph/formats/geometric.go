// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"math"

	"g500/internal/par"
)

// geometricSize counts the expected edges and six standard deviations more.
func geometricSize(v values) (Size, error) {
	n := v.integer("vertices")
	m, err := meanDegreeEdges(n, v.real("degree"))
	deviation := math.Sqrt(float64(m) * (1 + v.real("degree")))
	return Size{Vertices: n, Edges: min(m+6*int64(deviation), int64(pairsOf(uint64(n)))), Extra: 24 * n}, err
}

// radius returns the radius of a circle in the unit square with degree other points on average.
func radius(n int64, degree float64) float64 {
	return math.Sqrt(degree / (math.Pi * float64(max(n-1, 1))))
}

// geometric is a random geometric graph: points drawn from the unit square, with an edge between points whose distance
// is at most a radius (Penrose: Random Geometric Graphs, 2003). The mean degree is slightly below the parameter because
// points near the border have fewer neighbours.
func geometric(on task) (*list, error) {
	n, draws := on.size.Vertices, newStream(on.seed("seed"), forPoints)
	s := newSquare(n, radius(n, on.real("degree")), draws, on.workers)
	cells := int64(s.side) * int64(s.side)
	return on.generated(cells, float64(on.size.Edges)/float64(cells), func(lo, hi int64, into *chunk) {
		for cell := lo; cell < hi; cell++ {
			s.edgesOf(int(cell), into)
		}
	})
}

// square has points in the unit square, sorted into cells that are at least as wide as the radius: neighbours are in
// the same cell or in one of the eight around it.
type square struct {
	x, y   []float64
	radius float64
	side   int      // cells in a row, and rows
	begins []uint32 // the first point of each cell in points, and the number of points
	points []uint32 // by cell, then by number
}

func newSquare(n int64, radius float64, draws stream, workers int) *square {
	s := &square{x: make([]float64, n), y: make([]float64, n), radius: radius, points: make([]uint32, n)}
	s.side = max(1, int(min(1/radius, math.Sqrt(float64(n)))))
	par.For(workers, int(n), 1<<14, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			s.x[i], s.y[i] = draws.unit(2*uint64(i)), draws.unit(2*uint64(i)+1)
		}
	})
	s.begins = make([]uint32, s.side*s.side+1)
	for i := range s.x {
		s.begins[s.cellOf(i)]++
	}
	sum := uint32(0)
	for c, n := range s.begins {
		sum += n
		s.begins[c] = sum
	}
	for i := len(s.x) - 1; i >= 0; i-- {
		c := s.cellOf(i)
		s.begins[c]--
		s.points[s.begins[c]] = uint32(i)
	}
	return s
}

func (s *square) cellOf(i int) int {
	side := float64(s.side)
	return int(s.y[i]*side)*s.side + int(s.x[i]*side)
}

func (s *square) inCell(c int) []uint32 { return s.points[s.begins[c]:s.begins[c+1]] }

// edgesOf adds the edges inside a cell and the edges to the four neighbouring cells with higher numbers; the other four
// add their edges to this one.
func (s *square) edgesOf(cell int, into *chunk) {
	row, column := cell/s.side, cell%s.side
	own := s.inCell(cell)
	for i, u := range own {
		s.join(u, own[i+1:], into)
		for _, step := range [][2]int{{0, 1}, {1, -1}, {1, 0}, {1, 1}} {
			r, c := row+step[0], column+step[1]
			if r < s.side && c >= 0 && c < s.side {
				s.join(u, s.inCell(r*s.side+c), into)
			}
		}
	}
}

// join adds the edges from u to the near ones of other points. The conversions prevent fused multiply-add, so all
// processors make the same graph.
func (s *square) join(u uint32, others []uint32, into *chunk) {
	for _, v := range others {
		dx, dy := s.x[u]-s.x[v], s.y[u]-s.y[v]
		if float64(dx*dx)+float64(dy*dy) <= s.radius*s.radius {
			into.add(u, v)
		}
	}
}
