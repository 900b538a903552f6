package plot

import "math"

// Degrees has the numbers of vertices of degree 0, 1, 2 to 3, 4 to 7 and so on of a graph.
type Degrees struct {
	Name   string // of the graph
	Powers []int64
}

// MostGraphs returns the largest number of graphs in a picture: each has its own colour.
func MostGraphs() int { return len(lineTones) }

// OfDegrees draws the distribution of degrees, one line for each of up to MostGraphs graphs. It returns nil if no graph
// has an edge.
func OfDegrees(graphs []Degrees) *Picture {
	p := newPicture("degrees", "Vertices by degree", "degree d, of vertices with d to 2d - 1 edges", "vertices")
	p.Caption = "Both axes are logarithmic. Isolated vertices are left out."
	for i, g := range graphs {
		var degrees, counts []float64
		for power, vertices := range g.Powers {
			if power > 0 && vertices > 0 {
				degrees, counts = append(degrees, math.Ldexp(1, power-1)), append(counts, float64(vertices))
			}
		}
		if len(degrees) > 0 {
			p.line(i, g.Name, exact(degrees, counts, 0))
		}
	}
	if p.lines == nil {
		return nil
	}
	logarithmic(&p.x, sparse)
	logarithmic(&p.y, dense)
	return p
}
