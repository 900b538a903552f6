package graph

import (
	"encoding/binary"
	"fmt"
	"io"

	"g500/internal/infile"
)

// Format is the form of an edge list in a file.
type Format string

// The two forms. Both are little-endian and hold the tuples in the order of the list, with nothing before,
// between or after them.
const (
	Packed Format = "packed" // the official program's 12-byte records (see Edge)
	U64    Format = "u64"    // two 64-bit labels a tuple
)

// RecordBytes is the size of one tuple in the file, 0 for an unknown format.
func (f Format) RecordBytes() int64 {
	switch f {
	case Packed:
		return 12
	case U64:
		return 16
	}
	return 0
}

// WriteEdges writes tuples in the given format.
func WriteEdges(w io.Writer, f Format, edges []Edge) error {
	record := make([]byte, f.RecordBytes())
	for _, e := range edges {
		if f == Packed {
			binary.LittleEndian.PutUint32(record[0:], e.lowU)
			binary.LittleEndian.PutUint32(record[4:], e.lowV)
			binary.LittleEndian.PutUint32(record[8:], e.high)
		} else {
			binary.LittleEndian.PutUint64(record[0:], uint64(e.U()))
			binary.LittleEndian.PutUint64(record[8:], uint64(e.V()))
		}
		if _, err := w.Write(record); err != nil {
			return err
		}
	}
	return nil
}

// EdgeFile is an edge list in a file.
type EdgeFile struct {
	Path   string
	Format Format
	Tuples int64
	Scale  int // labels are below 2^Scale
}

// OpenEdgeFile finds out how many tuples a file of a graph of that scale holds. A size that no whole number of tuples
// has means that the file was cut off, or is in another format.
func OpenEdgeFile(path string, f Format, scale int) (EdgeFile, error) {
	size, err := infile.Regular(path, "the edge list")
	if err != nil {
		return EdgeFile{}, fmt.Errorf("graph: %w", err)
	}
	if extra := size % f.RecordBytes(); extra != 0 {
		return EdgeFile{}, fmt.Errorf("graph: edge list %s has %d bytes, "+
			"which is %d more than a whole number of %d-byte %s tuples: "+
			"it is truncated, or in another format; generate it anew or name its format",
			path, size, extra, f.RecordBytes(), f)
	}
	return EdgeFile{path, f, size / f.RecordBytes(), scale}, nil
}

// Part opens the file to read count tuples from number first on.
func (file EdgeFile) Part(first, count int64) (*EdgePart, error) {
	size := file.Format.RecordBytes()
	part, err := openPart(file.Path, first*size, count*size)
	if err != nil {
		return nil, fmt.Errorf("graph: cannot read the edge list: %w", err)
	}
	return &EdgePart{part, file, first}, nil
}

// EdgePart is a part of an edge list, which is read once and in order.
type EdgePart struct {
	*FilePart
	list EdgeFile
	next int64 // the number of the next tuple
}

// Read fills dst with the next tuples. A label that the scale does not have is an error: memory is planned for 2^Scale
// vertices, and kernel 1 would allocate memory for any label.
func (p *EdgePart) Read(dst []Edge) (err error) {
	record := make([]byte, p.list.Format.RecordBytes())
	for i := range dst {
		if _, err := io.ReadFull(p.in, record); err != nil {
			return fmt.Errorf("graph: edge list %s ends at tuple %d of %d: %w", p.list.Path, p.next, p.list.Tuples, err)
		}
		if dst[i], err = p.list.decode(record); err != nil {
			return fmt.Errorf("graph: edge list %s, tuple %d: %w", p.list.Path, p.next, err)
		}
		p.next++
	}
	return nil
}

func (file EdgeFile) decode(record []byte) (Edge, error) {
	if file.Format == Packed {
		e := Edge{binary.LittleEndian.Uint32(record), binary.LittleEndian.Uint32(record[4:]),
			binary.LittleEndian.Uint32(record[8:])}
		return e, file.checkLabels(uint64(e.U()), uint64(e.V()))
	}
	u, v := binary.LittleEndian.Uint64(record), binary.LittleEndian.Uint64(record[8:])
	return NewEdge(Global(u), Global(v)), file.checkLabels(u, v)
}

func (file EdgeFile) checkLabels(u, v uint64) error {
	if max(u, v) >= 1<<file.Scale {
		return fmt.Errorf("label %d is not below 2^%d, as labels of scale %d are: "+
			"the file is damaged, or --scale or --format do not describe it", max(u, v), file.Scale, file.Scale)
	}
	return nil
}
