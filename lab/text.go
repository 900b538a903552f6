package lab

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"g500/internal/output"
	"g500/internal/trace"
	"g500/record"
)

// WriteJSON writes the report.
func (r *Report) WriteJSON(w io.Writer) error { return output.JSON(w, r) }

// WriteText writes tables.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "machines: %s\n", strings.Join(r.Machines, "; "))
	if !r.Validated {
		b.WriteString("no result was validated\n")
	}
	for _, g := range r.Graphs {
		g.writeText(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (f GraphFigures) writeText(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s: %d vertices, %d directed edges, %s", f.Graph, f.Vertices, f.Edges,
		map[bool]string{true: "symmetric", false: "directed"}[f.Symmetric])
	head := []string{"algorithm", "machine", "colours", "rounds", "conflicts", "mean time", "deviation", "n", "ratio"}
	if len(f.Sources) > 0 {
		fmt.Fprintf(b, "; %d sources", len(f.Sources))
		head = []string{"strategy", "mean time", "directed edges/s", "TEPS", "ratio", "launches", "inspected", "repeated",
			"queues"}
	}
	b.WriteByte('\n')
	t := output.NewTable(b, head...)
	for _, row := range f.Rows {
		t.Row(row.cells()...)
	}
	t.Flush()
	for _, row := range f.Rows {
		row.writeFirst(b)
	}
	f.WriteNotes(b)
}

// WriteNotes writes the faults of results, and for each reason the strategies that were left out.
func (f GraphFigures) WriteNotes(b *strings.Builder) {
	for _, row := range f.Rows {
		if row.Fault != "" {
			fmt.Fprintf(b, "WRONG: %s, %s\n", row.Strategy.Name, row.Fault)
		}
	}
	names, reasons := map[string][]string{}, []string{}
	for _, l := range f.LeftOut {
		if names[l.Reason] == nil {
			reasons = append(reasons, l.Reason)
		}
		names[l.Reason] = append(names[l.Reason], l.Strategy)
	}
	for _, reason := range reasons {
		fmt.Fprintf(b, "left out, since %s: %s\n", reason, strings.Join(names[reason], ", "))
	}
}

func (r Row) cells() []string {
	cells := []string{r.Strategy.Name, "-", "-", "-", "-", "-", "-", "-", record.FormatBytes(float64(r.QueueBytes))}
	switch c := r.Coloring; {
	case c != nil && r.Seconds == nil:
		return []string{r.Strategy.Name, r.Machine, "wrong", "-", "-", "-", "-", "-", "-"}
	case c != nil:
		return []string{r.Strategy.Name, r.Machine, fmt.Sprintf("%.4g", c.Colors), fmt.Sprintf("%.4g", c.Rounds),
			fmt.Sprintf("%.4g", c.Conflicts), record.FormatSeconds(r.Seconds.Mean), record.FormatSeconds(r.Seconds.Stddev),
			strconv.Itoa(len(c.Runs)), fmt.Sprintf("%.3g", r.Ratio)}
	case r.Full:
		cells[1] = "queue full"
	case r.Fault != "":
		cells[1] = "wrong"
	}
	if r.Seconds == nil {
		return cells
	}
	cells[1] = record.FormatSeconds(r.Seconds.Mean)
	cells[2] = strings.TrimSuffix(record.FormatTEPS(r.Directed.HarmonicMean), "TEPS")
	if r.TEPS != nil {
		cells[3] = record.FormatTEPS(r.TEPS.HarmonicMean)
	}
	cells[4] = fmt.Sprintf("%.3g", r.Ratio)
	if r.InspectedShare > 0 { // otherwise the machine does not count
		cells[5] = fmt.Sprintf("%.1f", r.Launches)
		cells[6] = fmt.Sprintf("%.3g", r.InspectedShare)
		cells[7] = fmt.Sprintf("%.3g", r.RepeatedShare)
	}
	return cells
}

// writeFirst writes tables of the shares and the levels of the first search, if there are any.
func (r Row) writeFirst(b *strings.Builder) {
	table := func(by string, head ...string) output.Table {
		fmt.Fprintf(b, "\n%s, source %d, by %s\n", r.Strategy.Name, r.Searches[0].Source, by)
		return output.NewTable(b, head...)
	}
	if len(r.Shares) > 0 {
		t := table("share", "GPU", "vertices", "edges", "filtered", "pulled")
		for _, s := range r.Shares {
			fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%s\t\n", s.GPU, s.Vertices, s.Edges, s.Filtered,
				record.FormatBytes(float64(s.Pulled)))
		}
		t.Flush()
	}
	if len(r.Levels) == 0 {
		return
	}
	t := table("level", "level", "frontier", "its edges", "direction", "vertices", "edges", "launches", "time")
	for i, l := range r.Levels {
		fmt.Fprintf(t, "%d\t%d\t%d\t%s\t%d\t%d\t%d\t%s\t\n", i, l.FrontierVertices, l.FrontierEdges,
			map[bool]string{true: trace.BottomUpStep, false: trace.TopDownStep}[l.BottomUp], l.Vertices, l.Edges,
			l.Launches, record.FormatSeconds(l.Seconds))
	}
	t.Flush()
}

// The columns of CSV files: first of every row, then of searches or of colourings, then the fault.
var (
	rowColumns    = []string{"graph", "strategy", "paper", "section", "machine"}
	searchColumns = []string{"source", "seconds", "reached", "directed_edges", "edges", "levels", "expanded_vertices",
		"inspected_edges", "repeated_vertices", "cache_hits", "launches", "queue_bytes"}
	coloringColumns = []string{"run", "seconds", "colors", "rounds", "conflicts"}
)

// WriteCSV writes a row per search or colouring, and for a strategy without one a row with the reason.
func (r *Report) WriteCSV(w io.Writer) error {
	columns := coloringColumns
	for _, g := range r.Graphs {
		if len(g.Sources) > 0 {
			columns = searchColumns
		}
	}
	rows := [][]string{slices.Concat(rowColumns, columns, []string{"fault"})}
	add := func(of, values []string, fault string) {
		rows = append(rows, slices.Concat(of, values, []string{fault}))
	}
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			of := []string{g.Graph, row.Strategy.Name, row.Strategy.Paper, row.Strategy.Section, row.Machine}
			fault := row.Fault
			if row.Full {
				fault = "queue full"
			}
			values := row.values()
			if len(values) == 0 {
				values = [][]string{make([]string, len(columns))}
			}
			for _, v := range values {
				add(of, v, fault)
			}
		}
		for _, l := range g.LeftOut {
			add([]string{g.Graph, l.Strategy, "", "", ""}, make([]string, len(columns)), "left out: "+l.Reason)
		}
	}
	return output.CSV(w, rows)
}

// values returns the values of each search or colouring, in the order of the columns.
func (r Row) values() (all [][]string) {
	text := func(seconds float64, first int64, rest ...int64) []string {
		values := []string{strconv.FormatInt(first, 10), output.Number(seconds)}
		for _, n := range rest {
			values = append(values, strconv.FormatInt(n, 10))
		}
		return values
	}
	for _, s := range r.Searches {
		all = append(all, text(s.Seconds, int64(s.Source), s.Reached, s.DirectedEdges, s.Edges, int64(s.Levels),
			s.Vertices, s.Inspected, s.Repeated, s.CacheHits, s.Launches, r.QueueBytes))
	}
	if r.Coloring != nil {
		for i, c := range r.Coloring.Runs {
			all = append(all, text(c.Seconds, int64(i+1), int64(c.Colors), int64(c.Rounds), c.Conflicts))
		}
	}
	return all
}
