// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"errors"
	"fmt"

	"g500/internal/infile"
)

// Reading is a record of how a file was read.
type Reading struct {
	Notes      []string // for the user: ignored columns, changed values
	Unweighted string   // why edges have no weights, "" if there is no special reason
	Labels     []uint64 // of the file, by vertex, if the spec has labels=renumber; else nil
	Source     *Source  // nil for a generated graph
}

// Source is the file that a graph was read from.
type Source struct {
	Path        string
	Fingerprint infile.Fingerprint // of its bytes
	Pipe        bool               // it cannot be read again
}

// unknown is a number of tuples that the header does not have.
const unknown = -1

// header is a file and its content before the first edge.
type header struct {
	*text
	vertices   int64
	tuples     int64  // lines with an edge; in METIS files, edges
	items      string // the name of tuples in messages
	counts     fields // the line with their number
	weighted   bool
	undirected bool
	arcs       bool   // the file says that its edges have a direction
	skew       bool   // the opposite direction of an edge has the negative weight
	ends       string // the name of the last word of a line in messages
	perVertex  int    // of METIS: words before the neighbours

	// of edge lists:
	columns    []column    // from the spec, else from the file
	separator  byte        // between columns, 0 for blanks
	more       bool        // lines have further columns, which are ignored
	free       bool        // further columns have text, so their number may differ
	unnamed    string      // why further columns are not weights
	firstLine  *fields     // with an edge or counts
	countsLine *countsLine // of this line, nil if it has none
	edge       *fields     // the first line that certainly has an edge: the first or the second one
	width      int         // of this line
	first      int64       // the lowest label
	stated     int64       // number of edges in a comment, 0 if unknown
	konect     konect

	tally // of the file, after it was read
}

// tally has the sums and maxima of a block of lines or of a file.
type tally struct {
	rounded, vanished int64  // weights that single precision changes, and those that become 0
	highest, second   int64  // of edge lists: the largest number of each column, plus one
	least, most       uint64 // of edge lists: 2^64-1 minus the lowest label, and the highest label
	checksum          uint64 // of METIS: checksum of edges minus the checksum of their opposites
	opposites         int64  // of METIS: entries that lead to a lower number
}

func (t *tally) add(b tally) {
	t.rounded, t.vanished = t.rounded+b.rounded, t.vanished+b.vanished
	t.highest, t.second = max(t.highest, b.highest), max(t.second, b.second)
	t.least, t.most = max(t.least, b.least), max(t.most, b.most)
	t.checksum, t.opposites = t.checksum+b.checksum, t.opposites+b.opposites
}

// tuplesOf takes the number of tuples, and keeps its place for messages.
func (h *header) tuplesOf(f *fields, items string) {
	h.items = items
	h.tuples = f.integer("the number of "+items, 0, 1<<50)
	h.counts = *f
}

// tuple takes the weight of an edge, if edges have one, adds the edge, and ends the line.
func (h *header) tuple(f *fields, u, v int64, into *chunk) {
	if !h.weighted {
		into.add(uint32(u), uint32(v))
		f.end(h.ends)
		return
	}
	into.addWeighted(uint32(u), uint32(v), f.weight())
	f.end("the weight")
}

// readFile reads a graph from a file.
func readFile(on task) (l *list, err error) {
	t, err := openText(on, on.values["member"])
	if err != nil {
		return nil, on.misspelt(on.values["PATH"], err)
	}
	defer func() { err = errors.Join(t.otherMembers(err), t.close()) }()
	f, err := t.format(on.values["format"])
	if err != nil {
		return nil, err
	}
	t.marks = f.marks
	h := &header{text: t, ends: "the two vertices", columns: columnsOf(on.values["columns"])}
	for key, given := range map[string]bool{"columns": h.columns != nil, "labels": h.renumber} {
		if given && f.name != "snap" {
			return nil, fmt.Errorf("%s=%s is for edge lists, and %s has format %s: leave it out", key, on.values[key], t.path,
				f.name)
		}
	}
	if err := f.header(h); err != nil {
		return nil, err
	}
	const least = 2 // bytes of an edge, as of a neighbour in METIS' format
	if t.packed == 0 && !t.file.Pipe && h.tuples > t.length/least {
		return nil, h.counts.fault(h.counts.column, "the number of %s is %d here, but the file has only %d bytes: it is cut "+
			"off or damaged", h.items, h.tuples, t.length)
	}
	size := Size{Vertices: h.vertices, Edges: h.tuples, Weighted: h.weighted, Extra: t.memory}
	if h.tuples == unknown {
		size.Edges, err = t.estimatedLines()
	}
	if h.renumber {
		size.Extra += size.Edges * labelBytes
	}
	if err == nil {
		err = on.fit(size)
	}
	if err != nil {
		return nil, err
	}
	return h.read(on, *f)
}

// read reads the edges after the header.
func (h *header) read(on task, f format) (*list, error) {
	p := parsing{task: on, format: f, header: h}
	err := p.run()
	if err == nil {
		err = p.settleFirst()
	}
	if err != nil {
		return nil, err
	}
	l := &list{vertices: max(h.vertices, h.highest), chunks: p.chunks, undirected: h.undirected, arcs: h.arcs,
		skew: h.skew}
	if err := h.settleLDBC(l); err != nil {
		return nil, err
	}
	if h.renumber {
		if err := l.renumber(on.workers); err != nil {
			return nil, err
		}
	}
	if f.check != nil {
		if err := f.check(h, p.rows, l); err != nil {
			return nil, err
		}
	}
	if n := l.tuples(); h.tuples != unknown && n != h.tuples {
		return nil, h.counts.fault(h.counts.column, "the number of %s is %d here, but the file has %d: it is cut off or "+
			"damaged", h.items, h.tuples, n)
	}
	h.describe(on, l)
	return l, nil
}

// describe sets the reading of a complete list.
func (h *header) describe(on task, l *list) {
	if h.rounded > 0 {
		h.note("%d weights of %s are rounded to single precision", h.rounded, h.path)
	}
	if h.vanished > 0 {
		h.note("%d weights of %s are too small for single precision and become 0: scale the weights up", h.vanished, h.path)
	}
	l.reading.Notes, l.reading.Unweighted = h.notes, h.unnamed
	l.reading.Source = &Source{on.values["PATH"], h.file.Fingerprint, h.file.Pipe}
}
