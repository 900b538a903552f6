// SPDX-License-Identifier: Apache-2.0

package page

import (
	"fmt"
	"slices"
	"strings"

	"g500/analysis/report"
	"g500/internal/lists"
	"g500/lab"
	"g500/lab/study"
)

// Published draws the values that the papers print next to ours by graph: a figure for each figure or table of a paper
// of which a study has measured a graph.
func Published(results []study.Result) (figures []report.Figure) {
	for _, r := range results {
		var by lab.Grouped[study.PublishedValue]
		for _, v := range study.Published(r.Study.Name) {
			by.Add(v.Place+": "+v.Unit(), v)
		}
		for _, of := range by {
			f := report.Figure{Title: r.Study.Paper + ", " + of.Text, X: report.Axis{Label: of.Items[0].Unit(), Log: true},
				Name: "lab-published-" + r.Study.Name + "-" + lab.ToName(of.Text)}
			if addPublished(&f, &r, of.Items); f.Lines != nil {
				figures = append(figures, f)
			}
		}
	}
	return figures
}

// addPublished adds a pair of lines for each strategy: the printed values, and ours on the graph that has the paper's
// name or replaces it.
func addPublished(f *report.Figure, r *study.Result, values []study.PublishedValue) {
	var machines []string
	var by lab.Grouped[study.PublishedValue]
	for _, v := range values {
		by.Add(v.Name(), v)
	}
	for _, of := range by {
		var paper, ours, rows []float64
		for _, v := range of.Items {
			for _, m := range r.Measured(v) {
				row := slices.Index(f.Y.Rows, m.Graph)
				if row < 0 {
					row, f.Y.Rows = len(f.Y.Rows), append(f.Y.Rows, m.Graph)
				}
				paper, ours, rows = append(paper, v.Value), append(ours, m.Figure), append(rows, float64(row))
			}
		}
		if len(ours) == 0 {
			continue
		}
		f.Add("paper: "+of.Text, paper, rows)
		f.Add("here: "+of.Text, ours, rows)
		machine := of.Items[0].Machine
		lists.At(&machines, func(name string) bool { return name == machine }, machine)
	}
	f.Lanes()
	f.Caption = fmt.Sprintf("Values that the paper prints in its text, captions and tables, of %s; ours of %s. A graph "+
		"with \"here\" replaces the paper's, as the table of graphs says. The axis is logarithmic.",
		strings.Join(machines, ", "), r.On())
}
