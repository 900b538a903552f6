package plots

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"g500/lab/study"
)

// graphRow is the height of a graph's row, in points.
const graphRow = 34

// LabRates draws the rate of the best strategy of each paper by graph; nil where nothing was measured.
func LabRates(results []study.Result) *Picture {
	graphs := study.BestByGraph(results)
	papers := papersOf(graphs)
	if len(papers) == 0 {
		return nil
	}
	p := newPicture("lab-rates", "The best strategy of each paper, by graph", "directed edges a second", "")
	p.Group = "Rates"
	p.Caption = fmt.Sprintf("Harmonic means over the searches by each paper's fastest strategy on a graph, on %s. The axis "+
		"is logarithmic. %s", strings.Join(results[0].Machines, " and "), fastest(graphs))
	p.grid(true)
	var names []string
	for _, g := range graphs {
		names = append(names, g.Name)
	}
	for i, paper := range papers {
		glyphs := &plotter.Scatter{GlyphStyle: glyph(i % len(lineTones))}
		glyphs.Radius = 5
		for row, g := range graphs {
			for _, best := range g.Best {
				if best.Paper == paper {
					glyphs.XYs = append(glyphs.XYs, plotter.XY{X: best.Rate, Y: float64(row)})
				}
			}
		}
		p.plot.Add(glyphs)
		p.key(labelOf(paper), glyphs)
	}
	logarithmic(&p.plot.X, sparse)
	p.rows(names, graphRow)
	return p
}

// ours is the paper of this project's own strategies.
const ours = "this project"

// labelOf names a paper in the legend.
func labelOf(paper string) string {
	if paper == ours {
		return "g500, this project's own"
	}
	return paper + " et al."
}

// papersOf are the papers of all graphs, this project's own strategies last.
func papersOf(graphs []study.GraphBest) (papers []string) {
	for _, g := range graphs {
		for _, best := range g.Best {
			if !slices.Contains(papers, best.Paper) {
				papers = append(papers, best.Paper)
			}
		}
	}
	if i := slices.Index(papers, ours); i >= 0 {
		papers = append(slices.Delete(papers, i, i+1), ours)
	}
	return papers
}

// fastest names the fastest strategy of each graph.
func fastest(graphs []study.GraphBest) string {
	var all []string
	for _, g := range graphs {
		best := slices.MaxFunc(g.Best, func(a, b study.Best) int { return cmp.Compare(a.Rate, b.Rate) })
		all = append(all, fmt.Sprintf("%s on %s", best.Strategy, g.Name))
	}
	return "Fastest: " + strings.Join(all, ", ") + "."
}
