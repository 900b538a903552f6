// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"errors"
	"math"
	"math/bits"

	"g500/comm"
	"g500/graph"
	"g500/internal/par"
	"g500/partition"
)

// source has the ends that a rank deals out, with an arbitrary vertex of the graph for each.
type source[E entry] interface {
	// size returns the number of items, which workers share out.
	size() int
	// count adds the numbers of ends of the items [lo, hi), by block.
	count(lo, hi int, counts []int)
	// write puts the ends of the items [lo, hi).
	write(lo, hi int, to *writer[E])
}

// deal sends each end to the rank that owns its vertex, and returns this rank's ends by block, in b.full. The source
// may be in the former b.full. Each end is written once, or on several ranks twice: into the blocks of all ranks, and
// by their owner. deal is collective.
func deal[E entry](b *Builder, from source[E]) (ends[E], error) {
	workers := b.grid.dealers(b.workers)
	first := make([][]int, workers) // by worker and block: ends, then the index of the first one
	par.Each(workers, func(w int) {
		first[w] = make([]int, b.grid.blocks())
		lo, hi := par.Share(from.size(), w, workers)
		from.count(lo, hi, first[w])
	})
	starts := startsOf(first)
	way, err := newRoute(b.t, b.grid, starts)
	if err != nil {
		return ends[E]{}, err
	}
	sent := newEnds[E](b, b.grid.blocks(), starts, way.room())
	par.Each(workers, func(w int) {
		lo, hi := par.Share(from.size(), w, workers)
		to := newWriter(b.grid, sent, first[w])
		from.write(lo, hi, to)
		to.close()
	})
	b.free, b.full = b.full, b.free
	if err := b.advance(dealParts); err != nil || b.t.Size() == 1 {
		return sent, err
	}
	got := newEnds[E](b, b.grid.each, way.starts, way.room())
	if err := exchange(b, way, sent.rows, got.rows); err != nil {
		return got, err
	}
	b.free, b.full = b.full, b.free
	return got, exchange(b, way, sent.entries, got.entries)
}

// newEnds returns ends in b.free. If it is smaller, it is made anew, with memory for room ends.
func newEnds[E entry](b *Builder, blocks int, starts []int, room int) ends[E] {
	n := starts[len(starts)-1]
	return ends[E]{blocks, starts, rowsIn(&b.free, b.workers, n, room), entriesIn[E](&b.free, b.workers, n, room)}
}

// startsOf returns the starts of blocks, and turns the counts of each worker into the index of its first end.
func startsOf(counts [][]int) []int {
	starts, at := make([]int, len(counts[0])+1), 0
	for block := range counts[0] {
		starts[block] = at
		for _, mine := range counts {
			at, mine[block] = at+mine[block], at
		}
	}
	starts[len(starts)-1] = at
	return starts
}

// route is the plan of an exchange of ends. A message has the ends at the vertices of its receiver, by block.
type route struct {
	sent   []int // by rank: start of the message; then the number of ends sent
	starts []int // of the parts that this rank receives: by sender, then block
}

// room returns the number of ends of the larger side.
func (r *route) room() int { return max(r.sent[len(r.sent)-1], r.starts[len(r.starts)-1]) }

// blockLimit is the largest number of ends of a block, because degrees have 32 bits. A variable for tests.
var blockLimit int64 = math.MaxUint32

// newRoute plans the exchange of ends, given the starts of all ranks' blocks. It is collective.
func newRoute(t comm.Transport, g grid, starts []int) (*route, error) {
	r := &route{}
	send := make([][]int64, t.Size())
	for rank := range send {
		r.sent = append(r.sent, starts[rank*g.each])
		for block := rank * g.each; block < (rank+1)*g.each; block++ {
			send[rank] = append(send[rank], int64(starts[block+1]-starts[block]))
		}
	}
	r.sent = append(r.sent, starts[g.blocks()])
	got, err := comm.Exchange(t, send)
	if err != nil {
		return nil, err
	}
	at, inBlock := 0, make([]int64, g.each)
	for _, lengths := range got {
		for block, n := range lengths {
			r.starts = append(r.starts, at)
			at += int(n)
			inBlock[block] += n
		}
	}
	r.starts = append(r.starts, at)
	most := int64(0)
	for _, n := range inBlock {
		most = max(most, n)
	}
	largest, err := comm.Reduce(t, most, comm.Max)
	if err == nil && largest > blockLimit {
		err = errors.New("a vertex or its block has 2^32 ends of edge tuples or more, and degrees have 32 bits: " +
			"choose a smaller edge factor or scale")
	}
	return r, err
}

