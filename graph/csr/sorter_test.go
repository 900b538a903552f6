// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"g500/comm"
	"g500/graph"
	"g500/internal/enginetest"
	"g500/internal/expect"
	"g500/partition"
)

// Blocks from any number of senders are sorted by row, then entry, whether or not the radix sort has all bits.
func TestSorter(t *testing.T) {
	const rows = 7
	r := rand.New(rand.NewPCG(1, 2))
	for _, topBits := range []int{64, 20, 3} {
		s := sorter[uint64]{topBits: topBits, spare: new(buffer)}
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
				s.spare = new(buffer)
				got := s.sort(block, s.spareEnds(len(want), len(want)), degrees)
				expect.That(t, slices.Equal(got, want), "%d top bits, %d senders: %d ends are not sorted", topBits, senders, n)
			}
		}
	}
}

// On one rank the ends of each block arrive in the order of their entries, so that a worker need not sort them.
func TestDealtInOrder(t *testing.T) {
	_, tuples := enginetest.Official(10, 0, 1)
	tuples.Weights = nil
	expect.Set(t, &blockEnds, 1<<9)
	enginetest.OnRanks(t, 1, func(t testing.TB, tr comm.Transport) {
		b := expect.Value(Start(tr, tuples, 3))(t)
		f := filler[uint32]{Builder: b}
		f.Rows = make([]int64, b.order.Connected()+1)
		got := expect.Value(rename(&f, b.narrow, 1, 0))(t)
		for block := range got.blocks {
			for rows, entries := range got.block(block) {
				expect.Equal(t, isSorted(rows, entries), true, "block", block, "is sorted")
			}
		}
	})
}

// The bins of all dealers take at most dealerShare bytes per end, unless one worker's bins take more.
func TestDealers(t *testing.T) {
	for _, c := range []struct{ scale, ranks, most, least int }{
		{10, 1, 64, 64}, {24, 1, 64, 64}, {30, 8, 64, 64}, {36, 128, 64, 64}, {39, 1024, 63, 2}, {42, 8192, 8, 1},
	} {
		vertices := int64(1) << c.scale
		g := newGrid(partition.NewCyclic(graph.Global(vertices), c.ranks), 32*vertices)
		got := g.dealers(64)
		expect.That(t, got <= c.most && got >= c.least,
			"scale %d on %d ranks: %d dealers, want %d to %d", c.scale, c.ranks, got, c.least, c.most)
		bytes := int64(got) * int64(g.blocks()) * dealerBytes
		expect.That(t, got == 1 || bytes <= dealerShare*g.ends,
			"scale %d on %d ranks: %d bytes of bins for %d ends", c.scale, c.ranks, bytes, g.ends)
	}
}

// Labels of first neighbours have 32 bits in graphs with labels below 2^31, because -1 means no label.
func TestBoundOfShortLabels(t *testing.T) {
	for vertices, want := range map[int64]int64{1: 4, 1 << 31: 4, 1<<31 + 1: 8, 1 << graph.MaxScale: 8} {
		expect.Equal(t, firstLabelBytes(vertices), want, vertices)
	}
}

// Vertices are in order of falling degree, then label, up to the degrees of class huge.
func TestDegreeOrderOfHighDegrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	degrees := []uint32{1<<16 - 1, 1 << 16, 0, math.MaxUint32, 1 << 16, 1<<16 - 1, 1 << 31, math.MaxUint32, 1}
	for range 1000 {
		degrees = append(degrees, rng.Uint32()>>rng.IntN(33))
	}
	idOf, localOf := degreeOrder(degrees, 3)
	var want []graph.Local
	for l, d := range degrees {
		if d > 0 {
			want = append(want, graph.Local(l))
		} else {
			expect.Equal(t, idOf[l], NoID, "a vertex without an edge")
		}
	}
	slices.SortStableFunc(want, func(a, b graph.Local) int { return cmp.Compare(degrees[b], degrees[a]) })
	expect.That(t, slices.Equal(localOf, want), "another order")
	for h, l := range localOf {
		expect.Equal(t, idOf[l], ID(h), "vertex", l, "of id", h)
	}
}

// Degrees have 32 bits: more ends at the vertices of a block are refused, on all ranks.
func TestOverflowingDegreesAreRefused(t *testing.T) {
	for limit, want := range map[int64]string{7: "degrees have 32 bits", 8: ""} {
		expect.Set(t, &blockLimit, limit)
		err := comm.Loopback(2, func(tr comm.Transport) error {
			edges := []graph.Edge{graph.NewEdge(0, 1), graph.NewEdge(2, 3), graph.NewEdge(4, 5), graph.NewEdge(6, 7)}
			return expect.Err(Start(tr, graph.HostTuples{Edges: edges}, 1)) // from both ranks
		})
		expect.Error(t, err, want, "limit", limit)
	}
}
