package formats

import (
	"bytes"
	"fmt"
	"strings"
)

// mtxHeader reads the banner and the size line of a Matrix Market file in coordinate format (Boisvert, Pozo, Remington:
// The Matrix Market Exchange Formats, NISTIR 5935, 1996). Row r and column c are vertices r-1 and c-1.
func mtxHeader(t *text, h *header) error {
	f, err := t.next("%%MatrixMarket matrix coordinate ...")
	if err != nil {
		return err
	}
	var kind [5]string
	for i, choice := range [][]string{
		{"%%matrixmarket", "%matrixmarket"}, {"matrix"}, {"coordinate"},
		{"pattern", "real", "integer", "double", "unsigned-integer"}, {"general", "symmetric", "skew-symmetric"},
	} {
		word, column := f.next()
		kind[i] = strings.ToLower(string(word))
		if why := noGraph[kind[i]]; why != "" {
			return f.fault(column, "%s", why)
		}
		if !words(choice).Takes(kind[i]) {
			return f.expected(word, column, words(choice).Range())
		}
	}
	if kind[0] == "%matrixmarket" {
		t.note("the banner of %s begins with one percent sign instead of two", t.path)
	}
	h.weighted = kind[3] != "pattern"
	if !h.weighted {
		h.ends = "the row and the column: a pattern matrix has no values"
	}
	h.undirected = kind[4] != "general"
	h.skew = kind[4] == "skew-symmetric"
	return mtxSizes(t, h)
}

// isBanner reports whether a line is the first of a Matrix Market file.
func isBanner(line []byte) bool {
	const banner = "%matrixmarket "
	line = bytes.TrimPrefix(line, []byte("%"))
	return len(line) >= len(banner) && strings.EqualFold(string(line[:len(banner)]), banner)
}

// noGraph are kinds of matrices that are no graphs, with the reason.
var noGraph = map[string]string{
	"array": "the file has an array, which is a dense matrix: write it in coordinate format",
	"complex": "the matrix is complex, and complex numbers are no weights of edges: " +
		"write it as a pattern or with real values",
	"hermitian": "the matrix is hermitian, which is for complex numbers: write it as symmetric",
}

// mtxSizes reads the line with the numbers of rows, columns and entries.
func mtxSizes(t *text, h *header) error {
	const line = "the line with the numbers of rows, columns and entries"
	f, err := t.nextAfter("%", line, nil)
	if err != nil {
		return err
	}
	if len(f.all(0)) == 2 {
		return f.fault(1, "two numbers are where %s is expected: there is no size line", line)
	}
	if h.vertices, err = f.whole("the number of rows", 1, MaxVertices); err != nil {
		return err
	}
	columns, err := f.whole("the number of columns", 1, MaxVertices)
	if err != nil {
		return err
	}
	if columns != h.vertices {
		return f.fault(f.column, "the matrix is rectangular, with %d rows and %d columns: only a square one is a graph",
			h.vertices, columns)
	}
	if err := f.tuplesOf(h, "entries"); err != nil {
		return err
	}
	return f.end("the number of entries")
}

// mtxBody parses lines with a row, a column and, if the matrix has values, a value.
func mtxBody(h *header) func(b *block, into *part) error {
	return func(b *block, into *part) error {
		for b.nextLine() {
			if isComment(b.text, "%") || b.blank() {
				continue
			}
			u, err := b.whole("a row", 1, h.vertices)
			if err != nil {
				return err
			}
			v, err := b.whole("a column", 1, h.vertices)
			if err != nil {
				return err
			}
			if err := b.tuple(h, u-1, v-1, into); err != nil {
				return err
			}
		}
		return nil
	}
}

// mtxWhole refuses a skew-symmetric matrix with a value on the diagonal, which can only have zeros.
func mtxWhole(h *header, _ int, l *list) error {
	if !h.skew {
		return nil
	}
	for _, p := range l.parts {
		for _, e := range p.pairs {
			if e.u == e.v {
				return fmt.Errorf("%s is skew-symmetric, but has an entry on the diagonal, of row %d: it is damaged",
					h.path, e.u+1)
			}
		}
	}
	return nil
}
