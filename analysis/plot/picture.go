package plot

import (
	"fmt"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Picture is one drawing.
type Picture struct {
	Name    string // of its file, without the extension
	Group   string // heading of its group of pictures
	Title   string
	Caption string // a few sentences

	plot   *plot.Plot
	x, y   string // names of the axes
	keys   []key  // of the legend, below the axes
	points int    // number of points or boxes, 0 if the picture has others
	height vg.Length
}

// key is an entry of the legend.
type key struct {
	name   string
	sample []plot.Thumbnailer
}

// The measures of a picture, in points. All pictures have the same width, which a telephone shows enlarged.
// Long names and more rows increase the height.
const (
	width       = 360
	axesHeight  = 270 // of the axes with their names, without rows
	axisHeight  = 46  // of a horizontal axis with its name, below rows
	lineHeight  = 16  // of a text
	gap         = 8   // around the legend, the title and the axes' names
	margin      = 10
	sampleWidth = 26 // of an entry of the legend
	titleSize   = 13
	labelSize   = 12
	tickSize    = 11
	enlarged    = 1.4 // factor of the size in a separate file
	dpi         = 216 // of PNGs
)

// newPicture returns an empty picture with named axes.
func newPicture(name, title, x, y string) *Picture {
	p := plot.New()
	p.BackgroundColor = nil
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Tick.Color = frame.color(), frame.color()
		axis.Tick.Length = 5
	}
	p.X.Tick.Label = style(tickSize, draw.XCenter, draw.YTop)
	p.Y.Tick.Label = style(tickSize, draw.XRight, draw.YCenter)
	return &Picture{Name: name, Title: title, plot: p, x: x, y: y, height: axesHeight}
}

// rows labels the vertical axis with one row per name, from the top down.
func (p *Picture) rows(names []string, height vg.Length) {
	var ticks plot.ConstantTicks
	for i, name := range names {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: name})
	}
	y := &p.plot.Y
	y.Tick.Marker, y.Tick.Length, y.LineStyle.Width = ticks, 0, 0
	y.Scale = plot.InvertedScale{Normalizer: plot.LinearScale{}}
	y.Min, y.Max = -0.5, float64(len(names))-0.5
	p.height = height*vg.Length(len(names)) + axisHeight
}

// style returns the style of a text.
func style(size vg.Length, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}, Color: ink.color(),
		XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler,
	}
}

// wrapped breaks a text into lines of a maximum width, at blanks or inside longer words.
func wrapped(words string, s text.Style, most vg.Length) (lines []string) {
	line := ""
	for _, word := range strings.Fields(words) {
		if longer := strings.TrimSpace(line + " " + word); s.Width(longer) <= most {
			line = longer
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for line = ""; s.Width(word) > most; {
			part := []rune(word)
			for s.Width(string(part)) > most {
				part = part[:len(part)-1]
			}
			lines, word = append(lines, string(part)), word[len(string(part)):]
		}
		line = word
	}
	return append(lines, line)
}

// key adds an entry to the legend.
func (p *Picture) key(name string, sample ...plot.Thumbnailer) {
	p.keys = append(p.keys, key{name, sample})
}

// grid draws lines at the labelled ticks of the axis with figures, behind the data.
func (p *Picture) grid(horizontal bool) {
	g := plotter.NewGrid()
	lines := draw.LineStyle{Color: rule.color(), Width: 0.75}
	g.Vertical, g.Horizontal = draw.LineStyle{}, lines
	if horizontal {
		g.Vertical, g.Horizontal = lines, draw.LineStyle{}
	}
	p.plot.Add(g)
}

func (p *Picture) titleLines() []string { return wrapped(p.Title, titleStyle(), width-2*margin) }

func (k key) lines() []string { return wrapped(k.name, keyStyle(), width-2*margin-sampleWidth-gap) }

func titleStyle() text.Style { return style(titleSize, draw.XLeft, draw.YTop) }
func keyStyle() text.Style   { return style(tickSize, draw.XLeft, draw.YTop) }

func (p *Picture) titleHeight() vg.Length { return lineHeight*vg.Length(len(p.titleLines())) + gap }

func (p *Picture) legendHeight() vg.Length {
	height := vg.Length(0)
	for _, k := range p.keys {
		height += lineHeight * vg.Length(len(k.lines()))
	}
	return height + gap*vg.Length(min(len(p.keys), 1))
}

func (p *Picture) size() (w, h vg.Length) {
	return width, 2*margin + p.titleHeight() + p.height + p.legendHeight()
}

// draw draws the title, the axes and the legend below each other. It writes the names of the axes itself, because the
// library reserves too little space for them next to logarithmic axes.
func (p *Picture) draw(c vg.CanvasSizer) {
	page := draw.New(c)
	page.SetColor(paper.color())
	page.Fill(page.Rectangle.Path())
	page = draw.Crop(page, margin, -margin, margin, -margin)
	down(page, page.Max.Y, p.titleLines(), titleStyle(), 0)
	p.drawLegend(draw.Crop(page, 0, 0, 0, p.legendHeight()-page.Size().Y-gap))

	axes := draw.Crop(page, 0, 0, p.legendHeight(), -p.titleHeight())
	name := style(labelSize, draw.XCenter, draw.YBottom)
	line := name.Height(p.y+p.x) + gap
	if p.y != "" {
		axes.Min.X += line
	}
	if p.x != "" {
		page.FillText(name, vg.Point{X: axes.Center().X, Y: axes.Min.Y + name.FontExtents().Descent}, p.x)
		axes.Min.Y += line
	}
	name.Rotation, name.YAlign = math.Pi/2, draw.YTop
	if p.y != "" {
		page.FillText(name, vg.Point{X: page.Min.X, Y: axes.Center().Y}, p.y)
	}
	p.plot.Draw(axes)
}

// drawLegend draws the entries below each other, each with its sample in the first line.
func (p *Picture) drawLegend(c draw.Canvas) {
	top := c.Max.Y
	for _, k := range p.keys {
		sample := c
		sample.Max = vg.Point{X: c.Min.X + sampleWidth, Y: top - 2}
		sample.Min.Y = top - lineHeight + 3
		for _, thumbnail := range k.sample {
			thumbnail.Thumbnail(&sample)
		}
		top = down(c, top, k.lines(), keyStyle(), sampleWidth+gap)
	}
}

// down writes lines below each other and returns the position after them.
func down(c draw.Canvas, top vg.Length, lines []string, s text.Style, indent vg.Length) vg.Length {
	for _, line := range lines {
		c.FillText(s, vg.Point{X: c.Min.X + indent, Y: top}, line)
		top -= lineHeight
	}
	return top
}

// WritePNG writes the picture with light colours.
func (p *Picture) WritePNG(w io.Writer) error {
	width, height := p.size()
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
	p.draw(c)
	if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(w); err != nil {
		return fmt.Errorf("plot: %s: %w", p.Name, err)
	}
	return nil
}
