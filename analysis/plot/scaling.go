package plot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"g500/analysis/collect"
	"g500/analysis/scale"
)

// bounds is what the bars of points show, for captions.
const bounds = "A bar spans the runs of a point, or one standard error to both sides of a single run."

// mostLines is how many lines of one kind a picture has: with more of them nobody sees what it says. Tables have all.
const mostLines = 3

// few are at most mostLines of a list.
func few[T any](all []T) []T { return spread(all, mostLines) }

// spread is at most so many of a list, spread over it, its first and its last among them.
func spread[T any](all []T, most int) []T {
	if len(all) <= most {
		return all
	}
	var some []T
	for i := range most {
		some = append(some, all[i*(len(all)-1)/(most-1)])
	}
	return some
}

// apart sorts lines into pictures: all into one, or where there are more of them than colours, those of each machine
// into one of their own, which is named.
func apart[T any](all []T, kind func(T) collect.Kind) (pictures [][]T, names []string) {
	if len(all) <= len(lineTones) {
		return [][]T{all}, []string{""}
	}
	var machines []collect.Kind
	for _, line := range all {
		machine := machineOf(kind(line))
		i := slices.Index(machines, machine)
		if i < 0 {
			i, machines = len(machines), append(machines, machine)
			pictures, names = append(pictures, nil), append(names, machine.String())
		}
		pictures[i] = append(pictures[i], line)
	}
	for i, lines := range pictures {
		pictures[i] = spread(lines, len(lineTones))
	}
	return pictures, names
}

// of names a picture, and its file, by what it is of; "" for all.
func (p *Picture) of(name string) {
	if name != "" {
		p.Name += "-" + slug(name)
		p.Title += ": " + name
	}
}

// overRanks draws TEPS over ranks, each series of one scaling beside its ideal.
func overRanks(set *collect.Set, scaling string) (pictures []*Picture) {
	all := bestSeries(collect.SeriesBy(scaling, set.Points()))
	if len(all) == 0 {
		return nil
	}
	groups, names := apart(all, func(s collect.Series) collect.Kind { return s.Kind })
	for i, group := range groups {
		p := seriesOverRanks(group, scaling, labeller(set))
		p.of(names[i])
		pictures = append(pictures, p)
	}
	return pictures
}

func seriesOverRanks(all []collect.Series, scaling string, label func(collect.Kind) string) *Picture {
	title, graphs := "Strong scaling: TEPS over ranks, one graph", "The same graph on more and more ranks. "
	if scaling == scale.Weak {
		title, graphs = "Weak scaling: TEPS over ranks, one graph size per rank", "Twice the graph on twice the ranks. "
	}
	p := newPicture("teps-ranks-"+scaling, title, "ranks", "TEPS (harmonic mean)")
	p.Caption = graphs + "Both axes are logarithmic. Dashed: the ideal, each rank as fast as one of the baseline. " +
		bounds
	var ranks []int
	p.grid(false)
	for i, s := range all {
		p.ideal(s)
		for _, point := range s.Points {
			ranks = append(ranks, point.Ranks)
		}
		last := s.Points[len(s.Points)-1]
		efficiency := s.Efficiency(last.TEPS.Median, last.Ranks)
		p.line(i, fmt.Sprintf("%s%v (efficiency on %s: %.0f%%)", label(s.Kind), s, collect.Count(last.Ranks, "rank"),
			100*efficiency),
			s.Points, func(p collect.Point) float64 { return float64(p.Ranks) })
		if programs := s.Programs(); len(programs) > 1 {
			p.Caption += fmt.Sprintf(" %s%v mixes versions of the program: %s.", label(s.Kind), s,
				strings.Join(programs, ", "))
		}
	}
	logarithmic(&p.plot.Y, dense)
	if len(ranks) > mostCounts {
		ranks = slices.DeleteFunc(ranks, func(n int) bool { return n&(n-1) != 0 })
	}
	counts(&p.plot.X, ranks)
	p.plot.X.Scale = plot.LogScale{}
	p.plot.X.Min /= 1.15
	p.plot.X.Max *= 1.15
	p.key("ideal: as many times the baseline as there are ranks", idealStyle())
	return p
}

// bestSeries are the series that a picture shows. Of one machine and graph that is the fastest, whatever its settings;
// of those of one kind, the ones with the most points, and a few scales.
func bestSeries(all []collect.Series) []collect.Series {
	rate := func(s collect.Series) float64 { return s.Points[len(s.Points)-1].TEPS.Median }
	type kind struct {
		k     collect.Kind
		scale int
	}
	fastest, points := map[kind]float64{}, map[collect.Kind]int{}
	of := func(s collect.Series) kind { return kind{machineOf(s.Kind), s.Scale} }
	for _, s := range all {
		fastest[of(s)] = max(fastest[of(s)], rate(s))
		points[s.Kind] = max(points[s.Kind], len(s.Points))
	}
	byKind, order := map[collect.Kind][]collect.Series{}, []collect.Kind{}
	for _, s := range all {
		if rate(s) < fastest[of(s)] || len(s.Points) < points[s.Kind] {
			continue
		}
		if byKind[s.Kind] == nil {
			order = append(order, s.Kind)
		}
		byKind[s.Kind] = append(byKind[s.Kind], s)
	}
	var best []collect.Series
	for _, k := range order {
		best = append(best, few(byKind[k])...)
	}
	return best
}

