// SPDX-License-Identifier: Apache-2.0

package numbers

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"g500/internal/infile"
)

// The formats of files. Text has a number per line, or a vertex and its number; # and % begin comments. Binary numbers
// are little-endian; -1, and all bits set, is no vertex.
const (
	Auto   = "auto" // recognise the format
	Text   = "text"
	NumPy  = "npy"
	Bits64 = "64-bit"
	Bits32 = "32-bit"
)

// Formats returns all formats.
func Formats() []string { return []string{Auto, Text, NumPy, Bits64, Bits32} }

// Number is a label of a vertex, or a distance.
type Number interface{ int64 | float32 }

// Source describes a file.
type Source struct {
	Path   string
	Name   string // of the content, for errors, such as tree
	Format string
	Least  int64  // numbers in the file, at least
	Most   int64  // vertices that numbers are for, and labels, are below
	Why    string // of these two, for a sentence, such as "the graph has 16 vertices"
}

// gzip begins a file that gzip has compressed.
const gzip = "\x1f\x8b\x08"

// file reads a file with numbers of type T.
type file[T Number] struct {
	Source
	in    *bufio.Reader
	bytes int64
	visit func(vertex int64, value T) error
}

// Each calls visit with each vertex and its number, in the order of the file. Vertices are numbered from 0. An error of
// visit ends it.
func Each[T Number](s Source, visit func(vertex int64, value T) error) error {
	from, err := infile.OpenRegular(s.Path, "the "+s.Name)
	if err != nil {
		return err
	}
	defer from.Close()
	info, err := from.Stat()
	if err != nil {
		return fmt.Errorf("cannot read the %s: %w", s.Name, err)
	}
	f := file[T]{s, bufio.NewReaderSize(from, 1<<20), info.Size(), visit}
	switch format := f.format(); format {
	case Text:
		return f.text()
	case NumPy:
		return f.npy()
	default:
		return f.binary(width(format))
	}
}

// whole reports whether the numbers are labels.
func (f file[T]) whole() bool { _, is := any(*new(T)).(int64); return is }

// format returns the format of the file, Auto's choice if it is Auto. If a binary file may have both widths, it is the
// width of this program's own files.
func (f file[T]) format() string {
	if f.Format != Auto {
		return f.Format
	}
	head, _ := f.in.Peek(4096)
	own, other := Bits64, Bits32
	if !f.whole() {
		own, other = other, own
	}
	switch {
	case bytes.HasPrefix(head, []byte(magic)):
		return NumPy
	case isText(head):
		return Text
	case !f.fits(width(own)) && f.fits(width(other)) && !(other == Bits32 && halves(head)):
		return other
	}
	return own
}

func width(format string) int64 { return cmp.Or(map[string]int64{Bits64: 8}[format], 4) }

// fits reports whether the file has a possible length for numbers of that many bytes.
func (f file[T]) fits(each int64) bool {
	return f.bytes%each == 0 && f.Least <= f.bytes/each && f.bytes/each <= f.Most
}

// halves reports whether 32-bit words look like halves of 64-bit labels.
func halves(head []byte) bool {
	for ; len(head) >= 8; head = head[8:] {
		if high := int32(binary.LittleEndian.Uint32(head[4:])); high != 0 && high != -1 {
			return false
		}
	}
	return true
}

// element is the form of a binary number.
type element struct {
	kind  byte // i, u or f, as NumPy has it
	bytes int64
	order binary.ByteOrder
}

// binary reads little-endian numbers of that many bytes.
func (f file[T]) binary(each int64) error {
	if head, _ := f.in.Peek(len(gzip)); !f.fits(each) && string(head) == gzip {
		return fmt.Errorf("%s %s is compressed by gzip: unpack it first, by gunzip", f.Name, f.Path)
	}
	if !f.fits(each) {
		takes := fmt.Sprintf("from %d to %d bytes", each*f.Least, each*f.Most)
		if f.Least == f.Most {
			takes = fmt.Sprintf("%d bytes", each*f.Most)
		}
		return fmt.Errorf("%s %s has %d bytes, but %s, which take %s, %d each: the file is truncated, damaged or of "+
			"another graph, or --result-format names its format", f.Name, f.Path, f.bytes, f.Why, takes, each)
	}
	kind := byte('i')
	if !f.whole() {
		kind = 'f'
	}
	return f.elements(f.bytes/each, element{kind, each, binary.LittleEndian}, f.checkOrder)
}

// elements reads n numbers and calls check with each.
func (f file[T]) elements(n int64, e element, check func(vertex int64, value T, e element, word []byte) error) error {
	word := make([]byte, e.bytes)
	for v := range n {
		if _, err := io.ReadFull(f.in, word); err != nil {
			return fmt.Errorf("%s %s is cut off after %d of %d numbers: %w", f.Name, f.Path, v, n, err)
		}
		value := f.number(e, word)
		if check != nil && !f.plausible(value) {
			if err := check(v, value, e, word); err != nil {
				return err
			}
		}
		if err := f.visit(v, value); err != nil {
			return err
		}
	}
	return nil
}

func (f file[T]) number(e element, word []byte) T {
	if e.bytes == 8 && e.kind == 'f' {
		return T(math.Float64frombits(e.order.Uint64(word)))
	} else if e.bytes == 8 {
		return T(e.order.Uint64(word))
	}
	switch x := e.order.Uint32(word); {
	case e.kind == 'f':
		return T(math.Float32frombits(x))
	case e.kind == 'u' && x != math.MaxUint32:
		return T(x)
	default:
		return T(int32(x))
	}
}

// plausible reports whether a number is one of a result.
func (f file[T]) plausible(value T) bool {
	const tiny, large = 1e-12, 1e12 // around all sums of weights
	if f.whole() {
		return -1 <= value && int64(value) < f.Most
	}
	x := float64(value)
	return x == 0 || x == -1 || tiny <= x && x < large || x >= math.MaxFloat32
}

// checkOrder returns an error for a number that is one of a result only in the other order of bytes.
func (f file[T]) checkOrder(vertex int64, value T, e element, word []byte) error {
	e.order = binary.BigEndian
	swapped := f.number(e, word)
	if !f.plausible(swapped) {
		return nil // the validator names the fault
	}
	return fmt.Errorf("%s %s is big-endian: number %d is %v, and %v with its bytes in the other order; write "+
		"little-endian numbers, or a .npy file, which names its order", f.Name, f.Path, vertex, value, swapped)
}

// checkCount returns an error for a wrong count of numbers.
func (f file[T]) checkCount(n int64) error {
	if f.Least <= n && n <= f.Most {
		return nil
	}
	return fmt.Errorf("%s %s has %d numbers, but %s: the file is truncated, damaged or of another graph",
		f.Name, f.Path, n, f.Why)
}
