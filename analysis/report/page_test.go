// SPDX-License-Identifier: Apache-2.0

package report

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	htmltext "html"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"g500/analysis/collect"
	"g500/internal/expect"
	"g500/internal/output"
	"g500/record"
)

func testPage(t *testing.T) Page {
	t.Helper()
	return New("Studies <of> a & b", expect.Value(collect.Read("../collect/testdata/set"))(t))
}

func TestMarkdownGolden(t *testing.T) {
	expect.Golden(t, "testdata/report.md", expect.Written(t, testPage(t).WriteMarkdown))
}

// element is an element of the page.
type element struct {
	name string
	attr map[string]string
}

var script = regexp.MustCompile(`(?s)(<script[^>]*>).*?</script>`)

// elements parses the page, which is also well-formed XML, except for its scripts.
func elements(t *testing.T, page string) (all []element) {
	t.Helper()
	page = script.ReplaceAllString(strings.TrimPrefix(page, "<!DOCTYPE html>"), "$1</script>")
	d := xml.NewDecoder(strings.NewReader(page))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		expect.NoError(t, err)
		if start, ok := token.(xml.StartElement); ok {
			e := element{start.Name.Local, map[string]string{}}
			for _, a := range start.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			all = append(all, e)
		}
	}
}

func TestPageIsComplete(t *testing.T) {
	p := testPage(t)
	html := expect.Written(t, p.WriteHTML)
	expect.Contains(t, html, ". Missing: 1 of 6 planned runs; ")
	count, ids := map[string]int{}, map[string]bool{}
	var links []string
	for _, e := range elements(t, html) {
		count[e.name]++
		if id := e.attr["id"]; id != "" {
			expect.Equal(t, ids[id], false, "two elements have the id", id)
			ids[id] = true
		}
		if e.name == "a" {
			links = append(links, e.attr["href"])
		}
	}
	expect.Equal(t, count["figure"], 0, "figures")
	expect.Equal(t, count["table"], 1+len(p.Tables)+len(p.Sections[0].Scaling)+len(p.Sources), "tables")
	for _, link := range links {
		name, here := strings.CutPrefix(link, "#")
		expect.That(t, !here || ids[name], "the link %q leads nowhere", link)
	}
}

// The page begins with the best results, then changes; hashes of versions are at the end.
func TestOrderOfThePage(t *testing.T) {
	html := expect.Written(t, testPage(t).WriteHTML)
	at := -1
	for _, part := range []string{"<h1>", "all 32 searches", "<code>g500 validate</code>", "The rates are noisy: ",
		`id="best"`, "<strong>2,969</strong> GTEPS", "rates include neither", "over runs if that\nis wider", `id="bfs"`,
		"3 scaling tables", `class="note intervals"`, `id="levels"`,
		"<noscript>", "Results", "</noscript>", "Versions of the program"} {
		next := strings.Index(html, part)
		expect.That(t, next > at, "%q is at %d, before the part that precedes it (%d)", part, next, at)
		at = next
	}
}

// The reason of a lost size is over the columns of its figures.
func TestReasonIsOverFigures(t *testing.T) {
	rows := [][]string{{"1", "2 of 2", "5"}, {"2", "failed"}}
	page := Page{Sources: []output.Table{{Head: []string{"ranks", "runs", "GTEPS"}, Rows: rows}}}
	expect.Contains(t, expect.Written(t, page.WriteHTML), `<td>2</td><td colspan="2">failed</td></tr>`)
}

// Readers see dates in one form.
func TestDatesHaveOneForm(t *testing.T) {
	html := expect.Written(t, testPage(t).WriteHTML)
	numbers := regexp.MustCompile(`>[^<>/]*\b\d{4}-\d\d-\d\d\b[^<>/]*<`)
	other := numbers.FindString(script.ReplaceAllString(html, ""))
	expect.That(t, other == "" && strings.Count(html, "21 Nov 2026") >= 10, "there is the date %q", other)
}

// The lead counts all valid runs, also of older versions.
func TestLead(t *testing.T) {
	set := expect.Value(collect.Read("../collect/testdata/set"))(t)
	older := *set.Runs[0]
	run := *older.Run
	run.Environment.Program.Version, run.Environment.Started, older.Run = "g500 old", "2026-11-01T00:00:00Z", &run
	failed := valid(kindOf("m", record.BFS), 20, 1, "19", 1)
	failed.Status, failed.Failure, failed.TEPS = record.Incomplete, "killed", nil
	failed.Environment.Program.Version, failed.Began, failed.Day = "g500 failed", older.Began, older.Day
	page := New("x", collect.NewSet(append(set.Runs, &older, failed)))
	want := "11 runs of the Graph500 breadth-first search, 9 valid, on 2 kinds of machine, 1 Nov 2026 to 21 Nov 2026."
	expect.Equal(t, page.Lead, want)
	expect.Equal(t, page.Trust.Valid, "9 of 11 runs valid: the program that made them (g500 old, g500 test) validated "+
		"the results of all 36 searches by its own validator, with all rules of the")
	expect.Equal(t, New("x", collect.NewSet([]*collect.Run{failed})).Trust, Trust{}, "without a valid run")
	versions := page.Sources[len(page.Sources)-1]
	expect.Equal(t, len(versions.Rows), 3, "versions")
	expect.Contains(t, versions.Note, "Newer versions have repeated 1 valid run;")
}

