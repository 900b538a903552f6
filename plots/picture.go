package plots

import (
	"fmt"
	"io"
	"math"

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
	Name    string // of its file, without the ending
	Title   string
	Caption string // what is to be seen, in a sentence or two

	plot   *plot.Plot
	x, y   string // what the axes show
	legend plot.Legend
	keys   int // entries of the legend, below the axes
	width  vg.Length
}

// The measures of a picture, in points.
const (
	usualWidth   = 620
	axesHeight   = 350 // of the drawing without its legend
	keyHeight    = 16  // of an entry of the legend
	gap          = 8   // above the legend, and beside the axes' names
	margin       = 10
	legendIndent = 40
	titleSize    = 14
	labelSize    = 12
	tickSize     = 11
	dpi          = 144 // of PNGs
)

// newPicture is an empty drawing with named axes.
func newPicture(name, title, x, y string) *Picture {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text = title
	p.Title.Padding = 10
	p.Title.TextStyle = style(titleSize, draw.XCenter, draw.YTop)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Tick.Color = frame.color(), frame.color()
		axis.Tick.Length = 5
	}
	p.X.Tick.Label = style(tickSize, draw.XCenter, draw.YTop)
	p.Y.Tick.Label = style(tickSize, draw.XRight, draw.YCenter)
	l := plot.NewLegend()
	l.Left, l.Top, l.ThumbnailWidth = true, true, 26
	l.TextStyle = style(tickSize, draw.XLeft, draw.YBottom)
	l.Padding = keyHeight - l.TextStyle.Height("Kp")
	width := max(usualWidth, p.Title.TextStyle.Width(title)+8*margin)
	return &Picture{Name: name, Title: title, plot: p, x: x, y: y, legend: l, width: width}
}

// style is that of a text.
func style(size vg.Length, x text.XAlignment, y text.YAlignment) text.Style {
	return text.Style{
		Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}, Color: ink.color(),
		XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler,
	}
}

// key adds an entry to the legend. A picture is as wide as its longest.
func (p *Picture) key(name string, sample ...plot.Thumbnailer) {
	p.legend.Add(name, sample...)
	p.keys++
	p.width = max(p.width, p.legend.TextStyle.Width(name)+p.legend.ThumbnailWidth+legendIndent+4*margin)
}

// grid draws lines at the labelled ticks of the vertical axis, behind the data.
func (p *Picture) grid() {
	g := plotter.NewGrid()
	g.Vertical.Width = 0
	g.Horizontal = draw.LineStyle{Color: rule.color(), Width: 0.75}
	p.plot.Add(g)
}

func (p *Picture) size() (w, h vg.Length) { return p.width, axesHeight + p.legendHeight() }

func (p *Picture) legendHeight() vg.Length {
	if p.keys == 0 {
		return 0
	}
	return gap + vg.Length(p.keys)*keyHeight
}

// draw puts the axes above the legend. It writes the names of the axes itself: the library leaves room for them as if
// no axis were logarithmic.
func (p *Picture) draw(c vg.CanvasSizer) {
	page := draw.New(c)
	page.SetColor(paper.color())
	page.Fill(page.Rectangle.Path())
	page = draw.Crop(page, margin, -margin, margin, -margin)
	p.legend.Draw(draw.Crop(page, legendIndent, 0, 0, p.legendHeight()-page.Size().Y-gap))

	name := style(labelSize, draw.XCenter, draw.YBottom)
	line := name.Height(p.y) + gap
	axes := draw.Crop(page, line, 0, p.legendHeight(), 0)
	if p.x != "" {
		page.FillText(name, vg.Point{X: axes.Center().X, Y: axes.Min.Y + name.FontExtents().Descent}, p.x)
		axes.Min.Y += line
	}
	name.Rotation, name.YAlign = math.Pi/2, draw.YTop
	page.FillText(name, vg.Point{X: page.Min.X, Y: axes.Center().Y}, p.y)
	p.plot.Draw(axes)
}

// WritePNG draws the picture, light.
func (p *Picture) WritePNG(w io.Writer) error {
	width, height := p.size()
	c := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
	p.draw(c)
	if _, err := (vgimg.PngCanvas{Canvas: c}).WriteTo(w); err != nil {
		return fmt.Errorf("plots: %s: %w", p.Name, err)
	}
	return nil
}
