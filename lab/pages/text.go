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
func (r *Report) WriteJSON(w io.Writer) error {
	return output.JSON(w, r)
}

// WriteText writes it for people.
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d vertices, %d directed edges, in pages of %d bytes, %d free; on %s\n", r.Graph, r.Vertices,
		r.Edges, r.PageBytes, r.PagesFree, r.Machine)
	for i, batch := range r.Batches {
		t := batch.Tally
		fmt.Fprintf(&b, "batch %d: %d updates in %s, %s a second; %d edges inserted, %d deleted, %d vertices added, "+
			"%d removed, %d unchanged, %d unknown, %d queries found, %d not; %d pages free\n", i+1, batch.Updates,
			record.FormatSeconds(batch.Seconds), perSecond(batch), t.Inserted, t.Deleted, t.Added, t.Removed, t.Unchanged,
			t.Unknown, t.Found, t.Missing, batch.PagesFree)
		if batch.LevelSeconds > 0 {
			fmt.Fprintf(&b, "    levels followed in %s", record.FormatSeconds(batch.LevelSeconds))
			if r.Scratch > 0 {
				fmt.Fprintf(&b, ", a search of all takes %.3g times as long", r.Scratch/batch.LevelSeconds)
			}
			fmt.Fprintf(&b, "; %d vertices lost theirs for a while\n", batch.Lost)
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

func perSecond(b BatchReport) string {
	if b.Seconds == 0 {
		return "-"
	}
	return strings.TrimSuffix(record.FormatTEPS(float64(b.Updates)/b.Seconds), "TEPS")
}

// writeSearches puts the times of each strategy on pages beside those on rows.
func (r *Report) writeSearches(b *strings.Builder) {
	t := output.NewTable(b, "strategy", "on pages", "on rows", "pages over rows", "n")
	for _, row := range r.Pages.Rows {
		other := find(r.Rows, row.Strategy.Name)
		if row.Seconds == nil || other == nil || other.Seconds == nil {
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%.3f\t%d\t\n", row.Strategy.Name, record.FormatSeconds(row.Seconds.Mean),
			record.FormatSeconds(other.Seconds.Mean), row.Seconds.Mean/other.Seconds.Mean, len(row.Searches))
	}
	t.Flush()
	r.Pages.WriteLeftOut(b)
}

func find(f *lab.GraphFigures, strategy string) *lab.Row {
	for i := range f.Rows {
		if f.Rows[i].Strategy.Name == strategy {
			return &f.Rows[i]
		}
	}
	return nil
}
