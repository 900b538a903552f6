package plot

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"g500/analysis/collect"
	"g500/record"
)

// The height of a level's bar and of its row, in points.
const (
	barHeight = 16
	barRow    = 24
)

// resultOrderCaption explains the last two steps of a search.
const resultOrderCaption = "Result order writes the tree by original label; the rest is launches and the host's clock."

// levels draws the time of the mean search of a point's typical run by level, nil without a trace.
func levels(point collect.Point, label func(collect.Kind) string) *Picture {
	run := point.Typical
	steps := run.Levels
	if steps == nil {
		return nil
	}
	p := newPicture("levels-"+slug(fmt.Sprintf("%v scale%d ranks%d", point.Kind, point.Scale, point.Ranks)),
		fmt.Sprintf("Time of the mean search by level: %s%v", label(point.Kind), point), "mean time per search", "")
	p.Caption = fmt.Sprintf("%v. Mean of %d traced searches, of which not all have every level. A number is the "+
		"distance of the frontier from the root, followed by the step of most searches. ", point.Kind,
		steps[len(steps)-1].Searches)
	if point.Ranks > 1 {
		p.Caption += "The parts are means over ranks. "
	}
	p.Caption += resultOrderCaption
	p.grid(true)
	below := make(plotter.Values, len(steps))
	for _, part := range partsOf(run.Run) {
		var lengths plotter.Values
		for _, s := range steps {
			lengths = append(lengths, part.of(s))
		}
		if slices.Max(lengths) > 0 {
			p.stack(part.name, part.tone, lengths, below)
		}
	}
	p.plot.Add(totals(below))
	var names []string
	for _, s := range steps {
		names = append(names, rowName(s))
	}
	fromZero(&p.plot.X, "s", withNumbers)
	p.rows(names, barRow)
	return p
}

// rowName returns the name of the row of a step: for a level its depth and the step of most searches.
func rowName(s record.MeanLevel) string {
	if s.Depth == record.NoLevel {
		return s.Name
	}
	return fmt.Sprintf("%d  %s", s.Depth, s.Step)
}

// part is one part of the bars.
type part struct {
	name string
	tone tone
	of   func(record.MeanLevel) float64
}

// partsOf returns the parts of a run's levels. A single rank only computes.
func partsOf(run *record.Run) []part {
	known := func(l record.MeanLevel) float64 { return l.Computing + l.Exchanging + l.Waiting }
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
			return max(l.Seconds-known(l), 0)
		}},
	}
}

// stack adds bars of a part, stacked on the parts below, to the picture and its legend, and their lengths to below.
func (p *Picture) stack(name string, t tone, lengths, below plotter.Values) {
	bars := &plotter.BarChart{Values: lengths, Width: barHeight, Color: t.color(), Horizontal: true}
	bars.StackOn(&plotter.BarChart{Values: slices.Clone(below), Width: barHeight, Horizontal: true})
	for i, length := range lengths {
		below[i] += length
	}
	p.plot.Add(bars)
	p.key(name, bars)
}

// totals returns the length of each bar as a label after it.
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

// slug converts a name for use in a file name.
func slug(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name),
		func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
	return strings.Join(words, "-")
}
