// SPDX-License-Identifier: Apache-2.0

package output

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

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
