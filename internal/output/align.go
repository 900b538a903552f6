package output

import (
	"fmt"
	"strings"
)

// Aligned returns rows as lines of columns, two blanks apart. Cells of the first columns, as many as words, begin at
// the left of their columns; the others end at the right.
func Aligned(rows [][]string, words int) string {
	var width []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], len(cell))
		}
	}
	var lines strings.Builder
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			if i < words {
				cells[i] = fmt.Sprintf("%-*s", width[i], cell)
			} else {
				cells[i] = fmt.Sprintf("%*s", width[i], cell)
			}
		}
		lines.WriteString(strings.TrimRight(strings.Join(cells, "  "), " ") + "\n")
	}
	return lines.String()
}
