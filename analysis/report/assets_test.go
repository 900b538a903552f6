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

// The library is the one of its package: version 1.6.32 of uPlot, unchanged, with its licence.
func TestLibraryIsUnchanged(t *testing.T) {
	for file, want := range map[string]string{
		"uPlot.iife.min.js": "19c8d4c6ad88929a79f4ae49d6f7161566dfd0ba3d15cc495e974f787eb78f1f",
		"uPlot.min.css":     "df630c6a8d6f8eeaff264b50f73ce5b114f646ffd9a0bb74f049b0a00135fa04",
		"LICENSE":           "8f989229699b4fe2f1a0432d0e9edc338a8a911e250e2d1b01ecd770a5f5b1bd",
	} {
		text := []byte(expect.Read(t, "uplot/"+file))
		expect.Equal(t, fmt.Sprintf("%x", sha256.Sum256(text)), want, file)
	}
	const version = "1.6.32"
	readme, licence := expect.Read(t, "uplot/README.md"), expect.Read(t, "uplot/LICENSE")
	if !strings.HasPrefix(readme, "# uPlot "+version+"\n") || !strings.Contains(library[:100], "(v"+version+")") {
		t.Errorf("README.md and the library do not name version %s", version)
	}
	if !strings.HasPrefix(licence, "The MIT License") {
		t.Error("the licence is not MIT")
	}
}

// Every page has the licence, as it requires of copies.
func TestPageHasTheLicence(t *testing.T) {
	if html := expect.Written(t, testPage(t).WriteHTML); !strings.Contains(html, "Copyright (c) 2022 Leon Sorokin") {
		t.Error("the page has the library without its licence")
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
