package csr

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// Blocks from any number of senders are sorted by row, then entry, whether or not the radix sort has all bits.
func TestSorter(t *testing.T) {
	const rows = 7
	r := rand.New(rand.NewPCG(1, 2))
	for _, topBits := range []int{64, 20, 3} {
		s := sorter[uint64]{topBits: topBits}
		for _, senders := range []int{1, 3} {
			for _, n := range []int{0, 1, 500, 5000} {
				in, degrees := ends[uint64]{blocks: 2, starts: []int{0}}, make([]uint32, rows)
				var want []uint64
				for part := range 2 * senders {
					for range n / senders {
						row, e := uint16(r.IntN(rows)), r.Uint64N(uint64(n))<<r.IntN(40)
						in.rows, in.entries = append(in.rows, row), append(in.entries, e)
						if part%2 == 1 {
							degrees[row]++
							want = append(want, uint64(row)<<60|e)
						}
					}
					in.starts = append(in.starts, len(in.rows))
				}
				slices.SortFunc(want, cmp.Compare[uint64])
				for i := range want {
					want[i] &= 1<<60 - 1
				}
				block := s.spareEnds(len(want), len(want))
				in.gather(1, block)
				s.spare = buffer{}
				if got := s.sort(block, s.spareEnds(len(want), len(want)), degrees); !slices.Equal(got, want) {
					t.Errorf("%d top bits, %d senders: %d ends are not sorted", topBits, senders, n)
				}
			}
		}
	}
}
