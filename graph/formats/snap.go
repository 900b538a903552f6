// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// commentsOfSNAP begin the comments of edge lists; KONECT uses the percent sign.
const commentsOfSNAP = "#%"

// snapHeader reads the lines before the first edge of an edge list in the format of the Stanford Network Analysis
// Project: comments, then one line per edge with two labels and optionally further columns. Labels are vertex numbers.
// The number of vertices is the largest label plus one, or N of a comment "# Nodes: N" if N is larger. Labels of KONECT
// files begin at 1.
//
// A line of names, plain or as a comment, names the columns, unless the spec does.
func snapHeader(h *header) error {
	const edge = "an edge, as two labels"
	h.tuples = unknown
	var names []column
	f := h.nextAfter(edge, func(comment []byte) {
		h.snapComment(comment)
		if found := namesOf(strings.Fields(strings.TrimLeft(string(comment), commentsOfSNAP+" "))); found != nil {
			names = found
		}
	})
	h.separator = separatorOf(f.text)
	if words := f.all(h.separator); f.err == nil && !isNumber(words[0]) {
		names = namesOf(words)
		if names == nil && h.columns == nil {
			return f.fault(1, "%q is neither an edge, as two whole numbers, nor a line of known column names: give these, as "+
				"in columns=src,dst, or number vertices that have names", short(bytes.TrimSpace(f.text)))
		}
		f = h.nextAfter(edge, nil)
	}
	if f.number > 0 && len(f.text) == 0 {
		return fmt.Errorf("%s:%d:1: the file has no edge: an edge list has a line with two labels for each edge", h.path,
			f.number)
	}
	if f.err != nil {
		return f.err
	}
	if h.konect.weights == "dynamic" {
		return fmt.Errorf("%s is a dynamic graph of KONECT, in which edges are added and removed: the program does not "+
			"read such files", h.path)
	}
	if h.renumber && h.konect.kind == "bip" {
		return fmt.Errorf("%s is bipartite, and both kinds of vertices have the same labels: leave labels=renumber out",
			h.path)
	}
	h.firstLine, h.edge = f, f
	if names == nil && h.stated == 0 && h.konect.kind == "" {
		next := h.nextAfter(edge, nil)
		h.unread(next)
		if h.countsLine = h.countsOf(f, next); h.countsLine != nil {
			h.edge, h.separator = next, separatorOf(next.text)
		}
	}
	if len(h.edge.all(h.separator)) < len(edgeColumns) {
		return h.edge.fault(1, "the line has one column, and an edge has two labels: put # before a line of counts")
	}
	h.width = h.edge.width(h.separator)
	h.snapColumns(names)
	return nil
}

// separatorOf returns the separator between the columns of a line, 0 for blanks.
func separatorOf(line []byte) byte {
	at := bytes.IndexAny(line, ",;|")
	if at < 0 {
		return 0
	}
	words := bytes.Fields(line[:at])
	if len(words) > 1 && unicode.IsDigit(rune(words[0][0])) { // as in 0 1 {'weight': 2, 'year': 2020}
		return 0
	}
	return line[at]
}

// snapComment takes the numbers of vertices and edges and the direction of edges from a comment.
func (h *header) snapComment(comment []byte) {
	switch {
	case h.line == 1:
		if m := konectKind.FindSubmatch(comment); m != nil {
			h.konect.kind, h.konect.weights = string(m[1]), string(m[2])
			h.first, h.arcs, h.undirected = 1, h.konect.kind == "asym", h.konect.kind != "asym"
		}
	case h.line == 2 && h.konect.kind != "":
		h.stated = h.konect.sizes(comment)
	}
	for _, m := range snapFacts.FindAllSubmatch(comment, -1) {
		switch string(m[1]) {
		case "Directed graph":
			h.arcs = true
		case "Undirected graph":
			h.undirected = true
		case "Nodes: ":
			h.vertices = count(m[2])
		case "Edges: ":
			h.stated = count(m[2])
		}
	}
}

// snapFacts matches the parts of a comment that say something about the graph.
var snapFacts = regexp.MustCompile(`\b(Directed graph|Undirected graph|Nodes: |Edges: )(\d*)`)

// snapColumns chooses the columns of a file from its line of names and its first edge.
func (h *header) snapColumns(names []column) {
	given, words := h.columns != nil, h.edge.all(h.separator)
	switch {
	case given:
	case names != nil:
		h.columns = names
	case extensionOf(h.path) == ".wel", slices.Contains(weightedKonect, h.konect.weights) && len(words) > len(edgeColumns):
		h.columns = weightedColumns
	case h.isLDBC() && len(words) == len(weightedColumns) && isNumber(words[2]):
		h.columns = weightedColumns
	default:
		h.columns = edgeColumns
	}
	h.weighted = slices.Contains(h.columns, weightColumn)
	h.more = len(words) > len(h.columns)
	h.ends = "its last column"
	h.free = h.separator == 0 && slices.ContainsFunc(words[2:], func(word string) bool { return !isNumber(word) })
	if h.more && !given && !h.weighted {
		h.ignore(len(h.columns) + 1)
	}
	if h.konect.kind == "bip" {
		h.note("%s is bipartite: its two kinds of vertices are numbered one after the other", h.path)
	}
}

