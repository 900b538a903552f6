package plot

import (
	"fmt"
	"image/color"
	"strings"
)

// tone is a colour of the pictures: as it is drawn, and as a dark page shows it. Black would not do: the library does
// not write it into the SVG, where the dark page looks for it.
type tone struct{ light, dark uint32 }

// What is not data.
var (
	paper = tone{0xFFFFFF, 0x0D1117}
	ink   = tone{0x1F2328, 0xE6EDF3} // text
	frame = tone{0x6E7781, 0x8B949E} // axes
	rule  = tone{0xD8DEE4, 0x30363D} // grid
)

// lineTones tell lines and boxes apart. Their contrast with the paper is above 4 to 1, and their glyphs differ too.
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

// tones are all that the pictures use.
func tones() []tone {
	return append([]tone{paper, ink, frame, rule, exchangingTone, waitingTone, restTone}, lineTones...)
}

// Style is the style sheet of the pictures. Colours stand in the SVG's own attributes, so that programs without style
// sheets show the light form; here a dark page replaces each by its dark form.
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
