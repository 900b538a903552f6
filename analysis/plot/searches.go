package plot

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"g500/analysis/collect"
	"g500/record"
)

// The height of a box and of its row, in points.
const (
	boxHeight = 16
	boxRow    = 28
)

// searches draws a box plot for each kind, with a box per point.
func searches(all []collect.Point, label func(collect.Kind) string) (pictures []*Picture) {
	for _, points := range groupBy(all, func(p collect.Point) collect.Kind { return p.Kind }) {
		pictures = append(pictures, searchesOf(points, label(points[0].Kind)))
	}
	return pictures
}

// searchesOf draws the points of one kind.
func searchesOf(points []collect.Point, label string) *Picture {
	kind := points[0].Kind
	title := strings.TrimSuffix("TEPS of the single searches: "+label, ": ")
	p := newPicture("searches-"+slug(kind.String()), title, "TEPS of a search", "")
	p.Caption = kind.String() + ". Boxes span the quartiles of the searches of a point, a line marks the median; " +
		"whiskers reach the last search within 1.5 times the box, and dots are other searches."
	p.grid(true)
	p.points = len(points)
	var names []string
	for i, point := range points {
		rates := ratesOf(point)
		p.plot.Add(box(float64(i), rates, lineTones[0]))
		names = append(names, fmt.Sprintf("%v\nn = %d", point, len(rates)))
	}
	if p.plot.X.Max > 8*p.plot.X.Min {
		logarithmic(&p.plot.X, sparse)
		p.Caption += " The axis is logarithmic."
	} else {
		fromZero(&p.plot.X, "", headroom)
	}
	p.rows(names, boxRow)
	return p
}

// ratesOf returns the TEPS of all searches of a point.
func ratesOf(p collect.Point) (rates plotter.Values) {
	for _, run := range p.Runs {
		for _, s := range run.Searches {
			rates = append(rates, float64(s.Edges)/s.Seconds)
		}
	}
	return rates
}

// box returns a box plot with the quartiles of the report, which differ slightly from the library's.
func box(row float64, rates plotter.Values, t tone) *plotter.BoxPlot {
	b := &plotter.BoxPlot{Width: boxHeight, CapWidth: boxHeight / 2, FillColor: rule.color(), Horizontal: true}
	line := draw.LineStyle{Color: t.color(), Width: 1.25}
	b.BoxStyle, b.WhiskerStyle, b.MedianStyle = line, line, line
	b.MedianStyle.Width = 2.5
	b.GlyphStyle = draw.GlyphStyle{Color: t.color(), Radius: 2, Shape: draw.CircleGlyph{}}
	s := record.SummaryOf(rates)
	b.Values, b.Location = rates, row
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
