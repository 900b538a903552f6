// SPDX-License-Identifier: Apache-2.0

package numbers

import (
	"encoding/binary"
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
