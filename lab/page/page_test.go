package page

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"g500/analysis/plot"
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

// texts returns the texts of a picture in order.
func texts(t *testing.T, p *plot.Picture) (found []string) {
	t.Helper()
	var svg strings.Builder
	if err := p.WriteSVG(&svg); err != nil {
		t.Fatal(err)
	}
	for _, text := range regexp.MustCompile(`(?s)<text[^>]*>(.*?)</text>`).FindAllStringSubmatch(svg.String(), -1) {
		found = append(found, text[1])
	}
	return found
}

// Each graph whose levels are stored has a picture with the frontier and the edges of each strategy.
func TestLevels(t *testing.T) {
	r := labStudy()
	if Levels([]study.Result{r}) != nil {
		t.Error("pictures without levels")
	}
	r.Study.Name, r.Study.Paper = "mine", "A, 2001"
	for i := range 4 {
		for j := range 2 {
			row := &r.Graphs[1].Rows[j]
			row.Levels = append(row.Levels, lab.Level{FrontierEdges: 1 << (5 * i), Edges: int64(i+j) << (5 * i)})
		}
	}
	all := Levels([]study.Result{r})
	if len(all) != 1 || all[0].Name != "lab-levels-mine-second" {
		t.Fatalf("%d pictures", len(all))
	}
	found := texts(t, all[0])
	for _, want := range []string{"Edges by level: second, A, 2001", "distance from the source", "edges of the frontier",
		"t-fast", "A-fast", "3", "10 k"} {
		if !slices.Contains(found, want) {
			t.Errorf("no %q in %q", want, found)
		}
	}
}

func TestRates(t *testing.T) {
	p := Rates([]study.Result{labStudy()})
	found := texts(t, p)
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
	if Rates(nil) != nil || Rates([]study.Result{{}}) != nil {
		t.Error("a picture of nothing")
	}
}

// The page of studies has the picture, and has claims as text.
func TestPageOf(t *testing.T) {
	g := lab.GraphFigures{Graph: "g:1", Rows: []lab.Row{
		{Strategy: lab.Strategy{Name: "a", Paper: "A, 2001"}, Directed: &record.Rates{HarmonicMean: 1e9}}}}
	f := study.Finding{Claim: study.Claim{Says: "a <b> | c", AtLeast: 2}, Sentence: "It holds."}
	r := study.Result{Study: study.Study{Kind: study.BFS, Paper: "A, 2001",
		Graphs: []study.Graph{{Name: "first", Spec: "g:1"}}},
		Graphs: []lab.GraphFigures{g}, Findings: []study.Finding{f}}
	p := Of("Studies", []study.Result{r})
	var html, written strings.Builder
	if err := errors.Join(p.WriteHTML(&html), p.WriteMarkdown(&written)); err != nil {
		t.Fatal(err)
	}
	page, markdown := html.String(), written.String()
	if strings.Count(page, "<figure") != 1 || strings.Count(page, "<table") != 1+len(r.Tables()) ||
		!strings.Contains(page, "a &lt;b&gt; | c") {
		t.Error(page)
	}
	for _, want := range []string{"# Studies\n", "set of rules: 1 study.", `| a &lt;b> \| c | `, "lab-rates.svg"} {
		if !strings.Contains(markdown, want) {
			t.Errorf("no %q in\n%s", want, markdown)
		}
	}
}