// copiedAtOnce is the number of values that a worker copies at a time.
const copiedAtOnce = 1 << 14

// exchange sends the values of ends to the owners of their vertices. All workers copy this rank's own values, because
// MPI copies in one thread. It is collective.
func exchange[T comm.Word](b *Builder, r *route, values, into []T) error {
	send, recv := make([][]T, b.t.Size()), make([][]T, b.t.Size())
	for rank := range send {
		send[rank] = values[r.sent[rank]:r.sent[rank+1]]
		recv[rank] = into[r.starts[rank*b.grid.each]:r.starts[(rank+1)*b.grid.each]]
	}
	own, to := send[b.t.Rank()], recv[b.t.Rank()]
	send[b.t.Rank()], recv[b.t.Rank()] = nil, nil
	par.For(b.workers, len(own), copiedAtOnce, func(_, lo, hi int) { copy(to[lo:hi], own[lo:hi]) })
	if err := comm.ExchangeInto(b.t, send, recv); err != nil {
		return err
	}
	return b.advance(exchangeParts)
}

// grid divides the local ids of every rank into blocks of 2^shift consecutive ones. Blocks are numbered by rank, then
// local id. The row of a vertex is its number in its block.
type grid struct {
	layout partition.Cyclic
	shift  int
	each   int   // blocks of each rank
	ends   int64 // of a rank, on average
}

// blockEnds is the number of tuple ends at the vertices of a block, on average. A worker sorts them in its L2 cache. A
// variable for tests.
var blockEnds = 1 << 17

const (
	maxBlocks = 1 << 13 // of all ranks, unless rows would have more than rowBits: a worker writes to all in turn
	rowBits   = 16
)

// newGrid returns blocks for a number of ends of all ranks' tuples.
func newGrid(layout partition.Cyclic, ends int64) grid {
	most, ranks := layout.Count(0), layout.Ranks()
	vertices := float64(layout.Vertices()) * float64(blockEnds) / float64(max(ends, 1))
	shift := min(max(bits.Len64(uint64(vertices))-1, 0), rowBits)
	for shift < rowBits && ranks*blocksOf(most, shift) > maxBlocks {
		shift++
	}
	return grid{layout, shift, blocksOf(most, shift), ends / int64(ranks)}
}

// dealerBytes is the size of a worker's bin and indices for a block, at most.
const dealerBytes = binEnds*(2+8) + 16

// dealerShare is the memory of all dealers, in bytes per end. A variable for tests.
var dealerShare = int64(2)

// maxDealers is the largest number of a rank's workers that deal ends.
const maxDealers = 256

// dealers returns the number of a rank's workers that deal ends. Each has a bin for every block of all ranks, so fewer
// workers deal if there are many ranks.
func (g *grid) dealers(workers int) int {
	most := dealerShare * g.ends / (dealerBytes * int64(max(g.blocks(), 1)))
	return int(min(int64(workers), max(most, 1), maxDealers))
}

// blocksOf returns the number of blocks of a number of local ids.
func blocksOf(locals, shift int) int { return (locals + 1<<shift - 1) >> shift }

// blocks returns the number of blocks of all ranks.
func (g *grid) blocks() int { return g.layout.Ranks() * g.each }

// block returns the block of a vertex.
func (g *grid) block(v graph.Global) int {
	rank, l := g.layout.Split(v)
	return rank*g.each + int(l>>(g.shift&31))
}

// locate sets the blocks and the rows of vertices.
func (g *grid) locate(vertices []graph.Global, blocks []uint32, rows []uint16) {
	layout, each, shift := g.layout, uint32(g.each), g.shift&31
	mask := graph.Local(1)<<shift - 1
	blocks, rows = blocks[:len(vertices)], rows[:len(vertices)]
	for i, v := range vertices {
		rank, l := layout.Split(v)
		blocks[i], rows[i] = uint32(rank)*each+uint32(l>>shift), uint16(l&mask)
	}
}

// locals returns the local ids [lo, hi) of a rank's block, if the rank has that many in all.
func (g *grid) locals(block, count int) (lo, hi int) {
	return min(block<<g.shift, count), min((block+1)<<g.shift, count)
}
