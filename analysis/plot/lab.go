package plot

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"g500/lab/study"
)

// The height of a graph's row, in points, and of each paper's lane in it, in rows.
const (
	graphRow = 32
	lane     = 0.15
)

// LabRates draws the rate of the best strategy of each paper by graph, nil without a measurement.
func LabRates(results []study.Result) *Picture {
	graphs := study.BestByGraph(results)
	authors := authorsOf(graphs)
	if len(authors) == 0 {
		return nil
	}
	p := newPicture("lab-rates", "The best strategy of each paper, by graph", "directed edges per second", "")
	p.Group = "Rates"
	p.Caption = fmt.Sprintf("Harmonic means over the searches by each paper's fastest strategy on a graph, on %s. "+
		"The axis is logarithmic. %s %s", results[0].On(), fastest(graphs), study.BeforeClock(results, false))
	p.grid(true)
	var names []string
	for _, g := range graphs {
		names = append(names, g.Name)
	}
	for i, name := range authors {
		offset := lane * (float64(i) - float64(len(authors)-1)/2)
		glyphs := &plotter.Scatter{XYs: ratesOfAuthors(graphs, name, offset), GlyphStyle: glyph(i % len(lineTones))}
		glyphs.Radius = 5
		p.plot.Add(glyphs)
		p.key(name, glyphs)
	}
	logarithmic(&p.plot.X, sparse)
	p.rows(names, graphRow)
	return p
}

// ratesOfAuthors returns the best rates of some authors, at an offset from the middle of each graph's row.
func ratesOfAuthors(graphs []study.GraphBest, name string, offset float64) (rates plotter.XYs) {
	for row, g := range graphs {
		for _, best := range g.Best {
			if best.Authors == name {
				rates = append(rates, plotter.XY{X: best.Rate, Y: float64(row) + offset})
			}
		}
	}
	return rates
}

// authorsOf returns the authors of strategies on all graphs, this project last.
func authorsOf(graphs []study.GraphBest) (authors []string) {
	for _, g := range graphs {
		for _, best := range g.Best {
			if !slices.Contains(authors, best.Authors) {
				authors = append(authors, best.Authors)
			}
		}
	}
	if i := slices.Index(authors, study.Ours); i >= 0 {
		authors = append(slices.Delete(authors, i, i+1), study.Ours)
	}
	return authors
}

// fastest names the fastest strategy of each graph.
func fastest(graphs []study.GraphBest) string {
	var names, all []string
	on := map[string][]string{} // graphs, by strategy
	for _, g := range graphs {
		name := slices.MaxFunc(g.Best, func(a, b study.Best) int { return cmp.Compare(a.Rate, b.Rate) }).Strategy
		if on[name] == nil {
			names = append(names, name)
		}
		on[name] = append(on[name], g.Name)
	}
	for _, name := range names {
		all = append(all, name+" on "+strings.Join(on[name], ", "))
	}
	return "Fastest: " + strings.Join(all, "; ") + "."
}
