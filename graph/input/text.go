package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// text is a file that is read as text, from its begin to its end; one whose name ends with .gz is decompressed.
type text struct {
	path string
	in   *bufio.Reader
	file *os.File
	line int // lines that were read
}

func openText(path string) (*text, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the file cannot be read: %w", err)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, errors.Join(fmt.Errorf("%s is a folder: name a file in it", path), file.Close())
	}
	t := &text{path: path, file: file}
	var from io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		if from, err = gzip.NewReader(bufio.NewReaderSize(file, blockBytes)); err != nil {
			return nil, errors.Join(t.broken(err), file.Close())
		}
	}
	t.in = bufio.NewReaderSize(from, blockBytes)
	return t, nil
}

func (t *text) Close() error { return t.file.Close() }

// broken is an error of the file, and not of what is in it.
func (t *text) broken(err error) error {
	return fmt.Errorf("%s:%d:1: the file cannot be read further, it may be damaged: %w", t.path, t.line+1, err)
}

// next takes a line. Where the file has ended, what says what was expected.
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

// nextAfter takes the next line that has words and does not begin with one of the marks of comments. see is shown those
// that do; it may be nil.
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

func isComment(line []byte, marks string) bool {
	return len(line) > 0 && strings.IndexByte(marks, line[0]) >= 0
}

// unread has the last line read again, which next returned.
func (t *text) unread(f *fields) {
	t.in = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(f.text), t.in), blockBytes)
	t.line--
}
