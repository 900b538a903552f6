package formats

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// countsLine is a first line of an edge list that may have the numbers of vertices and edges instead of an edge, as
// many programs write them: V E, or V V E as a matrix. It is not parsed with the other lines, and settle decides.
type countsLine struct {
	fields
	vertices, edges uint64
	edge            bool // it has the columns of the next line, so it may be an edge
}

// peekEdge returns the next line that is neither blank nor a comment, and takes none; nil if it is not in the buffer.
func (t *text) peekEdge() *fields {
	some, _ := t.in.Peek(readBytes)
	number := t.line
	for line := range bytes.Lines(some) {
		number++
		f := &fields{path: t.path, number: number, text: bytes.Clone(line)}
		if !isComment(line, t.marks) && !f.blank() && (bytes.HasSuffix(line, []byte("\n")) || len(some) < readBytes) {
			return f
		}
	}
	return nil
}

// countsOf returns the first line as one that may have counts, nil if it has none: next is the line after it.
func (h *header) countsOf(first, next *fields) *countsLine {
	words := first.all(h.separator)
	if next == nil || len(words) < 2 || len(words) > 3 || len(words) == 3 && words[0] != words[1] {
		return nil
	}
	c := &countsLine{fields: *first}
	var err, second error
	c.vertices, err = strconv.ParseUint(words[0], 10, 64)
	c.edges, second = strconv.ParseUint(words[len(words)-1], 10, 64)
	c.edge = first.width(h.separator).same(next.width(separatorOf(next.text)))
	usual := h.columns == nil || slices.Equal(h.columns[:2], edgeColumns)
	if err != nil || second != nil || c.edge && (!usual || max(c.vertices, c.edges) >= MaxVertices) {
		return nil
	}
	return c
}

// settleCounts decides whether the first line has the numbers of vertices and edges of the other lines, or is an edge,
// which it adds to the list.
func (h *header) settleCounts(l *list) error {
	c := h.countsLine
	if c == nil {
		return nil
	}
	const few = 5 // edges, whose numbers may be equal by chance
	equal, certain := false, !c.edge
	if n := uint64(l.tuples()); n == c.edges && n > 0 {
		low, high := l.labels()
		equal = c.vertices > high || low > 0 && c.vertices == high
		certain = certain || n >= few && c.edges > high && (c.vertices > high || c.edges > high+1)
	}
	text := short([]byte(strings.Join(c.all(h.separator), " ")))
	switch {
	case equal && certain:
		h.note("the first line of %s, %s, was read as the numbers of vertices and edges, which the other lines have: "+
			"if it is an edge, put a line src dst before it", h.path, text)
		if !h.renumber && c.vertices <= MaxVertices {
			l.vertices = max(l.vertices, int64(c.vertices))
		}
		return nil
	case !c.edge:
		return h.ragged(h.edge)
	case equal:
		h.note("the first line of %s, %s, was read as an edge, although it equals the numbers of vertices and edges of the "+
			"others: if it has these numbers, put # before it", h.path, text)
	}
	return h.addFirst(l)
}

// addFirst adds the first line to the list as an edge.
func (h *header) addFirst(l *list) error {
	b := block{fields: h.countsLine.fields}
	var first chunk
	if snapLine(h, &b, &first); b.err != nil {
		return b.err
	}
	first.labels = b.labels
	h.add(b.tally)
	h.lost.include(b.lost)
	l.chunks = slices.Insert(l.chunks, 0, first)
	l.vertices = max(l.vertices, h.highest)
	return nil
}

// labels returns the lowest and the highest label of a list with edges.
func (l *list) labels() (low, high uint64) {
	low = 1<<64 - 1
	for i := range l.chunks {
		for _, label := range l.chunks[i].labels {
			low, high = min(low, label), max(high, label)
		}
		for _, e := range l.chunks[i].pairs {
			if l.chunks[i].labels == nil {
				low, high = min(low, uint64(e.u), uint64(e.v)), max(high, uint64(e.u), uint64(e.v))
			}
		}
	}
	return low, high
}

// ragged returns the error of a line with another number of columns than the first edge.
func (h *header) ragged(line *fields) error {
	from := h.edge
	if h.countsLine != nil && line == h.edge {
		from = &h.countsLine.fields
	}
	want, rest := from.width(h.separator), *line
	rest.at, rest.separator, rest.text = 0, h.separator, bytes.TrimRight(line.text, "\r\n")
	for range want.filled {
		rest.next()
	}
	_, column := rest.next()
	return fmt.Errorf("%s:%d:%d: the number of columns is %d here and %d in line %d: write one edge per line, also of "+
		"adjacency lists and communities, and put # before a line of counts", h.path, line.number, column,
		line.width(h.separator).filled, want.filled, from.number)
}
