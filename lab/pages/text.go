// SPDX-License-Identifier: Apache-2.0

package pages

import (
	_ "embed"
	"fmt"
	"io"
	"text/template"

	"g500/internal/output"
	"g500/lab"
	"g500/record"
)

// WriteJSON writes the report, in base units.
func (r *Report) WriteJSON(w io.Writer) error { return output.Document(w, lab.Format, r) }

//go:embed report.template
var reportText string

var reportTemplate = template.Must(template.New("").Funcs(template.FuncMap{
	"bytes":   func(n int64) string { return record.FormatBytes(float64(n)) },
	"inc":     func(i int) int { return i + 1 },
	"div":     func(a, b float64) float64 { return a / b },
	"rate":    record.FormatRate,
	"seconds": record.FormatSeconds,
}).Parse(reportText))

// WriteText writes the report as text.
func (r *Report) WriteText(w io.Writer) error { return reportTemplate.Execute(w, r) }

// UsedBytes returns the memory of pages with neighbours.
func (r *Report) UsedBytes() int64 { return r.Bytes - r.FreeBytes }

// Rate returns the updates per second.
func (b BatchReport) Rate() float64 { return float64(b.Updates) / b.Seconds }

// Searches returns a table of the times of each strategy on pages and on rows, "" without searches.
func (r *Report) Searches() (string, error) {
	if r.Pages == nil || r.Rows == nil {
		return "", nil
	}
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
	notes, err := r.Pages.Notes()
	return t.Text() + notes, err
}
