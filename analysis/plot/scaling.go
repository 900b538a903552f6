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

// bounds explains error bars in captions.
const bounds = "An error bar spans the runs of a point, or one standard error to both sides of a single run."

// mostLines is the maximum number of lines of one kind in a picture. Tables have all.
const mostLines = 3

// few returns at most mostLines of a list.
func few[T any](all []T) []T { return spread(all, mostLines) }

// spread returns at most that many elements of a list, evenly spread from the first to the last.
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

// groupBy groups elements by a key, in the order of first occurrence.
func groupBy[T any, K comparable](all []T, key func(T) K) (groups [][]T) {
	at := map[K]int{}
	for _, x := range all {
		i, known := at[key(x)]
		if !known {
			i, groups = len(groups), append(groups, nil)
			at[key(x)] = i
		}
		groups[i] = append(groups[i], x)
	}
	return groups
}

// apart divides lines into pictures: one without a name or, if there are more lines than colours, one per machine.
func apart[T any](all []T, kind func(T) collect.Kind) (pictures [][]T, names []string) {
	if len(all) <= len(lineTones) {
		return [][]T{all}, []string{""}
	}
	for _, lines := range groupBy(all, func(line T) collect.Kind { return machineOf(kind(line)) }) {
		pictures = append(pictures, spread(lines, len(lineTones)))
		names = append(names, machineOf(kind(lines[0])).String())
	}
	return pictures, names
}

// of adds a name to a picture's title and file name, unless it is "".
func (p *Picture) of(name string) {
	if name != "" {
		p.Name += "-" + slug(name)
		p.Title += ": " + name
	}
}

// overRanks draws TEPS over ranks, each series of one scaling with its ideal.
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
	title, graphs := "Strong scaling: TEPS over ranks, one graph", "One graph on an increasing number of ranks. "
	if scaling == scale.Weak {
		title, graphs = "Weak scaling: TEPS over ranks, one graph size per rank", "Twice the graph on twice the ranks. "
	}
	p := newPicture("teps-ranks-"+scaling, title, "ranks", "TEPS (harmonic mean)")
	p.Caption = graphs + "Both axes are logarithmic. Dashed: the ideal, with each rank as fast as one of the baseline. " +
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
		p.rates(i, fmt.Sprintf("%s%v (efficiency on %s: %.0f%%)", label(s.Kind), s, collect.Count(last.Ranks, "rank"),
			100*efficiency), s.Points, func(p collect.Point) int { return p.Ranks })
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
	p.key("ideal: proportional to the number of ranks", idealStyle())
	return p
}

// bestSeries returns the series of a picture: for each machine and graph the fastest, with any settings; among those of
// one kind the ones with the most points, of a few scales.
func bestSeries(all []collect.Series) (best []collect.Series) {
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
	all = slices.DeleteFunc(all, func(s collect.Series) bool {
		return rate(s) < fastest[of(s)] || len(s.Points) < points[s.Kind]
	})
	for _, group := range groupBy(all, func(s collect.Series) collect.Kind { return s.Kind }) {
		best = append(best, few(group)...)
	}
	return best
}

// machineOf removes the user's choices on a machine from a kind: engine, settings, threads per rank. Kernel and pruning
// remain, because their results are compared.
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

// last returns the rate at the largest scale.
func (l scaleLine) last() float64 { return l.points[len(l.points)-1].TEPS.Median }

// overScale draws TEPS over scale, one line per machine and number of ranks, from the highest to the lowest, unless no
// line has two points.
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
	p.Caption = "The fastest settings of each machine. The vertical axis is logarithmic. " + bounds
	p.grid(false)
	var scales []int
	for i, l := range lines {
		p.rates(i, label(l.kind)+collect.Count(l.ranks, "rank"), l.points,
			func(p collect.Point) int { return p.Scale })
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

// bestLines returns the lines over scale, the highest first: for each machine and number of GPUs, or of threads, the
// line with the highest rate.
func bestLines(points []collect.Point) []scaleLine {
	type machine struct {
		k     collect.Kind
		units int // ranks, or threads
	}
	var all []scaleLine
	for _, line := range groupBy(points, func(p collect.Point) machine { return machine{p.Kind, p.Ranks} }) {
		all = append(all, scaleLine{line[0].Kind, line[0].Ranks, line})
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

// labeller returns the names of kinds in a legend, "" if the set has only one kind.
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

// line draws points with their error bars, nil for none, and adds them to the legend.
func (p *Picture) line(i int, name string, points plotter.XYs, errors plotter.YErrors) {
	style := draw.LineStyle{Color: lineTones[i].color(), Width: 1.75}
	line := &plotter.Line{XYs: points, LineStyle: style}
	p.plot.Add(line)
	if errors != nil {
		style.Width = 1
		p.plot.Add(&plotter.YErrorBars{XYs: points, YErrors: errors, LineStyle: style, CapWidth: 7})
	}
	glyphs := &plotter.Scatter{XYs: points, GlyphStyle: glyph(i)}
	p.plot.Add(glyphs)
	p.key(name, line, glyphs)
}

// rates draws the rates of points over x with their bounds.
func (p *Picture) rates(i int, name string, points []collect.Point, x func(collect.Point) int) {
	var rates plotter.XYs
	var errors plotter.YErrors
	for _, point := range points {
		low, high := point.Bounds()
		rates = append(rates, plotter.XY{X: float64(x(point)), Y: point.TEPS.Median})
		errors = append(errors, struct{ Low, High float64 }{point.TEPS.Median - low, high - point.TEPS.Median})
	}
	p.line(i, name, rates, errors)
}

// glyph distinguishes series without colour.
func glyph(i int) draw.GlyphStyle {
	shapes := []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{},
		draw.CrossGlyph{},
	}
	return draw.GlyphStyle{Color: lineTones[i].color(), Radius: 3.5, Shape: shapes[i]} // one per tone
}

// ideal draws the line of perfect scaling.
func (p *Picture) ideal(s collect.Series) {
	first, last := s.Points[0].Ranks, s.Points[len(s.Points)-1].Ranks
	line := idealStyle()
	line.XYs = plotter.XYs{{X: float64(first), Y: s.Ideal(first)}, {X: float64(last), Y: s.Ideal(last)}}
	p.plot.Add(line)
}

func idealStyle() *plotter.Line {
	return &plotter.Line{LineStyle: draw.LineStyle{Color: frame.color(), Width: 1.25, Dashes: []vg.Length{5, 4}}}
}
