package formats

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// commentsOfSNAP begin the comments of edge lists; KONECT uses the percent sign.
const commentsOfSNAP = "#%"

// snapHeader reads the lines before the first edge of an edge list in the format of the Stanford Network Analysis
// Project: after comments a line for each edge, with two labels and perhaps further columns. Labels are vertex numbers;
// the number of vertices is the largest label and one, or N of a comment "# Nodes: N" if N is larger. Files of KONECT
// have labels from 1.
//
// A line of names, plain or as a comment, names the columns, unless the spec does.
func snapHeader(t *text, h *header) error {
	h.tuples = unknown
	var names []column
	f, err := t.nextAfter(commentsOfSNAP, "an edge, as two labels,", func(comment []byte) {
		h.snapComment(comment, t.line)
		if found := namesOf(strings.Fields(strings.TrimLeft(string(comment), commentsOfSNAP+" "))); found != nil {
			names = found
		}
	})
	if err != nil && len(f.text) == 0 {
		return f.fault(1, "the file ends and has no edge")
	}
	if err != nil {
		return err
	}
	if bytes.IndexByte(f.text, ',') >= 0 {
		h.separator = ','
	}
	if !f.numeric() {
		found := namesOf(f.all(h.separator))
		if found == nil && h.columns == nil {
			return f.fault(1, "%q is no edge, as two labels, and no line of known column names: give them, as in "+
				"columns=src,dst", short(bytes.TrimSpace(f.text)))
		}
		names = found
		if f, err = t.nextAfter(commentsOfSNAP, "an edge, as two labels,", nil); err != nil {
			return err
		}
	}
	if h.konect.weights == "dynamic" {
		return fmt.Errorf("%s is a dynamic graph of KONECT, in which edges are added and removed: the program does not "+
			"read those", t.path)
	}
	h.snapColumns(t, names, len(f.all(h.separator)))
	t.unread(f)
	return nil
}

// snapComment looks for the numbers of vertices in a comment.
func (h *header) snapComment(comment []byte, line int) {
	switch {
	case line == 1:
		h.konect = readKonect(comment)
	case line == 2 && h.konect.kind != "":
		h.konect.sizes(comment)
	}
	words := bytes.Fields(comment)
	for i := range len(words) - 1 {
		if string(words[i]) == "Nodes:" {
			told := fields{text: words[i+1]}
			if n, err := told.whole("a number", 1, MaxVertices); err == nil {
				h.vertices = n
			}
		}
	}
}

// snapColumns decides the columns of a file from the number of words of its first edge and from its line of names.
func (h *header) snapColumns(t *text, names []column, words int) {
	given := h.columns != nil
	switch {
	case given:
	case names != nil:
		h.columns = names
	case extensionOf(t.path) == ".wel", h.konect.weighted() && words > len(edgeColumns):
		h.columns = weightedColumns
	default:
		h.columns = edgeColumns
	}
	h.weighted = slices.Contains(h.columns, weightColumn)
	h.more = words > len(h.columns)
	h.ends = "its last column"
	if h.more && !given && !h.weighted {
		without := unnamedColumns(len(h.columns), words)
		h.unnamed = fmt.Sprintf("%s of %s without a name", without, t.path)
		t.note("%s of %s ignored because unnamed: columns=src,dst,weight names weights", without, t.path)
	}
	if h.konect.kind == "bip" {
		t.note("%s is bipartite: its two kinds of vertices are numbered one after the other", t.path)
	}
}

// snapBody parses lines of columns.
func snapBody(h *header) func(b *block, into *part) error {
	first := int64(0)
	if h.konect.kind != "" {
		first = 1
	}
	return func(b *block, into *part) error {
		b.separator = h.separator
		var highest, second int64
		for b.nextLine() {
			if isComment(b.text, commentsOfSNAP) || b.blank() {
				continue
			}
			e, err := b.edge(h, first)
			if err != nil {
				return err
			}
			highest, second = max(highest, e.u-first+1), max(second, e.v-first+1)
			into.add(uint32(e.u-first), uint32(e.v-first))
			if h.weighted {
				into.weights = append(into.weights, e.weight)
			}
		}
		if h.konect.kind != "bip" {
			highest = max(highest, second)
		}
		raise(&h.highest, highest)
		raise(&h.second, second)
		return nil
	}
}

// edge is a line of an edge list.
type edge struct {
	u, v   int64
	weight float32
}

// edge takes the columns of a line. Labels are first and above.
func (b *block) edge(h *header, first int64) (e edge, err error) {
	for _, c := range h.columns {
		switch c {
		case fromColumn:
			e.u, err = b.whole("a label (larger ones must be renumbered)", first, MaxVertices-1+first)
		case toColumn:
			e.v, err = b.whole("a second label (larger ones must be renumbered)", first, MaxVertices-1+first)
		case weightColumn:
			e.weight, err = b.weight()
		default:
			b.next()
		}
		if err != nil {
			return e, err
		}
	}
	if h.more {
		return e, nil
	}
	return e, b.end(h.ends)
}

// snapWhole numbers the two kinds of vertices of a bipartite graph one after the other. It refuses labels that are so
// sparse that nearly all vertices would have no edge.
func snapWhole(h *header, _ int, l *list) error {
	l.vertices = max(l.vertices, h.konect.rows)
	switch h.konect.kind {
	case "bip":
		rows := l.vertices
		l.vertices += max(h.second.Load(), h.konect.columns)
		if l.vertices > MaxVertices {
			return errTooManyVertices
		}
		for i := range l.parts {
			for j := range l.parts[i].pairs {
				l.parts[i].pairs[j].v += uint32(rows)
			}
		}
	case "":
		const many, sparse = 1 << 26, 64
		if highest := h.highest.Load(); highest > many && highest/sparse > l.tuples() && highest > h.vertices {
			return fmt.Errorf("%s has labels up to %d, but only %d edges: renumber its labels from 0, because each label "+
				"up to the largest is a vertex", h.path, highest-1, l.tuples())
		}
	}
	return nil
}
