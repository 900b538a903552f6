package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/plotter"

	"g500/analysis/collect"
	"g500/record"
)

func testSet(t *testing.T) *collect.Set {
	t.Helper()
	set, err := collect.Read("../collect/testdata/set")
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func drawn(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
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
		"NVIDIA H200, gpu: strong scaling, scale 26 (efficiency on 4", "ranks: 45.5%)",
		"study, AMD EPYC (2 cores), cpu, 1 thread per rank: strong", "scaling, scale 18 (efficiency on 2 ranks: 76.3%)",
		"ideal: proportional to the number of ranks"},
	"teps-ranks-weak": {"Weak scaling: TEPS over ranks, one graph size per rank",
		"NVIDIA H200, gpu: weak scaling, scale 26 per rank (efficiency", "on 4 ranks: 60.8%)"},
	"steps-nvidia-h200-gpu-scale26": {"Time of the mean search by step: NVIDIA H200, gpu: scale 26",
		"mean time per search", "before bottom-up",
		"later levels", "result order", "rest", "1 rank: 879 us in all", "4 ranks: 483 us in all", "473 us", "177 us"},
	"teps-scale": {"TEPS over scale", "scale (log2 of the number of vertices)", "26", "27",
		"28", "NVIDIA H200, gpu: 4 ranks"},
	"kernel1-scale":    {"Time of kernel 1 over scale", "seconds", "26", "28"},
	"validation-scale": {"Median time to validate a result over scale", "seconds", "26", "28"},
	"searches-nvidia-h200-gpu": {"TEPS of the single searches: NVIDIA H200, gpu", "TEPS of a search",
		"scale 28, 4 ranks", "n = 4"},
	"levels-nvidia-h200-gpu-scale26-ranks1": {"Time of the mean search by level: NVIDIA H200, gpu: scale 26, 1 rank",
		"computing", "the rest", "473 us"},
	"levels-nvidia-h200-gpu-scale26-ranks4": {"computing", "exchanging", "waiting for other ranks"},
	"levels-nvidia-h200-gpu-scale27-ranks2": {"scale 27, 2 ranks"},
	"levels-nvidia-h200-gpu-scale28-ranks4": {"Time of the mean search by level: NVIDIA H200, gpu: scale 28, 4 ranks",
		"mean time per search",
		"computing", "exchanging", "waiting for other ranks", "the rest",
		"2  bottom-up", "5  top-down", "result order", "200 us",
		"790 us"},
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
		svg := drawn(t, p.WriteSVG)
		found := texts(t, svg)
		for _, want := range wanted[p.Name] {
			says := func(s string) bool { return s == want || strings.HasSuffix(s, want) && len(want) > 12 }
			if !slices.ContainsFunc(found, says) {
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
	colour     = regexp.MustCompile(`(fill|stroke):(#[0-9A-Fa-f]{6}|[a-z]+)`)
	letters    = regexp.MustCompile(`(?s)<text ([^>]*)>`)
	coordinate = regexp.MustCompile(`(x|textLength)="([-0-9.e]+)"`)
)

// A dark page can replace only colours of Style, and the library does not write black.
func TestEveryColourHasADarkForm(t *testing.T) {
	dark := Style()
	for _, p := range Of(testSet(t)) {
		_, body, _ := strings.Cut(drawn(t, p.WriteSVG), "</style>")
		for _, c := range colour.FindAllStringSubmatch(body, -1) {
			if c[2] != "none" && !strings.Contains(dark, c[0]+"\"") {
				t.Fatalf("%s uses %s, which has no dark form", p.Name, c[0])
			}
		}
		for _, text := range letters.FindAllString(body, -1) {
			if !strings.Contains(text, "fill:#") || !strings.Contains(text, "textLength=") {
				t.Fatalf("%s: a text without a colour or a length: %s", p.Name, text)
			}
		}
	}
}

// The contrast with the background, by the formula of WCAG 2, is at least 4.5 for text and 3 for graphics.
func TestContrast(t *testing.T) {
	for _, c := range append([]tone{computingTone, restTone, frame}, lineTones...) {
		if light, dark := contrast(c.light, paper.light), contrast(c.dark, paper.dark); light < 3 || dark < 3 {
			t.Errorf("#%06X on light: %.2f, #%06X on dark: %.2f", c.light, light, c.dark, dark)
		}
	}
	if c := contrast(exchangingTone.dark, paper.dark); c < 3 {
		t.Errorf("exchange on dark: %.2f", c)
	}
	if light, dark := contrast(ink.light, paper.light), contrast(ink.dark, paper.dark); light < 4.5 || dark < 4.5 {
		t.Errorf("text: %.2f, %.2f", light, dark)
	}
}

func contrast(a, b uint32) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(rgb uint32) float64 {
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
		for _, text := range letters.FindAllString(drawn(t, p.WriteSVG), -1) {
			if strings.Contains(text, "font-size:12px") { // the name of an axis, which may be vertical
				continue
			}
			place := map[string]float64{}
			for _, c := range coordinate.FindAllStringSubmatch(text, -1) {
				place[c[1]], _ = strconv.ParseFloat(c[2], 64)
			}
			if end := place["x"] + place["textLength"]; end > width {
				t.Errorf("%s: a text ends at %g of %g: %s", p.Name, end, float64(width), text)
			}
		}
	}
}

// A telephone shows all pictures without scrolling: if they are 396 of 420 pixels wide, letters have at least 9 pixels.
func TestPicturesFitATelephone(t *testing.T) {
	set := testSet(t)
	for i := range 30 { // a machine's many points
		run := *set.Runs[0]
		copied := *run.Run
		copied.Scale, run.Run = 1+i, &copied
		set.Runs = append(set.Runs, &run)
	}
	size := regexp.MustCompile(`viewBox="0 0 ([0-9.]+) `)
	letter := regexp.MustCompile(`font-size:([0-9.]+)px`)
	for _, p := range Of(collect.NewSet(set.Runs)) {
		svg := drawn(t, p.WriteSVG)
		wide, _ := strconv.ParseFloat(size.FindStringSubmatch(svg)[1], 64)
		for _, m := range letter.FindAllStringSubmatch(svg, -1) {
			if px, _ := strconv.ParseFloat(m[1], 64); px*396/wide < 9 {
				t.Errorf("%s: letters of %g in a width of %g cannot be read at 420 pixels", p.Name, px, wide)
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
		series := map[color.Color]string{}
		for _, k := range p.keys {
			var c color.Color
			switch sample := k.sample[0].(type) {
			case *plotter.Line:
				c = sample.Color
			case *plotter.BarChart:
				c = sample.Color
			}
			if other := series[c]; other != "" {
				t.Errorf("%s: %q and %q have one colour", p.Name, other, k.name)
			}
			series[c] = k.name
		}
	}
	if !names["teps-scale-machine-3"] {
		t.Errorf("a machine has no separate picture: %v", names)
	}
}

// The axis includes the ends of all lines.
func TestFrontierEndsOnItsAxis(t *testing.T) {
	for _, p := range Of(testSet(t)) {
		if p.Group != "Frontier" {
			continue
		}
		last := 0.0
		for _, k := range p.keys {
			xmin, xmax, _, _ := k.sample[0].(*plotter.Line).DataRange()
			if xmin < p.plot.X.Min || xmax > p.plot.X.Max {
				t.Errorf("%s reaches from %g to %g, the axis from %g to %g", k.name, xmin, xmax, p.plot.X.Min, p.plot.X.Max)
			}
			last = max(last, xmax)
		}
		if ticks := p.plot.X.Tick.Marker.Ticks(0, 0); math.Round(last) != ticks[len(ticks)-1].Value {
			t.Errorf("the last point is at %g, the last number at %g", last, ticks[len(ticks)-1].Value)
		}
	}
}

func TestPNG(t *testing.T) {
	for _, p := range Of(testSet(t)) {
		img, err := png.Decode(strings.NewReader(drawn(t, p.WritePNG)))
		if err != nil {
			t.Fatal(err)
		}
		colours := map[any]bool{}
		for y := 0; y < img.Bounds().Dy(); y += 3 {
			for x := 0; x < img.Bounds().Dx(); x += 3 {
				colours[img.At(x, y)] = true
			}
		}
		if img.Bounds().Dx() != 3*width || len(colours) < 10 {
			t.Errorf("%s: %v, %d colours", p.Name, img.Bounds(), len(colours))
		}
	}
}

// Pictures change only if their figures do: drawing leaves the set as it is.
func TestPicturesAreReproducible(t *testing.T) {
	set := testSet(t)
	first, second := Of(set), Of(set)
	for i, p := range first {
		if drawn(t, p.WriteSVG) != drawn(t, second[i].WriteSVG) {
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

// Of 1 to 9 and 30: the quartiles of the report, whiskers to the last values within 1.5 boxes, and 30 outside.
func TestBox(t *testing.T) {
	b := box(0, plotter.Values{3, 1, 2, 30, 9, 8, 4, 7, 5, 6}, ink)
	s := record.SummaryOf(b.Values)
	if b.Quartile1 != s.FirstQuartile || b.Median != 5.5 || b.Quartile3 != s.ThirdQuartile {
		t.Errorf("quartiles %g, %g, %g", b.Quartile1, b.Median, b.Quartile3)
	}
	if b.AdjLow != 1 || b.AdjHigh != 9 || len(b.Outside) != 1 || b.Values[b.Outside[0]] != 30 {
		t.Errorf("whiskers %g and %g, outside %v", b.AdjLow, b.AdjHigh, b.Outside)
	}
}
