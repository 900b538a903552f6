// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"math"

	"g500/internal/par"
)

// gridSteps returns the steps of a stencil that lead to a vertex with a higher number: half of the neighbours, which is
// 2 of 4 or 4 of 8 in the plane, and 3 of 6 or 13 of 26 in space. Neighbours along axis 0 have consecutive numbers.
func gridSteps(axes int, diagonal bool) (steps [][3]int64) {
	for code := range 27 { // the digits of code to base 3 are the coordinates plus one, and 13 is no step
		step := [3]int64{int64(code%3) - 1, int64(code/3%3) - 1, int64(code/9) - 1}
		moved := abs(step[0]) + abs(step[1]) + abs(step[2])
		if code > 13 && (axes == 3 || step[2] == 0) && (diagonal || moved == 1) {
			steps = append(steps, step)
		}
	}
	return steps
}

// grid is a regular grid in the plane or in space: each vertex has an edge to its neighbours along the axes (stencils
// of 5 and 7 points), with diagonal to all around it (9 and 27). For each step there are as many edges as vertices from
// which it does not leave the grid.
func grid(v values) (Size, generator, error) {
	sides := v.sides()
	steps, size := gridSteps(len(sides), v.is("diagonal")), Size{Vertices: product(sides)}
	for _, step := range steps {
		edges := int64(1)
		for axis, side := range sides {
			edges *= side - abs(step[axis])
		}
		size.Edges += edges
	}
	return size, func(on task) (*list, error) {
		return on.generated(size.Vertices, float64(len(steps)), func(lo, hi int64, into *chunk) {
			for vertex := lo; vertex < hi; vertex++ {
				for _, step := range steps {
					if to, inside := stepped(vertex, step, sides); inside {
						into.add(uint32(vertex), uint32(to))
					}
				}
			}
		})
	}, nil
}

// stepped returns the vertex to which a step leads, and whether it is inside the grid.
func stepped(vertex int64, step [3]int64, sides []int64) (to int64, inside bool) {
	to = vertex
	stride := int64(1)
	for axis, side := range sides {
		at := vertex / stride % side
		if at+step[axis] < 0 || at+step[axis] >= side {
			return 0, false
		}
		to += step[axis] * stride
		stride *= side
	}
	return to, true
}

func product(sides []int64) int64 {
	n := int64(1)
	for _, side := range sides {
		n *= side
	}
	return n
}

func abs(d int64) int64 { return max(d, -d) }

// radius returns the radius of a circle in the unit square with degree other points on average.
func radius(n int64, degree float64) float64 {
	return math.Sqrt(degree / (math.Pi * float64(max(n-1, 1))))
}

// geometric is a random geometric graph: points drawn from the unit square, with an edge between points whose distance
// is at most a radius (Penrose: Random Geometric Graphs, 2003). The mean degree is slightly below the parameter because
// points near the border have fewer neighbours. The size has the expected edges and six standard deviations more.
func geometric(v values) (Size, generator, error) {
	n, degree := v.integer("vertices"), v.real("degree")
	m, err := meanDegreeEdges(n, degree)
	m = min(m+6*int64(math.Sqrt(float64(m)*(1+degree))), int64(pairsOf(uint64(n))))
	return Size{Vertices: n, Edges: m, Extra: 24 * n}, func(on task) (*list, error) {
		s := newSquare(n, radius(n, degree), newStream(v.seed("seed"), forPoints), on.workers)
		cells := int64(s.side) * int64(s.side)
		return on.generated(cells, float64(m)/float64(cells), func(lo, hi int64, into *chunk) {
			for cell := lo; cell < hi; cell++ {
				s.edgesOf(int(cell), into)
			}
		})
	}, err
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

// road is a synthetic graph like a road network; no value was measured on roads. Crossings form a grid. Each street
// between neighbouring crossings exists with probability keep. A street is a chain of vertices of degree 2 between its
// ends; their number has a geometric distribution with mean chain. The graph has the properties of road networks that
// matter to a traversal: a mean degree of about 2.5 (by default 4 * 0.8 * 2 / 2.6), most vertices with 1 to 4
// neighbours, nearly all vertices in one component, and a diameter of the order of the sides. It has neither highways
// nor a hierarchy nor a coast.
//
// The vertices of the streets to the east and to the south follow their crossing in the numbering, so neighbours mostly
// have close numbers, as in files of road networks. The size has the expected vertices and edges and six standard
// deviations more.
func road(v values) (Size, generator, error) {
	sides, keep, chain, seed := v.sides(), v.real("keep"), v.real("chain"), v.seed("seed")
	crossings := product(sides)
	streets := 2*crossings - sides[0] - sides[1]
	kept, deviation := float64(streets)*keep, 6*math.Sqrt(float64(streets))*(1+chain)
	between := int64(kept*chain + deviation*(1+chain))
	size := Size{Vertices: crossings + between, Edges: int64(kept+deviation) + between, Extra: 8 * crossings}
	return size, func(on task) (*list, error) {
		r := &roads{width: sides[0], height: sides[1], keep: keep, longer: chain / (1 + chain),
			streets: newStream(seed, forStreets), chains: newStream(seed, forChains)}
		if on.size.Vertices = r.number(on.workers); on.size.Vertices > MaxVertices {
			return nil, errTooManyVertices
		}
		return on.generated(crossings, 4, func(lo, hi int64, into *chunk) {
			for crossing := lo; crossing < hi; crossing++ {
				r.edgesOf(crossing, into)
			}
		})
	}, nil
}

// roads are the streets of a road network. Street 2c leads from crossing c to the east, street 2c+1 to the south.
type roads struct {
	width, height   int64
	keep, longer    float64 // probabilities: of a street, and that a chain has a further vertex
	streets, chains stream
	first           []uint64 // the number of each crossing
}

// street reports whether a street exists, to which crossing it leads, and the number of vertices between its ends.
func (r *roads) street(s int64) (kept bool, to int64, between uint64) {
	const longest = 256 // random words per street; with the default mean no chain is so long
	crossing := s / 2
	to = crossing + 1
	inside := to%r.width != 0
	if s%2 == 1 {
		to = crossing + r.width
		inside = to < r.width*r.height
	}
	if !inside || r.streets.unit(uint64(s)) >= r.keep {
		return false, 0, 0
	}
	for between < longest-1 && r.chains.unit(uint64(s)*longest+between) < r.longer {
		between++
	}
	return true, to, between
}

// number numbers the crossings, and returns the number of vertices.
func (r *roads) number(workers int) int64 {
	r.first = make([]uint64, r.width*r.height)
	par.For(workers, len(r.first), 1<<14, func(_, lo, hi int) {
		for c := int64(lo); c < int64(hi); c++ {
			_, _, east := r.street(2 * c)
			_, _, south := r.street(2*c + 1)
			r.first[c] = 1 + east + south
		}
	})
	sum := uint64(0)
	for c, n := range r.first {
		r.first[c] = sum
		sum += n
	}
	return int64(sum)
}

// edgesOf adds the edges of a crossing's streets to the east and to the south.
func (r *roads) edgesOf(crossing int64, into *chunk) {
	next := uint32(r.first[crossing]) + 1
	for s := 2 * crossing; s < 2*crossing+2; s++ {
		kept, to, between := r.street(s)
		if !kept {
			continue
		}
		at := uint32(r.first[crossing])
		for range between {
			into.add(at, next)
			at, next = next, next+1
		}
		into.add(at, uint32(r.first[to]))
	}
}
