// SPDX-License-Identifier: Apache-2.0

package numbers

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// magic begins a NumPy array.
const magic = "\x93NUMPY"

var (
	descr = regexp.MustCompile(`'descr': *'([<>=|])([a-z])(\d+)'`)
	shape = regexp.MustCompile(`'shape': *\(([\d, ]*)\)`)
)

// npy reads a NumPy array of one column (numpy.lib.format, versions 1 to 3). Its header names the order of bytes.
func (f file[T]) npy() error {
	header, err := f.npyHeader()
	if err != nil {
		return err
	}
	type_, sizes := descr.FindStringSubmatch(header), shape.FindStringSubmatch(header)
	if type_ == nil || sizes == nil {
		return fmt.Errorf("%s %s is no array of numbers of one type: its header is %q", f.Name, f.Path, header)
	}
	e := element{type_[2][0], int64(type_[3][0] - '0'), binary.LittleEndian}
	if type_[1] == ">" {
		e.order = binary.BigEndian
	}
	kinds, cure := "iu", "int64"
	if !f.whole() {
		kinds, cure = "f", "float32"
	}
	if !strings.Contains(kinds, type_[2]) || type_[3] != "4" && type_[3] != "8" {
		return fmt.Errorf("%s %s has the type %s: save it as .astype(%q)", f.Name, f.Path, type_[2]+type_[3], cure)
	}
	n, columns := int64(1), 0
	for size := range strings.FieldsFuncSeq(sizes[1], func(r rune) bool { return r == ',' || r == ' ' }) {
		each, err := strconv.ParseInt(size, 10, 64)
		if n *= each; err != nil || n < 0 {
			return fmt.Errorf("%s %s has the shape (%s): save one number per vertex", f.Name, f.Path, sizes[1])
		}
		if each != 1 {
			columns++
		}
	}
	if columns > 1 {
		return fmt.Errorf("%s %s has the shape (%s): save one number per vertex", f.Name, f.Path, sizes[1])
	}
	if err := f.checkCount(n); err != nil {
		return err
	}
	return f.elements(n, e, nil)
}

// npyHeader reads the file up to the first number.
func (f file[T]) npyHeader() (string, error) {
	start := make([]byte, len(magic)+4)
	_, err := io.ReadFull(f.in, start)
	bytes := int64(binary.LittleEndian.Uint16(start[len(magic)+2:]))
	if version := start[len(magic)]; err == nil && version > 1 {
		rest := make([]byte, 2)
		_, err = io.ReadFull(f.in, rest)
		bytes |= int64(binary.LittleEndian.Uint16(rest)) << 16
	}
	const most = 1 << 16
	header := make([]byte, min(bytes, most))
	if err == nil {
		_, err = io.ReadFull(f.in, header)
	}
	if err != nil || string(start[:len(magic)]) != magic {
		return "", fmt.Errorf("%s %s is no NumPy array, or its header is cut off: save it by numpy.save", f.Name, f.Path)
	}
	return string(header), nil
}

// between separates words of a line.
const between = " \t\r,;"

// isText reports whether a file that begins so is text. Labels and distances in binary have other bytes.
func isText(head []byte) bool {
	other := func(r rune) bool { return r > '~' || r < ' ' && r != '\n' && r != '\r' && r != '\t' }
	return len(head) > 0 && bytes.IndexFunc(head, other) < 0
}

// text reads a number per line, or a vertex and its number.
func (f file[T]) text() error {
	lines := bufio.NewScanner(f.in)
	number, columns, n := 0, 0, int64(0)
	var seen []uint64 // bits of vertices, with two columns
	for lines.Scan() {
		number++
		line := bytes.Trim(lines.Bytes(), between)
		if len(line) == 0 || line[0] == '#' || line[0] == '%' {
			continue
		}
		vertex, value, second := n, line, bytes.IndexAny(line, between)
		if columns == 0 {
			columns = 1
			if second >= 0 {
				columns, seen = 2, make([]uint64, f.Most/64+1)
			}
		}
		x, err := parse[T](value)
		if columns == 2 {
			if second < 0 {
				second = len(line)
			}
			if vertex, err = f.vertex(line[:second], seen); err == nil {
				x, err = parse[T](bytes.TrimLeft(line[second:], between))
			}
		} else if n >= f.Most {
			return f.checkCount(n + 1)
		}
		if err != nil {
			return fmt.Errorf("%s %s:%d: %w", f.Name, f.Path, number, err)
		}
		if err := f.visit(vertex, x); err != nil {
			return err
		}
		n++
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s %s:%d: cannot read the line: %w; write a number per line", f.Name, f.Path, number+1, err)
	}
	if columns == 2 {
		return nil
	}
	return f.checkCount(n)
}

// vertex parses the vertex of a line with two columns, and notes that it was seen.
func (f file[T]) vertex(word []byte, seen []uint64) (int64, error) {
	v, err := parse[int64](word)
	switch {
	case err != nil:
		return v, err
	case v < 0 || v >= f.Most:
		return v, fmt.Errorf("%d is no vertex: they are below %d", v, f.Most)
	case seen[v/64]>>(v%64)&1 != 0:
		return v, fmt.Errorf("vertex %d has a second number: leave one line for each vertex", v)
	}
	seen[v/64] |= 1 << (v % 64)
	return v, nil
}

// parse parses a number.
func parse[T Number](word []byte) (T, error) {
	if _, whole := any(*new(T)).(int64); whole {
		n, err := strconv.ParseInt(string(word), 10, 64)
		if err != nil {
			return 0, fmt.Errorf("%q is no whole number: write a label, or a vertex and a label, per line; # begins a comment",
				clip(word))
		}
		return T(n), nil
	}
	x, err := strconv.ParseFloat(string(word), 32)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is no number: write a distance, or a vertex and a distance, per line; # begins a comment",
			clip(word))
	}
	return T(x), nil
}

// clip shortens a word for an error.
func clip(word []byte) []byte { return word[:min(len(word), 40)] }
