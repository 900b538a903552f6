package plot

import (
	"fmt"
	"strings"
)

// tone is a colour of the pictures, on light and on dark pages, as in #0060A8.
type tone struct{ light, dark string }

// Tones of the background and the axes.
var (
	paper = tone{"#FFFFFF", "#0D1117"}
	ink   = tone{"#1F2328", "#E6EDF3"} // text
	frame = tone{"#6E7781", "#8B949E"} // axes
	rule  = tone{"#D8DEE4", "#30363D"} // grid
)

// lineTones distinguish lines, in addition to glyphs. Their contrast with the paper is above 4 to 1.
var lineTones = []tone{
	{"#0060A8", "#5AB4FF"}, // blue
	{"#B84A00", "#FF9A4D"}, // orange
	{"#00734F", "#3FD1A5"}, // green
	{"#9B3F84", "#E58FD0"}, // purple
	{"#6B5D00", "#D9C74A"}, // olive
	{"#A01C3A", "#FF8098"}, // red
	{"#4D6570", "#A9BECB"}, // slate
}

// Style returns the style sheet of the pictures. The SVG's attributes have the light colours, for programs without
// style sheets; the style sheet replaces them on dark pages.
func Style() string {
	var css strings.Builder
	css.WriteString("@media (prefers-color-scheme:dark){\n")
	for _, t := range append([]tone{paper, ink, frame, rule}, lineTones...) {
		for _, property := range []string{"fill", "stroke"} {
			fmt.Fprintf(&css, "svg.plot [%s=%q]{%s:%s}\n", property, t.light, property, t.dark)
		}
	}
	css.WriteString("}\n")
	return css.String()
}
