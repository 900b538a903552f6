package plot

// Series is named points, in the legend in this order.
type Series struct {
	Name string
	X, Y []float64
}

// MostLines is the largest number of Series that Lines is meant for.
const MostLines = mostLines

// lane is the height of a lane in a row of Lanes, in rows.
const lane = 0.15

// like returns an empty picture with the texts of another one.
func like(texts Picture, x, y string) *Picture {
	p := newPicture(slug(texts.Name), texts.Title, x, y)
	p.Group, p.Caption = texts.Group, texts.Caption
	return p
}

// Lanes draws a picture with these texts: X on a logarithmic axis, in the row with the number Y. Each series has its
// lane in the rows.
func Lanes(texts Picture, x string, rows []string, all []Series) *Picture {
	p := like(texts, x, "")
	for i, s := range all {
		p.line(i, s.Name, exact(s.X, s.Y, lane*(float64(i)-float64(len(all)-1)/2)))
		p.lines[i].apart = true
	}
	p.rows = len(rows)
	p.y.min, p.y.max = float64(len(rows))-0.5, -0.5 // from the top down
	for i, name := range rows {
		p.y.ticks = append(p.y.ticks, tick{float64(i), name})
	}
	logarithmic(&p.x, sparse)
	return p
}

// Lines draws a picture with these texts: a line for each series over whole numbers, with a logarithmic vertical axis.
func Lines(texts Picture, x, y string, all []Series) *Picture {
	p := like(texts, x, y)
	var numbers []int
	for i, s := range all {
		p.line(i, s.Name, exact(s.X, s.Y, 0))
		for _, x := range s.X {
			numbers = append(numbers, int(x))
		}
	}
	logarithmic(&p.y, dense)
	counts(&p.x, numbers)
	return p
}
