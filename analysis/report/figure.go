// SPDX-License-Identifier: Apache-2.0

package report

// Figure is a drawing of lines of points. The page's script draws it, as script/figure.js describes it.
type Figure struct {
	Name    string     `json:"name"` // of its files, without the extension
	Title   string     `json:"title"`
	Caption string     `json:"caption"` // a few sentences
	X       Axis       `json:"x"`
	Y       Axis       `json:"y"`
	Lines   list[Line] `json:"lines"`
}

// Axis is an axis of a figure. A vertical one without rows is logarithmic.
type Axis struct {
	Label string       `json:"label"`
	Log   bool         `json:"log,omitempty"`  // of a horizontal axis
	Rows  list[string] `json:"rows,omitempty"` // names in place of numbers, from the top down
}

// Line is named points, joined unless they are apart. Lines with the same number have the same colour.
type Line struct {
	Label  string       `json:"label"`
	Colour int          `json:"machine"`
	Apart  bool         `json:"apart,omitempty"`
	Points list[Marker] `json:"points"`
}

// Marker is a point of a line.
type Marker struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Shape string  `json:"shape,omitempty"` // a symbol of d3, a circle if ""
}

// shapes distinguish the first lines without colour.
var shapes = [...]string{"circle", "square", "triangle", "diamond", "cross", "star"}

// Add adds a line of points in the next colour and shape.
func (f *Figure) Add(label string, x, y []float64) {
	l := Line{Label: label, Colour: len(f.Lines)}
	for i := range x {
		l.Points = append(l.Points, Marker{x[i], y[i], shapes[len(f.Lines)%len(shapes)]})
	}
	f.Lines = append(f.Lines, l)
}

// lane is the distance between the lines of a row, in rows.
const lane = 0.13

// Lanes moves the points of each line to its own lane in the rows.
func (f *Figure) Lanes() {
	for i, l := range f.Lines {
		f.Lines[i].Apart = true
		for j := range l.Points {
			l.Points[j].Y += lane * (float64(i) - float64(len(f.Lines)-1)/2)
		}
	}
}
