package plot

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"g500/analysis/collect"
	"g500/record"
)

// The height of a bar of a step, and the gap between steps, in points.
const (
	stepBar = 14
	stepGap = 10
)

// steps draws the time of each kind of step by number of ranks, for each kind and scale with traces of several numbers
// of ranks.
func steps(all []collect.Point, label func(collect.Kind) string) (pictures []*Picture) {
	untraced := func(p collect.Point) bool { return p.Typical.MeanSteps() == nil }
	points := slices.DeleteFunc(slices.Clone(all), untraced)
	type graph struct {
		kind  collect.Kind
		scale int
	}
	for _, group := range groupBy(points, func(p collect.Point) graph { return graph{p.Kind, p.Scale} }) {
		if len(group) > 1 {
			pictures = append(pictures, stepsOf(group, label))
		}
	}
	return pictures
}

// stepsOf draws the steps of runs on one graph, one colour per number of ranks.
func stepsOf(points []collect.Point, label func(collect.Kind) string) *Picture {
	points = few(points)
	kind, scale := points[0].Kind, points[0].Scale
	p := newPicture("steps-"+slug(fmt.Sprintf("%v scale%d", kind, scale)),
		fmt.Sprintf("Time of the mean search by step: %sscale %d", label(kind), scale), "mean time per search", "")
	p.Caption = fmt.Sprintf("%v. Mean of all traced searches, slowest rank. Before bottom-up: the first top-down "+
		"levels. Later levels: all after the second bottom-up one. "+resultOrderCaption, kind)
	p.grid(true)
	for i, point := range points {
		bars := &plotter.BarChart{Width: stepBar, Color: lineTones[i].color(), Horizontal: true}
		bars.Offset = stepBar * (vg.Length(len(points)-1)/2 - vg.Length(i)) // upwards
		for _, s := range point.Typical.MeanSteps() {
			bars.Values = append(bars.Values, s.Seconds)
		}
		numbers := totals(bars.Values)
		numbers.Offset.Y = bars.Offset
		p.plot.Add(bars, numbers)
		search := point.Typical.Seconds.Mean
		p.key(fmt.Sprintf("%s: %s in all", collect.Count(point.Ranks, "rank"), record.FormatSeconds(search)), bars)
	}
	var rows []string
	for _, s := range points[0].Typical.MeanSteps() {
		rows = append(rows, s.Name)
	}
	fromZero(&p.plot.X, "s", withNumbers)
	p.rows(rows, vg.Length(len(points)*stepBar+stepGap))
	return p
}
