// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"encoding/binary"
	"fmt"
	"io"

	"g500/internal/infile"
)

// Format is the format of an edge list in a file.
type Format string

// The two formats. Both are little-endian and have only the tuples, in the order of the list.
const (
	Packed Format = "packed" // 12-byte records of the Graph500 reference code (see Edge)
	U64    Format = "u64"    // two 64-bit labels per tuple
)

// RecordBytes returns the size of one tuple in the file, 0 for an unknown format.
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

// OpenEdgeFile returns the edge list of a graph in a file, with the number of tuples. A file size that is not a
// multiple of the tuple size is an error.
func OpenEdgeFile(path string, f Format, scale int) (EdgeFile, error) {
	size, err := infile.Regular(path, "the edge list")
	if err != nil {
		return EdgeFile{}, fmt.Errorf("graph: %w", err)
	}
	if extra := size % f.RecordBytes(); extra != 0 {
		return EdgeFile{}, fmt.Errorf("graph: edge list %s has %d bytes, %d more than a multiple of the %d bytes of "+
			"a %s tuple: it is truncated, or in another format; generate it anew or name its format",
			path, size, extra, f.RecordBytes(), f)
	}
	return EdgeFile{path, f, size / f.RecordBytes(), scale}, nil
}

// Part opens the file to read count tuples from number first on.
func (file EdgeFile) Part(first, count int64) (*FilePart[Edge], error) {
	return openPart(file.Path, "edge list", first, count, file.Format.RecordBytes(), file.decode)
}

// decode returns the edge of a record. A label of 2^Scale or more is an error, because memory is planned for 2^Scale
// vertices, and kernel 1 would allocate memory for any label.
func (file EdgeFile) decode(record []byte) (Edge, error) {
	var e Edge
	var u, v uint64
	if file.Format == Packed {
		e = Edge{binary.LittleEndian.Uint32(record), binary.LittleEndian.Uint32(record[4:]),
			binary.LittleEndian.Uint32(record[8:])}
		u, v = uint64(e.U()), uint64(e.V())
	} else {
		u, v = binary.LittleEndian.Uint64(record), binary.LittleEndian.Uint64(record[8:])
		e = NewEdge(Global(u), Global(v))
	}
	if max(u, v) >= 1<<file.Scale {
		return e, fmt.Errorf("label %d is not below 2^%d, as labels of scale %d are: "+
			"the file is damaged, or --scale or format= do not describe it", max(u, v), file.Scale, file.Scale)
	}
	return e, nil
}
