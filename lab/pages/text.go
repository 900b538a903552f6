// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"fmt"
	"io"
	"strings"

	"g500/internal/output"
	"g500/lab"
	"g500/record"
)

// WriteJSON writes the report, in base units.
func (r *Report) WriteJSON(w io.Writer) error { return output.Document(w, lab.Format, r) }

// WriteText writes the report as text.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d vertices, %d directed edges\n    in pages of %d bytes, %d free; on %s\n", r.Graph, r.Vertices,
		r.Edges, r.PageBytes, r.PagesFree, r.Machine)
	fmt.Fprintf(&b, "memory: %s in pages, and %s in free pages; %s in rows\n",
		record.FormatBytes(float64(r.Bytes-r.FreeBytes)), record.FormatBytes(float64(r.FreeBytes)),
		record.FormatBytes(float64(r.RowsBytes)))
	for i, batch := range r.Batches {
		t := batch.Tally
		fmt.Fprintf(&b, "batch %d: %d updates %s; %d pages free\n"+
			"    %d edges inserted, %d deleted; %d vertices added, %d removed\n"+
			"    %d unchanged, %d unknown, %d queries found, %d not\n", i+1, batch.Updates, batch.took(), batch.PagesFree,
			t.Inserted, t.Deleted, t.Added, t.Removed, t.Unchanged, t.Unknown, t.Found, t.Missing)
		if batch.LevelSeconds > 0 {
			fmt.Fprintf(&b, "    levels updated in %s", record.FormatSeconds(batch.LevelSeconds))
			if r.Scratch > 0 {
				fmt.Fprintf(&b, ", a search of the graph takes %.3g times as long", r.Scratch/batch.LevelSeconds)
			}
			fmt.Fprintf(&b, "; %d vertices lost their level temporarily\n", batch.Lost)
		} else if r.LeftOut == "" {
			fmt.Fprintf(&b, "    levels updated; %d vertices lost their level temporarily\n", batch.Lost)
		}
	}
	if r.LeftOut != "" {
		fmt.Fprintf(&b, "without searches: %s\n", r.LeftOut)
	}
	if r.Pages != nil && r.Rows != nil {
		r.writeSearches(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// took returns the time and the rate of a batch.
func (b BatchReport) took() string {
	if b.Seconds == 0 {
		return "not timed"
	}
	return fmt.Sprintf("in %s, %s/s", record.FormatSeconds(b.Seconds), record.FormatRate(float64(b.Updates)/b.Seconds))
}

// writeSearches writes a table of the times of each strategy on pages and on rows.
func (r *Report) writeSearches(b *strings.Builder) {
	t := output.Table{Head: []string{"strategy", "on pages", "on rows", "pages/rows", "n"}}
	for _, row := range r.Pages.Rows {
		inRows := r.Rows.Row(row.Strategy.Name)
		if row.Ended() || inRows == nil || inRows.Ended() {
			continue
		}
		cells := []any{row.Strategy.Name, "not timed", "not timed", "-", len(row.Searches)}
		if row.Seconds != nil {
			pages, rows := row.Seconds.Mean, inRows.Seconds.Mean
			cells[1], cells[2] = record.FormatSeconds(pages), record.FormatSeconds(rows)
			cells[3] = fmt.Sprintf("%.3f", pages/rows)
		}
		t.Row(cells...)
	}
	b.WriteString(t.Text())
	r.Pages.WriteNotes(b)
}
