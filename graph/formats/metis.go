package formats

import (
	"fmt"
	"strings"
)

// metisHeader reads the first line of a graph of METIS: VERTICES EDGES, and perhaps what else is in the file and the
// number of weights that a vertex has (Karypis: METIS, A Software Package, manual of version 5.1.0, section 4.1).
func metisHeader(t *text, h *header) error {
	h.undirected = true
	f, err := t.nextAfter("%", "the line VERTICES EDGES", nil)
	if err != nil {
		return err
	}
	if h.vertices, err = f.whole("the number of vertices", 1, MaxVertices); err != nil {
		return err
	}
	if err := f.tuplesOf(h, "edges"); err != nil {
		return err
	}
	if f.blank() {
		return nil
	}
	word, column := f.next()
	flags := string(word)
	if len(flags) > 3 || strings.Trim(flags, "01") != "" {
		return f.expected(word, column, "a format of up to three digits 0 or 1, for sizes, vertex weights and edge weights,")
	}
	flags = strings.Repeat("0", 3-len(flags)) + flags
	h.weighted = flags[2] == '1'
	weights := int64(1)
	if !f.blank() {
		if weights, err = f.whole("the number of weights of a vertex", 1, 1<<16); err != nil {
			return err
		}
	}
	h.perVertex = int(flags[0] - '0')
	if flags[1] == '1' {
		h.perVertex += int(weights)
	}
	return f.end("the number of weights of a vertex")
}

// metisBody parses lines of which each is a vertex: its size and weights, which are passed over, then its neighbours,
// each perhaps with a weight. Each edge stands at both ends and becomes one tuple. Of the other one a checksum is kept.
func metisBody(h *header) func(b *block, into *part) error {
	return func(b *block, into *part) error {
		var sum, twins uint64
		for row := int64(b.row); b.nextLine(); {
			if isComment(b.text, "%") {
				continue
			}
			row++
			if row > h.vertices && b.blank() {
				continue
			}
			if row > h.vertices {
				return b.fault(1, "the line of vertex %d is one more than the %d that the first line tells of", row, h.vertices)
			}
			s, n, err := metisRow(h, b, row, into)
			if err != nil {
				return err
			}
			sum, twins = sum+s, twins+n
		}
		h.balance.Add(sum)
		h.twins.Add(twins)
		return nil
	}
}

// metisRow parses the line of a vertex.
func metisRow(h *header, b *block, row int64, into *part) (sum, twins uint64, err error) {
	for range h.perVertex {
		if _, err := b.whole("a size or weight of the vertex", 0, 1<<62); err != nil {
			return 0, 0, err
		}
	}
	for !b.blank() {
		to, err := b.whole("a neighbour", 1, h.vertices)
		if err != nil {
			return 0, 0, err
		}
		if to == row {
			return 0, 0, b.fault(b.column, "vertex %d is its own neighbour: METIS has no self-loops, and its labels "+
				"begin at 1", row)
		}
		w := float32(1)
		if h.weighted {
			if w, err = b.weight(); err != nil {
				return 0, 0, err
			}
		}
		edge := mix(mix(uint64(min(row, to))<<32|uint64(max(row, to))) + uint64(sortable(w)))
		if row > to {
			sum, twins = sum-edge, twins+1
			continue
		}
		sum += edge
		if h.weighted {
			into.addWeighted(uint32(row-1), uint32(to-1), w)
		} else {
			into.add(uint32(row-1), uint32(to-1))
		}
	}
	return sum, twins, nil
}

// metisWhole holds a file that was read to its first line, and each edge to its twin.
func metisWhole(h *header, rows int, l *list) error {
	if int64(rows) < h.vertices {
		return fmt.Errorf("%s:%d:1: the file ends, and the line of vertex %d of %d is missing",
			h.path, h.lines+1, rows+1, h.vertices)
	}
	if uint64(l.tuples()) != h.twins.Load() || h.balance.Load() != 0 {
		return fmt.Errorf("%s: some vertex is a neighbour of another, but not the other way round with the same weight, "+
			"as this format has it", h.path)
	}
	if n := l.tuples(); n > 0 && h.tuples == 2*n {
		return h.told.fault(h.told.column, "the number of edges is %d here, which is 2 times the edges of the file: "+
			"METIS counts each edge once", h.tuples)
	}
	return nil
}
