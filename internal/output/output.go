// SPDX-License-Identifier: Apache-2.0

package output

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Table is a table for people. The last cell of a row with fewer cells than Head is a sentence over the other columns.
type Table struct {
	Title string
	Note  string // sources of the figures, "" for none
	Head  []string
	Rows  [][]string
	Words int  // number of columns with words, before those with figures
	Named bool // the last column has words, too
}

// Row adds a row of Cells.
func (t *Table) Row(values ...any) { t.Rows = append(t.Rows, Cells(values...)) }

// Text formats the table for a terminal, below its title and note if it has any, with words aligned left and figures
// aligned right. Title and note are wrapped.
func (t Table) Text() string {
	var text strings.Builder
	for _, line := range []string{t.Title, t.Note} {
		if line != "" {
			text.WriteString(Wrapped(line, "") + "\n")
		}
	}
	var rows [][]string
	for _, row := range append([][]string{t.Head}, t.Rows...) {
		rows = append(rows, append([]string{""}, row...)) // which indents the row
	}
	text.WriteString(aligned(rows, func(column int) bool { return column <= t.Words || t.Named && column == len(t.Head) }))
	return text.String()
}

// Cells returns the texts of values in base units: a float as Number, a nil pointer as "", others as fmt.Sprint.
func Cells(values ...any) []string {
	cells := make([]string, len(values))
	for i, value := range values {
		switch x := value.(type) {
		case float64:
			cells[i] = Number(x)
		case *float64:
			if x != nil {
				cells[i] = Number(*x)
			}
		default:
			cells[i] = fmt.Sprint(x)
		}
	}
	return cells
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
