// SPDX-License-Identifier: Apache-2.0

package page

import (
	"testing"

	"g500/analysis/report"
	"g500/internal/expect"
	"g500/internal/lists"
	"g500/lab"
	"g500/lab/study"
	"g500/record"
)

// labStudy returns a result of three papers on two graphs.
func labStudy() study.Result {
	graph := func(name string, rate float64) (g lab.GraphFigures) {
		g.Graph = name
		for i, paper := range []string{study.Ours, "A, B, 2001", "C, 2002"} {
			g.Rows = append(g.Rows, lab.Row{Strategy: lab.Strategy{Name: paper[:1] + "-fast", Paper: paper},
				Directed: &record.Rates{HarmonicMean: rate / float64(i+1)}})
		}
		return g
	}
	return study.Result{Machines: []string{"an abacus"}, Graphs: []lab.GraphFigures{graph("g:1", 3e9), graph("g:2", 5e7)},
		Study: study.Study{Graphs: []study.Graph{{Name: "first"}, {Name: "second"}}}}
}

// labels returns the labels of a figure's lines.
func labels(f report.Figure) []string {
	return lists.Of(f.Lines, func(l report.Line) string { return l.Label })
}

// Each graph whose levels are stored has a picture with the frontier and the edges of each strategy.
func TestLevels(t *testing.T) {
	r := labStudy()
	expect.That(t, Levels([]study.Result{r}) == nil, "pictures without levels")
	r.Study.Name, r.Study.Paper = "mine", "A, 2001"
	for i := range 4 {
		for j := range 2 {
			row := &r.Graphs[1].Rows[j]
			row.Levels = append(row.Levels, lab.Level{FrontierEdges: 1 << (5 * i), Edges: int64(i+j) << (5 * i)})
		}
	}
	all := Levels([]study.Result{r})
	expect.Must(t, len(all) == 1 && all[0].Name == "lab-levels-mine-second", "%d pictures", len(all))
	f := all[0]
	expect.Equal(t, f.Title, "Edges by level: second, A, 2001")
	expect.Equal(t, f.X.Label, "distance from the source")
	expect.Equal(t, labels(f), []string{"edges of the frontier", "t-fast", "A-fast"})
	last := f.Lines[0].Points[3]
	expect.That(t, len(f.Lines[1].Points) == 3 && last.X == 3 && last.Y == 1<<15, "%+v", f.Lines)
}

// A picture has searches on one machine or GPU, or on several GPUs, never both, and names all machines.
func TestRates(t *testing.T) {
	r := labStudy()
	pair := func(name string, gpus ...int) lab.Row {
		row := lab.Row{Strategy: lab.Strategy{Name: name, Paper: "C, 2002"}, Directed: &record.Rates{HarmonicMean: 9e9}}
		for _, gpu := range gpus {
			row.Shares = append(row.Shares, lab.Share{GPU: gpu})
		}
		return row
	}
	r.Graphs[0].Rows = append(r.Graphs[0].Rows, pair("C-two", 0, 1))
	r.Study.Name = "mine"
	other := labStudy()
	other.Machines, other.Study.Name = []string{"a slide rule"}, "others"
	other.Graphs[1].Rows[2].Shares = []lab.Share{{GPU: 0}, {GPU: 0}} // on one GPU
	all := Rates([]study.Result{r, other})
	expect.Must(t, len(all) == 2, "%d pictures", len(all))
	p := all[0]
	expect.Equal(t, labels(p), []string{"A and B", "C", study.Ours}) // our own is the last
	expect.Equal(t, []string(p.Y.Rows), []string{"first", "second"})
	expect.Equal(t, p.X, report.Axis{Label: "directed edges per second", Log: true}, "axis")
	expect.Contains(t, p.Caption, "t-fast on first, second.", "GPUs 0 and 1) (mine); a slide rule (others).")
	expect.Equal(t, labels(all[1]), []string{"C"}, "of searches on several GPUs")
	expect.That(t, Rates(nil) == nil && Rates([]study.Result{{}}) == nil, "a picture of nothing")
}

// Values of a paper are next to ours, on the graph that stands for the paper's; without ours there is no picture.
func TestPublished(t *testing.T) {
	r := labStudy()
	r.Study.Name, r.Study.Paper = "merrill", "Merrill, 2012"
	expect.That(t, Published([]study.Result{r}) == nil, "a picture without a figure of ours")
	r.Study.Graphs[1].Stands = "europe.osm, with 1/20 of its vertices"
	r.Graphs[1].Rows[0].Strategy.Name = "hong-warp"
	all := Published([]study.Result{r})
	expect.Must(t, len(all) == 1 && all[0].Name == "lab-published-merrill-table-2-directed-edges-per-second", "%+v", all)
	f := all[0]
	expect.Equal(t, labels(f), []string{"paper: hong-warp", "here: hong-warp"})
	expect.Equal(t, []string(f.Y.Rows), []string{"europe.osm (here second)"})
	expect.Equal(t, []float64{f.Lines[0].Points[0].X, f.Lines[1].Points[0].X}, []float64{0.00014e9, 5e7})
	expect.Contains(t, f.Caption, "of Tesla C2050; ours of an abacus")
}