// The first screen says what changed, or that nothing can have changed.
func TestLeadSaysWhatChanged(t *testing.T) {
	kind := kindOf("m", record.BFS)
	old, now, other := valid(kind, 20, 1, "18", 1, 1.1), valid(kind, 20, 1, "19", 2, 2.1), valid(kind, 21, 1, "19", 2, 2.1)
	for want, runs := range map[string][]*collect.Run{
		`What changed: <a href="#changes">1 comparison with a previous version</a>.`: {old, now, other},
		`All runs are of one version, g500 1.0 (commit 19): nothing changed.`:        {now, other},
		`No run of a machine's last day repeats one of a previous version`:           {old, other},
	} {
		head, _, _ := strings.Cut(expect.Written(t, New("x", collect.NewSet(runs)).WriteHTML), "<nav")
		expect.Contains(t, head, want)
	}
}

// The page is one file, which refers to others only by links to the folders of runs. Its policy allows one script.
func TestPageIsSelfContained(t *testing.T) {
	page := testPage(t)
	page.Root = "../runs/"
	html := expect.Written(t, page.WriteHTML)
	folders := 0
	for _, e := range elements(t, html) {
		switch e.name {
		case "img", "iframe", "object", "embed", "image", "foreignObject":
			t.Errorf("there is a <%s>", e.name)
		}
		for name, value := range e.attr {
			if e.name == "a" && name == "href" && strings.HasPrefix(value, page.Root) {
				folders++
			} else if name == "src" || strings.HasPrefix(name, "on") || name == "href" && !strings.HasPrefix(value, "#") &&
				value != "data:," && value != rules {
				t.Errorf("<%s %s=%q> refers to another file", e.name, name, value)
			}
		}
	}
	expect.Equal(t, folders > 0, true, "a link to the folder of a run")
	own := html // without the library, for which the policy is enough
	for _, name := range []string{"d3.min.js", "plot.umd.min.js"} {
		own = strings.ReplaceAll(own, contents(library, "library/"+name), "")
	}
	for _, never := range []string{"@import", "url(", "@font-face", "eval(", "fetch(", "XMLHttpRequest"} {
		expect.Equal(t, strings.Contains(own, never), false, "the page has", never)
	}
	scripts := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(html, -1)
	expect.Must(t, len(scripts) == 1, "%d scripts", len(scripts))
	sum := sha256.Sum256([]byte(scripts[0][1]))
	policy := "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-" +
		base64.StdEncoding.EncodeToString(sum[:]) + "'"
	for _, must := range []string{policy, "prefers-color-scheme:dark", "<title>Studies &lt;of&gt; a &amp; b</title>"} {
		expect.That(t, strings.Contains(htmltext.UnescapeString(html), must) || strings.Contains(html, must),
			"the page lacks %s", must)
	}
}

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
	expect.That(t, strings.HasPrefix(readme, "# d3 7.9.0 and Observable Plot 0.6.17\n") &&
		strings.Contains(contents(library, "library/d3.min.js")[:80], "v7.9.0 ") &&
		strings.Contains(contents(library, "library/plot.umd.min.js")[:80], "plot v0.6.17 "),
		"README.md and the libraries do not name the same versions")
}

// Every page has the licences, as they require of copies.
func TestPageHasTheLicence(t *testing.T) {
	html := expect.Written(t, testPage(t).WriteHTML)
	for _, holder := range []string{"2010-2023 Mike Bostock\n", "2020-2025 Observable, Inc.\n"} {
		expect.That(t, strings.Contains(html, "\nCopyright "+holder) ||
			strings.Contains(html, "Copyright "+holder+"\nPermission"), "a library has no licence of %s", holder)
	}
}

// Scripts end where their element ends: an HTML parser would end them earlier at these texts.
func TestScriptStaysInItsElement(t *testing.T) {
	for _, never := range []string{"</script", "<script", "<!--"} {
		expect.Equal(t, strings.Contains(strings.ToLower(string(program)), never), false, "the script has", never)
	}
}

// simulations are the matrices of Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of
// Color Vision Deficiency" (2009), severity 1, for linear RGB.
var simulations = map[string][3][3]float64{
	"normal":       {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanopia":   {{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}},
	"deuteranopia": {{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.011820, .042940, .968881}},
}

// Colours that mean different things differ for every reader, in light and in dark.
func TestColoursDiffer(t *testing.T) {
	light, dark, _ := strings.Cut(style, "prefers-color-scheme:dark")
	for scheme, css := range map[string]string{"light": light, "dark": dark} {
		found := regexp.MustCompile(`--(machine-\d|computing|exchanging):#([0-9A-F]{6})`).FindAllStringSubmatch(css, -1)
		expect.Must(t, len(found) == 7, "%s: %q", scheme, found)
		for vision, matrix := range simulations {
			for i, a := range found {
				for _, b := range found[:i] {
					x, y := labOf(a[2], matrix), labOf(b[2], matrix)
					d := math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
					expect.That(t, d >= 15, "%s, %s: %s and %s differ by %.0f", scheme, vision, a[1], b[1], d)
				}
			}
		}
	}
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
