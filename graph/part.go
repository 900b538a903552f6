package graph

import (
	"bufio"
	"io"
	"os"

	"g500/internal/infile"
)

// FilePart is a part of a file of records, which is read once and in order.
type FilePart struct {
	Fingerprint infile.Fingerprint // of the part, when all of it was read
	file        *os.File
	in          *bufio.Reader
}

// openPart opens a file to read that many bytes from an offset on.
func openPart(path string, offset, bytes int64) (*FilePart, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	p := &FilePart{file: file}
	p.in = bufio.NewReaderSize(p.Fingerprint.Reading(io.NewSectionReader(file, offset, bytes)), 1<<20)
	return p, nil
}

// Close closes the file.
func (p *FilePart) Close() error { return p.file.Close() }
