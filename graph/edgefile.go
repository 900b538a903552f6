// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

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
func (f Format) RecordBytes() int64 { return map[Format]int64{Packed: 12, U64: 16}[f] }

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

// MostWeight is the largest weight of an edge. A path of 2^32 such edges has a length in single precision.
const MostWeight = 1e28

// WeightError returns an error if shortest paths do not accept the weight.
func WeightError(w float32) error {
	if w >= 0 && w <= MostWeight {
		return nil
	}
	return fmt.Errorf("the weight %g: shortest paths need weights from 0 to %g", w, float64(MostWeight))
}

// WeightBytes is the size of one weight in a file.
const WeightBytes = 4

// WeightsPath returns the path of the weights of an edge list, as the Graph500 reference code names it.
func WeightsPath(edges string) string { return edges + ".weights" }

// WriteWeights writes weights as single-precision little-endian numbers, in the order of their tuples.
func WriteWeights(w io.Writer, weights []float32) error {
	return binary.Write(w, binary.LittleEndian, weights)
}

// CheckWeights returns an error unless there is a file with as many weights as tuples.
func (file EdgeFile) CheckWeights() error {
	path := WeightsPath(file.Path)
	size, err := infile.Regular(path, "the weights")
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("graph: edge list %s has no weights, which shortest paths need, in %s: "+
			"write both with g500 generate --weights", file.Path, path)
	}
	if err != nil {
		return fmt.Errorf("graph: %w", err)
	}
	if want := file.Tuples * WeightBytes; size != want {
		return fmt.Errorf("graph: %s has %d bytes, but the weights of the %d tuples in %s have %d: "+
			"it is truncated, or of another edge list", path, size, file.Tuples, file.Path, want)
	}
	return nil
}

// Weights checks the file with the weights, and opens it to read count weights from number first on.
func (file EdgeFile) Weights(first, count int64) (*FilePart[float32], error) {
	if err := file.CheckWeights(); err != nil {
		return nil, err
	}
	return openPart(WeightsPath(file.Path), "weights", first, count, WeightBytes, func(record []byte) (float32, error) {
		w := math.Float32frombits(binary.LittleEndian.Uint32(record))
		if err := WeightError(w); err != nil {
			return w, fmt.Errorf("%w: the file is damaged", err)
		}
		return w + 0, nil // -0 becomes 0
	})
}

// FilePart is a part of a file of records of type T, one per tuple. It is read once and in order.
type FilePart[T any] struct {
	Fingerprint infile.Fingerprint // of the part, after all of it was read

	name   string // of the file in errors
	file   *os.File
	in     *bufio.Reader
	next   int64 // number of the next tuple
	record []byte
	decode func(record []byte) (T, error)
}

// openPart opens a file to read count records from number first on; kind describes the file.
func openPart[T any](
	path, kind string, first, count, size int64, decode func([]byte) (T, error),
) (*FilePart[T], error) {
	file, err := infile.OpenRegular(path, "the "+kind)
	if err != nil {
		return nil, fmt.Errorf("graph: %w", err)
	}
	p := &FilePart[T]{name: kind + " " + path, file: file, next: first, record: make([]byte, size), decode: decode}
	p.in = bufio.NewReaderSize(io.TeeReader(io.NewSectionReader(file, first*size, count*size), &p.Fingerprint), 1<<20)
	return p, nil
}

// Read sets dst to the next records. An invalid record is an error.
func (p *FilePart[T]) Read(dst []T) (err error) {
	for i := range dst {
		if _, err := io.ReadFull(p.in, p.record); err != nil {
			return fmt.Errorf("graph: %s ends at tuple %d: %w", p.name, p.next, err)
		}
		if dst[i], err = p.decode(p.record); err != nil {
			return fmt.Errorf("graph: %s, tuple %d: %w", p.name, p.next, err)
		}
		p.next++
	}
	return nil
}

// Close closes the file.
func (p *FilePart[T]) Close() error { return p.file.Close() }
