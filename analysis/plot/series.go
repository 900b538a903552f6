package plot

import "gonum.org/v1/plot/plotter"

// Series is named points, in the legend in this order.
type Series struct {
	Name string
	X, Y []float64
}

// MostLines is the largest number of Series that Lines is meant for.
const MostLines = mostLines

// The height of a row of Lanes, in points, and of a lane in it, in rows.
const (
	laneRow = 32
	lane    = 0.15
)

// like returns an empty picture with the texts of another one.
func like(texts Picture, x, y string) *Picture {
	p := newPicture(slug(texts.Name), texts.Title, x, y)
	p.Group, p.Caption = texts.Group, texts.Caption
	return p
}

func (s Series) points(offset float64) (all plotter.XYs) {
	for i := range s.X {
		all = append(all, plotter.XY{X: s.X[i], Y: s.Y[i] + offset})
	}
	return all
}

// Lanes draws a picture with these texts: X on a logarithmic axis, in the row with the number Y. Each series has its
// lane in the rows.
func Lanes(texts Picture, x string, rows []string, all []Series) *Picture {
	p := like(texts, x, "")
	p.grid(true)
	for i, s := range all {
		offset := lane * (float64(i) - float64(len(all)-1)/2)
		glyphs := &plotter.Scatter{XYs: s.points(offset), GlyphStyle: glyph(i % len(lineTones))}
		glyphs.Radius = 5
		p.plot.Add(glyphs)
		p.key(s.Name, glyphs)
	}
	logarithmic(&p.plot.X, sparse)
	p.rows(rows, laneRow)
	return p
}

// Lines draws a picture with these texts: a line for each series over whole numbers, with a logarithmic vertical axis.
func Lines(texts Picture, x, y string, all []Series) *Picture {
	p := like(texts, x, y)
	p.grid(false)
	var numbers []int
	for i, s := range all {
		p.line(i, s.Name, s.points(0), nil)
		for _, x := range s.X {
			numbers = append(numbers, int(x))
		}
	}
	logarithmic(&p.plot.Y, dense)
	counts(&p.plot.X, numbers)
	return p
}
