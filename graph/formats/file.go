package formats

import (
	"errors"
	"fmt"
	"sync/atomic"

	"g500/internal/infile"
)

// Reading is a record of how a file was read.
type Reading struct {
	Notes      []string // for the user: ignored columns, changed values
	Unweighted string   // why edges have no weights, "" for no special reason
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

// header is the content of a file before the first edge.
type header struct {
	path       string
	columns    []column // of edge lists: the spec's, else the file's
	vertices   int64
	tuples     int64  // lines with an edge; of METIS, edges
	items      string // the name of tuples in messages
	told       fields // the line that has their number
	weighted   bool
	undirected bool
	skew       bool   // the opposite direction of an edge has the negative weight
	ends       string // of a line: the name of its last word in messages
	perVertex  int    // of METIS: words before the neighbours

	separator byte   // of edge lists: between columns, 0 for blanks
	more      bool   // of edge lists: lines have further columns, which are ignored
	unnamed   string // of edge lists: why further columns are no weights
	konect    konect // of edge lists

	highest atomic.Int64  // of edge lists: the largest label and one
	second  atomic.Int64  // of bipartite ones: largest label of the second column, and one
	balance atomic.Uint64 // of METIS: checksum of edges minus checksum of their opposites
	twins   atomic.Uint64 // of METIS: entries that lead to a lower number
	lines   int           // of the whole file, when it was read
}

// tuplesOf takes the number of tuples, and keeps its place.
func (f *fields) tuplesOf(h *header, items string) (err error) {
	const most = 1 << 50
	h.items = items
	h.tuples, err = f.whole("the number of "+items, 0, most)
	h.told = *f
	return err
}

// tuple takes the rest of a line whose two vertices were taken, and adds the tuple.
func (f *fields) tuple(h *header, u, v int64, into *part) error {
	if !h.weighted {
		into.add(uint32(u), uint32(v))
		return f.end(h.ends)
	}
	w, err := f.weight()
	if err != nil {
		return err
	}
	into.addWeighted(uint32(u), uint32(v), w)
	return f.end("the weight")
}

// raise sets a maximum that several goroutines share.
func raise(most *atomic.Int64, n int64) {
	for {
		was := most.Load()
		if n <= was || most.CompareAndSwap(was, n) {
			return
		}
	}
}

// openGraph opens a file and reads its header.
func openGraph(on resources, v values) (f format, t *text, h *header, err error) {
	t, err = openText(on.ctx, v["PATH"])
	if err != nil {
		return f, nil, nil, err
	}
	h = &header{path: t.path, ends: "the two vertices", columns: columnsOf(v["columns"])}
	f, err = formatOf(t.path, v["format"], t.head)
	if err == nil && h.columns != nil && f.name != "snap" {
		err = fmt.Errorf("columns=%s is for edge lists, and %s has format %s: leave it out", v["columns"], t.path, f.name)
	}
	if err == nil {
		err = f.header(t, h)
	}
	if err != nil {
		return f, nil, nil, errors.Join(err, t.Close())
	}
	return f, t, h, nil
}

// size returns the size that the header has, or an estimate.
func (h *header) size(t *text) (size Size, err error) {
	size = Size{Vertices: h.vertices, Edges: h.tuples, Weighted: h.weighted}
	if h.tuples == unknown {
		size.Edges, err = t.estimatedLines()
	}
	return size, err
}

// readFile reads a graph from a file.
func readFile(on resources, v values) (l *list, err error) {
	f, t, h, err := openGraph(on, v)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	size, err := h.size(t)
	if err == nil {
		err = on.fit(size)
	}
	if err != nil {
		return nil, err
	}
	return h.read(on, f, t)
}

// read reads the edges after the header.
func (h *header) read(on resources, f format, t *text) (*list, error) {
	p := parsing{text: t, resources: on, format: f, parse: f.body(h)}
	parts, rows, err := p.run()
	if err != nil {
		return nil, err
	}
	h.lines = t.line
	l := &list{vertices: max(h.vertices, h.highest.Load()), parts: parts, undirected: h.undirected, skew: h.skew,
		reading: Reading{Unweighted: h.unnamed}}
	if f.whole != nil {
		if err := f.whole(h, rows, l); err != nil {
			return nil, err
		}
	}
	if n := l.tuples(); h.tuples != unknown && n != h.tuples {
		return nil, h.told.fault(h.told.column, "the number of %s is %d here, but the file has %d: it is cut off or damaged",
			h.items, h.tuples, n)
	}
	if p.rounded > 0 {
		t.note("%d weights of %s above 2^24 are rounded to single precision", p.rounded, t.path)
	}
	l.reading.Notes, l.reading.Source = t.notes, t.source()
	return l, nil
}
