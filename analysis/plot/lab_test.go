package plot

import (
	"slices"
	"strings"
	"testing"

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

// Each graph whose levels are stored has a picture with the frontier and the edges of each strategy.
func TestLabLevels(t *testing.T) {
	r := labStudy()
	if LabLevels([]study.Result{r}) != nil {
		t.Error("pictures without levels")
	}
	r.Study.Name, r.Study.Paper = "mine", "A, 2001"
	for i := range 4 {
		for j := range 2 {
			row := &r.Graphs[1].Rows[j]
			row.Levels = append(row.Levels, lab.Level{FrontierEdges: 1 << (5 * i), Edges: int64(i+j) << (5 * i)})
		}
	}
	all := LabLevels([]study.Result{r})
	if len(all) != 1 || all[0].Name != "lab-levels-mine-second" {
		t.Fatalf("%d pictures", len(all))
	}
	found := texts(t, drawn(t, all[0].WriteSVG))
	for _, want := range []string{"Edges by level: second, A, 2001", "distance from the source", "edges of the frontier",
		"t-fast", "A-fast", "3", "10 k"} {
		if !slices.Contains(found, want) {
			t.Errorf("no %q in %q", want, found)
		}
	}
}

func TestLabRates(t *testing.T) {
	p := LabRates([]study.Result{labStudy()})
	found := texts(t, drawn(t, p.WriteSVG))
	for _, want := range []string{"first", "second", "A and B", "C", study.Ours, "directed edges per second"} {
		if !slices.Contains(found, want) {
			t.Errorf("no %q in %q", want, found)
		}
	}
	if slices.Index(found, study.Ours) < slices.Index(found, "C") {
		t.Errorf("the legend does not end with our own: %q", found)
	}
	if want := "t-fast on first, second."; !strings.Contains(p.Caption, want) {
		t.Errorf("no %q in %q", want, p.Caption)
	}
	if LabRates(nil) != nil || LabRates([]study.Result{{}}) != nil {
		t.Error("a picture of nothing")
	}
}
