package validate

import (
	"fmt"
	"math"

	"g500/comm"
	"g500/graph"
)

// recordWords is the length of a tuple on its way: own local, other end's local, other end's rank; and, where tuples
// have weights, the bits of its weight.
const recordWords = 3

// pair is an edge tuple as the owner of one end keeps it: its own end, and the other by its local at its owner.
type pair struct{ own, other graph.Local }

// bin is a growing list in chunks, so that growing copies nothing and wastes at most an eighth. Lists that grow alike
// have chunks of the same lengths.
type bin[T any] struct{ chunks [][]T }

func (b *bin[T]) add(p T) {
	last := len(b.chunks) - 1
	if last < 0 || len(b.chunks[last]) == cap(b.chunks[last]) {
		b.grow()
		last++
	}
	b.chunks[last] = append(b.chunks[last], p)
}

func (b *bin[T]) grow() {
	const smallest = 32
	held := 0
	for _, c := range b.chunks {
		held += len(c)
	}
	b.chunks = append(b.chunks, make([]T, 0, max(smallest, held/8)))
}

// dealt is what the tuples of all ranks leave on this rank.
type dealt struct {
	// bins[w][q] holds what worker w received of the tuples between this rank and q. A tuple between q and
	// another rank is with both; one within this rank is in its bin once.
	bins    [][]bin[pair]
	weights [][]bin[float32] // of those tuples; nil where tuples have none
	loops   []graph.Local
}

// chunks gathers what all workers have from rank q.
func chunks[T any](bins [][]bin[T], q int) [][]T {
	var all [][]T
	for w := range bins {
		all = append(all, bins[w][q].chunks...)
	}
	return all
}

// dealer is one worker's part in the dealing.
type dealer struct {
	self  int
	words int        // of a record
	post  [][]uint32 // records for each rank
	bins  []bin[pair]
	wbins []bin[float32] // nil where tuples have no weights
	loops []graph.Local
	stray error // a tuple that does not belong to the graph
}

// deal sends each tuple to the owners of its ends, a bounded piece at a time.
func (v *Validator) deal(own share) (dealt, error) {
	ranks := v.t.Size()
	dealers := make([]dealer, v.crew)
	for w := range dealers {
		dealers[w] = dealer{self: v.self, words: recordWords, post: make([][]uint32, ranks), bins: make([]bin[pair], ranks)}
		if own.weights != nil {
			dealers[w].words, dealers[w].wbins = recordWords+1, make([]bin[float32], ranks)
		}
	}
	n, most := len(own.edges), v.limit.tuples
	steps, err := comm.Reduce(v.t, int64((n+most-1)/most), comm.Max)
	if err != nil {
		return dealt{}, err
	}
	for i := range int(steps) {
		if err := v.dealPiece(dealers, own.cut(min(i*most, n), min((i+1)*most, n))); err != nil {
			return dealt{}, err
		}
		comm.Advance(v.t, int64(i)+1, 2*steps) // the other half of New is not told
	}
	var d dealt
	for w := range dealers {
		d.bins = append(d.bins, dealers[w].bins)
		if dealers[w].wbins != nil {
			d.weights = append(d.weights, dealers[w].wbins)
		}
		d.loops = append(d.loops, dealers[w].loops...)
	}
	return d, nil
}

// dealPiece is one step of deal.
func (v *Validator) dealPiece(dealers []dealer, piece share) error {
	v.crew.each(func(w int) {
		dealers[w].sort(v.atlas, piece.cut(v.crew.share(len(piece.edges), w)))
	})
	send := dealers[0].post
	for w := range dealers {
		if err := dealers[w].stray; err != nil {
			return err
		}
		for q := range send {
			if w > 0 {
				send[q] = append(send[q], dealers[w].post[q]...)
			}
		}
	}
	got, err := comm.Exchange(v.t, send)
	if err != nil {
		return err
	}
	v.crew.each(func(w int) {
		for q := range got {
			words := dealers[w].words
			lo, hi := v.crew.share(len(got[q])/words, w)
			dealers[w].unpack(got[q][lo*words : hi*words])
			dealers[w].post[q] = dealers[w].post[q][:0]
		}
	})
	return nil
}

// sort puts each tuple into the posts of its owners.
func (d *dealer) sort(a atlas, tuples share) {
	weight := float32(0)
	for i, e := range tuples.edges {
		if !a.holds(e.U()) || !a.holds(e.V()) {
			d.stray = fmt.Errorf("validate: edge tuple <%d, %d> is outside the graph; labels are 0 to %d",
				e.U(), e.V(), a.vertices-1)
			return
		}
		u, v := a.place(e.U()), a.place(e.V())
		if tuples.weights != nil {
			weight = tuples.weights[i]
		}
		d.deliver(u, v, weight)
		if u.rank() != v.rank() {
			d.deliver(v, u, weight)
		}
	}
}

// deliver sends the tuple to the owner of its end own. What stays on this rank does not pass the transport.
func (d *dealer) deliver(own, other place, weight float32) {
	q := own.rank()
	if q == d.self {
		d.keep(pair{own.local(), other.local()}, other.rank(), weight)
		return
	}
	d.post[q] = append(d.post[q], uint32(own.local()), uint32(other.local()), uint32(other.rank()))
	if d.wbins != nil {
		d.post[q] = append(d.post[q], math.Float32bits(weight))
	}
}

// unpack keeps the records that another rank sent.
func (d *dealer) unpack(records []uint32) {
	for ; len(records) > 0; records = records[d.words:] {
		weight := math.Float32frombits(records[d.words-1]) // of no use where tuples have none
		d.keep(pair{graph.Local(records[0]), graph.Local(records[1])}, int(records[2]), weight)
	}
}

// keep files a pair whose other end is rank q's.
func (d *dealer) keep(p pair, q int, weight float32) {
	if q == d.self && p.own == p.other {
		d.loops = append(d.loops, p.own)
		return
	}
	d.bins[q].add(p)
	if d.wbins != nil {
		d.wbins[q].add(weight)
	}
}
