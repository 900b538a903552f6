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
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var lines strings.Builder
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			if left(i) {
				cells[i] = fmt.Sprintf("%-*s", width[i], cell)
			} else {
				cells[i] = fmt.Sprintf("%*s", width[i], cell)
			}
		}
		lines.WriteString(strings.TrimRight(strings.Join(cells, "  "), " ") + "\n")
	}
	return lines.String()
}

// List returns the words as a list whose last word follows the conjunction, as in a, b or c.
func List(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}
