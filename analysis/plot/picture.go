package plot

import (
	"math"
	"strings"

	"g500/analysis/collect"
)

// Picture is one drawing: lines over numbers, or glyphs in rows.
type Picture struct {
	Name    string // of its file, without the extension
	Group   string // heading of its group of pictures
	Title   string
	Caption string // a few sentences

	x, y   axis
	rows   int // number of rows on the vertical axis, 0 if it has figures
	lines  []line
	points int // number of points, 0 if fewer than fewest are no reason to leave the picture out
}

// line is named points. In the legend it has its colour and its glyph.
type line struct {
	name   string // "" for one that the legend does not have
	points []point
	tone   tone
	glyph  string // a path around a point, "" for none
	hollow bool
	dashed bool
	apart  bool // points are not joined
}

// point is a point with the bounds of its value.
type point struct{ x, y, low, high float64 }

// glyphs distinguish series without colour, one per tone.
var glyphs = [...]string{"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z", "m-3 -3h6v6h-6z", "m-3.8 2.6h7.6l-3.8 -6.2z",
	"m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z", "m-3 -3h6v6h-6z", "m-3.8 2.6h7.6l-3.8 -6.2z",
	"m-3 -3l6 6m0 -6l-6 6"}

// filled is the number of glyphs that are filled.
const filled = 3

// newPicture returns an empty picture with named axes.
func newPicture(name, title, x, y string) *Picture {
	return &Picture{Name: name, Title: title, x: newAxis(x), y: newAxis(y)}
}

// of adds a name to a picture's title and file name, unless it is "".
func (p *Picture) of(name string) {
	if name != "" {
		p.Name += "-" + slug(name)
		p.Title += ": " + name
	}
}

// line adds points in colour i.
func (p *Picture) line(i int, name string, points []point) {
	i %= len(lineTones)
	p.add(line{name: name, points: points, tone: lineTones[i], glyph: glyphs[i], hollow: i >= filled})
}

func (p *Picture) add(l line) {
	for _, at := range l.points {
		p.x.include(at.x, at.x)
		p.y.include(at.low, at.high)
	}
	p.lines = append(p.lines, l)
}

// values draws a quantity of points over x with its bounds. Points without a value are left out.
func (p *Picture) values(i int, name string, points []collect.Point, x func(collect.Point) int, q quantity) {
	var values []point
	for _, at := range points {
		if v := q.of(at); v.Min > 0 {
			values = append(values, point{float64(x(at)), v.Median, v.Min, v.Max})
		}
	}
	p.points += len(values)
	if len(values) > 0 {
		p.line(i, name, values)
	}
}

// exact returns points without bounds, shifted upwards.
func exact(x, y []float64, shift float64) (points []point) {
	for i := range x {
		points = append(points, point{x[i], y[i] + shift, y[i] + shift, y[i] + shift})
	}
	return points
}

// slug converts a name for use in a file name.
func slug(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name),
		func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
	return strings.Join(words, "-")
}

// axis is one axis of a picture.
type axis struct {
	name     string
	min, max float64 // of the data, then of the axis
	log      bool
	ticks    []tick
	from, to float64 // position of min and max on paper
}

// tick is a mark of an axis, with a label or "".
type tick struct {
	value float64
	label string
}

func newAxis(name string) axis { return axis{name: name, min: math.Inf(1), max: math.Inf(-1)} }

// include extends the axis.
func (a *axis) include(low, high float64) { a.min, a.max = min(a.min, low), max(a.max, high) }

// at returns the position of a value on paper.
func (a *axis) at(value float64) float64 {
	low, high := a.min, a.max
	if a.log {
		value, low, high = math.Log(value), math.Log(low), math.Log(high)
	}
	return a.from + (a.to-a.from)*(value-low)/(high-low)
}