// machineOf leaves out of a kind what a user chooses on a machine: engine, settings, threads of a rank. The kernel
// stays, and whether its structure was pruned: such results stand beside each other.
func machineOf(k collect.Kind) collect.Kind {
	return collect.Kind{Study: k.Study, Scaling: k.Scaling, Machine: k.Machine, Kernel: k.Kernel, Prune: k.Prune,
		Factor: k.Factor}
}

// scaleLine is the points of one kind and number of ranks.
type scaleLine struct {
	kind   collect.Kind
	ranks  int
	points []collect.Point
}

// last is the rate at the largest scale, where the line ends.
func (l scaleLine) last() float64 { return l.points[len(l.points)-1].TEPS.Median }

// overScale draws TEPS over scale, a line for each machine and number of ranks, from the highest to the lowest; nothing
// where no line has two points.
func overScale(set *collect.Set) (pictures []*Picture) {
	groups, names := apart(bestLines(set.Points()), func(l scaleLine) collect.Kind { return l.kind })
	for i, lines := range groups {
		if slices.ContainsFunc(lines, func(l scaleLine) bool { return len(l.points) > 1 }) {
			p := linesOverScale(lines, labeller(set))
			p.of(names[i])
			pictures = append(pictures, p)
		}
	}
	return pictures
}

func linesOverScale(lines []scaleLine, label func(collect.Kind) string) *Picture {
	p := newPicture("teps-scale", "TEPS over scale", "scale (log2 of the number of vertices)", "TEPS (harmonic mean)")
	p.Caption = "Of each machine the fastest settings. The vertical axis is logarithmic. " + bounds
	p.grid(false)
	var scales []int
	for i, l := range lines {
		p.line(i, label(l.kind)+collect.Count(l.ranks, "rank"), l.points,
			func(p collect.Point) float64 { return float64(p.Scale) })
		for _, point := range l.points {
			scales = append(scales, point.Scale)
		}
	}
	logarithmic(&p.plot.Y, dense)
	p.plot.X.Min -= 0.3
	p.plot.X.Max += 0.3
	counts(&p.plot.X, scales)
	return p
}

// bestLines are the lines over scale, the highest first: of each machine with so many GPUs, or threads in all, the one
// that reaches the highest rate.
func bestLines(points []collect.Point) []scaleLine {
	var all []scaleLine
	for _, p := range points {
		i := slices.IndexFunc(all, func(l scaleLine) bool { return l.kind == p.Kind && l.ranks == p.Ranks })
		if i < 0 {
			i, all = len(all), append(all, scaleLine{kind: p.Kind, ranks: p.Ranks})
		}
		all[i].points = append(all[i].points, p)
	}
	type machine struct {
		k     collect.Kind
		units int
	}
	of := func(l scaleLine) machine { return machine{machineOf(l.kind), l.ranks * max(l.kind.Threads, 1)} }
	highest := func(l scaleLine) (rate float64) {
		for _, p := range l.points {
			rate = max(rate, p.TEPS.Median)
		}
		return rate
	}
	best := map[machine]float64{}
	for _, l := range all {
		best[of(l)] = max(best[of(l)], highest(l))
	}
	all = slices.DeleteFunc(all, func(l scaleLine) bool { return highest(l) < best[of(l)] })
	slices.SortStableFunc(all, func(a, b scaleLine) int { return cmp.Compare(b.last(), a.last()) })
	return all
}

// labeller names kinds in a legend: not at all where the set has only one.
func labeller(set *collect.Set) func(collect.Kind) string {
	kinds := map[collect.Kind]bool{}
	for _, run := range set.Runs {
		kinds[run.Kind] = true
	}
	return func(k collect.Kind) string {
		if len(kinds) == 1 {
			return ""
		}
		return k.String() + ": "
	}
}

// line draws points with their bounds, and adds them to the legend.
func (p *Picture) line(i int, name string, points []collect.Point, x func(collect.Point) float64) {
	style := draw.LineStyle{Color: lineTones[i].color(), Width: 1.75}
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
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{},
		draw.CrossGlyph{},
	}
	return draw.GlyphStyle{Color: lineTones[i].color(), Radius: 3.5, Shape: shapes[i]} // as many as tones
}

// ideal draws the line of a series without loss.
func (p *Picture) ideal(s collect.Series) {
	first, last := s.Points[0].Ranks, s.Points[len(s.Points)-1].Ranks
	line := idealStyle()
	line.XYs = plotter.XYs{{X: float64(first), Y: s.Ideal(first)}, {X: float64(last), Y: s.Ideal(last)}}
	p.plot.Add(line)
}

func idealStyle() *plotter.Line {
	return &plotter.Line{LineStyle: draw.LineStyle{Color: frame.color(), Width: 1.25, Dashes: []vg.Length{5, 4}}}
}
