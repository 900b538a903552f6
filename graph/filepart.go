// SPDX-License-Identifier: Apache-2.0

package graph

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"g500/internal/infile"
)

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
