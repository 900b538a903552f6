// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// column is the meaning of a column of an edge list.
type column = string

const (
	fromColumn    column = "src"
	toColumn      column = "dst"
	weightColumn  column = "weight"
	timeColumn    column = "time"
	ignoredColumn column = "-"
)

// edgeColumns and weightedColumns are the columns of edge lists without names of columns.
var (
	edgeColumns     = []column{fromColumn, toColumn}
	weightedColumns = []column{fromColumn, toColumn, weightColumn}
	everyColumn     = []column{fromColumn, toColumn, weightColumn, timeColumn, ignoredColumn}
)

// columnsOf returns the columns of a value of the parameter columns, nil for auto.
func columnsOf(text string) []column {
	if text == auto {
		return nil
	}
	return strings.Split(text, ",")
}

// knownColumns are common names of columns, in lower case, without underscores and quotation marks.
var knownColumns = map[string]column{
	"src": fromColumn, "source": fromColumn, "from": fromColumn, "fromnodeid": fromColumn, "node1": fromColumn,
	"id1": fromColumn, "dst": toColumn, "target": toColumn, "to": toColumn, "tonodeid": toColumn, "node2": toColumn,
	"id2": toColumn, "destination": toColumn, "weight": weightColumn, "time": timeColumn, "timestamp": timeColumn,
}

// namesOf returns the columns of a line of names, such as "src,dst,weight" or "FromNodeId ToNodeId"; nil unless both
// ends of an edge are among them. Columns with unknown names are ignored.
func namesOf(words []string) (all []column) {
	plain := strings.NewReplacer("_", "", `"`, "")
	for _, word := range words {
		c, ok := knownColumns[plain.Replace(strings.ToLower(word))]
		if !ok {
			c = ignoredColumn
		}
		all = append(all, c)
	}
	if !slices.Contains(all, fromColumn) || !slices.Contains(all, toColumn) {
		return nil
	}
	return all
}

// isNumber reports whether a word is a number.
func isNumber(word string) bool {
	_, err := strconv.ParseFloat(word, 64)
	return err == nil
}

// width returns the number of columns of the line. Columns between tabs may be empty, as between other separators, if
// the line has no blanks.
func (f *fields) width(separator byte) (n int) {
	line := fields{text: bytes.TrimRight(f.text, "\r\n"), separator: separator}
	if separator == 0 && bytes.IndexByte(line.text, ' ') < 0 && len(bytes.TrimLeft(line.text, "\t")) > 0 {
		return bytes.Count(line.text, []byte{'\t'}) + 1
	}
	for separator == 0 && !line.blank() {
		line.next()
		n++
	}
	for at := 0; separator != 0 && at <= len(line.text); n++ {
		at += columnEnd(line.text[at:], separator) + 1
	}
	return n
}

// hasColumnsOf reports whether the line has as many columns as another one, with or without the empty ones at its end.
func (f *fields) hasColumnsOf(other *fields, separator, otherSeparator byte) bool {
	return f.width(separator) == other.width(otherSeparator) || len(f.all(separator)) == len(other.all(otherSeparator))
}

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
