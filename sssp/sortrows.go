package sssp

import (
	"math/bits"
	"slices"

	"g500/graph/csr"
)

// sortRows sorts each row by weight, and keeps the lightest of edges to the same neighbour.
func (s *structure) sortRows(workers int) {
	sorters := make([]rowSorter, workers)
	s.Edit(workers, func(worker int, h csr.ID, row []edge) int {
		sorters[worker].sort(row)
		return sorters[worker].lightest(row, uint32(h)+1)
	})
}

// The digits of a radix sort.
const (
	digitBits = 11
	digits    = 3       // of 32 bits of a weight
	radixFrom = 1 << 10 // shorter rows are sorted by comparison
)

// rowSorter has the buffers of one worker that sorts rows.
type rowSorter struct {
	room []edge
	seen []uint64 // of lightest: the number of a row and a neighbour
}

// sort sorts a row by weight, and by neighbour where weights are equal if it is short.
func (r *rowSorter) sort(row []edge) {
	if len(row) < radixFrom {
		slices.Sort(row)
		return
	}
	if len(r.room) < len(row) {
		r.room = make([]edge, len(row))
	}
	from, to := row, r.room[:len(row)]
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
	copy(row, from) // an odd number of digits ends in the room
}

// lightest keeps the first edge to each neighbour, in a row that is sorted by weight. number is the row's, above 0, and
// no other row's. It returns how many are left.
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

// first reports whether a neighbour is a row's first of that name, and remembers it: in a hash table whose entries of
// other rows count as free.
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
