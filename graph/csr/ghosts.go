package csr

import (
	"math/bits"
	"slices"
	"sort"
	"sync/atomic"

	"g500/internal/hugepage"
	"g500/internal/par"
)

// ghosts are vertices of other ranks, by rank, then id. So that one is found in a few steps, those of a rank lie in
// buckets of equally many ids each.
type ghosts struct {
	ids     []ID
	from    []int // by rank and bucket, where they begin, and one more: where the last ones end
	buckets int   // of each rank
	width   int   // ids of a bucket: whole words
}

// ghostsOf makes room for those of a graph, with about a bucket for each bucketEnds entries of the columns.
func ghostsOf(o *Order, columns int) ghosts {
	words, ranks := o.Stride/WordBits, o.Layout.Ranks()
	buckets := min(max(columns/bucketEnds/ranks, 1), words)
	width := (words + buckets - 1) / buckets
	return ghosts{buckets: (words + width - 1) / width, width: width * WordBits}
}

const bucketEnds = 32

func (x *ghosts) bytes() int64 { return 4*int64(len(x.ids)) + 8*int64(len(x.from)) }

// of are the ghosts of a rank, the first of which has that number.
func (x *ghosts) of(rank int) (ids []ID, first int) {
	if len(x.from) == 0 {
		return nil, 0
	}
	from, to := x.from[rank*x.buckets], x.from[(rank+1)*x.buckets]
	return x.ids[from:to], from
}

// find is the number of a ghost, if it is one.
func (x *ghosts) find(rank int, h ID) (number int, is bool) {
	b := rank*x.buckets + int(h)/x.width
	number, is = slices.BinarySearch(x.ids[x.from[b]:x.from[b+1]], h)
	return number + x.from[b], is
}

// owner is the vertex of the ghost with a number.
func (x *ghosts) owner(number int) (rank int, h ID) {
	ranks := (len(x.from) - 1) / x.buckets
	rank = sort.Search(ranks, func(r int) bool { return x.from[(r+1)*x.buckets] > number })
	return rank, x.ids[number]
}

// add lists those of the next rank: the ids with a mark, from one on.
func (x *ghosts) add(marks []uint64, from int) {
	for i, word := range marks {
		if i*WordBits%x.width == 0 {
			x.from = append(x.from, len(x.ids))
		}
		for ; word != 0 && i >= from/WordBits; word &= word - 1 {
			x.ids = append(x.ids, ID(i*WordBits+bits.TrailingZeros64(word)))
		}
	}
}

// marksRoom is how many bytes marks of ghosts may take beside columns of so many: in one pass over the columns the
// ghosts of so many ranks are found.
var marksRoom = func(columns int) int { return max(columns/16, 64<<20) }

// colsGrain is how many entries of the columns a worker takes at a time.
const colsGrain = 1 << 14

// useIndices replaces the positions in the columns by indices. If all vertices are replicated they are the same.
func (f filler[P]) useIndices() {
	g := f.g
	if g.Replicated == g.Stride {
		return
	}
	n := 0
	f.eachRank(func(marks []uint64, from int) {
		for _, word := range marks[from/WordBits:] {
			n += bits.OnesCount64(word)
		}
	})
	g.ghosts = ghostsOf(&g.Order, len(g.Cols))
	g.ghosts.ids = hugepage.Make[ID](n)[:0] // counted first, so that it need not grow
	f.eachRank(g.ghosts.add)
	g.ghosts.from = append(g.ghosts.from, n)
	par.For(f.workers, len(g.Cols), colsGrain, func(_, lo, hi int) {
		for i, position := range g.Cols[lo:hi] {
			g.Cols[lo+i], _ = g.Find(g.Vertex(int(position)))
		}
	})
}

// eachRank calls body with marks of those of a rank's core vertices that the columns name, and the id from which on
// they are ghosts: as many ranks at a time as there is room for.
func (f filler[P]) eachRank(body func(marks []uint64, from int)) {
	g, ranks := f.g, f.t.Size()
	room := marksRoom(len(g.Cols) * int(posBytes[P]()))
	together, words := min(max(8*room/g.Stride, 1), ranks), g.Stride/WordBits
	marks := make([]uint64, together*words)
	for rank := range ranks {
		place := rank % together
		if place == 0 {
			f.markAll(marks, P(rank*g.Stride))
		}
		from := g.Replicated
		if rank == g.Rank {
			from = g.Stride
		}
		body(marks[place*words:(place+1)*words], from)
	}
}

// markAll marks the vertices with positions from one on that the columns name.
func (f filler[P]) markAll(marks []uint64, from P) {
	clear(marks)
	par.For(f.workers, len(f.g.Cols), colsGrain, func(_, lo, hi int) {
		for _, p := range f.g.Cols[lo:hi] {
			if at := p - from; at < P(len(marks)*WordBits) && p < P(f.g.Positions()) { // large numbers before from
				mark(marks, int(at))
			}
		}
	})
}

// mark sets a bit that may be set already, as most are, beside other workers.
func mark(marks []uint64, i int) {
	word, bit := &marks[i/WordBits], uint64(1)<<(i%WordBits)
	if atomic.LoadUint64(word)&bit == 0 {
		atomic.OrUint64(word, bit)
	}
}
