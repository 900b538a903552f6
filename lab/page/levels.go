package page

import (
	"cmp"
	"fmt"
	"slices"

	"g500/analysis/plot"
	"g500/lab"
	"g500/lab/study"
)

// Levels draws the edges of the frontier and the inspected edges by level, a picture for each graph of each study whose
// levels are stored.
func Levels(results []study.Result) (pictures []*plot.Picture) {
	for _, r := range results {
		for i, g := range r.Graphs {
			rows := withLevels(g)
			if len(rows) == 0 || len(rows[0].Levels) < 3 {
				continue
			}
			name := r.Study.Graphs[i].Name
			pictures = append(pictures, plot.Lines(plot.Picture{Name: "lab-levels-" + r.Study.Name + " " + name,
				Group: "Levels", Title: "Edges by level: " + name + ", " + r.Study.Paper,
				Caption: fmt.Sprintf("The first search of each strategy, on %s: edges that leave the frontier, without "+
					"duplicates, and edges that the fastest strategies inspected. More edges than the frontier's are redundant, "+
					"fewer are bottom-up. The vertical axis is logarithmic.", r.On()),
			}, "distance from the source", "directed edges", edgesByLevel(rows)))
		}
	}
	return pictures
}

// withLevels returns the rows with levels, the fastest first, as many as a picture has lines besides the frontier.
func withLevels(g lab.GraphFigures) []lab.Row {
	rows := slices.DeleteFunc(slices.Clone(g.Rows), func(r lab.Row) bool {
		return r.Directed == nil || len(r.Levels) == 0
	})
	slices.SortStableFunc(rows, func(a, b lab.Row) int {
		return cmp.Compare(b.Directed.HarmonicMean, a.Directed.HarmonicMean)
	})
	return rows[:min(len(rows), plot.MostLines-1)]
}

// edgesByLevel returns the edges of the frontier, then the edges that each row inspected.
func edgesByLevel(rows []lab.Row) []plot.Series {
	of := func(name string, levels []lab.Level, edges func(lab.Level) int64) (s plot.Series) {
		s.Name = name
		for depth, l := range levels {
			if n := edges(l); n > 0 {
				s.X, s.Y = append(s.X, float64(depth)), append(s.Y, float64(n))
			}
		}
		return s
	}
	all := []plot.Series{of("edges of the frontier", rows[0].Levels, func(l lab.Level) int64 { return l.FrontierEdges })}
	for _, row := range rows {
		all = append(all, of(row.Strategy.Name, row.Levels, func(l lab.Level) int64 { return l.Edges }))
	}
	return all
}
