package plot

import (
	"math"

	"gonum.org/v1/plot/plotter"
)

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
	p.grid(false)
	drawn := 0
	for i, g := range graphs {
		var points plotter.XYs
		for power, vertices := range g.Powers {
			if power > 0 && vertices > 0 {
				points = append(points, plotter.XY{X: math.Ldexp(1, power-1), Y: float64(vertices)})
			}
		}
		if len(points) > 0 {
			p.line(i, g.Name, points, nil)
			drawn++
		}
	}
	if drawn == 0 {
		return nil
	}
	logarithmic(&p.plot.X, sparse)
	logarithmic(&p.plot.Y, dense)
	return p
}
