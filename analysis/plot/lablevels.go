package plot

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"

	"g500/lab"
	"g500/lab/study"
)

// LabLevels draws the edges of the frontier and the inspected edges by level, a picture for each graph of each study
// whose levels are stored.
func LabLevels(results []study.Result) (pictures []*Picture) {
	for _, r := range results {
		for i, g := range r.Graphs {
			rows := withLevels(g)
			if len(rows) == 0 || len(rows[0].Levels) < 3 {
				continue
			}
			name := r.Study.Graphs[i].Name
			p := newPicture("lab-levels-"+slug(r.Study.Name+" "+name), "Edges by level: "+name+", "+r.Study.Paper,
				"distance from the source", "directed edges")
			p.Group = "Levels"
			p.Caption = fmt.Sprintf("The first search of each strategy, on %s: edges that leave the frontier, without "+
				"duplicates, and edges that the fastest strategies inspected. More edges than the frontier's are redundant, "+
				"fewer are bottom-up. The vertical axis is logarithmic.", r.On())
			p.edgesByLevel(rows)
			pictures = append(pictures, p)
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
	return rows[:min(len(rows), mostLines-1)]
}

// edgesByLevel draws a line for the frontier, and one for each row.
func (p *Picture) edgesByLevel(rows []lab.Row) {
	p.grid(false)
	points := func(levels []lab.Level, edges func(lab.Level) int64) (line plotter.XYs) {
		for depth, l := range levels {
			if n := edges(l); n > 0 {
				line = append(line, plotter.XY{X: float64(depth), Y: float64(n)})
			}
		}
		return line
	}
	p.line(0, "edges of the frontier", points(rows[0].Levels, func(l lab.Level) int64 { return l.FrontierEdges }), nil)
	var depths []int
	for i, row := range rows {
		p.line(i+1, row.Strategy.Name, points(row.Levels, func(l lab.Level) int64 { return l.Edges }), nil)
		for depth := range row.Levels {
			depths = append(depths, depth)
		}
	}
	logarithmic(&p.plot.Y, dense)
	counts(&p.plot.X, depths)
}
