package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"g500/analysis/plot"
	"g500/lab"
	"g500/lab/study"
)

// Rates draws the rate of the best strategy of each paper by graph, nil without a measurement.
func Rates(results []study.Result) *plot.Picture {
	graphs := study.BestByGraph(results)
	papers := ratesOf(graphs)
	if len(papers) == 0 {
		return nil
	}
	var names []string
	for _, g := range graphs {
		names = append(names, g.Name)
	}
	return plot.Lanes(plot.Picture{Name: "lab-rates", Group: "Rates",
		Title: "The best strategy of each paper, by graph",
		Caption: fmt.Sprintf("Harmonic means over the searches by each paper's fastest strategy on a graph, on %s. "+
			"The axis is logarithmic. %s %s", results[0].On(), fastest(graphs), study.BeforeClock(results, false)),
	}, "directed edges per second", names, papers)
}

// ratesOf returns the rates of each paper's authors by graph, this project last.
func ratesOf(graphs []study.GraphBest) (papers []plot.Series) {
	for row, g := range graphs {
		for _, best := range g.Best {
			i := slices.IndexFunc(papers, func(s plot.Series) bool { return s.Name == best.Authors })
			if i < 0 {
				i, papers = len(papers), append(papers, plot.Series{Name: best.Authors})
			}
			papers[i].X, papers[i].Y = append(papers[i].X, best.Rate), append(papers[i].Y, float64(row))
		}
	}
	if i := slices.IndexFunc(papers, func(s plot.Series) bool { return s.Name == study.Ours }); i >= 0 {
		papers = append(slices.Delete(slices.Clone(papers), i, i+1), papers[i])
	}
	return papers
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
