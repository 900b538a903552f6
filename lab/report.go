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

// Report has the figures of all graphs in base units: seconds, bytes, edges per second.
type Report struct {
	Machines  []string       `json:"machines"`
	Seed      uint64         `json:"seed"` // of the sources
	Validated bool           `json:"validated"`
	Graphs    []GraphFigures `json:"graphs"`
}

// GraphFigures has the figures of all strategies on one graph.
type GraphFigures struct {
	Graph     string    `json:"graph"`
	Vertices  int64     `json:"vertices"`
	Edges     int64     `json:"directed_edges"`
	Symmetric bool      `json:"symmetric"`
	Sources   []uint32  `json:"sources"`
	Rows      []Row     `json:"strategies"`
	LeftOut   []LeftOut `json:"left_out,omitempty"`
}

// LeftOut is a strategy that no machine ran.
type LeftOut struct {
	Strategy string `json:"strategy"`
	Reason   string `json:"reason"`
}

// Row has the figures of one strategy on one graph. The pointers are nil if a result was wrong or a queue was full.
type Row struct {
	Strategy Strategy        `json:"strategy"`
	Machine  string          `json:"machine"`
	Fault    string          `json:"fault,omitempty"`      // of the first wrong result
	Full     bool            `json:"queue_full,omitempty"` // duplicates filled a queue
	Seconds  *record.Summary `json:"seconds"`
	Directed *record.Rates   `json:"directed_edges_per_second"` // edges that leave reached vertices, as in the papers
	TEPS     *record.Rates   `json:"teps"`                      // as in Graph500; nil for directed graphs
	Ratio    float64         `json:"ratio_to_first"`            // rate divided by the rate of the first row

	Launches       float64  `json:"launches"`                    // per search
	InspectedShare float64  `json:"inspected_per_directed_edge"` // 1: each edge once
	RepeatedShare  float64  `json:"repeated_per_vertex"`         // repeated expansions per reached vertex
	QueueBytes     int64    `json:"queue_bytes"`
	Searches       []Search `json:"searches"`
	Levels         []Level  `json:"levels,omitempty"` // of the first search
	Shares         []Share  `json:"shares,omitempty"` // of the first search of a partitioned graph

	Coloring *Coloring `json:"coloring,omitempty"` // nil for searches
}

// Coloring has the figures of an algorithm of package lab/color: means over all runs, and each run.
type Coloring struct {
	Colors    float64       `json:"colors"`
	Rounds    float64       `json:"rounds"`    // 0 for algorithms without rounds
	Conflicts float64       `json:"conflicts"` // vertices that lost their colour again
	Runs      []ColoringRun `json:"runs,omitempty"`
}

// ColoringRun is one colouring.
type ColoringRun struct {
	Seconds   float64 `json:"seconds"`
	Colors    int     `json:"colors"`
	Rounds    int     `json:"rounds"`
	Conflicts int64   `json:"conflicts"`
}

// Search is one search.
type Search struct {
	Source        uint32 `json:"source"`
	Reached       int64  `json:"reached"`
	DirectedEdges int64  `json:"directed_edges"` // that leave reached vertices
	Edges         int64  `json:"edges"`          // undirected, without self-loops; 0 for directed graphs
	Levels        int    `json:"levels"`
	Measures
}

func (r *Report) addMachine(name string) {
	if !slices.Contains(r.Machines, name) {
		r.Machines = append(r.Machines, name)
	}
}

// Compare sets the ratios of all rows to the first row with a rate.
func (f *GraphFigures) Compare() {
	first := 0.0
	for i := range f.Rows {
		row := &f.Rows[i]
		if row.Directed == nil {
			continue
		}
		if first == 0 {
			first = row.Directed.HarmonicMean
		}
		row.Ratio = row.Directed.HarmonicMean / first
	}
}

