package plot

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"g500/analysis/collect"
	"g500/record"
)

// frontiers draws the size of the frontier by level, a line for each of a few scales: it depends on the graph and its
// keys, and not on who searches. Nil where no run has a trace.
func frontiers(set *collect.Set) *Picture {
	p := newPicture("frontier", "Frontier by level", "distance from the root", "vertices in the frontier")
	p.Caption = "The median of the searches that have the level; a bar spans all of them. " +
		"The vertical axis is logarithmic."
	p.grid(false)
	levels := map[graph][]record.MeanLevel{}
	for _, point := range set.Points() {
		of := graph{point.Kind.Factor, point.Scale}
		if steps := point.Typical().MeanLevels(); levels[of] == nil && steps != nil {
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
	logarithmic(&p.plot.Y, dense)
	p.plot.X.Min, p.plot.X.Max = -0.5, float64(deepest)+0.5
	var depths []int
	for d := range deepest + 1 {
		depths = append(depths, d)
	}
	counts(&p.plot.X, depths)
	return p
}

// graph is what a frontier depends on, beside its root.
type graph struct {
	factor int64
	scale  int
}

// frontier draws one graph's line and returns its last level. Lines stand beside each other by a little, so that
// their bars do not hide one another.
func (p *Picture) frontier(i int, g graph, steps []record.MeanLevel) (deepest int) {
	style := draw.LineStyle{Color: lineTones[i].color(), Width: 1.75}
	bars := plotter.YErrorBars{LineStyle: style, CapWidth: 5}
	bars.Width = 1
	for _, s := range steps {
		f := s.Frontier
		if s.Depth == record.NoLevel || f.Min <= 0 {
			continue
		}
		bars.XYs = append(bars.XYs, plotter.XY{X: float64(s.Depth) + 0.07*float64(i), Y: f.Median})
		bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{f.Median - f.Min, f.Max - f.Median})
		deepest = s.Depth
	}
	line := &plotter.Line{XYs: bars.XYs, LineStyle: style}
	glyphs := &plotter.Scatter{XYs: bars.XYs, GlyphStyle: glyph(i)}
	p.plot.Add(line, &bars, glyphs)
	p.key(fmt.Sprintf("scale %d, edge factor %d", g.scale, g.factor), line, glyphs)
	return deepest
}
