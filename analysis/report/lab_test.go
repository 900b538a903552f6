package report

import (
	"strings"
	"testing"

	"g500/lab"
	"g500/lab/study"
	"g500/record"
)

// The page of studies is well-formed, has the picture, and has claims as text.
func TestPageOfStudies(t *testing.T) {
	g := lab.GraphFigures{Graph: "g:1", Rows: []lab.Row{
		{Strategy: lab.Strategy{Name: "a", Paper: "A, 2001"}, Directed: &record.Rates{HarmonicMean: 1e9}}}}
	f := study.Finding{Claim: study.Claim{Says: "a <b> | c", AtLeast: 2}, Sentence: "It holds."}
	r := study.Result{Study: study.Study{Kind: study.BFS, Paper: "A, 2001",
		Graphs: []study.Graph{{Name: "first", Spec: "g:1"}}},
		Graphs: []lab.GraphFigures{g}, Findings: []study.Finding{f}}
	p := OfStudies("Studies", []study.Result{r})
	html := written(t, p.WriteHTML)
	count := map[string]int{}
	for _, e := range elements(t, html) {
		count[e.name]++
	}
	if count["figure"] != 1 || count["table"] != 1+len(r.Tables()) || !strings.Contains(html, "a &lt;b&gt; | c") {
		t.Errorf("%v\n%s", count, html)
	}
	markdown := written(t, p.WriteMarkdown)
	for _, want := range []string{"# Studies\n", "Claims of 1 paper", `| a &lt;b> \| c | `, "lab-rates.svg"} {
		if !strings.Contains(markdown, want) {
			t.Errorf("no %q in\n%s", want, markdown)
		}
	}
}
