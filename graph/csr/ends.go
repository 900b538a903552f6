package csr

import (
	"unsafe"

	"g500/internal/nontemporal"
)

// entry is a type of entries: labels, keys, positions, or weights and one of these.
type entry interface{ ~uint32 | ~uint64 }

// ends are tuple ends at vertices of a grid, in the order of blocks. An end has the row of its vertex, and an entry.
type ends[E entry] struct {
	starts  []int // by block: its first end; then the number of ends
	rows    []uint16
	entries []E
}

// block returns the rows and entries of a block.
func (e *ends[E]) block(b int) ([]uint16, []E) {
	lo, hi := e.starts[b], e.starts[b+1]
	return e.rows[lo:hi], e.entries[lo:hi]
}

// buffer is memory for ends, which is used again for other ends.
type buffer struct {
	rows    []uint16
	entries []uint64
}

// endsIn returns memory for n ends in a buffer. If the buffer is smaller, it is made anew, with memory for room ends.
func endsIn[E entry](b *buffer, n, room int) (rows []uint16, entries []E) {
	if len(b.rows) < n {
		b.rows = nil // may be freed first
		b.rows = lines[uint16](room)
	}
	return b.rows[:n], entriesIn[E](b, n, room)
}

// entriesIn is endsIn for entries only.
func entriesIn[E entry](b *buffer, n, room int) []E {
	inWord := 8 / int(unsafe.Sizeof(*new(E)))
	if len(b.entries)*inWord < n {
		b.entries = nil
		b.entries = lines[uint64]((room + inWord - 1) / inWord)
	}
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(b.entries))), len(b.entries)*inWord)[:n]
}

// lines returns a new slice of n zeros that starts at the boundary of a cache line. It has no huge pages, because
// virtual machines may take milliseconds for each one that they use for the first time.
func lines[T any](n int) []T {
	size := int(unsafe.Sizeof(*new(T)))
	s := make([]T, n+nontemporal.LineBytes/size)
	skip := int(-uintptr(unsafe.Pointer(&s[0]))%nontemporal.LineBytes) / size
	return s[skip : skip+n]
}
