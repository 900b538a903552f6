// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"strings"
)

// metisHeader reads the first line of a METIS graph: VERTICES EDGES and optionally flags for further content and the
// number of weights per vertex (Karypis: METIS, A Software Package, manual of version 5.1.0, section 4.1).
func metisHeader(h *header) error {
	h.undirected = true
	f := h.nextAfter("the line VERTICES EDGES", nil)
	h.vertices = f.integer("the number of vertices", 1, MaxVertices)
	h.tuplesOf(f, "edges")
	if f.blank() {
		return f.err
	}
	word, column := f.next()
	flags := string(word)
	if len(flags) > 3 || strings.Trim(flags, "01") != "" {
		return f.expected(word, column, "up to three digits 0 or 1, for sizes, vertex weights and edge weights")
	}
	flags = strings.Repeat("0", 3-len(flags)) + flags
	h.weighted = flags[2] == '1'
	weights := int64(1)
	if !f.blank() {
		weights = f.integer("the number of weights of a vertex", 1, 1<<16)
	}
	h.perVertex = int(flags[0] - '0')
	if flags[1] == '1' {
		h.perVertex += int(weights)
	}
	return f.end("the number of weights of a vertex")
}

// metisLine parses the line of a vertex: its size and weights, which are ignored, then its neighbours, each with a
// weight if edges have them. The file has each edge at both ends; the entry at the lower end becomes a tuple, and a
// checksum compares the other one with it.
func metisLine(h *header, b *block, into *chunk) {
	b.row++
	row := int64(b.row)
	if row > h.vertices {
		if !b.blank() {
			b.fault(1, "the line of vertex %d is one more than the %d of the first line", row, h.vertices)
		}
		return
	}
	for range h.perVertex {
		b.integer("a size or weight of the vertex", 0, 1<<62)
	}
	for b.err == nil && !b.blank() {
		to := b.integer("a neighbour", 1, h.vertices)
		if to == row {
			b.fault(b.column, "vertex %d is its own neighbour: METIS has no self-loops, and its labels begin at 1", row)
		}
		w := float32(1)
		if h.weighted {
			w = b.weight()
		}
		edge := mix(mix(uint64(min(row, to))<<32|uint64(max(row, to))) + uint64(sortable(w)))
		switch {
		case row > to:
			b.checksum -= edge
			b.opposites++
			continue
		case h.weighted:
			into.addWeighted(uint32(row-1), uint32(to-1), w)
		default:
			into.add(uint32(row-1), uint32(to-1))
		}
		b.checksum += edge
	}
}

// metisCheck compares a file with its first line, and each edge with its opposite entry.
func metisCheck(h *header, rows int, l *list) error {
	if int64(rows) < h.vertices {
		return fmt.Errorf("%s:%d:1: the file ends, and the line of vertex %d of %d is missing: add an empty line for each "+
			"vertex without edges", h.path, h.line+1, rows+1, h.vertices)
	}
	n := l.tuples()
	if n != h.opposites || h.checksum != 0 {
		return fmt.Errorf("%s: a vertex is a neighbour of another, but the reverse entry or its weight is missing, which "+
			"this format needs", h.path)
	}
	if n > 0 && h.tuples == 2*n {
		return h.counts.fault(h.counts.column, "the number of edges is %d here, which is 2 times the edges of the file: "+
			"METIS counts each edge once", h.tuples)
	}
	return nil
}
