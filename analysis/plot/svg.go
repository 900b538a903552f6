package plot

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// The measures of a picture, in points. All pictures have the same width, which a telephone shows enlarged. Long names
// and more rows increase the height.
const (
	width       = 360
	axesHeight  = 220 // without rows
	rowHeight   = 32
	lineHeight  = 16 // of a text
	gap         = 8  // around the legend, the title and the axes' names
	margin      = 10
	sampleWidth = 26 // of an entry of the legend
	titleSize   = 13
	labelSize   = 12
	tickSize    = 11
	letterWidth = 0.58 // of the size: the mean of a wide sans-serif font
	enlarged    = 1.4  // factor of the size in a separate file
)

// drawing is the content of an SVG.
type drawing struct{ strings.Builder }

// stroke draws a path. more is further attributes.
func (d *drawing) stroke(t tone, width float64, path, more string) {
	fmt.Fprintf(d, "<path d=%q fill=\"none\" stroke=%q stroke-width=\"%g\"%s/>\n", path, t.light, width, more)
}

// text writes a text at its baseline; more has its anchor or rotation.
func (d *drawing) text(x, y, size float64, words, more string) {
	fmt.Fprintf(d, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%gpx\" fill=%q%s>%s</text>\n", x, y, size, ink.light, more,
		html.EscapeString(words))
}

// down writes lines below each other.
func (d *drawing) down(x, top float64, lines []string, size float64) {
	for i, words := range lines {
		d.text(x, top+lineHeight*float64(i)+size, size, words, "")
	}
}

// glyph draws a line's glyph at a place.
func (d *drawing) glyph(l line, x, y float64) {
	fill := l.tone.light
	if l.hollow {
		fill = "none"
	}
	if l.glyph == "" {
		return
	}
	fmt.Fprintf(d, "<path d=\"M%.1f %.1f%s\" fill=%q stroke=%q/>\n", x, y, l.glyph, fill, l.tone.light)
}

// textWidth estimates the width of a text.
func textWidth(words string, size float64) float64 {
	return letterWidth * size * float64(len([]rune(words)))
}

