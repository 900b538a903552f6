package csr

import (
	"g500/comm"
	"g500/graph"
	"g500/internal/par"
	"g500/partition"
)

// pieceTuples is the number of tuples of a rank between two exchanges. It bounds the buffers, and is so large that the
// latency of exchanges is negligible.
const pieceTuples = 1 << 18

// post assigns slots to the ends of the tuples of a piece. A slot is the index of an end in the message to the rank
// that owns it; replies use the same slots. Ends of self-loops have no slot.
type post struct {
	layout  partition.Cyclic
	workers int
	edges   []graph.Edge // the piece
	counts  [][]int      // [worker][rank]: slots that the worker's share of the piece fills
	size    []int        // [rank]: slots of the piece
}

func newPost(layout partition.Cyclic, workers int) *post {
	p := &post{layout: layout, workers: workers, size: make([]int, layout.Ranks())}
	for range workers {
		p.counts = append(p.counts, make([]int, layout.Ranks()))
	}
	return p
}

// load sets the piece and counts its slots.
func (p *post) load(edges []graph.Edge) {
	p.edges = edges
	par.Each(p.workers, func(w int) {
		count := p.counts[w]
		clear(count)
		lo, hi := par.Share(len(edges), w, p.workers)
		for _, e := range edges[lo:hi] {
			if !e.SelfLoop() {
				count[p.layout.Owner(e.U())]++
				count[p.layout.Owner(e.V())]++
			}
		}
	})
	clear(p.size)
	for _, count := range p.counts {
		for r, n := range count {
			p.size[r] += n
		}
	}
}

// end is one end of a tuple: its owner, its slot there and its local id.
type end struct {
	rank, slot int
	local      graph.Local
}

// ends calls body for both ends of every tuple with slots and for its number in the piece, concurrently in all workers.
func (p *post) ends(body func(tuple int, u, v end)) {
	par.Each(p.workers, func(w int) {
		next := p.firstSlots(w)
		take := func(v graph.Global) end {
			r := p.layout.Owner(v)
			slot := next[r]
			next[r]++
			return end{r, slot, p.layout.Local(v)}
		}
		lo, hi := par.Share(len(p.edges), w, p.workers)
		for i, e := range p.edges[lo:hi] {
			if !e.SelfLoop() {
				body(lo+i, take(e.U()), take(e.V()))
			}
		}
	})
}

// firstSlots returns the first slot of a worker's share for each rank.
func (p *post) firstSlots(worker int) []int {
	first := make([]int, len(p.size))
	for _, count := range p.counts[:worker] {
		for r, n := range count {
			first[r] += n
		}
	}
	return first
}

// binsOf divides buf into one bin per rank, with one word per slot of the piece.
func binsOf[T comm.Word](p *post, buf []T) [][]T {
	bins := make([][]T, len(p.size))
	for r, n := range p.size {
		bins[r], buf = buf[:n:n], buf[n:]
	}
	return bins
}

// pieces calls body for each piece of this rank's tuples. body is collective, so ranks with fewer pieces continue with
// empty ones. first is the number of a piece's first tuple on this rank. parts is the share of kernel 1.
func (b *Builder) pieces(parts int64, body func(first int, piece []graph.Edge) error) error {
	edges := b.edges
	rounds, err := roundsOf(b.t, len(edges))
	if err != nil {
		return err
	}
	for i := range rounds {
		n := min(len(edges), pieceTuples)
		if err := body(len(b.edges)-len(edges), edges[:n]); err != nil {
			return err
		}
		edges = edges[n:]
		comm.Advance(b.t, b.done*rounds+parts*(i+1), allParts*rounds)
	}
	b.done += parts
	return nil
}

// roundsOf returns the number of pieces of the rank with the most items. It is collective.
func roundsOf(t comm.Transport, items int) (int64, error) {
	return comm.Reduce(t, int64((items+pieceTuples-1)/pieceTuples), comm.Max)
}
