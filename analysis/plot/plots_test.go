package plot

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"g500/analysis/collect"
	"g500/internal/expect"
	"g500/record"
)

func testSet(t *testing.T) *collect.Set {
	t.Helper()
	return expect.Value(collect.Read("../collect/testdata/set"))(t)
}

// texts returns the texts of an SVG in order. It fails if the SVG is malformed or refers to other files.
func texts(t *testing.T, svg string) (found []string) {
	t.Helper()
	in := ""
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			in = token.Name.Local
			for _, a := range token.Attr {
				if a.Name.Local == "href" || a.Name.Local == "src" || strings.Contains(a.Value, "url(") {
					t.Errorf("<%s %s=%q> refers to another file", in, a.Name.Local, a.Value)
				}
			}
			if in == "script" || in == "image" || in == "foreignObject" {
				t.Errorf("there is a <%s>", in)
			}
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" && in != "style" {
				found = append(found, text)
			}
		}
	}
}

// wanted has texts that each picture must have.
var wanted = map[string][]string{
	"teps-ranks-strong": {"Strong scaling: TEPS over ranks, one graph", "ranks", "TEPS (harmonic mean)", "1", "2", "4",
		"1 T", "100 G",
		"NVIDIA H200, gpu: strong scaling, scale 26 (efficiency on 4 GPUs: 45.5%)",
		"study, AMD EPYC (2 cores), cpu, 1 thread per rank: strong scaling, scale 18 (efficiency on 2 ranks: 76.3%)",
		"ideal: proportional to the number of ranks"},
	"teps-ranks-weak": {"Weak scaling: TEPS over ranks, one graph size per rank",
		"NVIDIA H200, gpu: weak scaling, scale 26 per GPU (efficiency on 4 GPUs: 60.8%)"},
	"teps-scale": {"TEPS over scale", "scale (log2 of the number of vertices)", "26", "27",
		"28", "NVIDIA H200, gpu: 4 ranks"},
	"kernel1-scale":    {"Time of kernel 1 over scale", "seconds", "26", "28"},
	"validation-scale": {"Median time to validate a result over scale", "seconds", "26", "28"},
	"frontier": {"Frontier by level", "distance from the root", "vertices in the frontier", "scale 26, edge factor 16",
		"100 M", "7"},
}

// Pictures of fewer than three points are left to the tables: the two points of the study have none of their own.
func TestPicturesHaveTexts(t *testing.T) {
	pictures := Of(testSet(t))
	if len(pictures) != len(wanted) {
		t.Errorf("%d pictures, want %d", len(pictures), len(wanted))
	}
	for _, p := range pictures {
		svg := expect.Written(t, p.WriteSVG)
		found := texts(t, svg)
		for _, want := range wanted[p.Name] {
			if !slices.Contains(found, want) && (len(want) < 12 || !strings.Contains(strings.Join(found, " "), want)) {
				t.Errorf("%s has no %q, but %q", p.Name, want, found)
			}
		}
		if found[0] != p.Title || found[1] != p.Caption ||
			!strings.Contains(svg, fmt.Sprintf("aria-labelledby=\"%[1]s-title %[1]s-desc\"", p.Name)) {
			t.Errorf("%s has no title and description for screen readers: %q", p.Name, found[:2])
		}
		if strings.Count(svg, "<path ") < 12 {
			t.Errorf("%s is almost empty", p.Name)
		}
	}
}

var (
	colour  = regexp.MustCompile(`(fill|stroke)="([^"]*)"`)
	letters = regexp.MustCompile(`<text x="([0-9.]+)" [^>]*size="([0-9]+)px"[^>]*>([^<]*)`)
)

// A dark page can replace only colours of Style.
func TestEveryColourHasADarkForm(t *testing.T) {
	dark := Style()
	for _, p := range Of(testSet(t)) {
		_, body, _ := strings.Cut(expect.Written(t, p.WriteSVG), "</style>")
		for _, c := range colour.FindAllStringSubmatch(body, -1) {
			if c[2] != "none" && !strings.Contains(dark, "["+c[0]+"]") {
				t.Fatalf("%s uses %s, which has no dark form", p.Name, c[0])
			}
		}
	}
}

