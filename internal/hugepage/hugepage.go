package hugepage

import (
	"os"
	"unsafe"
)

// size is the size of a huge page on x86-64, and on ARM with 4 KiB pages.
const size = 2 << 20

// Make returns a new slice of n zeros, with or without huge pages.
func Make[T any](n int) []T {
	s := make([]T, n)
	if b := pagesOf(s, size); len(b) > 0 {
		advise(b)
	}
	return s
}

// Populate makes the system assign memory to a slice. It takes less time than assigning each page at its first use.
func Populate[T any](s []T) {
	if b := pagesOf(s, os.Getpagesize()); len(b) > 0 {
		populate(b)
	}
}

// pagesOf returns the complete pages of a slice.
func pagesOf[T any](s []T, size int) []byte {
	start := unsafe.Pointer(unsafe.SliceData(s))
	bytes := len(s) * int(unsafe.Sizeof(*new(T)))
	skip := int(-uintptr(start) % uintptr(size))
	if bytes < skip+size {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Add(start, skip)), (bytes-skip)/size*size)
}