// Wrong reports whether a result was wrong.
func (r *Report) Wrong() bool {
	return slices.ContainsFunc(r.Graphs, func(g GraphFigures) bool {
		return slices.ContainsFunc(g.Rows, func(row Row) bool { return row.Fault != "" })
	})
}

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
	kind := "directed"
	if f.Symmetric {
		kind = "symmetric"
	}
	fmt.Fprintf(b, "\n%s: %d vertices, %d directed edges, %s; %d sources\n", f.Graph, f.Vertices, f.Edges, kind,
		len(f.Sources))
	t := output.NewTable(b, "strategy", "mean time", "directed edges/s", "TEPS", "ratio", "launches", "inspected",
		"repeated", "queues")
	for _, row := range f.Rows {
		t.Row(row.cells()...)
	}
	t.Flush()
	for _, row := range f.Rows {
		row.writeShares(b)
		row.writeLevels(b)
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
	switch {
	case r.Fault != "":
		cells[1] = "wrong"
	case r.Full:
		cells[1] = "queue full"
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

// writeShares writes a table of the shares of the first search, if there are any.
func (r Row) writeShares(b *strings.Builder) {
	if len(r.Shares) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s, source %d, by share\n", r.Strategy.Name, r.Searches[0].Source)
	t := output.NewTable(b, "GPU", "vertices", "edges", "filtered", "pulled")
	for _, s := range r.Shares {
		fmt.Fprintf(t, "%d\t%d\t%d\t%d\t%s\t\n", s.GPU, s.Vertices, s.Edges, s.Filtered,
			record.FormatBytes(float64(s.Pulled)))
	}
	t.Flush()
}

// writeLevels writes a table of the levels of the first search, if there are any.
func (r Row) writeLevels(b *strings.Builder) {
	if len(r.Levels) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s, source %d, by level\n", r.Strategy.Name, r.Searches[0].Source)
	t := output.NewTable(b, "level", "frontier", "its edges", "direction", "vertices", "edges", "launches", "time")
	for i, l := range r.Levels {
		direction := map[bool]string{true: trace.BottomUpStep, false: trace.TopDownStep}[l.BottomUp]
		fmt.Fprintf(t, "%d\t%d\t%d\t%s\t%d\t%d\t%d\t%s\t\n", i, l.FrontierVertices, l.FrontierEdges, direction,
			l.Vertices, l.Edges, l.Launches, record.FormatSeconds(l.Seconds))
	}
	t.Flush()
}

// WriteJSON writes the report.
func (r *Report) WriteJSON(w io.Writer) error { return output.JSON(w, r) }

// WriteCSV writes a row per search, and for a strategy without searches a row with the reason.
func (r *Report) WriteCSV(w io.Writer) error {
	number := func(n int64) string { return strconv.FormatInt(n, 10) }
	rows := [][]string{{"graph", "strategy", "paper", "section", "machine", "source", "seconds", "reached",
		"directed_edges", "edges", "levels", "expanded_vertices", "inspected_edges", "repeated_vertices", "cache_hits",
		"launches", "queue_bytes", "fault"}}
	empty := make([]string, 12)
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			name := []string{g.Graph, row.Strategy.Name, row.Strategy.Paper, row.Strategy.Section, row.Machine}
			fault := row.Fault
			if row.Full {
				fault = "queue full"
			}
			for _, s := range row.Searches {
				rows = append(rows, slices.Concat(name, []string{number(int64(s.Source)), output.Number(s.Seconds),
					number(s.Reached), number(s.DirectedEdges), number(s.Edges), strconv.Itoa(s.Levels), number(s.Vertices),
					number(s.Inspected), number(s.Repeated), number(s.CacheHits), number(s.Launches), number(row.QueueBytes),
					fault}))
			}
			if len(row.Searches) == 0 {
				rows = append(rows, slices.Concat(name, empty, []string{fault}))
			}
		}
		for _, l := range g.LeftOut {
			name := []string{g.Graph, l.Strategy, "", "", ""}
			rows = append(rows, slices.Concat(name, empty, []string{"left out: " + l.Reason}))
		}
	}
	return output.CSV(w, rows)
}
