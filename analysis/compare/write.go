// SPDX-License-Identifier: Apache-2.0

package compare

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"g500/analysis/collect"
	"g500/internal/output"
)

// WriteText writes a text table of 80 columns for each kernel and kind of run, a count of the runs that are in none,
// and the notes.
func (c *Comparison) WriteText(w io.Writer) error {
	text := output.Wrapped(fmt.Sprintf("B over A: harmonic means in GTEPS, of all searches. Intervals have a confidence "+
		"of %.4g%%, by pairs of search keys, by the searches of each side, or by runs. %s", 100*c.Confidence, c.Rule()), "")
	points := slices.Clone(c.Points)
	for len(points) > 0 {
		kernel, kind := points[0].Kernel, points[0].A.Kind
		t := output.Table{Title: strings.TrimPrefix(kernel+", "+kind, "SSSP, "), // of which the kind has the name
			Head: []string{"scale", "ranks", "A", "B", "change", "interval", "by", "B is"}}
		points = slices.DeleteFunc(points, func(p Point) bool {
			same := p.Kernel == kernel && p.A.Kind == kind
			if same {
				t.Row(p.Scale, p.Ranks, collect.GTEPS(p.A.TEPS), collect.GTEPS(p.B.TEPS), signed(p.Percent),
					p.Interval(signed), fmt.Sprint(p.N, " ", basis[p.Method]), p.Says)
			}
			return same
		})
		text += "\n\n" + strings.TrimSuffix(t.Text(), "\n")
	}
	text += "\n\n"
	if c.alone != [2]int{} {
		text += output.Wrapped(fmt.Sprintf("not compared: %s of A and %d of B, which the other has no valid run to compare "+
			"with; --json has the reasons", collect.Count(c.alone[0], "run"), c.alone[1]), "  ") + "\n"
	}
	for _, sentence := range c.Notes {
		text += output.Wrapped("note: "+sentence, "  ") + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// basis names the values of a method in a narrow column.
var basis = map[collect.Method]string{collect.ByKeys: "keys", collect.BySearches: "each", collect.ByRuns: "runs"}

func signed(percent float64) string { return fmt.Sprintf("%+.1f%%", percent) }

// Interval formats the interval by a function for each bound.
func (p Point) Interval(format func(percent float64) string) string {
	switch {
	case p.Low == nil:
		return "none"
	case p.Says == Ambiguous && collect.TooWide(100+*p.Low, 100+*p.High):
		return p.Method.TooFew()
	}
	return format(*p.Low) + " to " + format(*p.High)
}

// Format counts incompatible changes of the JSON.
const Format = 1

// WriteJSON writes the comparison, with rates in TEPS.
func (c *Comparison) WriteJSON(w io.Writer) error { return output.Document(w, Format, c) }

// WriteCSV writes one row per point, with rates in TEPS. Bounds are empty without an interval.
func (c *Comparison) WriteCSV(w io.Writer) error {
	rows := [][]string{{"kernel", "scale", "edgefactor", "ranks", "a", "a_runs", "a_searches", "a_harmonic_mean_teps",
		"b", "b_runs", "b_searches", "b_harmonic_mean_teps",
		"difference_percent", "confidence", "low_percent", "high_percent", "method", "verdict",
		"n", "same_percent"}}
	for _, p := range c.Points {
		rows = append(rows, output.Cells(p.Kernel, p.Scale, p.EdgeFactor, p.Ranks,
			p.A.Kind, p.A.Runs, p.A.Searches, p.A.TEPS, p.B.Kind, p.B.Runs, p.B.Searches, p.B.TEPS,
			p.Percent, c.Confidence, p.Low, p.High, p.Method, p.Says, p.N, c.Same))
	}
	return output.CSV(w, rows)
}
