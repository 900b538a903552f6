package plot

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// WriteSVG writes the picture as a separate file, with light and dark colours.
func (p *Picture) WriteSVG(w io.Writer) error {
	text, err := p.svg("<style>\n" + Style() + "</style>\n")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// Inline returns the picture as an element of a page with Style.
func (p *Picture) Inline() (string, error) { return p.svg("") }

// svg draws the picture and replaces the library's head by one with a title and a description, whose size a page can
// set.
func (p *Picture) svg(style string) (string, error) {
	width, height := p.size()
	c := vgsvg.New(width, height)
	p.draw(c)
	var drawn bytes.Buffer
	if _, err := c.WriteTo(&drawn); err != nil {
		return "", fmt.Errorf("plot: %s: %w", p.Name, err)
	}
	_, head, found := strings.Cut(drawn.String(), "<svg ")
	_, body, closed := strings.Cut(head, ">\n")
	if !found || !closed {
		return "", fmt.Errorf("plot: %s: the drawing does not begin as an SVG", p.Name)
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img"
 aria-labelledby="%[1]s-title %[1]s-desc" width="%[8]g" height="%[9]g" viewBox="0 0 %[2]g %[3]g">
<title id="%[1]s-title">%[4]s</title>
<desc id="%[1]s-desc">%[5]s</desc>
%[6]s%[7]s`, p.Name, width.Points(), height.Points(), html.EscapeString(p.Title), html.EscapeString(p.Caption), style,
		measured(body), enlarged*width.Points(), enlarged*height.Points()), nil
}

// words matches a text as the library writes it: its position, its size in pixels, and its content.
var words = regexp.MustCompile(
	`(?s)<text ([^>]*)font-family:Liberation Sans;([^>]*font-size:([0-9.]+)px[^>]*)>([^<]*)</text>`)

// measured adds the length and substitute fonts to each text. The library positions texts by the width of its own font;
// in another font they could overlap their neighbours.
func measured(svg string) string {
	return words.ReplaceAllStringFunc(svg, func(element string) string {
		part := words.FindStringSubmatch(element)
		size, err := strconv.ParseFloat(part[3], 64)
		if err != nil {
			return element
		}
		letters := style(vg.Points(size), 0, 0).Font
		face := font.DefaultCache.Lookup(letters, letters.Size)
		width := face.Width(html.UnescapeString(part[4]))
		return fmt.Sprintf(`<text textLength="%.4g" lengthAdjust="spacingAndGlyphs" `+
			`%sfont-family:'Liberation Sans',Arial,Helvetica,sans-serif;%s>%s</text>`,
			width.Points(), part[1], part[2], part[4])
	})
}
