// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"
	"math"

	"g500/comm"
	"g500/graph"
	"g500/internal/par"
)

// recordWords is the length of a tuple in a message: local id of the own end, local id and rank of the other end. If
// tuples have weights, a fourth word has the bits of the weight.
const recordWords = 3

// pair is an edge tuple at the owner of one end: its own end, and the local id of the other end at its owner.
type pair struct{ own, other graph.Local }

// bin is a growing list in chunks: growing copies nothing and wastes at most 12.5% of the memory. Lists of the same
// length have chunks of the same lengths.
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

// distributed are the tuples of all ranks that have an end on this rank.
type distributed struct {
	// bins[w][q] has the tuples between this rank and q that worker w received. Both ranks have a tuple between them; a
	// tuple within this rank is in its bin once.
	bins    [][]bin[pair]
	weights [][]bin[float32] // of those tuples; nil without weights
	loops   []graph.Local
}

// chunks returns the chunks of all workers for rank q.
func chunks[T any](bins [][]bin[T], q int) [][]T {
	var all [][]T
	for w := range bins {
		all = append(all, bins[w][q].chunks...)
	}
	return all
}

// distributor is the state of one worker while tuples are distributed.
type distributor struct {
	self    int
	words   int        // of a record
	records [][]uint32 // for each rank
	bins    []bin[pair]
	weights []bin[float32] // nil without weights
	loops   []graph.Local
	stray   error // a tuple that does not belong to the graph
}

// distribute sends each tuple to the owners of its ends, at most limit.tuples at a time.
func (v *Validator) distribute(own graph.HostTuples) (distributed, error) {
	ranks := v.t.Size()
	workers := make([]distributor, v.workers)
	for w := range workers {
		workers[w] = distributor{self: v.self, words: recordWords, records: make([][]uint32, ranks),
			bins: make([]bin[pair], ranks)}
		if own.Weights != nil {
			workers[w].words, workers[w].weights = recordWords+1, make([]bin[float32], ranks)
		}
	}
	n, most := len(own.Edges), v.limit.tuples
	steps, err := comm.Reduce(v.t, int64((n+most-1)/most), comm.Max)
	if err != nil {
		return distributed{}, err
	}
	for i := range int(steps) {
		if err := v.distributePiece(workers, own.Cut(min(i*most, n), min((i+1)*most, n))); err != nil {
			return distributed{}, err
		}
		comm.Advance(v.t, int64(i)+1, 2*steps) // the second half of New reports no progress
	}
	var d distributed
	for w := range workers {
		d.bins = append(d.bins, workers[w].bins)
		if own.Weights != nil {
			d.weights = append(d.weights, workers[w].weights)
		}
		d.loops = append(d.loops, workers[w].loops...)
	}
	return d, nil
}

// distributePiece is one step of distribute.
func (v *Validator) distributePiece(workers []distributor, piece graph.HostTuples) error {
	par.Each(v.workers, func(w int) {
		workers[w].sort(v.ids, piece.Cut(par.Share(len(piece.Edges), w, v.workers)))
	})
	send := workers[0].records
	for w := range workers {
		if err := workers[w].stray; err != nil {
			return err
		}
		for q := range send {
			if w > 0 {
				send[q] = append(send[q], workers[w].records[q]...)
			}
		}
	}
	got, err := comm.Exchange(v.t, send)
	if err != nil {
		return err
	}
	par.Each(v.workers, func(w int) {
		for q := range got {
			words := workers[w].words
			lo, hi := par.Share(len(got[q])/words, w, v.workers)
			workers[w].unpack(got[q][lo*words : hi*words])
			workers[w].records[q] = workers[w].records[q][:0]
		}
	})
	return nil
}

// sort makes records of tuples for the owners of their ends.
func (d *distributor) sort(ids idMap, tuples graph.HostTuples) {
	weight := float32(0)
	for i, e := range tuples.Edges {
		if !ids.valid(e.U()) || !ids.valid(e.V()) {
			d.stray = fmt.Errorf("validate: edge tuple <%d, %d> is outside the graph; labels are 0 to %d",
				e.U(), e.V(), ids.vertices-1)
			return
		}
		u, v := ids.pack(e.U()), ids.pack(e.V())
		if tuples.Weights != nil {
			weight = tuples.Weights[i]
		}
		d.deliver(v, u, weight)
		if u.rank() != v.rank() && !tuples.Arcs {
			d.deliver(u, v, weight)
		}
	}
}

// deliver makes a record of the tuple for the owner of its end own. Tuples of this rank bypass the transport.
func (d *distributor) deliver(own, other packedID, weight float32) {
	q := own.rank()
	if q == d.self {
		d.keep(pair{own.local(), other.local()}, other.rank(), weight)
		return
	}
	d.records[q] = append(d.records[q], uint32(own.local()), uint32(other.local()), uint32(other.rank()))
	if d.weights != nil {
		d.records[q] = append(d.records[q], math.Float32bits(weight))
	}
}

// unpack keeps the records that another rank sent.
func (d *distributor) unpack(records []uint32) {
	for ; len(records) > 0; records = records[d.words:] {
		weight := math.Float32frombits(records[d.words-1]) // meaningless without weights, and then unused
		d.keep(pair{graph.Local(records[0]), graph.Local(records[1])}, int(records[2]), weight)
	}
}

// keep stores a pair whose other end rank q owns.
func (d *distributor) keep(p pair, q int, weight float32) {
	if q == d.self && p.own == p.other {
		d.loops = append(d.loops, p.own)
		return
	}
	d.bins[q].add(p)
	if d.weights != nil {
		d.weights[q].add(weight)
	}
}
