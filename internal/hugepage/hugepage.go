// SPDX-License-Identifier: Apache-2.0

package hugepage

import (
	"os"
	"unsafe"

	"g500/internal/par"
)

// size is the size of a huge page on x86-64, and on ARM with 4 KiB pages.
const size = 2 << 20

// lineBytes is the size of a cache line.
const lineBytes = 64

// Make returns a new slice of n zeros, which starts at the boundary of a cache line. If it has at least 2 MiB, it has
// huge pages of its own, if Linux grants them: complete ones from the first value to the last. The size of T is a power
// of two, at most 64 bytes.
func Make[T any](n int) []T {
	width := int(unsafe.Sizeof(*new(T)))
	unit := lineBytes
	if n*width >= size {
		unit = size
	}
	length := (n*width + unit - 1) / unit * unit
	s := make([]T, (length+unit)/width)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(s)))%uintptr(unit)) / width
	if unit == size {
		advise(bytesOf(s[skip:][:length/width]))
	}
	return s[skip:][:n:n]
}

// Bytes returns the memory of a slice of Make with this many bytes. It takes up to a huge page of address space more.
func Bytes(bytes int64) int64 {
	if bytes >= size {
		return (bytes + size - 1) / size * size
	}
	return bytes + lineBytes
}

// MakeFull is Make and Populate.
func MakeFull[T any](workers, n int) []T {
	s := Make[T](n)
	Populate(workers, s)
	return s
}

// pieceBytes is the memory that a worker populates at a time.
const pieceBytes = size

// Populate makes the system assign memory to a slice, by all workers at a time. It takes less time than assigning each
// page at its first use.
func Populate[T any](workers int, s []T) {
	b, page := bytesOf(s), os.Getpagesize()
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) % uintptr(page))
	if len(b) < skip+page {
		return
	}
	b = b[skip : skip+(len(b)-skip)/page*page]
	par.For(workers, len(b), pieceBytes, func(_, lo, hi int) { populate(b[lo:hi]) })
}

// bytesOf returns the memory of a slice.
func bytesOf[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(*new(T))))
}
