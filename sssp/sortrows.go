package sssp

import (
	"math/bits"
	"slices"

	"g500/graph/csr"
)

// sortRows sorts each row by weight, and keeps the lightest edge to each neighbour.
func (s *structure) sortRows(workers int) {
	sorters := make([]rowSorter, workers)
	s.Edit(workers, func(worker int, h csr.ID, row []edge) int {
		sorters[worker].sort(row)
		return sorters[worker].lightest(row, uint32(h)+1)
	})
}

// Parameters of the radix sort.
const (
	digitBits = 11
	digits    = 3       // of the 32 bits of a weight
	radixFrom = 1 << 10 // shorter rows are sorted by comparison
)

// rowSorter has the buffers of one worker that sorts rows.
type rowSorter struct {
	buffer []edge
	seen   []uint64 // hash table of lightest: the number of a row and a neighbour
}

// sort sorts a row by weight, and a short row with equal weights by neighbour.
func (r *rowSorter) sort(row []edge) {
	if len(row) < radixFrom {
		slices.Sort(row)
		return
	}
	if len(r.buffer) < len(row) {
		r.buffer = make([]edge, len(row))
	}
	from, to := row, r.buffer[:len(row)]
	for digit := range digits {
		shift := 32 + digit*digitBits
		var starts [1 << digitBits]int32
		for _, e := range from {
			starts[e>>shift&(1<<digitBits-1)]++
		}
		sum := int32(0)
		for d, n := range starts {
			starts[d] = sum
			sum += n
		}
		for _, e := range from {
			d := e >> shift & (1<<digitBits - 1)
			to[starts[d]] = e
			starts[d]++
		}
		from, to = to, from
	}
	copy(row, from) // after an odd number of digits the result is in the buffer
}

// lightest keeps the first edge to each neighbour in a row that is sorted by weight, and returns their number. number
// is positive and different for each row.
func (r *rowSorter) lightest(row []edge, number uint32) int {
	slots := 1 << bits.Len(uint(2*len(row)))
	if len(r.seen) < slots {
		r.seen = make([]uint64, slots)
	}
	n := 0
	for _, e := range row {
		if r.first(e.to(), number, slots) {
			row[n] = e
			n++
		}
	}
	return n
}

// first reports whether a row has this neighbour for the first time, and inserts it into the hash table. The row's
// number is part of an entry; slots with entries of earlier rows count as empty.
func (r *rowSorter) first(to position, number uint32, slots int) bool {
	const spread = 0x9E3779B1 // 2^32 over the golden ratio (Knuth, The Art of Computer Programming 3, 6.4)
	entry := uint64(number)<<32 | uint64(to)
	for at := int(uint32(to)*spread>>7) & (slots - 1); ; at = (at + 1) & (slots - 1) {
		switch there := r.seen[at]; {
		case there == entry:
			return false
		case there>>32 != uint64(number):
			r.seen[at] = entry
			return true
		}
	}
}