// ignore notes that the columns from first on are ignored. The cure is for the first of them that has numbers.
func (h *header) ignore(first int) {
	words := h.edge.all(h.separator)
	unnamed := fmt.Sprintf("column %d", len(words))
	if first < len(words) {
		unnamed = fmt.Sprintf("columns %d to %d", first, len(words))
	}
	h.unnamed = fmt.Sprintf("%s of %s without a name", unnamed, h.path)
	cure := ""
	if at := slices.IndexFunc(words[first-1:], isNumber); at >= 0 {
		at += first - 1
		columns := append(slices.Clone(edgeColumns), slices.Repeat([]column{ignoredColumn}, at-len(edgeColumns))...)
		cure = fmt.Sprintf(": if column %d has weights, give columns=%s", at+1,
			strings.Join(append(columns, weightColumn), ","))
	}
	h.note("%s of %s ignored because unnamed%s", unnamed, h.path, cure)
}

// snapLine parses a line of columns.
func snapLine(h *header, b *block, into *chunk) {
	b.separator = h.separator
	var u, v int64
	for _, c := range h.columns {
		switch c {
		case fromColumn:
			u = h.snapLabel(b, "a label")
		case toColumn:
			v = h.snapLabel(b, "a second label")
		case weightColumn:
			into.weights = append(into.weights, b.weight())
		default:
			b.next()
		}
	}
	if !h.more {
		b.end(h.ends)
	}
	if (b.err != nil || h.more && !h.free) && b.width(h.separator) != h.width &&
		!b.hasColumnsOf(h.edge, h.separator, h.separator) {
		b.err = h.ragged(&b.fields)
	}
	b.highest, b.second = max(b.highest, u+1), max(b.second, v+1)
	into.add(uint32(u), uint32(v))
}

// snapLabel takes a label, and returns its number in the block if the graph is renumbered, else its vertex.
func (h *header) snapLabel(b *block, name string) (label int64) {
	if b.err != nil {
		return 0
	}
	low, high := uint64(h.first), uint64(MaxVertices-1+h.first)
	if h.renumber {
		low, high = 0, math.MaxUint64
	}
	from := b.unsigned(name, low, high)
	b.least, b.most = max(b.least, ^from), max(b.most, from)
	if b.err != nil {
		word := strings.Trim(string(b.text[b.column-1:b.at]), "\",;| \t\r\n")
		n, no := strconv.ParseUint(word, 10, 64)
		switch {
		case no == nil && n >= MaxVertices && !h.renumber && h.konect.kind != "bip":
			b.err = fmt.Errorf("%w: labels=renumber takes any below 2^64", b.err)
		case strings.ContainsFunc(word, unicode.IsLetter):
			b.err = fmt.Errorf("%w: number vertices that have names", b.err)
		}
	}
	if h.renumber {
		return int64(b.of(from))
	}
	return int64(from) - h.first
}

// snapCheck numbers the two kinds of vertices of a bipartite graph one after the other. It refuses labels that are so
// sparse that nearly all vertices would be isolated.
func snapCheck(h *header, _ int, l *list) error {
	if n := l.tuples(); n < h.stated {
		h.note("%s has %d edges, and its comments say %d: it may be cut off", h.path, n, h.stated)
	}
	if h.renumber {
		return nil
	}
	if h.konect.kind == "bip" {
		rows := max(l.vertices, h.konect.rows)
		l.vertices = rows + max(h.second, h.konect.columns)
		if l.vertices > MaxVertices {
			return errTooManyVertices
		}
		for _, c := range l.chunks {
			for j := range c.pairs {
				c.pairs[j].v += uint32(rows)
			}
		}
		return nil
	}
	highest := max(h.highest, h.second)
	l.vertices = max(l.vertices, highest, h.konect.rows)
	const many, sparse = 1 << 26, 64
	if h.konect.kind == "" && highest > many && highest/sparse > l.tuples() && highest > h.vertices {
		return fmt.Errorf("%s has labels up to %d, but only %d edges: each label up to the largest is a vertex, and all "+
			"vertices take %s of memory: number those that occur by labels=renumber, which take %s at most", h.path,
			highest-1, l.tuples(), rounded(8*highest), rounded(16*l.tuples()))
	}
	return nil
}
