// SPDX-License-Identifier: Apache-2.0

package page

import (
	"fmt"
	"strings"
	"testing"

	"g500/internal/expect"
	"g500/lab"
	"g500/lab/study"
	"g500/record"
)

// row returns the figures of a strategy on a graph, with shares on some GPUs.
func row(name, paper string, rate float64, gpus ...int) lab.Row {
	r := lab.Row{Strategy: lab.Strategy{Name: name, Paper: paper}, Directed: &record.Rates{HarmonicMean: rate},
		Work: &lab.Work{InspectedShare: rate / 1e9}}
	for _, gpu := range gpus {
		r.Shares = append(r.Shares, lab.Share{GPU: gpu})
	}
	return r
}

// results are of two studies: one has strategies of several papers on one GPU and on two, two shares on one GPU,
// levels, claims, and graphs that replace a paper's; the other has a speed-up, another graph with a name of the first
// study, and a graph of it with another name.
func results() []study.Result {
	const ours, merrill, hong, liu = study.Ours, "A, B, C, PPoPP 2012", "Hong, Oguntebi, 2011", "Liu, Huang, 2015"
	first := []lab.Row{row("g500", ours, 3e9), row("hong-warp", hong, 1e9), row("merrill-hybrid-swap", merrill, 2e9),
		row("merrill-gather-scan", merrill, 99e9), row("merrill-partitioned", merrill, 9e9, 0, 1),
		row("g500 again", ours, 5e9)}
	first[0].Strategy.Before, first[3].Strategy.Before = "edges are sorted", "rows are read"
	first[1].Strategy.Differs, first[2].Strategy.Differs = lab.AsPublished, "one kernel"
	second := []lab.Row{row("g500", ours, 5e7), row("merrill-hybrid-swap", merrill, 6e7, 0, 0),
		row("hong-warp", hong, 4e7), row("mine", lab.NotPublished, 1e7), row("lib", "lib", 1e6)}
	second[1].Strategy.Before, second[3].Strategy.Before = "edges are sorted", "labels are drawn"
	for i := range 4 {
		for j := range 3 {
			level := lab.Level{FrontierEdges: 1 << (5 * i), Edges: int64(i+j) << (5 * i)}
			second[j].Levels = append(second[j].Levels, level)
		}
	}
	third := []lab.Row{row("g500", ours, 2e9), {Strategy: lab.Strategy{Name: "hong-warp", Paper: hong}, Fault: "x"},
		row("merrill-two-phase-mask", merrill, 4e9), {Strategy: lab.Strategy{Name: "lib", Paper: "lib"}, Full: true}}
	claim := func(of, over string, verdict study.Verdict, sentence string) study.Finding {
		m := study.Measured{Graph: "road", Verdict: verdict,
			Interval: study.Interval{Figure: 2.5, Low: 2.25, High: 2.75, Coverage: 0.99, N: 64}}
		return study.Finding{Claim: study.Claim{Says: "It is fast.", Place: "table 1", Figure: "rate", Of: of, Over: over,
			Published: []float64{2}}, Within: 1.25, Measured: []study.Measured{m}, Sentence: sentence}
	}
	return []study.Result{{
		Machines: []string{"an abacus"}, Program: "g500-lab 1", Missing: []string{"last"},
		Study: study.Study{Name: "merrill", Paper: merrill, Kind: study.BFS, Sources: 64, Graphs: []study.Graph{
			{Name: "road", Spec: "road:9x9", Stands: "europe.osm, with 1/20 of its vertices"},
			{Name: "grid", Spec: "grid2d:9x9", Stands: "grid5pt.5000"}, {Name: "nlpkkt160", Spec: "file:nlpkkt160"},
			{Name: "other", Stands: "europe.osm2"}}},
		Graphs: []lab.GraphFigures{{Graph: "g:1", Vertices: 81, Edges: 288, Rows: first,
			LeftOut: []lab.LeftOut{{Strategy: "late", Reason: "it is late"}, {Strategy: "later", Reason: "it is late"}}},
			{Graph: "g:2", Rows: second}, {Graph: "g:3", Rows: third}, {Graph: "g:4", Rows: first[1:2]}},
		Pairs: []study.Finding{claim("g500 again", "g500", study.Equal, "Equal on road.")},
		Findings: []study.Finding{claim("merrill-hybrid-swap", "g500", study.Reproduced, "Reproduced on road."),
			claim("hong-warp", "merrill-hybrid-swap", study.None, "No verdict on road (n is below 32)."),
			claim("merrill-two-phase-mask", "lib", study.Direction, "Direction only on road."),
			claim("g500", "mine", study.NotReproduced, "Not reproduced on road.")},
	}, {
		Machines: []string{"a slide rule"}, Program: "g500-lab 2",
		Study: study.Study{Name: "enterprise", Paper: liu, Kind: study.BFS, Sources: 32,
			Graphs: []study.Graph{{Name: "kron", Stands: "KR0"}, {Name: "road"}, {Name: "the first"}}},
		Graphs: []lab.GraphFigures{{Graph: "g:5", Rows: []lab.Row{row("enterprise-ts", liu, 6e9),
			row("enterprise-baseline", liu, 3e9), row("g500", ours, 1e9)}},
			{Graph: "g:6", Rows: []lab.Row{row("g500", ours, 1e9), row("enterprise-ts", liu, 2e9)}},
			{Graph: "g:1", Rows: []lab.Row{row("hong-queue", hong, 4e9)}}},
	}}
}

// The file in testdata has the pictures of two studies, and the rows of the tables of the first one.
func TestGolden(t *testing.T) {
	var text strings.Builder
	of := results()
	for _, f := range Of("Two studies", of).Figures {
		fmt.Fprintf(&text, "%s\n%s: %q\n%s\n", f.Name, f.Title, f.Y.Rows, f.Caption)
		for _, l := range f.Lines {
			fmt.Fprintf(&text, "  %s:", l.Label)
			for _, p := range l.Points {
				fmt.Fprintf(&text, " %.4g at %.3f", p.X, p.Y)
			}
			fmt.Fprintln(&text)
		}
	}
	for _, table := range of[0].Tables() {
		for _, row := range table.Rows {
			expect.Equal(t, len(row), len(table.Head), table.Title, row)
			fmt.Fprintln(&text, strings.Join(row, " | "))
		}
	}
	text.WriteString(study.BeforeClock(of, true) + "\n")
	expect.Golden(t, "testdata/page.txt", text.String())
	expect.Equal(t, len(Of("No study", nil).Figures), 0, "pictures of nothing")
}
