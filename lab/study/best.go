package study

import (
	"slices"
	"strings"
)

// Ours are the authors of this project's own strategies.
const Ours = "this project"

// Best is the fastest strategy of a paper on a graph.
type Best struct {
	Authors  string // of the paper
	Strategy string
	Rate     float64 // directed edges a second
}

// GraphBest is the best of each paper on a graph.
type GraphBest struct {
	Name string // as the study calls it
	Best []Best
}

// BestByGraph finds the best search of each paper on each graph, over all studies that have the graph. Graphs on which
// less than half as many papers were measured as on another one are left out.
func BestByGraph(results []Result) (all []GraphBest) {
	at, most := map[string]int{}, 0 // by spec
	for _, r := range results {
		if r.Study.Kind == Color {
			continue
		}
		for i, g := range r.Graphs {
			place, known := at[g.Graph]
			if !known {
				place = len(all)
				at[g.Graph], all = place, append(all, GraphBest{Name: r.Study.Graphs[i].Name})
			}
			for _, row := range g.Rows {
				if row.Directed != nil {
					all[place].add(Best{authorsOf(row.Strategy.Paper), row.Strategy.Name, row.Directed.HarmonicMean})
				}
			}
			most = max(most, len(all[place].Best))
		}
	}
	return slices.DeleteFunc(all, func(g GraphBest) bool { return 2*len(g.Best) <= most })
}

// add takes a strategy, which may be better than the one of its paper so far.
func (g *GraphBest) add(b Best) {
	i := slices.IndexFunc(g.Best, func(other Best) bool { return other.Authors == b.Authors })
	if i < 0 {
		g.Best = append(g.Best, b)
	} else if b.Rate > g.Best[i].Rate {
		g.Best[i] = b
	}
}

// authorsOf are the authors of a paper, behind whose names the table has conference or year.
func authorsOf(paper string) string {
	names := strings.Split(paper, ", ")
	switch authors := names[:len(names)-1]; len(authors) {
	case 0:
		return paper
	case 1, 2:
		return strings.Join(authors, " and ")
	default:
		return authors[0] + " et al."
	}
}
