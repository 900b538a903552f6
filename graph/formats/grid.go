// SPDX-License-Identifier: Apache-2.0

package formats

// gridSize counts the edges of a grid: for each step, the vertices from which it does not leave the grid.
func gridSize(v values) (Size, error) {
	sides := v.sides()
	size := Size{Vertices: product(sides)}
	for _, step := range gridSteps(len(sides), v.is("diagonal")) {
		edges := int64(1)
		for axis, side := range sides {
			edges *= side - abs(step[axis])
		}
		size.Edges += edges
	}
	return size, nil
}

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
// of 5 and 7 points), with diagonal to all around it (9 and 27).
func grid(on task) (*list, error) {
	sides := on.sides()
	steps := gridSteps(len(sides), on.is("diagonal"))
	return on.generated(on.size.Vertices, float64(len(steps)), func(lo, hi int64, into *chunk) {
		for vertex := lo; vertex < hi; vertex++ {
			for _, step := range steps {
				if to, inside := stepped(vertex, step, sides); inside {
					into.add(uint32(vertex), uint32(to))
				}
			}
		}
	})
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
