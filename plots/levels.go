package plots

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"g500/report"
	"g500/survey"
)

// barWidth is that of a level's bar, and levelWidth that with the room beside it, in points.
const (
	barWidth   = 40
	levelWidth = 62
)

// levels draws where the time of a mean search goes, for the run that stands for a point; nil where it has no trace.
func levels(point survey.Point, label func(survey.Kind) string) *Picture {
	run := point.Typical()
	steps := run.MeanLevels()
	if steps == nil {
		return nil
	}
	p := newPicture("levels-"+slug(fmt.Sprintf("%v scale%d ranks%d", point.Kind, point.Scale, point.Ranks)),
		fmt.Sprintf("Time of the mean search by level: %s%v", label(point.Kind), point),
		"distance of the frontier from the root, and what most searches did there", "mean time per search")
	p.Caption = fmt.Sprintf("%v. Mean of %d traced searches, of which not all have every level. ", point.Kind,
		steps[len(steps)-1].Searches)
	if point.Ranks > 1 {
		p.Caption += "The parts are means over ranks. "
	}
	p.Caption += "Label order brings the tree into its official form; the rest is launches and the host's clock."
	p.width = max(p.width, vg.Length(90+levelWidth*len(steps)))
	p.grid()
	below := make(plotter.Values, len(steps))
	for _, part := range partsOf(run.Run) {
		if bars := part.bars(steps, below); bars != nil {
			p.plot.Add(bars)
			p.key(part.name, bars)
		}
	}
	p.plot.Add(totals(below))
	var names plot.ConstantTicks
	for i, s := range steps {
		names = append(names, plot.Tick{Value: float64(i),
			Label: strings.ReplaceAll(strings.TrimPrefix(s.Name, "level "), " ", "\n") + "\n" + nameOf(s)})
	}
	p.plot.X.Tick.Marker = names
	p.plot.X.Min, p.plot.X.Max = -0.6, float64(len(steps))-0.4
	fromZero(&p.plot.Y, "s")
	return p
}

// nameOf is what a level did, "" where its name says that.
func nameOf(s report.MeanLevel) string {
	if s.Step == s.Name {
		return ""
	}
	return s.Step
}

// part is one of the colours of the bars.
type part struct {
	name string
	tone tone
	of   func(report.MeanLevel) float64
}

// partsOf are the parts that a run's levels are told apart in. A single rank exchanges nothing and waits for nobody.
func partsOf(run *report.Run) []part {
	told := func(l report.MeanLevel) float64 { return l.Computing + l.Exchanging + l.Waiting }
	rest := func(l report.MeanLevel) bool { return l.Name == report.RestOfSearch }
	return []part{
		{"computing", computingTone, func(l report.MeanLevel) float64 {
			if run.Ranks == 1 && !rest(l) {
				return l.Seconds
			}
			return l.Computing
		}},
		{"exchanging", exchangingTone, func(l report.MeanLevel) float64 { return l.Exchanging }},
		{"waiting for other ranks", waitingTone, func(l report.MeanLevel) float64 { return l.Waiting }},
		{"the rest", restTone, func(l report.MeanLevel) float64 {
			if run.Ranks == 1 && !rest(l) {
				return 0
			}
			return max(l.Seconds-told(l), 0)
		}},
	}
}

// bars stacks a part onto what lies below it, and adds it there; nil where no level has any of it.
func (p part) bars(steps []report.MeanLevel, below plotter.Values) *plotter.BarChart {
	chart := &plotter.BarChart{Width: barWidth, Color: p.tone.color()}
	foot := &plotter.BarChart{Values: append(plotter.Values{}, below...), Width: barWidth}
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

// totals writes the height of each bar above it.
func totals(heights plotter.Values) *plotter.Labels {
	style := style(tickSize, draw.XCenter, draw.YBottom)
	labels := &plotter.Labels{Offset: vg.Point{Y: 3}}
	for i, h := range heights {
		labels.XYs = append(labels.XYs, plotter.XY{X: float64(i), Y: h})
		labels.Labels = append(labels.Labels, report.FormatSeconds(h))
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
