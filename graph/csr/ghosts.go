package csr

import (
	"slices"
	"sort"

	"g500/internal/hugepage"
	"g500/internal/par"
)

// ghosts are vertices of other ranks, by rank, then hub id. There are none where from is nil.
type ghosts struct {
	hubs []Hub
	from []int // by rank, where its ghosts begin, and one more: where the last one's end
}

func (x *ghosts) bytes() int64 { return 4*int64(len(x.hubs)) + 8*int64(len(x.from)) }

// of are the ghosts of a rank, the first of which has that number.
func (x *ghosts) of(rank int) (hubs []Hub, first int) {
	if x.from == nil {
		return nil, 0
	}
	return x.hubs[x.from[rank]:x.from[rank+1]], x.from[rank]
}

// owner is the vertex of the ghost with a number.
func (x *ghosts) owner(number int) (rank int, h Hub) {
	rank = sort.Search(len(x.from), func(r int) bool { return x.from[r] > number }) - 1
	return rank, x.hubs[number]
}

// ghostPasses is how often each worker looks through the columns for ghosts, each time for those of other ranks: what
// it collects between, duplicates among it, is a small part of the columns then.
const ghostPasses = 4

// useIndices has the columns hold indices instead of positions. Where all vertices are told they are the same.
func (f filler[P]) useIndices() {
	g := f.g
	if g.Told == g.Stride {
		return
	}
	ranks, passes := f.t.Size(), ghostPasses*f.workers
	found := make([][]Hub, passes)
	g.ghosts.from = make([]int, ranks+1)
	par.For(f.workers, passes, 1, func(_, pass, _ int) {
		lo, hi := par.Share(ranks, pass, passes)
		found[pass] = f.ghostsOf(lo, hi)
	})
	for r := range ranks {
		g.ghosts.from[r+1] += g.ghosts.from[r]
	}
	g.ghosts.hubs = hugepage.Make[Hub](g.ghosts.from[ranks])[:0]
	for _, hubs := range found {
		g.ghosts.hubs = append(g.ghosts.hubs, hubs...)
	}
	par.For(f.workers, len(g.Cols), 1<<14, func(_, lo, hi int) {
		for i, position := range g.Cols[lo:hi] {
			g.Cols[lo+i], _ = g.Find(g.Vertex(int(position)))
		}
	})
}

// ghostsOf lists the ghosts of ranks [lo, hi), and counts them where the next rank's begin.
func (f filler[P]) ghostsOf(lo, hi int) (hubs []Hub) {
	g := f.g
	stride, told, own := P(g.Stride), P(g.Told), P(g.Rank)
	begin, end := P(lo)*stride, P(hi)*stride
	var positions []P
	for _, p := range g.Cols {
		if p >= begin && p < end && p%stride >= told && p/stride != own {
			positions = append(positions, p)
		}
	}
	slices.Sort(positions)
	positions = slices.Compact(positions)
	hubs = make([]Hub, len(positions))
	for i, p := range positions {
		hubs[i] = Hub(p % stride)
		g.ghosts.from[p/stride+1]++
	}
	return hubs
}
