package input

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// format is a text format of graphs.
type format struct {
	name      string
	extension string
	marks     string // what begins a comment
	header    func(t *text, h *header) error
	body      func(h *header) func(b *block, into *part) error
	whole     func(h *header, rows int, l *list) error // looks at what was read, nil for nothing
}

var formats = []format{
	{"mtx", ".mtx", "%", mtxHeader, mtxBody, nil},
	{"gr", ".gr", "c", grHeader, grBody, nil},
	{"metis", ".graph", "%", metisHeader, metisBody, metisWhole},
	{"snap", ".txt", commentsOfSNAP, snapHeader, snapBody, nil},
}

// formatOf is the format of a file, by its name or, if that is not auto, as the user says.
func formatOf(path, name string) (format, error) {
	extension := filepath.Ext(strings.TrimSuffix(path, ".gz"))
	for _, f := range formats {
		if name == f.name || name == "auto" && extension == f.extension {
			return f, nil
		}
	}
	return format{}, fmt.Errorf("the name of %s does not tell its format: let it end with .mtx, .gr, .graph (METIS) or "+
		".txt (SNAP), and .gz behind, or give format=mtx, gr, metis or snap", path)
}

// unknown is a number of tuples that the header does not tell.
const unknown = -1

// header is what a file says of its graph before the first edge.
type header struct {
	path       string
	vertices   int64
	tuples     int64  // lines with an edge; of METIS, edges
	told       fields // where it says so
	weighted   bool
	undirected bool
	mirrored   float32
	perVertex  int // of METIS: words before the neighbours

	highest atomic.Int64  // of SNAP: the largest label and one
	balance atomic.Uint64 // of METIS: checksum of edges less that of their twins
	twins   atomic.Uint64 // of METIS: entries that lead to a lower number
	lines   int           // of the whole file, when it was read
}

// tuplesOf takes the number of tuples, and keeps where it stands.
func (f *fields) tuplesOf(h *header, what string) (err error) {
	const most = 1 << 50
	h.tuples, err = f.whole(what, 0, most)
	h.told = *f
	return err
}

// tuple takes what is left of a line whose two vertices were taken, and adds the tuple.
func (f *fields) tuple(h *header, u, v int64, into *part) error {
	if !h.weighted {
		into.add(uint32(u), uint32(v))
		return f.end("the two vertices")
	}
	w, err := f.weight()
	if err != nil {
		return err
	}
	into.addWeighted(uint32(u), uint32(v), w)
	return f.end("the weight")
}

// sees notes a label of a list whose header does not tell how many vertices there are.
func (h *header) sees(label int64) {
	for {
		highest := h.highest.Load()
		if label < highest || h.highest.CompareAndSwap(highest, label+1) {
			return
		}
	}
}

// openGraph opens a file and reads its header.
func openGraph(v values) (format, *text, *header, error) {
	path := v["PATH"]
	f, err := formatOf(path, v["format"])
	if err != nil {
		return f, nil, nil, err
	}
	t, err := openText(path)
	if err != nil {
		return f, nil, nil, err
	}
	h := &header{path: path}
	if err := f.header(t, h); err != nil {
		return f, nil, nil, errors.Join(err, t.Close())
	}
	return f, t, h, nil
}

// fileSize is what the header of a file tells.
func fileSize(v values) (Size, error) {
	_, t, h, err := openGraph(v)
	if err != nil {
		return Size{}, err
	}
	size := Size{Vertices: h.vertices, Edges: h.tuples, Weighted: h.weighted}
	if h.tuples == unknown {
		size.Edges, err = t.estimatedLines()
	}
	return size, errors.Join(err, t.Close())
}

// estimatedLines is about how many lines are left, by the length of the next ones. Of a compressed file the length of
// the text is what its last four bytes tell, modulo 2^32, and at least that of the file.
func (t *text) estimatedLines() (int64, error) {
	info, err := t.file.Stat()
	if err != nil {
		return 0, err
	}
	length := info.Size()
	if strings.HasSuffix(t.path, ".gz") {
		var last [4]byte
		if _, err := t.file.ReadAt(last[:], max(length-4, 0)); err != nil {
			return 0, t.broken(err)
		}
		told := int64(binary.LittleEndian.Uint32(last[:]))
		for told+told/8+1024 < length { // no text becomes so much longer by compression
			told += 1 << 32
		}
		length = told
	}
	const sample = 1 << 16
	some, err := t.in.Peek(sample)
	if err != nil && err != io.EOF {
		return 0, t.broken(err)
	}
	lines := max(bytes.Count(some, []byte{'\n'}), 1)
	return length * int64(lines) / int64(max(len(some), 1)), nil
}

// readFile reads a graph from a file.
func readFile(on resources, v values) (l *list, err error) {
	f, t, h, err := openGraph(v)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	p := parsing{text: t, resources: on, marks: f.marks, parse: f.body(h)}
	parts, rows, err := p.run()
	if err != nil {
		return nil, err
	}
	h.lines = t.line
	l = &list{vertices: max(h.vertices, h.highest.Load()), parts: parts, undirected: h.undirected, mirrored: h.mirrored}
	if f.whole != nil {
		if err := f.whole(h, rows, l); err != nil {
			return nil, err
		}
	}
	if n := l.tuples(); h.tuples != unknown && n != h.tuples {
		return nil, h.told.fault(h.told.column, "%d edges are told of here, but the file has %d: it is cut off or damaged",
			h.tuples, n)
	}
	return l, nil
}
