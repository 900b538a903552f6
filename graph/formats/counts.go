// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// countsLine is a first line of an edge list that may have the numbers of vertices and edges instead of an edge, as
// many programs write them: V E, or V V E as a matrix. settleFirst decides after the other lines were parsed.
type countsLine struct {
	text            string // its words
	vertices, edges uint64
	edge            bool // it has the columns of the next line, so it may be an edge
}

// countsOf returns the counts that the first line may have, nil if it has none: next is the line after it.
func (h *header) countsOf(first, next *fields) *countsLine {
	words := first.all(h.separator)
	if next.err != nil || len(words) < 2 || len(words) > 3 || len(words) == 3 && words[0] != words[1] {
		return nil
	}
	c := &countsLine{text: short([]byte(strings.Join(words, " ")))}
	var err, second error
	c.vertices, err = strconv.ParseUint(words[0], 10, 64)
	c.edges, second = strconv.ParseUint(words[len(words)-1], 10, 64)
	c.edge = next.hasColumnsOf(first, separatorOf(next.text), h.separator)
	usual := h.columns == nil || slices.Equal(h.columns[:2], edgeColumns)
	if err != nil || second != nil || c.edge && (!usual || max(c.vertices, c.edges) >= MaxVertices) {
		return nil
	}
	return c
}

// settleFirst decides whether the first line has the numbers of vertices and edges of the other lines, or is an edge,
// which it then parses.
func (p *parsing) settleFirst() error {
	h, c := p.header, p.header.countsLine
	if c == nil {
		return nil
	}
	const few = 5 // edges, whose numbers may be equal by chance
	low, high := ^h.least, h.most
	n := uint64((&list{chunks: p.chunks}).tuples())
	equal := n == c.edges && n > 0 && (c.vertices > high || low > 0 && c.vertices == high)
	certain := !c.edge || n >= few && c.edges > high && (c.vertices > high || c.edges > high+1)
	switch {
	case equal && certain:
		h.note("the first line of %s, %s, was read as the numbers of vertices and edges, which the other lines have: "+
			"if it is an edge, put a line src dst before it", h.path, c.text)
		if !h.renumber && c.vertices <= MaxVertices {
			h.vertices = max(h.vertices, int64(c.vertices))
		}
		return nil
	case !c.edge:
		return h.ragged(h.edge)
	case equal:
		h.note("the first line of %s, %s, was read as an edge, although it equals the numbers of vertices and edges of the "+
			"others: if it has these numbers, put # before it", h.path, c.text)
	}
	p.first()
	return p.err
}

// first parses the first line of an edge list as an edge.
func (p *parsing) first() {
	line := p.header.firstLine
	p.parse(&block{fields: fields{path: line.path, number: line.number - 1}, lines: 1, rest: line.text})
}

// ragged returns the error of a line with another number of columns than the first edge.
func (h *header) ragged(line *fields) error {
	from := h.edge
	if line == h.edge {
		from = h.firstLine
	}
	rest := fields{text: bytes.TrimRight(line.text, "\r\n"), separator: h.separator}
	for range from.width(h.separator) {
		rest.next()
	}
	_, column := rest.next()
	return fmt.Errorf("%s:%d:%d: the number of columns is %d here and %d in line %d: write one edge per line, also of "+
		"adjacency lists and communities, and put # before a line of counts", h.path, line.number, column,
		line.width(h.separator), from.width(h.separator), from.number)
}
