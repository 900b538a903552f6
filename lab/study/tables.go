package study

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"g500/analysis/collect"
	"g500/lab"
)

// SummaryTable counts the verdicts of each study.
func SummaryTable(results []Result) collect.Table {
	t := collect.Table{Title: "Verdicts", Note: Rule, Head: []string{"paper", "claims on graphs"}, Words: 1}
	for _, v := range verdicts {
		t.Head = append(t.Head, string(v))
	}
	for _, r := range results {
		counts, all := map[Verdict]int{}, 0
		for _, f := range r.Findings {
			for _, m := range f.Measured {
				counts[m.Verdict]++
				all++
			}
		}
		row := []string{r.Study.Paper, strconv.Itoa(all)}
		for _, v := range verdicts {
			row = append(row, strconv.Itoa(counts[v]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Tables are the claims of a result, and what was measured.
func (r *Result) Tables() []collect.Table {
	tables := []collect.Table{r.claims()}
	for _, t := range r.kind().tables {
		tables = append(tables, r.byGraph(t))
	}
	return append(tables, r.graphs())
}

// kind is that of the study. Results of searches that were written before there were kinds name none.
func (r *Result) kind() kind { return kinds[cmp.Or(r.Study.Kind, BFS)] }

// titled is the title of a table, with the paper.
func (r *Result) titled(what string) string { return r.Study.Paper + ": " + what }

// claims puts what is measured beside what is published.
func (r *Result) claims() collect.Table {
	t := collect.Table{Title: r.titled("claims"), Words: 7,
		Note: fmt.Sprintf("On %s, by %s; %s, every result judged.", r.On(), r.Program, r.kind().often(r.Study)),
		Head: []string{"claim", "place", "figure", "published", "factor", "measured", "verdict"}}
	for _, f := range r.Findings {
		what := f.Figure + " of " + f.Of
		if f.Over != "" {
			what += " over " + f.Over
		}
		t.Rows = append(t.Rows, []string{f.Says, f.Place, what, f.Told(), fmt.Sprintf("%.4g", f.Within), f.Measures(),
			f.Sentence})
	}
	return t
}

// Measures are the measured figures for people.
func (f Finding) Measures() string {
	var all []string
	for _, m := range f.Measured {
		if m.Reason == "" {
			all = append(all, fmt.Sprintf("%s %.3g", m.Graph, m.Figure))
		}
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}

// byGraph has a row for each strategy and a column for each graph.
func (r *Result) byGraph(of figureTable) collect.Table {
	t := collect.Table{Title: r.titled(of.title), Note: of.note, Head: []string{"strategy"}, Words: 1}
	var strategies []string
	for i, g := range r.Graphs {
		t.Head = append(t.Head, r.Study.Graphs[i].Name)
		for _, row := range g.Rows {
			if !slices.Contains(strategies, row.Strategy.Name) {
				strategies = append(strategies, row.Strategy.Name)
			}
		}
	}
	for _, strategy := range strategies {
		cells := []string{strategy}
		for _, g := range r.Graphs {
			cells = append(cells, cellOf(g, strategy, of.cell))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// cellOf is what a table says of a strategy on a graph.
func cellOf(g lab.GraphFigures, strategy string, cell func(lab.Row) string) string {
	i := slices.IndexFunc(g.Rows, func(r lab.Row) bool { return r.Strategy.Name == strategy })
	switch {
	case i < 0:
		return "-"
	case g.Rows[i].Fault != "":
		return "wrong"
	case g.Rows[i].Full:
		return "queue full"
	}
	return cell(g.Rows[i])
}

// graphs says what was searched, and what was not.
func (r *Result) graphs() collect.Table {
	t := collect.Table{Title: r.titled("graphs"), Words: 5,
		Head: []string{"name", "spec", "stands for", "left out", "since", "vertices", "directed edges"}}
	for i, g := range r.Graphs {
		of := r.Study.Graphs[i]
		size := []string{strconv.FormatInt(g.Vertices, 10), strconv.FormatInt(g.Edges, 10)}
		names, since := leftOut(g)
		t.Rows = append(t.Rows, append([]string{of.Name, of.Spec, of.Stands, names, since}, size...))
	}
	return t
}

// leftOut names the strategies that did not search a graph, and each reason once.
func leftOut(g lab.GraphFigures) (names, since string) {
	var all, reasons []string
	for _, l := range g.LeftOut {
		all = append(all, l.Strategy)
		if !slices.Contains(reasons, l.Reason) {
			reasons = append(reasons, l.Reason)
		}
	}
	return strings.Join(all, ", "), strings.Join(reasons, "; ")
}
