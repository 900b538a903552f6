package formats

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"g500/internal/infile"
)

// ldbc is the content of the files that an archive of LDBC Graphalytics has next to the list of edges NAME.e: the
// vertices NAME.v, one label per line, and NAME.properties (LDBC Graphalytics Benchmark, version 1.0, section 2.2).
type ldbc struct {
	labels    []uint64 // of all vertices, if the graph is renumbered
	highest   uint64   // the largest label plus one
	edges     int64    // by the properties, 0 if unknown
	directed  string   // true, false, or "" if unknown
	described bool     // there are properties
	weight    int      // the column of weights, from 1; 0 if edges have none
	err       error
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
	t := &text{ctx: a.ctx, path: a.own + "/" + infile.Clean(m.name), in: m.in, marks: "#", renumber: a.renumber}
	if facts.err == nil && end == ".v" {
		facts.err = facts.readVertices(t)
	} else if facts.err == nil {
		facts.err = facts.readProperties(t)
	}
	return true
}

// readVertices reads the labels of vertices.
func (facts *ldbc) readVertices(t *text) error {
	for {
		f := t.nextAfter("a vertex", nil)
		if f.number > 0 && len(f.text) == 0 {
			return nil
		}
		label := f.label("the label of a vertex")
		if f.err != nil {
			return f.err
		}
		facts.highest = max(facts.highest, min(label, math.MaxInt64)+1)
		if t.renumber {
			facts.labels = append(facts.labels, label)
		}
	}
}

// readProperties reads lines graph.NAME.KEY = VALUE.
func (facts *ldbc) readProperties(t *text) error {
	const most = 1 << 20 // bytes
	content, err := io.ReadAll(io.LimitReader(t.in, most))
	if err != nil {
		return t.broken(err)
	}
	facts.described = true
	weight, names := "weight", []string(nil)
	for line := range bytes.Lines(content) {
		key, value, _ := strings.Cut(string(line), "=")
		value = strings.TrimSpace(value)
		number, _ := strconv.ParseInt(value, 10, 64)
		_, key, _ = strings.Cut(strings.TrimSpace(key), ".")
		_, key, _ = strings.Cut(key, ".")
		switch key {
		case "directed":
			facts.directed = strings.ToLower(value)
		case "meta.edges":
			facts.edges = number
		case "sssp.weight-property":
			weight = value
		case "edge-properties.names":
			names = strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		}
	}
	facts.weight = slices.Index(names, weight) + 1
	if facts.weight > 0 {
		facts.weight += len(edgeColumns)
	}
	return nil
}

// companion returns the facts that the archive has about the list of edges, nil for other files.
func (t *text) companion() *ldbc {
	if t.archive == nil {
		return nil
	}
	stem, edges := strings.CutSuffix(unpackedName(t.archive.chosen.name), ".e")
	if !edges {
		return nil
	}
	return t.archive.ldbc[stem]
}

// undescribed reports whether the properties of a list of edges may follow in the archive.
func (t *text) undescribed(facts *ldbc) bool {
	return t.archive != nil && extensionOf(t.archive.chosen.name) == ".e" && (facts == nil || !facts.described)
}

// columns returns the columns of the list of edges, nil if edges have no weights.
func (facts *ldbc) columns() []column {
	if facts == nil || facts.weight == 0 {
		return nil
	}
	all := slices.Repeat([]column{ignoredColumn}, facts.weight)
	all[0], all[1], all[facts.weight-1] = fromColumn, toColumn, weightColumn
	return all
}

// settleLDBC adds to a list of edges of LDBC the facts that its archive has: the vertices, the direction of edges, and
// whether they have weights.
func (h *header) settleLDBC(l *list) error {
	facts := h.companion()
	if h.unsettled && !slices.Equal(facts.columns(), weightedColumns) {
		h.weighted, h.lost = false, lost{}
		for i := range l.chunks {
			l.chunks[i].weights = nil
		}
		h.ignore(len(weightedColumns))
	}
	if facts == nil {
		h.noteNeighbours()
		return nil
	}
	if facts.err != nil {
		return facts.err
	}
	if facts.directed != "" {
		l.arcs, l.undirected = facts.directed == "true", facts.directed == "false"
	}
	if columns := facts.columns(); columns != nil && !h.weighted {
		h.note("the properties of %s name weights in column %d, which were not read: if the column exists, give columns=%s",
			h.path, facts.weight, joined(columns))
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