// wrapped breaks a text into lines of a maximum width, at blanks or inside longer words.
func wrapped(text string, size, most float64) (lines []string) {
	letters, line := int(most/(letterWidth*size)), ""
	for _, word := range strings.Fields(text) {
		if longer := strings.TrimSpace(line + " " + word); len([]rune(longer)) <= letters {
			line = longer
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		rest := []rune(word)
		for ; len(rest) > letters; rest = rest[letters:] {
			lines = append(lines, string(rest[:letters]))
		}
		line = string(rest)
	}
	return append(lines, line)
}

// WriteSVG writes the picture as a separate file, with light and dark colours.
func (p *Picture) WriteSVG(w io.Writer) error {
	_, err := io.WriteString(w, p.svg("<style>\n"+Style()+"</style>\n"))
	return err
}

// Inline returns the picture as an element of a page with Style.
func (p *Picture) Inline() string { return p.svg("") }

// svg draws the title, the axes and the legend below each other.
func (p *Picture) svg(style string) string {
	var d drawing
	title := wrapped(p.Title, titleSize, width-2*margin)
	d.down(margin, margin, title, titleSize)
	below := p.axes(&d, margin+lineHeight*float64(len(title))+gap)
	for _, l := range p.lines {
		p.draw(&d, l)
	}
	height := p.legend(&d, below) + margin
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img"
 aria-labelledby="%[1]s-title %[1]s-desc" width="%[7]g" height="%[8]g" viewBox="0 0 %[2]d %[3]g"
 font-family="'Liberation Sans',Arial,Helvetica,sans-serif">
<title id="%[1]s-title">%[4]s</title>
<desc id="%[1]s-desc">%[5]s</desc>
%[6]s<path d="M0 0h%[2]dv%[3]gh-%[2]dz" fill="%[9]s"/>
%[10]s</svg>
`, p.Name, width, height, html.EscapeString(p.Title), html.EscapeString(p.Caption), style,
		enlarged*float64(width), enlarged*height, paper.light, d.String())
}

// axes places and draws the axes, with lines at the labelled ticks of the axis with figures, and returns the position
// below them.
func (p *Picture) axes(d *drawing, top float64) (below float64) {
	left, right, bottom := float64(margin), float64(width-margin-gap), top+axesHeight
	if p.rows > 0 {
		bottom = top + rowHeight*float64(p.rows)
	}
	if p.y.name != "" {
		left += lineHeight
		at := (top + bottom) / 2
		d.text(margin+labelSize, at, labelSize, p.y.name,
			fmt.Sprintf(` text-anchor="middle" transform="rotate(-90 %d %.1f)"`, margin+labelSize, at))
	}
	widest := 0.0
	for _, t := range p.y.ticks {
		widest = max(widest, textWidth(t.label, tickSize))
	}
	left += widest + gap
	p.x.from, p.x.to, p.y.from, p.y.to = left, right, bottom, top
	for _, t := range p.y.ticks {
		y := p.y.at(t.value)
		if t.label != "" && p.rows == 0 {
			d.stroke(rule, 0.75, fmt.Sprintf("M%.1f %.1fH%.1f", left, y, right), "")
		}
		d.text(left-gap/2, y+tickSize/3, tickSize, t.label, ` text-anchor="end"`)
	}
	for _, t := range p.x.ticks {
		x := p.x.at(t.value)
		if t.label != "" && p.rows > 0 {
			d.stroke(rule, 0.75, fmt.Sprintf("M%.1f %.1fV%.1f", x, top, bottom), "")
		}
		d.stroke(frame, 0.75, fmt.Sprintf("M%.1f %.1fv4", x, bottom), "")
		d.text(x, bottom+lineHeight, tickSize, t.label, ` text-anchor="middle"`)
	}
	d.stroke(frame, 1, fmt.Sprintf("M%.1f %.1fV%.1fH%.1f", left, top, bottom, right), "")
	d.text((left+right)/2, bottom+2*lineHeight, labelSize, p.x.name, ` text-anchor="middle"`)
	return bottom + 2*lineHeight + gap
}

// draw draws a line with its error bars and glyphs.
func (p *Picture) draw(d *drawing, l line) {
	joined := ""
	for i, at := range l.points {
		x, y, low, high := p.x.at(at.x), p.y.at(at.y), p.y.at(at.low), p.y.at(at.high)
		joined += fmt.Sprintf("%c%.1f %.1f", "ML"[min(i, 1)], x, y)
		if low != high {
			d.stroke(l.tone, 1, fmt.Sprintf("M%.1f %.1fh7m-3.5 0V%.1fm-3.5 0h7", x-3.5, low, high), "")
		}
		d.glyph(l, x, y)
	}
	p.sample(d, l, joined)
}

// sample draws the path of a line, if it has one.
func (p *Picture) sample(d *drawing, l line, path string) {
	switch {
	case l.dashed:
		d.stroke(l.tone, 1.25, path, ` stroke-dasharray="5 4"`)
	case !l.apart:
		d.stroke(l.tone, 1.75, path, "")
	}
}

// legend draws the entries below each other, each with its sample in the first line, and returns the position below.
func (p *Picture) legend(d *drawing, top float64) (below float64) {
	for _, l := range p.lines {
		if l.name == "" {
			continue
		}
		lines := wrapped(l.name, tickSize, width-2*margin-sampleWidth-gap)
		p.sample(d, l, fmt.Sprintf("M%d %.1fh%d", margin, top+gap, sampleWidth))
		d.glyph(l, margin+sampleWidth/2, top+gap)
		d.down(margin+sampleWidth+gap, top, lines, tickSize)
		top += lineHeight * float64(len(lines))
	}
	return top
}
