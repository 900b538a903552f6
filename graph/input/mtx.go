package input

import (
	"fmt"
	"strings"
)

// mtxHeader reads the banner and the size line of a Matrix Market file in coordinate form (Boisvert, Pozo, Remington:
// The Matrix Market Exchange Formats, NISTIR 5935, 1996). Row r and column c are vertices r-1 and c-1.
func mtxHeader(t *text, h *header) error {
	f, err := t.next("%%MatrixMarket matrix coordinate ...")
	if err != nil {
		return err
	}
	var kind [5]string
	for i, choice := range [][]string{
		{"%%matrixmarket"}, {"matrix"}, {"coordinate"}, {"pattern", "real", "integer"},
		{"general", "symmetric", "skew-symmetric"},
	} {
		word, column := f.next()
		if kind[i] = strings.ToLower(string(word)); !words(choice).Takes(kind[i]) {
			return f.expected(word, column, words(choice).Range())
		}
	}
	h.weighted = kind[3] != "pattern"
	h.undirected = kind[4] != "general"
	if kind[4] == "skew-symmetric" {
		h.mirrored = -1
	}
	return mtxSizes(t, h)
}

// mtxSizes reads the line with the numbers of rows, columns and entries.
func mtxSizes(t *text, h *header) error {
	f, err := t.nextAfter("%", "the line with the numbers of rows, columns and entries", nil)
	if err != nil {
		return err
	}
	if h.vertices, err = f.whole("the number of rows", 1, MaxVertices); err != nil {
		return err
	}
	what := fmt.Sprintf("the number of columns, which for a graph is that of rows, %d: it is expected as", h.vertices)
	if _, err = f.whole(what, h.vertices, h.vertices); err != nil {
		return err
	}
	if err = f.tuplesOf(h, "the number of entries"); err != nil {
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
