// SPDX-License-Identifier: Apache-2.0

package study

import (
	"slices"
	"strings"

	"g500/internal/lists"
)

// Ours is the paper of the strategies of this project.
const Ours = "this project"

// Best is the fastest strategy of a paper on one graph.
type Best struct {
	Authors  string // of the paper
	Strategy string
	Rate     float64 // directed edges per second
}

// GraphBest has the fastest strategy of each paper on one graph.
type GraphBest struct {
	Name string // in the study; with the study if another graph has the same name
	Best []Best
	spec string
}

// BestByGraph returns the fastest search of each paper on each graph, over all studies of searches: of the searches on
// one machine or GPU, or on several GPUs. It omits graphs with one paper if others have more.
func BestByGraph(results []Result, several bool) (all []GraphBest) {
	named, most := map[string]bool{}, 0
	for _, r := range results {
		if r.Study.Kind == Color {
			continue
		}
		for i, g := range r.Graphs {
			of := lists.At(&all, func(of GraphBest) bool { return of.spec == g.Graph }, GraphBest{spec: g.Graph})
			if of.Name == "" {
				if of.Name = r.Study.Graphs[i].Name; named[of.Name] {
					of.Name += " of " + r.Study.Name
				}
				named[of.Name] = true
			}
			for _, row := range g.Rows {
				if row.Directed != nil && !row.Strategy.IsPart() && !row.Strategy.IsAgain() &&
					several == (row.GPUs() > 1) {
					of.add(Best{authorsOf(row.Strategy.Paper), row.Strategy.Name, row.Directed.HarmonicMean})
				}
			}
			most = max(most, len(of.Best))
		}
	}
	return slices.DeleteFunc(all, func(g GraphBest) bool { return len(g.Best) < min(most, 2) })
}

// add adds a strategy if it is the fastest one of its paper.
func (g *GraphBest) add(b Best) {
	best := lists.At(&g.Best, func(other Best) bool { return other.Authors == b.Authors }, b)
	if b.Rate > best.Rate {
		*best = b
	}
}

// authorsOf returns the authors of a paper, without the conference or year at its end.
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