// The contrast with the background, by the formula of WCAG 2, is at least 4.5 for text and 3 for graphics.
func TestContrast(t *testing.T) {
	for _, c := range append([]tone{frame}, lineTones...) {
		if light, dark := contrast(c.light, paper.light), contrast(c.dark, paper.dark); light < 3 || dark < 3 {
			t.Errorf("%s on light: %.2f, %s on dark: %.2f", c.light, light, c.dark, dark)
		}
	}
	if light, dark := contrast(ink.light, paper.light), contrast(ink.dark, paper.dark); light < 4.5 || dark < 4.5 {
		t.Errorf("text: %.2f, %.2f", light, dark)
	}
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	rgb, _ := strconv.ParseUint(colour[1:], 16, 32)
	part := func(shift int) float64 {
		c := float64(rgb>>shift&255) / 255
		if c <= 0.03928 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}

// Long names are broken into lines within the picture.
func TestLegendsFit(t *testing.T) {
	set := testSet(t)
	for _, run := range set.Runs {
		run.Kind.Machine += " with a name that is longer than any other and does not end before the picture does"
	}
	for _, p := range Of(collect.NewSet(set.Runs)) {
		for _, text := range letters.FindAllStringSubmatch(expect.Written(t, p.WriteSVG), -1) {
			x, _ := strconv.ParseFloat(text[1], 64)
			size, _ := strconv.ParseFloat(text[2], 64)
			if strings.Contains(text[0], "anchor") { // of an axis
				continue
			}
			if end := x + textWidth(text[3], size); end > width {
				t.Errorf("%s: a text ends at %g of %d: %s", p.Name, end, width, text)
			}
		}
	}
}

// No two series of a picture have the same colour, for any number of machines and ranks.
func TestEachSeriesHasItsColour(t *testing.T) {
	set := testSet(t)
	first := set.Runs[0]
	for machine := range 4 {
		for _, ranks := range []int{1, 2, 4, 8, 16, 32, 64, 128, 256} {
			for scale := 20; scale < 23; scale++ {
				run, copied := *first, *first.Run
				run.Kind.Machine = fmt.Sprintf("machine %d", machine)
				copied.Ranks, copied.Scale, run.Run = ranks, scale+ranks%3, &copied
				set.Runs = append(set.Runs, &run)
			}
		}
	}
	names := map[string]bool{}
	for _, p := range Of(collect.NewSet(set.Runs)) {
		if names[p.Name] {
			t.Errorf("two pictures are called %s", p.Name)
		}
		names[p.Name] = true
		series := map[tone]string{}
		for _, l := range p.lines {
			if other := series[l.tone]; other != "" && l.name != "" {
				t.Errorf("%s: %q and %q have one colour", p.Name, other, l.name)
			}
			series[l.tone] = l.name
		}
	}
	if !names["teps-scale-machine-3"] {
		t.Errorf("a machine has no separate picture: %v", names)
	}
}

// The axes include all points with their bounds, and the last level has its number.
func TestPointsAreOnTheAxes(t *testing.T) {
	for _, p := range Of(testSet(t)) {
		last := 0.0
		for _, l := range p.lines {
			for _, at := range l.points {
				if at.x < p.x.min || at.x > p.x.max || at.low < p.y.min || at.high > p.y.max || at.low > at.y || at.y > at.high {
					t.Errorf("%s: %s has %+v, the axes %+v and %+v", p.Name, l.name, at, p.x, p.y)
				}
				last = max(last, at.x)
			}
		}
		if ticks := p.x.ticks; math.Round(last) != ticks[len(ticks)-1].value {
			t.Errorf("%s: the last point is at %g, the last number at %g", p.Name, last, ticks[len(ticks)-1].value)
		}
	}
}

// Pictures change only if their figures do: drawing leaves the set as it is.
func TestPicturesAreReproducible(t *testing.T) {
	set := testSet(t)
	first, second := Of(set), Of(set)
	for i, p := range first {
		if expect.Written(t, p.WriteSVG) != expect.Written(t, second[i].WriteSVG) {
			t.Errorf("%s is not reproducible", p.Name)
		}
	}
}

func TestNoPictureWithoutFigures(t *testing.T) {
	cut := &collect.Run{Run: &record.Run{Status: record.Incomplete}, KernelRun: record.KernelRun{Keys: 64}}
	if pictures := Of(collect.NewSet([]*collect.Run{cut})); len(pictures) != 0 {
		t.Errorf("a set without a valid run has the picture %s", pictures[0].Name)
	}
}
