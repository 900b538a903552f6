// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"fmt"
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"g500/internal/infile"
)

// ldbc is the content of the files that an archive of LDBC Graphalytics has next to the list of edges NAME.e: the
// vertices NAME.v, one label per line, and NAME.properties (LDBC Graphalytics Benchmark, version 1.0, section 2.2).
type ldbc struct {
	labels   []uint64 // of all vertices, if the graph is renumbered
	highest  uint64   // the largest label plus one
	edges    int64    // by the properties, 0 if unknown
	directed string   // true, false, or "" if unknown
	err      error
}

// readLDBC reads a member that belongs to a list of edges of LDBC, and reports whether it does.
func (a *archive) readLDBC(m member) bool {
	end := path.Ext(m.name)
	stem := strings.TrimSuffix(m.name, end)
	isEdges := func(name string) bool { return unpackedName(name) == stem+".e" }
	if end != ".v" && end != ".properties" || a.chosen.in != nil && !isEdges(a.chosen.name) ||
		a.wanted != auto && !isEdges(a.wanted) {
		return false
	}
	facts := a.ldbc[stem]
	if facts == nil {
		facts = &ldbc{}
		a.ldbc[stem] = facts
	}
	if facts.err == nil {
		facts.err = facts.read(&text{ctx: a.ctx, path: a.own + "/" + infile.Clean(m.name), in: m.in, marks: "#",
			renumber: a.renumber}, end == ".v")
	}
	return true
}

// read reads the labels of vertices or lines graph.NAME.KEY = VALUE.
func (facts *ldbc) read(t *text, vertices bool) error {
	for {
		f := t.nextAfter("a vertex", nil)
		if f.number > 0 && len(f.text) == 0 {
			return nil
		}
		if vertices {
			label := f.unsigned("the label of a vertex", 0, math.MaxUint64)
			facts.highest = max(facts.highest, min(label, math.MaxInt64)+1)
			if t.renumber {
				facts.labels = append(facts.labels, label)
			}
		}
		if f.err != nil {
			return f.err
		}
		key, value, _ := strings.Cut(string(f.text), "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		switch {
		case strings.HasSuffix(key, ".directed"):
			facts.directed = strings.ToLower(value)
		case strings.HasSuffix(key, ".meta.edges"):
			facts.edges, _ = strconv.ParseInt(value, 10, 64)
		}
	}
}

// isLDBC reports whether the text is the list of edges in an archive of LDBC, whose third column has weights.
func (t *text) isLDBC() bool { return t.archive != nil && extensionOf(t.archive.chosen.name) == ".e" }

// settleLDBC adds to a list of edges of LDBC the facts that its archive has: the vertices, and the direction of edges.
func (h *header) settleLDBC(l *list) error {
	if !h.isLDBC() {
		h.noteNeighbours()
		return nil
	}
	facts := h.archive.ldbc[strings.TrimSuffix(unpackedName(h.archive.chosen.name), ".e")]
	if facts == nil {
		return nil
	}
	if facts.err != nil {
		return facts.err
	}
	if facts.directed != "" {
		l.arcs, l.undirected = facts.directed == "true", facts.directed == "false"
	}
	if n := l.tuples(); n < facts.edges {
		h.note("%s has %d edges, and its properties say %d: it may be cut off", h.path, n, facts.edges)
	}
	if h.renumber {
		l.chunks = append(l.chunks, chunk{labels: facts.labels})
		return nil
	}
	if facts.highest > MaxVertices {
		return fmt.Errorf("the vertices of %s have labels up to %d: labels=renumber takes any below 2^64", h.path,
			facts.highest-1)
	}
	h.highest = max(h.highest, int64(facts.highest))
	return nil
}

// noteNeighbours notes files of LDBC next to a list of edges that is not in an archive.
func (h *header) noteNeighbours() {
	stem, edges := strings.CutSuffix(h.path, ".e")
	if _, err := os.Stat(stem + ".v"); edges && h.packed == 0 && err == nil {
		h.note("%s.v and .properties next to %s are not read: pack the three files in an archive (tar), which keeps "+
			"isolated vertices and the direction", stem, h.path)
	}
}
