// SPDX-License-Identifier: Apache-2.0

package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"g500/analysis/report"
	"g500/lab"
	"g500/lab/study"
)

// Rates draws the rate of the best strategy of each paper by graph, nil without a measurement.
func Rates(results []study.Result) *report.Figure {
	graphs := study.BestByGraph(results)
	f := report.Figure{Name: "lab-rates", Title: "The best strategy of each paper, by graph",
		X: report.Axis{Label: "directed edges per second", Log: true}}
	for _, g := range graphs {
		f.Y.Rows = append(f.Y.Rows, g.Name)
	}
	addRates(&f, graphs)
	if f.Lines == nil {
		return nil
	}
	f.Caption = fmt.Sprintf("Harmonic means over the searches by each paper's fastest strategy on a graph, on %s. "+
		"The axis is logarithmic. %s %s", results[0].On(), fastest(graphs), study.BeforeClock(results, false))
	return &f
}

// addRates adds the rates of each paper's authors by graph, this project last.
func addRates(f *report.Figure, graphs []study.GraphBest) {
	var authors []string
	x, y := map[string][]float64{}, map[string][]float64{}
	for row, g := range graphs {
		for _, best := range g.Best {
			if x[best.Authors] == nil && best.Authors != study.Ours {
				authors = append(authors, best.Authors)
			}
			x[best.Authors], y[best.Authors] = append(x[best.Authors], best.Rate), append(y[best.Authors], float64(row))
		}
	}
	if x[study.Ours] != nil {
		authors = append(authors, study.Ours)
	}
	for _, name := range authors {
		f.Add(name, x[name], y[name])
	}
	f.Lanes()
}

// fastest names the fastest strategy of each graph.
func fastest(graphs []study.GraphBest) string {
	var on lab.Grouped // graphs, by strategy
	for _, g := range graphs {
		on.Add(slices.MaxFunc(g.Best, func(a, b study.Best) int { return cmp.Compare(a.Rate, b.Rate) }).Strategy, g.Name)
	}
	return "Fastest: " + strings.Join(on.Lines(func(strategy string, graphs []string) string {
		return strategy + " on " + strings.Join(graphs, ", ")
	}), "; ") + "."
}
