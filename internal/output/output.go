// SPDX-License-Identifier: Apache-2.0

package output

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"

	"g500/internal/lists"
)

// FillIn writes a template with data, in one write. functions may be nil.
func FillIn(to io.Writer, text string, functions template.FuncMap, data any) error {
	var filled strings.Builder
	if err := template.Must(template.New("").Funcs(functions).Parse(text)).Execute(&filled, data); err != nil {
		return err
	}
	_, err := io.WriteString(to, filled.String())
	return err
}

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
	indented := func(row []string) []string { return append([]string{""}, row...) }
	rows := lists.Of(append([][]string{t.Head}, t.Rows...), indented)
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
		_ = out.Write(lists.Of(row, spreadsheetText)) // Error returns it
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

// Aligned returns rows as lines of columns, two blanks apart. The first columns, whose number is words, are aligned to
// the left, the others to the right.
func Aligned(rows [][]string, words int) string {
	return aligned(rows, func(column int) bool { return column < words })
}

// aligned aligns the columns to the left that left returns, and the others to the right.
func aligned(rows [][]string, left func(column int) bool) string {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			if !sentence(rows, row, i) {
				width[i] = max(width[i], utf8.RuneCountInString(cell))
			}
		}
	}
	var lines strings.Builder
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			if sentence(rows, row, i) {
				cells[i] = cell
			} else if left(i) {
				cells[i] = fmt.Sprintf("%-*s", width[i], cell)
			} else {
				cells[i] = fmt.Sprintf("%*s", width[i], cell)
			}
		}
		lines.WriteString(strings.TrimRight(strings.Join(cells, "  "), " ") + "\n")
	}
	return lines.String()
}

// sentence reports whether a cell is a sentence over the other columns: the last one of a row with fewer cells than the
// first row.
func sentence(rows [][]string, row []string, cell int) bool {
	return cell > 0 && cell == len(row)-1 && len(row) < len(rows[0])
}

// columns is the width of a terminal.
const columns = 80

// Wrapped breaks lines between words so that a terminal does not. Later lines begin with indent.
func Wrapped(text, indent string) string {
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		for utf8.RuneCountInString(line) > columns {
			fits := string([]rune(line)[:columns+1])
			at := strings.LastIndexByte(fits, ' ')
			if at <= len(indent) {
				break // a word that is longer than a line
			}
			lines, line = append(lines, line[:at]), indent+line[at+1:]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// List returns the words as a list whose last word follows the conjunction, as in a, b or c.
func List(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}
