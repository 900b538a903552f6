package plot

import (
	"fmt"
	"image/color"
	"strings"
)

// tone is a colour of the pictures, on light and on dark pages. It must not be black, which the library omits from the
// SVG, so that a dark page could not replace it.
type tone struct{ light, dark uint32 }

// Tones of the background and the axes.
var (
	paper = tone{0xFFFFFF, 0x0D1117}
	ink   = tone{0x1F2328, 0xE6EDF3} // text
	frame = tone{0x6E7781, 0x8B949E} // axes
	rule  = tone{0xD8DEE4, 0x30363D} // grid
)

// lineTones distinguish lines and boxes, in addition to glyphs. Their contrast with the paper is above 4 to 1.
var lineTones = []tone{
	{0x0060A8, 0x5AB4FF}, // blue
	{0xB84A00, 0xFF9A4D}, // orange
	{0x00734F, 0x3FD1A5}, // green
	{0x9B3F84, 0xE58FD0}, // purple
	{0x6B5D00, 0xD9C74A}, // olive
	{0xA01C3A, 0xFF8098}, // red
	{0x4D6570, 0xA9BECB}, // slate
}

// The parts of a level's time.
var (
	computingTone  = lineTones[0]
	exchangingTone = tone{0xE08A00, 0xFFB84D}
	waitingTone    = tone{0xAAB4BE, 0x7D8893}
	restTone       = tone{0x57606A, 0xC9D1D9}
)

func rgb(x uint32) color.Color { return color.RGBA{byte(x >> 16), byte(x >> 8), byte(x), 255} }

func (t tone) color() color.Color { return rgb(t.light) }

// tones returns all tones of the pictures.
func tones() []tone {
	return append([]tone{paper, ink, frame, rule, exchangingTone, waitingTone, restTone}, lineTones...)
}

// Style returns the style sheet of the pictures. The SVG's attributes have the light colours, for programs without
// style sheets; the style sheet replaces them on dark pages.
func Style() string {
	var css strings.Builder
	css.WriteString("@media (prefers-color-scheme:dark){\n")
	for _, t := range tones() {
		for _, property := range []string{"fill", "stroke"} {
			fmt.Fprintf(&css, "svg.plot [style*=\"%s:#%06X\"]{%s:#%06X !important}\n", property, t.light, property, t.dark)
		}
	}
	css.WriteString("}\n")
	return css.String()
}
