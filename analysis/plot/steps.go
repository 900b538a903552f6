package plot

import (
	"fmt"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"g500/analysis/collect"
	"g500/record"
)

// stepBar is the height of a bar of a step, and stepGap what lies between steps, in points.
const (
	stepBar = 14
	stepGap = 10
)

// steps draws, for each kind and scale with traces of several numbers of ranks, how long each kind of step takes on
// each of them.
func steps(set *collect.Set) []*Picture {
	type graph struct {
		kind  collect.Kind
		scale int
	}
	points := map[graph][]collect.Point{}
	var order []graph
	for _, p := range set.Points() {
		if p.Typical().MeanSteps() == nil {
			continue
		}
		g := graph{p.Kind, p.Scale}
		if points[g] == nil {
			order = append(order, g)
		}
		points[g] = append(points[g], p)
	}
	var pictures []*Picture
	label := labeller(set)
	for _, g := range order {
		if len(points[g]) > 1 {
			pictures = append(pictures, stepsOf(points[g], label))
		}
	}
	return pictures
}

// stepsOf draws the steps of runs on one graph, a colour for each number of ranks.
func stepsOf(points []collect.Point, label func(collect.Kind) string) *Picture {
	points = few(points)
	kind, scale := points[0].Kind, points[0].Scale
	p := newPicture("steps-"+slug(fmt.Sprintf("%v scale%d", kind, scale)),
		fmt.Sprintf("Time of the mean search by step: %sscale %d", label(kind), scale), "mean time per search", "")
	p.Caption = fmt.Sprintf("%v. Mean of all traced searches, slowest rank. Before bottom-up: the top-down levels "+
		"that come first. Later levels: all after the second bottom-up one. Label order brings the tree into its "+
		"official form; the rest is launches and the host's clock.", kind)
	p.grid(true)
	names := points[0].Typical().MeanSteps()
	for i, point := range points {
		bars := &plotter.BarChart{Width: stepBar, Color: lineTones[i].color(), Horizontal: true}
		bars.Offset = stepBar * (vg.Length(len(points)-1)/2 - vg.Length(i)) // upwards
		for _, s := range point.Typical().MeanSteps() {
			bars.Values = append(bars.Values, s.Seconds)
		}
		numbers := totals(bars.Values)
		numbers.Offset.Y = bars.Offset
		p.plot.Add(bars, numbers)
		search := point.Typical().Statistics().Seconds.Mean
		p.key(fmt.Sprintf("%s: %s in all", collect.Count(point.Ranks, "rank"), record.FormatSeconds(search)), bars)
	}
	var rows []string
	for _, s := range names {
		rows = append(rows, s.Name)
	}
	fromZero(&p.plot.X, "s", roomForNumbers)
	p.rows(rows, vg.Length(len(points)*stepBar+stepGap))
	return p
}
