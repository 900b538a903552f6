// SPDX-License-Identifier: Apache-2.0

package formats

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	slashpath "path"
	"strings"

	"github.com/klauspost/compress/gzip"

	"g500/internal/infile"
)

// readBytes is the size of buffers before the text is cut into blocks. Blocks are longer, so they are read directly.
const readBytes = 1 << 16

// text is a text file, which is read once from its beginning to its end.
type text struct {
	ctx      context.Context
	source   string   // path of the file
	path     string   // source, followed by the names of members
	member   string   // name that the user gave in the archive that the text is, or auto
	guessed  bool     // the user gave no name
	archive  *archive // the innermost one that has the text, nil if none
	renumber bool     // vertices are the labels that occur
	in       *bufio.Reader
	file     *infile.File
	packed   int      // number of compressions and archives around the text
	length   int64    // of the text in bytes: an estimate, or of its compressed form; 0 if unknown
	memory   int64    // of decompressors
	closers  []func() // of decompressors
	head     []byte   // the first bytes, valid until the first line is read
	line     int      // number of lines read
	marks    string   // characters that begin a comment
	notes    []string // for the user: ignored columns, changed values
}

// openText opens a file, or a member of it if it is an archive; auto chooses the member.
func openText(on task, member string) (*text, error) {
	path := on.values["PATH"]
	file, err := infile.Open(on.ctx, path)
	if err != nil {
		return nil, err
	}
	t := &text{ctx: on.ctx, source: path, path: path, member: auto, file: file, length: file.Size,
		guessed: on.values["member"] == auto, renumber: on.values["labels"] == "renumber"}
	if member != auto {
		t.member = slashpath.Clean(member)
	}
	if err = t.unpack(file); err == nil && t.member != auto {
		err = fmt.Errorf("member=%s is for archives, and %s is none: leave out %[1]s", t.member, t.path)
	}
	if err == nil {
		err = t.inspect()
	}
	if again := only(""); errors.As(err, &again) {
		_ = t.close()
		return openText(on, string(again))
	}
	if err != nil {
		return nil, errors.Join(err, t.close())
	}
	return t, nil
}

// close closes the file and what decompresses it.
func (t *text) close() error {
	for _, end := range t.closers {
		end()
	}
	return t.file.Close()
}

func (t *text) note(form string, args ...any) { t.notes = append(t.notes, fmt.Sprintf(form, args...)) }

// broken returns the error of a file that cannot be read.
func (t *text) broken(err error) error {
	if t.ctx.Err() != nil {
		return fmt.Errorf("%s: reading was interrupted: %w", t.path, context.Cause(t.ctx))
	}
	if refused := (refusal{}); errors.As(err, &refused) {
		return refused
	}
	if again := only(""); errors.As(err, &again) {
		return again
	}
	if errors.Is(err, gzip.ErrHeader) {
		return refusal{fmt.Errorf("%s has other bytes after its compressed content: unpack it first, as by gzip -dc FILE "+
			"> NEWFILE, and check its end", t.path)}
	}
	return refusal{fmt.Errorf("%s cannot be read to its end, it may be damaged: %w: copy it again", t.path, err)}
}

// next returns the next line. At the end of the file the line has an error, which says that name, such as "an edge",
// is expected.
func (t *text) next(name string) *fields {
	line, err := t.in.ReadBytes('\n')
	if err != nil && err != io.EOF {
		return &fields{err: t.broken(err)}
	}
	t.line++
	f := &fields{path: t.path, number: t.line, text: line}
	if len(line) == 0 {
		f.fault(1, "expected %s, found the end of the file", name)
	}
	return f
}

// nextAfter returns the next line that is neither blank nor a comment. It calls see, unless it is nil, for each
// comment.
func (t *text) nextAfter(name string, see func(comment []byte)) *fields {
	for {
		f := t.next(name)
		comment := isComment(f.text, t.marks)
		if comment && see != nil {
			see(f.text)
		}
		if f.err != nil || !comment && !f.blank() {
			return f
		}
	}
}

// isComment reports whether a line begins with one of the marks, after blanks.
func isComment(line []byte, marks string) bool {
	for _, b := range line {
		if b != ' ' && b != '\t' {
			return (b < '0' || b > '9') && strings.IndexByte(marks, b) >= 0 // most lines begin with a digit
		}
	}
	return false
}

// unread makes next return the last line again.
func (t *text) unread(f *fields) {
	t.in = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(f.text), t.in), readBytes)
	t.line = f.number - 1
}

// estimatedLines estimates the number of lines left from the length of the next ones; 0 if the length of the text is
// unknown, as of a pipe.
func (t *text) estimatedLines() (int64, error) {
	some, err := t.in.Peek(readBytes)
	if err != nil && err != io.EOF {
		return 0, t.broken(err)
	}
	lines := max(bytes.Count(some, []byte{'\n'}), 1)
	return t.length * int64(lines) / int64(max(len(some), 1)), nil
}
