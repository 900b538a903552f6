// SPDX-License-Identifier: Apache-2.0

package lab

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"g500/internal/lists"
	"g500/internal/output"
	"g500/record"
)

// Format counts incompatible changes of the JSON of the laboratory's reports.
const Format = 1

// WriteJSON writes the report.
func (r *Report) WriteJSON(w io.Writer) error { return output.Document(w, Format, r) }

//go:embed report.template
var reportText string

var reportTemplate = template.Must(template.New("").Funcs(template.FuncMap{"join": strings.Join}).Parse(reportText))

// WriteText writes tables.
func (r *Report) WriteText(w io.Writer) error { return reportTemplate.Execute(w, r) }

// Table returns the table of the rows.
func (f GraphFigures) Table() string {
	t := output.Table{Head: []string{"algorithm", "machine", "colours", "rounds", "conflicts", "mean time", "deviation",
		"n", "ratio"}}
	if len(f.Sources) > 0 {
		t.Head = []string{"strategy", "mean time", "deviation", "directed edges/s", "TEPS", "ratio", "launches", "inspected",
			"repeated", "queues"}
	}
	t.Rows = lists.Of(f.Rows, Row.cells)
	f.addColumn(&t, "children", func(w Work) float64 { return w.Children })
	f.addColumn(&t, "hits", func(w Work) float64 { return w.HitShare })
	return t.Text()
}

// addColumn adds a column of a figure that only some strategies have, unless it is 0 in all rows.
func (f GraphFigures) addColumn(t *output.Table, name string, figure func(Work) float64) {
	has := func(r Row) bool { return r.Work != nil && figure(*r.Work) > 0 }
	if !slices.ContainsFunc(f.Rows, has) {
		return
	}
	t.Head = append(t.Head, name)
	for i, row := range f.Rows {
		cell := "-"
		if row.Work != nil {
			cell = fmt.Sprintf("%.3g", figure(*row.Work))
		}
		t.Rows[i] = append(t.Rows[i], cell)
	}
}

// Untraced returns the names of the strategies without levels.
func (f GraphFigures) Untraced() []string {
	rows := lists.Where(f.Rows, func(row Row) bool { return row.Seconds != nil && len(row.Levels) == 0 })
	return lists.Of(rows, func(row Row) string { return row.Strategy.Name })
}

// Notes returns the faults of results, and lists strategies: by their work before the clock, those with times only by
// their file, and those that were left out by the reason.
func (f GraphFigures) Notes() (string, error) {
	var b strings.Builder
	notes := struct {
		Rows                       []Row
		Before, OnlyTimes, Omitted Grouped[string]
	}{Rows: f.Rows}
	for _, row := range f.Rows {
		if work := row.Strategy.Before; work != "" {
			notes.Before.Add(work, row.Strategy.Name)
		}
		if row.OnlyTimes {
			notes.OnlyTimes.Add(row.Strategy.Section, row.Strategy.Name)
		}
	}
	for _, l := range f.LeftOut {
		notes.Omitted.Add(l.Reason, l.Strategy)
	}
	err := reportTemplate.ExecuteTemplate(&b, "notes", notes)
	return b.String(), err
}

// Grouped has different items by a text that they share, in the order of the texts' first items.
type Grouped[T comparable] []Group[T]

// Group has the items of a text.
type Group[T comparable] struct {
	Text  string
	Items []T
}

// Add adds an item.
func (g *Grouped[T]) Add(text string, item T) {
	is := func(of Group[T]) bool { return of.Text == text }
	of := lists.At((*[]Group[T])(g), is, Group[T]{Text: text})
	lists.At(&of.Items, func(other T) bool { return other == item }, item)
}

// Lines returns a line per text.
func (g Grouped[T]) Lines(line func(text string, items []T) string) []string {
	return lists.Of(g, func(of Group[T]) string { return line(of.Text, of.Items) })
}

// cells returns the cells of a row: of its search or colouring, and of its time.
func (r Row) cells() []string {
	took, deviation, rate, ratio := "not timed", "-", "-", "-"
	switch {
	case r.Full:
		took = "queue full"
	case r.Fault != "":
		took = "wrong"
	case r.Seconds != nil:
		took, deviation = record.FormatSeconds(r.Seconds.Mean), record.FormatSeconds(r.Seconds.Stddev)
		rate, ratio = record.FormatRate(r.Directed.HarmonicMean), fmt.Sprintf("%.3g", r.Ratio)
	}
	if c := r.Coloring; c != nil {
		cells := []string{r.Strategy.Name, r.Machine, "-", "-", "-", took, deviation, strconv.Itoa(len(c.Runs)), ratio}
		if r.Fault == "" {
			cells[2] = fmt.Sprintf("%.4g", c.Colors)
		}
		if r.Fault == "" && c.Rounds > 0 { // otherwise the algorithm has none
			cells[3], cells[4] = fmt.Sprintf("%.4g", c.Rounds), fmt.Sprintf("%.4g", c.Conflicts)
		}
		return cells
	}
	cells := []string{r.Strategy.Name, took, deviation, rate, "-", ratio, "-", "-", "-", "-"}
	if r.TEPS != nil {
		cells[4] = record.FormatTEPS(r.TEPS.HarmonicMean)
	}
	if w := r.Work; w != nil {
		cells[6], cells[7] = fmt.Sprintf("%.1f", w.Launches), fmt.Sprintf("%.3g", w.InspectedShare)
		cells[8], cells[9] = fmt.Sprintf("%.3g", w.RepeatedShare), record.FormatBytes(float64(w.QueueBytes))
	}
	return cells
}

// First returns tables of the shares and the levels of the first search, "" without both.
func (r Row) First() (text string) {
	table := func(by string, head ...string) output.Table {
		title := fmt.Sprintf("\n%s, source %d, by %s", r.Strategy.Name, r.Searches[0].Source, by)
		return output.Table{Title: title, Head: head}
	}
	if len(r.Shares) > 0 {
		t := table("share", "GPU", "vertices", "edges", "filtered", "pulled")
		for _, s := range r.Shares {
			t.Row(s.GPU, s.Vertices, s.Edges, s.Filtered, record.FormatBytes(float64(s.Pulled)))
		}
		text = t.Text()
	}
	if len(r.Levels) == 0 {
		return text
	}
	t := table("level", "level", "frontier", "its edges", "direction", "vertices", "edges", "launches", "time")
	for i, l := range r.Levels {
		took := "-"
		if l.Seconds > 0 {
			took = record.FormatSeconds(l.Seconds)
		}
		t.Row(i, l.FrontierVertices, l.FrontierEdges, l.Direction(), l.Vertices, l.Edges, l.Launches, took)
	}
	return text + t.Text()
}
