package plot

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"g500/analysis/collect"
	"g500/record"
)

// The height of a level's bar and that with the room beside it, in points.
const (
	barHeight = 16
	barRow    = 24
)

// levels draws where the time of a mean search goes, for the run that stands for a point; nil where it has no trace.
func levels(point collect.Point, label func(collect.Kind) string) *Picture {
	run := point.Typical()
	steps := run.MeanLevels()
	if steps == nil {
		return nil
	}
	p := newPicture("levels-"+slug(fmt.Sprintf("%v scale%d ranks%d", point.Kind, point.Scale, point.Ranks)),
		fmt.Sprintf("Time of the mean search by level: %s%v", label(point.Kind), point), "mean time per search", "")
	p.Caption = fmt.Sprintf("%v. Mean of %d traced searches, of which not all have every level. A number is the "+
		"distance of the frontier from the root, beside it what most searches did there. ", point.Kind,
		steps[len(steps)-1].Searches)
	if point.Ranks > 1 {
		p.Caption += "The parts are means over ranks. "
	}
	p.Caption += "Label order brings the tree into its official form; the rest is launches and the host's clock."
	p.grid(true)
	below := make(plotter.Values, len(steps))
	for _, part := range partsOf(run.Run) {
		if bars := part.bars(steps, below); bars != nil {
			p.plot.Add(bars)
			p.key(part.name, bars)
		}
	}
	p.plot.Add(totals(below))
	var names []string
	for _, s := range steps {
		names = append(names, rowName(s))
	}
	fromZero(&p.plot.X, "s", roomForNumbers)
	p.rows(names, barRow)
	return p
}

// rowName names the row of a step: a level by its depth and the step of most searches.
func rowName(s record.MeanLevel) string {
	if s.Depth == record.NoLevel {
		return s.Name
	}
	return fmt.Sprintf("%d  %s", s.Depth, s.Step)
}

// part is one of the colours of the bars.
type part struct {
	name string
	tone tone
	of   func(record.MeanLevel) float64
}

// partsOf are the parts that a run's levels are told apart in. A single rank exchanges nothing and waits for nobody.
func partsOf(run *record.Run) []part {
	told := func(l record.MeanLevel) float64 { return l.Computing + l.Exchanging + l.Waiting }
	rest := func(l record.MeanLevel) bool { return l.Name == record.RestOfSearch }
	return []part{
		{"computing", computingTone, func(l record.MeanLevel) float64 {
			if run.Ranks == 1 && !rest(l) {
				return l.Seconds
			}
			return l.Computing
		}},
		{"exchanging", exchangingTone, func(l record.MeanLevel) float64 { return l.Exchanging }},
		{"waiting for other ranks", waitingTone, func(l record.MeanLevel) float64 { return l.Waiting }},
		{"the rest", restTone, func(l record.MeanLevel) float64 {
			if run.Ranks == 1 && !rest(l) {
				return 0
			}
			return max(l.Seconds-told(l), 0)
		}},
	}
}

// bars stacks a part onto what lies below it, and adds it there; nil where no level has any of it.
func (p part) bars(steps []record.MeanLevel, below plotter.Values) *plotter.BarChart {
	chart := &plotter.BarChart{Width: barHeight, Color: p.tone.color(), Horizontal: true}
	foot := &plotter.BarChart{Values: append(plotter.Values{}, below...), Width: barHeight, Horizontal: true}
	any := false
	for i, s := range steps {
		chart.Values = append(chart.Values, p.of(s))
		below[i] += p.of(s)
		any = any || p.of(s) > 0
	}
	if !any {
		return nil
	}
	chart.StackOn(foot)
	return chart
}

// totals writes the length of each bar behind it.
func totals(lengths plotter.Values) *plotter.Labels {
	style := style(tickSize, draw.XLeft, draw.YCenter)
	labels := &plotter.Labels{Offset: vg.Point{X: 4}}
	for i, l := range lengths {
		labels.XYs = append(labels.XYs, plotter.XY{X: l, Y: float64(i)})
		labels.Labels = append(labels.Labels, record.FormatSeconds(l))
		labels.TextStyle = append(labels.TextStyle, style)
	}
	return labels
}

// slug is a name as part of a file's.
func slug(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name),
		func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
	return strings.Join(words, "-")
}
