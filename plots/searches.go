package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"g500/report"
	"g500/survey"
)

// boxWidth is that of a box with the room beside it, in points.
const boxWidth = 78

// searches draws a box for the searches of each point; nil where no run is valid.
func searches(set *survey.Set) *Picture {
	points := set.Points()
	if len(points) == 0 {
		return nil
	}
	p := newPicture("searches", "TEPS of the single searches", "", "TEPS of a search")
	p.Caption = "Boxes span the quartiles of all searches of a point, a line marks the median; whiskers reach the last " +
		"search within 1.5 times the box, and dots are the searches beyond."
	p.width = max(p.width, vg.Length(80+boxWidth*len(points)))
	p.grid()
	var kinds []survey.Kind
	var names plot.ConstantTicks
	for i, point := range points {
		if !slices.Contains(kinds, point.Kind) {
			kinds = append(kinds, point.Kind)
		}
		rates := ratesOf(point)
		p.plot.Add(box(float64(i), rates, lineTones[(len(kinds)-1)%len(lineTones)]))
		names = append(names, plot.Tick{Value: float64(i),
			Label: fmt.Sprintf("scale %d\n%s\nn = %d", point.Scale, survey.Count(point.Ranks, "rank"), len(rates))})
	}
	p.plot.X.Tick.Marker = names
	p.plot.X.Min, p.plot.X.Max = -0.5, float64(len(points))-0.5
	if p.plot.Y.Max > 8*p.plot.Y.Min {
		logarithmic(&p.plot.Y)
		p.Caption += " The vertical axis is logarithmic."
	} else {
		fromZero(&p.plot.Y, "")
	}
	if len(kinds) > 1 {
		for i, k := range kinds {
			p.key(k.String(), swatch(lineTones[i%len(lineTones)]))
		}
	}
	return p
}

// ratesOf are the TEPS of all searches of a point.
func ratesOf(p survey.Point) plotter.Values {
	var rates plotter.Values
	for _, run := range p.Runs {
		for _, s := range run.Searches {
			rates = append(rates, float64(s.Edges)/s.Seconds)
		}
	}
	return rates
}

// box is a box plot with the quartiles of the report, which are not quite the library's.
func box(x float64, rates plotter.Values, t tone) *plotter.BoxPlot {
	b := &plotter.BoxPlot{Width: boxWidth / 2, CapWidth: boxWidth / 4, FillColor: rule.color()}
	line := draw.LineStyle{Color: t.color(), Width: 1.25}
	b.BoxStyle, b.WhiskerStyle, b.MedianStyle = line, line, line
	b.MedianStyle.Width = 2.5
	b.GlyphStyle = draw.GlyphStyle{Color: t.color(), Radius: 2, Shape: draw.CircleGlyph{}}
	s := report.SummaryOf(rates)
	b.Values, b.Location = rates, x
	b.Min, b.Quartile1, b.Median, b.Quartile3, b.Max = s.Min, s.FirstQuartile, s.Median, s.ThirdQuartile, s.Max
	reach := 1.5 * (s.ThirdQuartile - s.FirstQuartile)
	b.AdjLow, b.AdjHigh = math.Inf(1), math.Inf(-1)
	for i, rate := range rates {
		if rate < s.FirstQuartile-reach || rate > s.ThirdQuartile+reach {
			b.Outside = append(b.Outside, i)
			continue
		}
		b.AdjLow, b.AdjHigh = min(b.AdjLow, rate), max(b.AdjHigh, rate)
	}
	return b
}

// swatch is a filled rectangle for the legend.
func swatch(t tone) *plotter.BarChart {
	return &plotter.BarChart{Color: t.color()}
}
