// SPDX-License-Identifier: Apache-2.0

package report

import (
	"crypto/sha256"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"g500/internal/expect"
)

// The libraries are unchanged copies from their packages, with their licences.
func TestLibraryIsUnchanged(t *testing.T) {
	for file, want := range map[string]string{
		"d3.min.js":       "f2094bbf6141b359722c4fe454eb6c4b0f0e42cc10cc7af921fc158fceb86539",
		"plot.umd.min.js": "4358086467740777dd788d6b27a95cebdbaefdd50c730a3060117073bd7134cb",
		"LICENSE.d3":      "3e6849627f74ff73c257a3ae1efb574015d94fc1035c05ec3c15805165efcbc4",
		"LICENSE.plot":    "4b295e011e0e046170041b5b46f1349393aeceb95797793a55bd21dbb543363a",
	} {
		text := []byte(expect.Read(t, "library/"+file))
		expect.Equal(t, fmt.Sprintf("%x", sha256.Sum256(text)), want, file)
	}
	readme := expect.Read(t, "library/README.md")
	if !strings.HasPrefix(readme, "# d3 7.9.0 and Observable Plot 0.6.17\n") ||
		!strings.Contains(contents(library, "library/d3.min.js")[:80], "v7.9.0 ") ||
		!strings.Contains(contents(library, "library/plot.umd.min.js")[:80], "plot v0.6.17 ") {
		t.Error("README.md and the libraries do not name the same versions")
	}
}

// Every page has the licences, as they require of copies.
func TestPageHasTheLicence(t *testing.T) {
	html := expect.Written(t, testPage(t).WriteHTML)
	for _, holder := range []string{"2010-2023 Mike Bostock\n", "2020-2025 Observable, Inc.\n"} {
		if !strings.Contains(html, "\nCopyright "+holder) && !strings.Contains(html, "Copyright "+holder+"\nPermission") {
			t.Errorf("the page has a library without the licence of %s", holder)
		}
	}
}

// Scripts end where their element ends: an HTML parser would end them earlier at these texts.
func TestScriptStaysInItsElement(t *testing.T) {
	for _, never := range []string{"</script", "<script", "<!--"} {
		if strings.Contains(strings.ToLower(string(program)), never) {
			t.Errorf("the script has %s", never)
		}
	}
}

// simulations are the matrices of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
// Color Vision Deficiency" (2009), severity 1, for linear RGB.
var simulations = map[string][3][3]float64{
	"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}},
	"deuteranopia": {{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.011820, .042940, .968881}},
}

var property = regexp.MustCompile(`--(machine-\d|computing|exchanging):#([0-9A-F]{6})`)

// Colours that mean different things differ for every reader, in light and in dark.
func TestColoursDiffer(t *testing.T) {
	light, dark, _ := strings.Cut(style, "prefers-color-scheme:dark")
	for scheme, css := range map[string]string{"light": light, "dark": dark} {
		found := property.FindAllStringSubmatch(css, -1)
		if len(found) != 7 {
			t.Fatalf("%s: %q", scheme, found)
		}
		for vision, matrix := range simulations {
			for i, a := range found {
				for _, b := range found[:i] {
					if d := distance(labOf(a[2], matrix), labOf(b[2], matrix)); d < 15 {
						t.Errorf("%s, %s: %s and %s differ by %.0f", scheme, vision, a[1], b[1], d)
					}
				}
			}
		}
	}
}

func distance(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

// labOf returns the CIELAB coordinates of a colour as a reader sees it.
func labOf(hex string, seen [3][3]float64) [3]float64 {
	var rgb, x [3]float64
	for i := range rgb {
		byte, _ := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if c := float64(byte) / 255; c <= 0.04045 {
			rgb[i] = c / 12.92
		} else {
			rgb[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	for i, row := range seen {
		x[i] = min(1, max(0, row[0]*rgb[0]+row[1]*rgb[1]+row[2]*rgb[2]))
	}
	f := func(x float64) float64 {
		if x > 0.008856 {
			return math.Cbrt(x)
		}
		return 7.787*x + 16.0/116
	}
	X := f((0.4124*x[0] + 0.3576*x[1] + 0.1805*x[2]) / 0.9505)
	Y := f(0.2126*x[0] + 0.7152*x[1] + 0.0722*x[2])
	Z := f((0.0193*x[0] + 0.1192*x[1] + 0.9505*x[2]) / 1.089)
	return [3]float64{116*Y - 16, 500 * (X - Y), 200 * (Y - Z)}
}
