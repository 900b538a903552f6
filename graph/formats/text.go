package formats

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"g500/internal/infile"
)

// text is a file that is read as text, once and from its beginning to its end.
type text struct {
	ctx     context.Context
	path    string
	in      *bufio.Reader
	file    *infile.File
	packing string   // gzip or bzip2, "" for plain text
	head    []byte   // its first bytes; they are valid until the first line is read
	line    int      // the number of lines read
	notes   []string // notes for the user on how the file was read
}

func openText(ctx context.Context, path string) (*text, error) {
	file, err := infile.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	t := &text{ctx: ctx, path: path, file: file}
	from, err := t.unpacked(file)
	if err == nil {
		t.in = bufio.NewReaderSize(from, blockBytes)
		err = t.plain()
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return t, nil
}

func (t *text) Close() error { return t.file.Close() }

// note records a sentence for the user.
func (t *text) note(form string, args ...any) { t.notes = append(t.notes, fmt.Sprintf(form, args...)) }

// source returns the file's identity, after all of it was read.
func (t *text) source() *Source { return &Source{t.path, t.file.Fingerprint, t.file.Pipe} }

// broken is an error in reading the file, as opposed to its content.
func (t *text) broken(err error) error {
	if t.ctx.Err() != nil {
		return fmt.Errorf("%s: reading was interrupted: %w", t.path, context.Cause(t.ctx))
	}
	return fmt.Errorf("%s:%d:1: the file cannot be read further, it may be damaged: %w", t.path, t.line+1, err)
}

// next returns the next line. At the end of the file it returns an error, which says that what, such as "an edge", is
// expected.
func (t *text) next(what string) (*fields, error) {
	line, err := t.in.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return nil, t.broken(err)
	}
	t.line++
	f := &fields{path: t.path, number: t.line, text: line}
	if len(line) == 0 {
		return f, f.fault(1, "the file ends where %s is expected", what)
	}
	return f, nil
}

// nextAfter takes the next line that has words and is no comment, which begins with one of the marks. It calls see, if
// that is not nil, for each comment.
func (t *text) nextAfter(marks, what string, see func(comment []byte)) (*fields, error) {
	for {
		f, err := t.next(what)
		if err != nil {
			return f, err
		}
		if isComment(f.text, marks) {
			if see != nil {
				see(f.text)
			}
			continue
		}
		if !f.blank() {
			return f, nil
		}
	}
}

// isComment reports whether a line begins with one of the marks, after blanks.
func isComment(line []byte, marks string) bool {
	for _, b := range line {
		if b != ' ' && b != '\t' {
			return strings.IndexByte(marks, b) >= 0
		}
	}
	return false
}

// unread makes next return the last line again.
func (t *text) unread(f *fields) {
	t.in = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(f.text), t.in), blockBytes)
	t.line--
}

// estimatedLines returns about how many lines are left, by the length of the next ones; 0 for a pipe, of which the
// length is unknown. The last four bytes of a gzip file are the length of the text modulo 2^32.
func (t *text) estimatedLines() (int64, error) {
	length := t.file.Size
	if t.packing == "gzip" && length > 0 {
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
