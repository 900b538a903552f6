// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"strings"
)

// mtxHeader reads the banner and the size line of a Matrix Market file in coordinate format (Boisvert, Pozo, Remington:
// The Matrix Market Exchange Formats, NISTIR 5935, 1996). Row r and column c are vertices r-1 and c-1.
func mtxHeader(h *header) error {
	f := h.next("%%MatrixMarket matrix coordinate ...")
	var kind [5]string
	for i, allowed := range []valueRange{
		choice("%%matrixmarket", "%matrixmarket"), choice("matrix"), choice("coordinate"),
		choice("pattern", "real", "integer", "double", "unsigned-integer"), choice("general", "symmetric", "skew-symmetric"),
	} {
		word, column := f.next()
		kind[i] = strings.ToLower(string(word))
		if why := noGraph[kind[i]]; why != "" {
			return f.fault(column, "%s", why)
		}
		if !allowed.takes(kind[i]) {
			return f.expected(word, column, allowed.Range)
		}
	}
	if kind[0] == "%matrixmarket" {
		h.note("the banner of %s begins with one percent sign instead of two", h.path)
	}
	h.weighted = kind[3] != "pattern"
	if !h.weighted {
		h.ends = "the row and the column, because a pattern matrix has no values"
	}
	h.undirected = kind[4] != "general"
	h.arcs = !h.undirected
	h.skew = kind[4] == "skew-symmetric"
	return mtxSizes(h)
}

// noGraph are kinds of matrices that are not graphs, with the reason.
var noGraph = map[string]string{
	"array": "the file has an array, which is a dense matrix: write it in coordinate format",
	"complex": "the matrix is complex, and complex numbers are not weights of edges: " +
		"write it as a pattern or with real values",
	"hermitian": "the matrix is hermitian, which is for complex numbers: write it as symmetric",
}

// mtxSizes reads the line with the numbers of rows, columns and entries.
func mtxSizes(h *header) error {
	const line = "the line with the numbers of rows, columns and entries"
	f := h.nextAfter(line, nil)
	if len(f.all(0)) == 2 {
		return f.fault(1, "expected %s, found two numbers: there is no size line", line)
	}
	h.vertices = f.integer("the number of rows", 1, MaxVertices)
	if columns := f.integer("the number of columns", 1, MaxVertices); columns != h.vertices {
		return f.fault(f.column, "the matrix is rectangular, with %d rows and %d columns: only a square one is a graph",
			h.vertices, columns)
	}
	h.tuplesOf(f, "entries")
	return f.end("the number of entries")
}

// mtxLine parses a line with a row, a column and, if the matrix has values, a value.
func mtxLine(h *header, b *block, into *chunk) {
	u, v := b.integer("a row", 1, h.vertices), b.integer("a column", 1, h.vertices)
	h.tuple(&b.fields, u-1, v-1, into)
}

// mtxCheck refuses a skew-symmetric matrix with an entry on the diagonal, which can only be zero.
func mtxCheck(h *header, _ int, l *list) error {
	if !h.skew {
		return nil
	}
	for _, c := range l.chunks {
		for _, e := range c.pairs {
			if e.u == e.v {
				return fmt.Errorf("%s is skew-symmetric, but has an entry on the diagonal, of row %d: it is damaged",
					h.path, e.u+1)
			}
		}
	}
	return nil
}
