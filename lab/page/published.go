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
		var places []string
		values := study.Published(r.Study.Name)
		for _, v := range values {
			if place := v.Place + ": " + v.Unit(); !slices.Contains(places, place) {
				places = append(places, place)
			}
		}
		for _, place := range places {
			f := report.Figure{Name: "lab-published-" + r.Study.Name + "-" + notInNames.ReplaceAllString(strings.ToLower(place), "-"),
				Title: fmt.Sprintf("%s, %s", r.Study.Paper, place)}
			of := slices.DeleteFunc(slices.Clone(values), func(v study.PublishedValue) bool {
				return v.Place+": "+v.Unit() != place
			})
			if addPublished(&f, &r, of); f.Lines != nil {
				figures = append(figures, f)
			}
		}
	}
	return figures
}

// notInNames matches what names of files do not have.
var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// addPublished adds a pair of lines for each strategy: the printed values, and ours on the graph that has the paper's
// name or stands for it.
func addPublished(f *report.Figure, r *study.Result, values []study.PublishedValue) {
	f.X = report.Axis{Label: values[0].Unit(), Log: true}
	var machines []string
	for len(values) > 0 {
		first := values[0]
		var paper, ours, rows, ourRows []float64
		for _, v := range values {
			if v.Of != first.Of || v.Over != first.Over {
				continue
			}
			for _, m := range r.Measured(v) {
				row := slices.Index(f.Y.Rows, m.Graph)
				if row < 0 {
					row, f.Y.Rows = len(f.Y.Rows), append(f.Y.Rows, m.Graph)
				}
				paper, rows = append(paper, v.Value), append(rows, float64(row))
				if m.Figure > 0 {
					ours, ourRows = append(ours, m.Figure), append(ourRows, float64(row))
				}
			}
		}
		if len(ours) > 0 {
			f.Add("paper: "+first.Name(), paper, rows)
			f.Add("here: "+first.Name(), ours, ourRows)
			if !slices.Contains(machines, first.Machine) {
				machines = append(machines, first.Machine)
			}
		}
		values = slices.DeleteFunc(values, func(v study.PublishedValue) bool {
			return v.Of == first.Of && v.Over == first.Over
		})
	}
	f.Lanes()
	f.Caption = fmt.Sprintf("Values that the paper prints in its text, captions and tables, of %s; ours of %s. A graph with "+
		"\"here\" stands for the paper's, as the table of graphs says. The axis is logarithmic.", strings.Join(machines, ", "), r.On())
}
