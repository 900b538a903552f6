package plots

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"g500/survey"
)

// bounds is what the bars of points show, for captions.
const bounds = "A bar spans the runs of a point, or one standard error to both sides of a single run."

// overRanks draws TEPS over ranks, each series beside its ideal; nil where there is no series.
func overRanks(set *survey.Set) *Picture {
	all := survey.SeriesOf(set.Points())
	if len(all) == 0 {
		return nil
	}
	p := newPicture("teps-ranks", "TEPS over ranks", "ranks", "TEPS (harmonic mean)")
	p.Caption = "Both axes are logarithmic. Dashed: the ideal, each rank as fast as one of the baseline. " + bounds
	var ranks []int
	label := labeller(set)
	p.grid()
	for i, s := range all {
		p.ideal(s)
		for _, point := range s.Points {
			ranks = append(ranks, point.Ranks)
		}
		last := s.Points[len(s.Points)-1]
		efficiency := s.Efficiency(last.TEPS.Median, last.Ranks)
		p.line(i, fmt.Sprintf("%s%v (efficiency on %s: %.0f%%)", label(s.Kind), s, survey.Count(last.Ranks, "rank"), 100*efficiency),
			s.Points, func(p survey.Point) float64 { return float64(p.Ranks) })
	}
	logarithmic(&p.plot.Y)
	counts(&p.plot.X, ranks)
	p.plot.X.Scale = plot.LogScale{}
	p.plot.X.Min /= 1.15
	p.plot.X.Max *= 1.15
	p.key("ideal: as many times the baseline as there are ranks", idealStyle())
	return p
}

// overScale draws TEPS over scale, a line for each kind and number of ranks; nil where no line has two points.
func overScale(set *survey.Set) *Picture {
	type line struct {
		kind  survey.Kind
		ranks int
	}
	points := map[line][]survey.Point{}
	var order []line
	var scales []int
	for _, p := range set.Points() {
		l := line{p.Kind, p.Ranks}
		if points[l] == nil {
			order = append(order, l)
		}
		points[l] = append(points[l], p)
		scales = append(scales, p.Scale)
	}
	if !slices.ContainsFunc(order, func(l line) bool { return len(points[l]) > 1 }) {
		return nil
	}
	slices.SortStableFunc(order, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.kind.String(), b.kind.String()), cmp.Compare(a.ranks, b.ranks))
	})
	p := newPicture("teps-scale", "TEPS over scale", "scale (log2 of the number of vertices)", "TEPS (harmonic mean)")
	p.Caption = "The vertical axis is logarithmic. " + bounds
	label := labeller(set)
	p.grid()
	for i, l := range order {
		p.line(i, label(l.kind)+survey.Count(l.ranks, "rank"), points[l], func(p survey.Point) float64 { return float64(p.Scale) })
	}
	logarithmic(&p.plot.Y)
	p.plot.X.Min -= 0.3
	p.plot.X.Max += 0.3
	counts(&p.plot.X, scales)
	return p
}

// labeller names kinds in a legend: not at all where the set has only one.
func labeller(set *survey.Set) func(survey.Kind) string {
	kinds := map[survey.Kind]bool{}
	for _, run := range set.Runs {
		kinds[run.Kind] = true
	}
	return func(k survey.Kind) string {
		if len(kinds) == 1 {
			return ""
		}
		return k.String() + ": "
	}
}

// line draws points with their bounds, and adds them to the legend.
func (p *Picture) line(i int, name string, points []survey.Point, x func(survey.Point) float64) {
	style := draw.LineStyle{Color: lineTones[i%len(lineTones)].color(), Width: 1.75}
	bars := plotter.YErrorBars{LineStyle: style, CapWidth: 7}
	for _, point := range points {
		low, high := point.Bounds()
		bars.XYs = append(bars.XYs, plotter.XY{X: x(point), Y: point.TEPS.Median})
		bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{point.TEPS.Median - low, high - point.TEPS.Median})
	}
	bars.Width = 1
	line := &plotter.Line{XYs: bars.XYs, LineStyle: style}
	glyphs := &plotter.Scatter{XYs: bars.XYs, GlyphStyle: glyph(i)}
	p.plot.Add(line, &bars, glyphs)
	p.key(name, line, glyphs)
}

// glyph tells series apart without colour.
func glyph(i int) draw.GlyphStyle {
	shapes := []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.CrossGlyph{},
	}
	place := i + i/len(lineTones) // as many shapes as tones: the second round of tones begins with the second shape
	return draw.GlyphStyle{Color: lineTones[i%len(lineTones)].color(), Radius: 3.5, Shape: shapes[place%len(shapes)]}
}

// ideal draws the line of a series without loss.
func (p *Picture) ideal(s survey.Series) {
	first, last := s.Points[0].Ranks, s.Points[len(s.Points)-1].Ranks
	line := idealStyle()
	line.XYs = plotter.XYs{{X: float64(first), Y: s.Ideal(first)}, {X: float64(last), Y: s.Ideal(last)}}
	p.plot.Add(line)
}

func idealStyle() *plotter.Line {
	return &plotter.Line{LineStyle: draw.LineStyle{Color: frame.color(), Width: 1.25, Dashes: []vg.Length{5, 4}}}
}
