package output

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Table writes text in columns aligned to the right. Flush writes the rows.
type Table struct{ *tabwriter.Writer }

// NewTable returns a table with a row of headings, if there are any.
func NewTable(w io.Writer, head ...string) Table {
	t := Table{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
	if len(head) > 0 {
		t.Row(head...)
	}
	return t
}

// Row adds a row.
func (t Table) Row(cells ...string) { fmt.Fprintln(t, strings.Join(cells, "\t")+"\t") }

// Named adds a row whose last cell is aligned to the left.
func (t Table) Named(cells ...string) {
	last := len(cells) - 1
	fmt.Fprintf(t, "%s\t  %s\n", strings.Join(cells[:last], "\t"), cells[last])
}

// CSV writes rows, of which the first is the header. A text that a spreadsheet would take for a formula is in the form
// that it takes for a text, with an apostrophe before it.
func CSV(w io.Writer, rows [][]string) error {
	out := csv.NewWriter(w)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = spreadsheetText(cell)
		}
		_ = out.Write(cells) // Error returns it
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("cannot write CSV: %w", err)
	}
	return nil
}

func spreadsheetText(cell string) string {
	if cell == "" || !strings.Contains("=+-@\t\r", cell[:1]) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}

// Number returns the shortest decimal number that reads back as x, and "" if x is not finite.
func Number(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return ""
	}
	return number(x)
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
