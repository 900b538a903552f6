// SPDX-License-Identifier: Apache-2.0

package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"g500/analysis/report"
	"g500/internal/lists"
	"g500/lab"
	"g500/lab/study"
)

// Rates draws the rate of the best strategy of each paper by graph, in one figure for searches on one machine or GPU,
// and another for searches on several GPUs.
func Rates(results []study.Result) (figures []report.Figure) {
	for _, of := range []struct {
		name, title string
		several     bool
	}{{"lab-rates", "The best strategy of each paper, by graph", false},
		{"lab-rates-gpus", "The best strategy of each paper on several GPUs, by graph", true}} {
		graphs := study.BestByGraph(results, of.several)
		f := report.Figure{Name: of.name, Title: of.title, X: report.Axis{Label: "directed edges per second", Log: true}}
		f.Y.Rows = lists.Of(graphs, func(g study.GraphBest) string { return g.Name })
		addRates(&f, graphs)
		if f.Lines == nil {
			continue
		}
		f.Caption = fmt.Sprintf("Harmonic means over the searches by each paper's fastest strategy on a graph, on %s. "+
			"The axis is logarithmic. %s %s", machines(results, of.several), fastest(graphs), study.BeforeClock(results, false))
		figures = append(figures, f)
	}
	return figures
}

// machines names the machines of studies that have searches on one machine or GPU, or on several GPUs, each with its
// studies.
func machines(results []study.Result, several bool) string {
	var on lab.Grouped[string] // studies, by machine
	for _, r := range results {
		if len(study.BestByGraph([]study.Result{r}, several)) > 0 {
			on.Add(r.On(), r.Study.Name)
		}
	}
	lines := on.Lines(func(machine string, names []string) string {
		return machine + " (" + strings.Join(names, ", ") + ")"
	})
	return strings.Join(lines, "; ")
}

// addRates adds the rates of each paper's authors by graph, this project last.
func addRates(f *report.Figure, graphs []study.GraphBest) {
	type point struct{ rate, row float64 }
	var all, ours lab.Grouped[point] // by authors
	for row, g := range graphs {
		for _, best := range g.Best {
			by := &all
			if best.Authors == study.Ours {
				by = &ours
			}
			by.Add(best.Authors, point{best.Rate, float64(row)})
		}
	}
	for _, of := range append(all, ours...) {
		f.Add(of.Text, lists.Of(of.Items, func(p point) float64 { return p.rate }),
			lists.Of(of.Items, func(p point) float64 { return p.row }))
	}
	f.Lanes()
}

// fastest names the fastest strategy of each graph.
func fastest(graphs []study.GraphBest) string {
	var on lab.Grouped[string] // graphs, by strategy
	for _, g := range graphs {
		on.Add(slices.MaxFunc(g.Best, func(a, b study.Best) int { return cmp.Compare(a.Rate, b.Rate) }).Strategy, g.Name)
	}
	return "Fastest: " + strings.Join(on.Lines(func(strategy string, graphs []string) string {
		return strategy + " on " + strings.Join(graphs, ", ")
	}), "; ") + "."
}
