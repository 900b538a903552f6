// SPDX-License-Identifier: Apache-2.0

package page

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"g500/analysis/report"
	"g500/lab/study"
)

// Published draws the values that the papers print next to ours by graph: a figure for each figure or table of a paper
// of which a study has measured a graph.
func Published(results []study.Result) (figures []report.Figure) {
	for _, r := range results {
		values := study.Published(r.Study.Name)
		for len(values) > 0 {
			first := values[0]
			same := func(v study.PublishedValue) bool { return v.Place == first.Place && v.Unit() == first.Unit() }
			place := first.Place + ": " + first.Unit()
			f := report.Figure{Title: r.Study.Paper + ", " + place, X: report.Axis{Label: first.Unit(), Log: true},
				Name: "lab-published-" + r.Study.Name + "-" + notInNames.ReplaceAllString(strings.ToLower(place), "-")}
			of, others := split(values, same)
			if addPublished(&f, &r, of); f.Lines != nil {
				figures = append(figures, f)
			}
			values = others
		}
	}
	return figures
}

// split returns the values for which holds is true, and the others.
func split(values []study.PublishedValue, holds func(study.PublishedValue) bool) (of, others []study.PublishedValue) {
	for _, v := range values {
		if holds(v) {
			of = append(of, v)
		} else {
			others = append(others, v)
		}
	}
	return of, others
}

// notInNames matches what names of files do not have.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// addPublished adds a pair of lines for each strategy: the printed values, and ours on the graph that has the paper's
// name or replaces it.
func addPublished(f *report.Figure, r *study.Result, values []study.PublishedValue) {
	var machines []string
	for len(values) > 0 {
		first := values[0]
		of, others := split(values, func(v study.PublishedValue) bool { return v.Of == first.Of && v.Over == first.Over })
		var paper, ours, rows []float64
		for _, v := range of {
			for _, m := range r.Measured(v) {
				row := slices.Index(f.Y.Rows, m.Graph)
				if row < 0 {
					row, f.Y.Rows = len(f.Y.Rows), append(f.Y.Rows, m.Graph)
				}
				paper, ours, rows = append(paper, v.Value), append(ours, m.Figure), append(rows, float64(row))
			}
		}
		if len(ours) > 0 {
			f.Add("paper: "+first.Name(), paper, rows)
			f.Add("here: "+first.Name(), ours, rows)
		}
		if len(ours) > 0 && !slices.Contains(machines, first.Machine) {
			machines = append(machines, first.Machine)
		}
		values = others
	}
	f.Lanes()
	f.Caption = fmt.Sprintf("Values that the paper prints in its text, captions and tables, of %s; ours of %s. A graph "+
		"with \"here\" replaces the paper's, as the table of graphs says. The axis is logarithmic.",
		strings.Join(machines, ", "), r.On())
}
