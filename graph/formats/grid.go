package formats

// gridSize counts the edges of a grid with the given sides: a step of each kind from each vertex that it does not lead
// out of the grid.
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

// gridSteps are the steps of a stencil that lead to a vertex with a higher number: half of the neighbours, which is 2
// of 4 or 4 of 8 in the plane, and 3 of 6 or 13 of 26 in space. Axis 0 is the one whose neighbours have numbers side
// by side.
func gridSteps(axes int, diagonal bool) (steps [][3]int64) {
	var step [3]int64
	var choose func(axis, moved int, forward bool)
	choose = func(axis, moved int, forward bool) {
		if axis < 0 {
			if forward && (diagonal || moved == 1) {
				steps = append(steps, step)
			}
			return
		}
		for _, d := range []int64{-1, 0, 1} {
			if d < 0 && !forward {
				continue
			}
			step[axis] = d
			choose(axis-1, moved+int(abs(d)), forward || d > 0)
		}
	}
	choose(axes-1, 0, false)
	return steps
}

// grid is a regular grid in the plane or in space: each vertex has an edge to its neighbours along the axes (stencils
// of 5 and 7 points), with diagonal to all around it (9 and 27).
func grid(on resources, v values) (*list, error) {
	sides := v.sides()
	steps := gridSteps(len(sides), v.is("diagonal"))
	n := product(sides)
	parts, err := generated(on, n, float64(len(steps)), func(lo, hi int64, into *part) {
		for vertex := lo; vertex < hi; vertex++ {
			for _, step := range steps {
				if to, inside := stepped(vertex, step, sides); inside {
					into.add(uint32(vertex), uint32(to))
				}
			}
		}
	})
	return &list{vertices: n, parts: parts, undirected: true}, err
}

// stepped is the vertex to which a step leads, and whether the grid has it.
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
