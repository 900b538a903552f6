package lab

import (
	"cmp"
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

// WriteCSV writes a row per search or colouring, and for a strategy without one a row with the reason.
func (r *Report) WriteCSV(w io.Writer) error {
	head := strings.Fields("graph strategy paper section machine run seconds colors rounds conflicts fault")
	for _, g := range r.Graphs {
		if len(g.Sources) > 0 {
			head = strings.Fields("graph strategy paper section machine source seconds reached directed_edges edges levels " +
				"expanded_vertices inspected_edges repeated_vertices cache_hits launches queue_bytes fault")
		}
	}
	rows := [][]string{head}
	add := func(of []string, fault string, values ...any) {
		cells := slices.Clone(of)
		for _, v := range values {
			cells = append(cells, fmt.Sprint(v))
		}
		cells = append(cells, make([]string, len(head)-1-len(cells))...)
		rows = append(rows, append(cells, fault))
	}
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			of := []string{g.Graph, row.Strategy.Name, row.Strategy.Paper, row.Strategy.Section, row.Machine}
			fault := row.Fault
			if row.Full {
				fault = "queue full"
			}
			runs := cmp.Or(row.Coloring, &Coloring{}).Runs
			if len(row.Searches)+len(runs) == 0 {
				add(of, fault)
			}
			for _, s := range row.Searches {
				add(of, fault, s.Source, output.Number(s.Seconds), s.Reached, s.DirectedEdges, s.Edges, s.Levels, s.Vertices,
					s.Inspected, s.Repeated, s.CacheHits, s.Launches, row.QueueBytes)
			}
			for i, c := range runs {
				add(of, fault, i+1, output.Number(c.Seconds), c.Colors, c.Rounds, c.Conflicts)
			}
		}
		for _, l := range g.LeftOut {
			add([]string{g.Graph, l.Strategy}, "left out: "+l.Reason)
		}
	}
	return output.CSV(w, rows)
}
