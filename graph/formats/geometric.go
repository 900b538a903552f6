package formats

import (
	"math"

	"g500/internal/par"
)

// geometricSize counts what is expected, and six standard deviations more.
func geometricSize(v values) (Size, error) {
	n := v.whole("vertices")
	m, err := meanDegreeEdges(n, v.fraction("degree"))
	deviation := math.Sqrt(float64(m) * (1 + v.fraction("degree")))
	return Size{Vertices: n, Edges: min(m+6*int64(deviation), int64(pairsOf(uint64(n)))), Extra: 24 * n}, err
}

// radius gives each vertex that mean degree, away from the border: the expected number of others in a circle.
func radius(n int64, degree float64) float64 {
	return math.Sqrt(degree / (math.Pi * float64(max(n-1, 1))))
}

// geometric is a random geometric graph: points drawn from the unit square, with an edge between those whose distance
// is at most a radius (Penrose: Random Geometric Graphs, 2003). Points near the border have fewer neighbours, so the
// mean degree is a little below the one that is asked for.
func geometric(on resources, v values) (*list, error) {
	size, err := geometricSize(v)
	if err != nil {
		return nil, err
	}
	n, draws := size.Vertices, newStream(v.seed("seed"), forPoints)
	s := newSquare(n, radius(n, v.fraction("degree")), draws, on.workers)
	cells := int64(s.side) * int64(s.side)
	each := float64(size.Edges) / float64(cells)
	parts, err := generated(on, cells, each, func(lo, hi int64, into *part) {
		for cell := lo; cell < hi; cell++ {
			s.edgesOf(int(cell), into)
		}
	})
	return &list{vertices: n, parts: parts, undirected: true}, err
}

// square is points in the unit square, sorted into cells that are not narrower than the radius: neighbours lie in the
// same cell or in one of the eight around it.
type square struct {
	x, y   []float64
	radius float64
	side   int      // cells in a row, and rows
	begins []uint32 // where each cell begins in points, and at the end their number
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
	s.sort()
	return s
}

// sort puts the points into their cells: it counts, sums and places, and moves what begins has become back by one.
func (s *square) sort() {
	s.begins = make([]uint32, s.side*s.side+1)
	for i := range s.x {
		s.begins[s.cellOf(i)]++
	}
	sum := uint32(0)
	for c, n := range s.begins {
		s.begins[c] = sum
		sum += n
	}
	for i := range s.x {
		c := s.cellOf(i)
		s.points[s.begins[c]] = uint32(i)
		s.begins[c]++
	}
	copy(s.begins[1:], s.begins)
	s.begins[0] = 0
}

func (s *square) cellOf(i int) int {
	side := float64(s.side)
	return int(s.y[i]*side)*s.side + int(s.x[i]*side)
}

func (s *square) inCell(c int) []uint32 { return s.points[s.begins[c]:s.begins[c+1]] }

// edgesOf adds the edges inside a cell, and those to the four cells behind it: the other four add theirs to it.
func (s *square) edgesOf(cell int, into *part) {
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

// join adds the edges from u to those of some points that are near enough. The products are converted so that no
// processor rounds their sum once instead of twice.
func (s *square) join(u uint32, others []uint32, into *part) {
	for _, v := range others {
		dx, dy := s.x[u]-s.x[v], s.y[u]-s.y[v]
		if float64(dx*dx)+float64(dy*dy) <= s.radius*s.radius {
			into.add(u, v)
		}
	}
}
