// SPDX-License-Identifier: Apache-2.0

package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"g500/internal/lists"
	"g500/internal/output"
	"g500/lab"
)

// SummaryTable returns the number of each verdict in each study.
func SummaryTable(results []Result) output.Table {
	t := output.Table{Title: "Verdicts", Note: Rule, Head: []string{"paper", "claims on graphs"}, Words: 1}
	t.Head = append(t.Head, lists.Of(verdicts, func(v Verdict) string { return string(v) })...)
	for _, r := range results {
		counts, all := map[Verdict]int{}, 0
		for _, f := range r.Findings {
			for _, m := range f.Measured {
				counts[m.Verdict]++
				all++
			}
		}
		row := []any{r.Study.Paper, all}
		for _, v := range verdicts {
			row = append(row, counts[v])
		}
		t.Row(row...)
	}
	return t
}

// Tables returns the tables of a result: its claims, its pairs, its figures and its graphs.
func (r *Result) Tables() []output.Table {
	tables := []output.Table{r.claims()}
	if len(r.Pairs) > 0 {
		tables = append(tables, r.findings("identical programs", r.Pairs))
	}
	return append(append(tables, lists.Of(kinds[r.Study.Kind].tables, r.byGraph)...), r.graphs())
}

// titled returns the title of a table, with the paper.
func (r *Result) titled(table string) string { return r.Study.Paper + ": " + table }

// claims returns the table of published and measured figures.
func (r *Result) claims() output.Table {
	t := r.findings("claims", r.Findings)
	t.Note = strings.TrimSpace(fmt.Sprintf("On %s, by %s; %s, every result validated. %s", r.On(), r.Program,
		kinds[r.Study.Kind].often(r.Study), BeforeClock([]Result{*r}, true)))
	if len(r.Missing) > 0 {
		t.Note += " Not complete: " + output.List(r.Missing, "and") + "."
	}
	return t
}

// findings returns a table of claims with their figures.
func (r *Result) findings(title string, all []Finding) output.Table {
	t := output.Table{Title: r.titled(title), Words: 8,
		Head: []string{"claim", "place", "figure", "published", "factor", "measured", "verdict",
			"differs from the paper"}}
	for _, f := range all {
		factor := ""
		if len(f.Published) == 1 {
			factor = fmt.Sprintf("%.4g", f.Within)
		}
		t.Row(f.Says, f.Place, f.FigureText(), f.PublishedText(), factor, f.MeasuredText(), f.Sentence,
			r.Differences(f.Claim))
	}
	return t
}

// Differences returns how the measured strategies of a claim differ from their papers, each difference once; "" if none
// of a paper was measured. Plugins have no paper.
func (r *Result) Differences(c Claim) string {
	var all lab.Grouped[string]
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			s, unpublished := row.Strategy, []string{Ours, lab.NotPublished, row.Strategy.Name}
			if slices.Contains([]string{c.Of, c.Over}, s.Name) && !slices.Contains(unpublished, s.Paper) {
				all.Add(cmp.Or(s.Differs, "not recorded"), s.Name)
			}
		}
	}
	return strings.Join(all.Lines(func(text string, names []string) string {
		return output.List(names, "and") + ": " + text
	}), "; ")
}

// MeasuredText returns the measured figures as text.
func (f Finding) MeasuredText() string {
	known := lists.Where(f.Measured, func(m Measured) bool { return m.Figure > 0 })
	return cmp.Or(strings.Join(lists.Of(known, Measured.text), ", "), "nothing")
}

// text returns a figure with its graph, its interval, n and the coverage.
func (m Measured) text() string {
	return fmt.Sprintf("%s %s (%s to %s, n = %d, %.1f%%)", m.Graph, short(m.Figure), short(m.Low), short(m.High), m.N,
		100*m.Coverage)
}

// short returns a number with three digits, or without decimals.
func short(x float64) string {
	if x >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// byGraph returns a table of one figure.
func (r *Result) byGraph(of figureTable) output.Table {
	t := output.Table{Title: r.titled(of.title), Note: of.note, Head: []string{"strategy"}, Words: 1}
	if of.title == rates {
		t.Note = strings.TrimSpace(t.Note + " " + BeforeClock([]Result{*r}, true))
	}
	var strategies []string
	for i, g := range r.Graphs {
		t.Head = append(t.Head, r.Study.Graphs[i].Name)
		for _, row := range g.Rows {
			lists.At(&strategies, func(name string) bool { return name == row.Strategy.Name }, row.Strategy.Name)
		}
	}
	for _, strategy := range strategies {
		cells := lists.Of(r.Graphs, func(g lab.GraphFigures) string { return cellOf(g, strategy, of.cell) })
		t.Rows = append(t.Rows, append([]string{strategy}, cells...))
	}
	return t
}

// BeforeClock returns a sentence for each work on the graph before the clock starts, with the searches and, if parts is
// set, isolated kernels that need it; "" without such strategies.
func BeforeClock(results []Result, parts bool) string {
	var strategies lab.Grouped[string]
	for _, r := range results {
		for _, g := range r.Graphs {
			for _, row := range g.Rows {
				if work := row.Strategy.Before; work != "" && (parts || !row.Strategy.IsPart()) {
					strategies.Add(work, row.Strategy.Name)
				}
			}
		}
	}
	return strings.Join(strategies.Lines(func(work string, names []string) string {
		return fmt.Sprintf("Before the clock of %s starts, %s.", output.List(names, "and"), work)
	}), " ")
}

// cellOf returns the cell of a strategy and a graph.
func cellOf(g lab.GraphFigures, strategy string, cell func(lab.Row) string) string {
	switch row := g.Row(strategy); {
	case row == nil:
		return "-"
	case row.Fault != "":
		return "wrong"
	case row.Full:
		return "queue full"
	default:
		return cell(*row)
	}
}

// graphs returns the table of the graphs, with the strategies that were left out.
func (r *Result) graphs() output.Table {
	t := output.Table{Title: r.titled("graphs"), Words: 5,
		Head: []string{"name", "spec", "stands for", "left out", "vertices", "directed edges"}}
	for i, g := range r.Graphs {
		of := r.Study.Graphs[i]
		var left lab.Grouped[string] // strategies, by reason
		for _, l := range g.LeftOut {
			left.Add(l.Reason, l.Strategy)
		}
		t.Row(of.Name, strings.TrimSpace(of.Spec+" "+of.Seen), of.Stands, strings.Join(left.Lines(
			func(reason string, names []string) string { return output.List(names, "and") + ", since " + reason }), "; "),
			g.Vertices, g.Edges)
	}
	return t
}
