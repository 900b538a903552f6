package plot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"g500/analysis/collect"
	"g500/record"
)

// frontiers draws the size of the frontier by level, one line for each of a few graphs, of any run; nil without a
// trace.
func frontiers(points []collect.Point) *Picture {
	p := newPicture("frontier", "Frontier by level", "distance from the root", "vertices in the frontier")
	p.Caption = "The median of the searches that have the level; an error bar spans all of them. " +
		"The vertical axis is logarithmic."
	levels := map[graph][]record.MeanLevel{}
	for _, point := range points {
		of := graph{point.Kind.Factor, point.Scale}
		if steps := point.Typical.Levels; levels[of] == nil && steps != nil {
			levels[of] = steps
		}
	}
	if len(levels) == 0 {
		return nil
	}
	deepest := 0
	graphs := slices.SortedFunc(maps.Keys(levels), func(a, b graph) int {
		return cmp.Or(cmp.Compare(a.factor, b.factor), cmp.Compare(a.scale, b.scale))
	})
	for i, g := range few(graphs) {
		deepest = max(deepest, p.frontier(i, g, levels[g]))
	}
	logarithmic(&p.y, dense)
	p.x.include(-0.5, float64(deepest)+0.5)
	var depths []int
	for d := range deepest + 1 {
		depths = append(depths, d)
	}
	counts(&p.x, depths)
	return p
}

// graph identifies an official graph.
type graph struct {
	factor int64
	scale  int
}

// frontier draws the line of one graph and returns its last level. Lines are shifted a little, so that their error bars
// do not overlap.
func (p *Picture) frontier(i int, g graph, steps []record.MeanLevel) (deepest int) {
	var points []point
	for _, s := range steps {
		f := s.Frontier
		if s.Depth == record.NoLevel || f.Min <= 0 {
			continue
		}
		points = append(points, point{float64(s.Depth) + 0.07*float64(i), f.Median, f.Min, f.Max})
		deepest = s.Depth
	}
	p.line(i, fmt.Sprintf("scale %d, edge factor %d", g.scale, g.factor), points)
	return deepest
}
