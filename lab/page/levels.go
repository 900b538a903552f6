// SPDX-License-Identifier: Apache-2.0

package page

import (
	"cmp"
	"fmt"
	"slices"

	"g500/analysis/report"
	"g500/lab"
	"g500/lab/study"
)

// mostLines is the largest number of lines of a figure.
const mostLines = 3

// Levels draws the edges of the frontier and the inspected edges by level, a figure for each graph of each study whose
// levels are stored.
func Levels(results []study.Result) (figures []report.Figure) {
	for _, r := range results {
		for i, g := range r.Graphs {
			rows := withLevels(g)
			if len(rows) == 0 || len(rows[0].Levels) < 3 {
				continue
			}
			name := r.Study.Graphs[i].Name
			f := report.Figure{Name: "lab-levels-" + r.Study.Name + "-" + name,
				Title: "Edges by level: " + name + ", " + r.Study.Paper,
				Caption: fmt.Sprintf("The first search of each strategy, on %s: edges that leave the frontier, without "+
					"duplicates, and edges that the fastest strategies inspected. More edges than the frontier's are redundant, "+
					"fewer are bottom-up. The vertical axis is logarithmic.", r.On()),
				X: report.Axis{Label: "distance from the source"}, Y: report.Axis{Label: "directed edges"}}
			addEdges(&f, rows)
			figures = append(figures, f)
		}
	}
	return figures
}

// withLevels returns the rows with levels, the fastest first, as many as a figure has lines besides the frontier.
func withLevels(g lab.GraphFigures) []lab.Row {
	rows := slices.DeleteFunc(slices.Clone(g.Rows), func(r lab.Row) bool {
		return r.Directed == nil || len(r.Levels) == 0
	})
	slices.SortStableFunc(rows, func(a, b lab.Row) int {
		return cmp.Compare(b.Directed.HarmonicMean, a.Directed.HarmonicMean)
	})
	return rows[:min(len(rows), mostLines-1)]
}

// addEdges adds the edges of the frontier, then the edges that each row inspected.
func addEdges(f *report.Figure, rows []lab.Row) {
	add := func(name string, levels []lab.Level, edges func(lab.Level) int64) {
		var x, y []float64
		for depth, l := range levels {
			if n := edges(l); n > 0 {
				x, y = append(x, float64(depth)), append(y, float64(n))
			}
		}
		f.Add(name, x, y)
	}
	add("edges of the frontier", rows[0].Levels, func(l lab.Level) int64 { return l.FrontierEdges })
	for _, row := range rows {
		add(row.Strategy.Name, row.Levels, func(l lab.Level) int64 { return l.Edges })
	}
}
