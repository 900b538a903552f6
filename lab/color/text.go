package color

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"g500/internal/output"
	"g500/lab"
	"g500/record"
)

// WriteText writes tables.
func WriteText(r *lab.Report, w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "machines: %s\n", strings.Join(r.Machines, "; "))
	for _, g := range r.Graphs {
		fmt.Fprintf(&b, "\n%s: %d vertices, %d directed edges\n", g.Graph, g.Vertices, g.Edges)
		t := output.NewTable(&b, "algorithm", "machine", "colours", "rounds", "conflicts", "mean time", "deviation", "n",
			"ratio")
		for _, row := range g.Rows {
			t.Row(cells(row)...)
		}
		t.Flush()
		g.WriteNotes(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func cells(row lab.Row) []string {
	if row.Seconds == nil {
		return []string{row.Strategy.Name, row.Machine, "wrong", "-", "-", "-", "-", "-", "-"}
	}
	c := row.Coloring
	return []string{row.Strategy.Name, row.Machine, fmt.Sprintf("%.4g", c.Colors), fmt.Sprintf("%.4g", c.Rounds),
		fmt.Sprintf("%.4g", c.Conflicts), record.FormatSeconds(row.Seconds.Mean), record.FormatSeconds(row.Seconds.Stddev),
		strconv.Itoa(len(c.Runs)), fmt.Sprintf("%.3g", row.Ratio)}
}

// WriteCSV writes a row per colouring, and for an algorithm that was wrong or left out a row with the reason.
func WriteCSV(r *lab.Report, w io.Writer) error {
	rows := [][]string{{"graph", "algorithm", "paper", "section", "machine", "run", "seconds", "colors", "rounds",
		"conflicts", "fault"}}
	for _, g := range r.Graphs {
		for _, row := range g.Rows {
			name := []string{g.Graph, row.Strategy.Name, row.Strategy.Paper, row.Strategy.Section, row.Machine}
			for i, run := range row.Coloring.Runs {
				rows = append(rows, slices.Concat(name, []string{strconv.Itoa(i + 1), output.Number(run.Seconds),
					strconv.Itoa(run.Colors), strconv.Itoa(run.Rounds), strconv.FormatInt(run.Conflicts, 10), ""}))
			}
			if row.Fault != "" {
				rows = append(rows, slices.Concat(name, []string{"", "", "", "", "", row.Fault}))
			}
		}
		for _, l := range g.LeftOut {
			rows = append(rows, []string{g.Graph, l.Strategy, "", "", "", "", "", "", "", "", "left out: " + l.Reason})
		}
	}
	return output.CSV(w, rows)
}
