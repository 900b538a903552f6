package plots

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"

	"gonum.org/v1/plot/vg/vgsvg"
)

// WriteSVG draws the picture as a file of its own, light or dark as its reader prefers.
func (p *Picture) WriteSVG(w io.Writer) error {
	text, err := p.svg("<style>\n" + Style() + "</style>\n")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// Inline is the picture as an element of a page, which has Style.
func (p *Picture) Inline() (string, error) { return p.svg("") }

// svg lets the library draw and replaces the head of what it wrote: one that says what the picture shows, and that
// lets a page choose the size.
func (p *Picture) svg(style string) (string, error) {
	width, height := p.size()
	c := vgsvg.New(width, height)
	p.draw(c)
	var drawn bytes.Buffer
	if _, err := c.WriteTo(&drawn); err != nil {
		return "", fmt.Errorf("plots: %s: %w", p.Name, err)
	}
	_, head, found := strings.Cut(drawn.String(), "<svg ")
	_, body, closed := strings.Cut(head, ">\n")
	if !found || !closed {
		return "", fmt.Errorf("plots: %s: the drawing does not begin as an SVG does", p.Name)
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" aria-labelledby="%[1]s-title %[1]s-desc" width="%[2]g" height="%[3]g" viewBox="0 0 %[2]g %[3]g">
<title id="%[1]s-title">%[4]s</title>
<desc id="%[1]s-desc">%[5]s</desc>
%[6]s%[7]s`, p.Name, width.Points(), height.Points(), html.EscapeString(p.Title), html.EscapeString(p.Caption), style, body), nil
}
