package csr

import (
	"errors"
	"math/bits"
	"slices"
	"sync/atomic"

	"g500/comm"
	"g500/graph"
	"g500/internal/par"
)

// Labels resolves indices to labels, which only the owners have. Queries are ids and replies are local ids, both in as
// many bytes as the largest local id needs.
type Labels[P Pos] struct {
	g        *Graph[P]
	t        comm.Transport
	workers  int
	Exchange func(send [][]byte) ([][]byte, error) // an AllToAll; by default the transport's
	width    int                                   // bytes of an id
	at       []int                                 // by piece and rank: the next query in the message
	queries  [][]byte
	replies  [][]byte
}

// labelGrain is the number of labels that a worker takes at a time.
const labelGrain = 1 << 10

// NewLabels returns a Labels, which keeps its buffers between calls of Resolve.
func NewLabels[P Pos](g *Graph[P], t comm.Transport, workers int) *Labels[P] {
	own := uint64(g.Layout.Vertices()) / uint64(t.Size()) // the largest local id, at most
	return &Labels[P]{g: g, t: t, workers: workers, Exchange: t.AllToAll, width: max(1, (bits.Len64(own)+7)/8),
		queries: make([][]byte, t.Size()), replies: make([][]byte, t.Size())}
}

// Resolve calls set with the label of each vertex, given by its index, from several goroutines. It is collective;
// indices may be empty.
func (q *Labels[P]) Resolve(indices []P, set func(i int, label graph.Global)) error {
	if q.t.Size() == 1 {
		par.For(q.workers, len(indices), labelGrain, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				_, h := q.g.Owner(indices[i])
				set(i, q.g.Label(h))
			}
		})
		return nil
	}
	q.post(indices)
	queried, err := q.Exchange(q.queries)
	if err != nil {
		return err
	}
	for r, ids := range queried {
		if q.replies[r], err = q.reply(q.replies[r], ids); err != nil {
			return err
		}
	}
	locals, err := q.Exchange(q.replies)
	if err != nil {
		return err
	}
	for r := range locals {
		if len(locals[r]) != len(q.queries[r]) {
			return errLabels
		}
	}
	// Each piece goes from its last query back to its first, because post left at behind the last.
	par.For(q.workers, len(indices), labelGrain, func(_, lo, hi int) {
		at := q.piece(lo)
		for i := hi - 1; i >= lo; i-- {
			r, _ := q.g.Owner(indices[i])
			at[r]--
			set(i, q.g.Layout.Global(r, graph.Local(q.get(locals[r], at[r]))))
		}
	})
	return nil
}

// post writes the messages with the queries, in the order of indices.
func (q *Labels[P]) post(indices []P) {
	ranks := q.t.Size()
	pieces := (len(indices) + labelGrain - 1) / labelGrain
	q.at = slices.Grow(q.at[:0], pieces*ranks)[:pieces*ranks]
	clear(q.at)
	par.For(q.workers, len(indices), labelGrain, func(_, lo, hi int) {
		at := q.piece(lo)
		for _, p := range indices[lo:hi] {
			r, _ := q.g.Owner(p)
			at[r]++
		}
	})
	for r := range ranks {
		sum := 0
		for i := r; i < len(q.at); i += ranks {
			q.at[i], sum = sum, sum+q.at[i]
		}
		q.queries[r] = sized(q.queries[r], sum*q.width)
	}
	par.For(q.workers, len(indices), labelGrain, func(_, lo, hi int) {
		at := q.piece(lo)
		for _, p := range indices[lo:hi] {
			r, h := q.g.Owner(p)
			q.put(q.queries[r], at[r], uint64(h))
			at[r]++
		}
	})
}

var errLabels = errors.New("csr: a message about labels is damaged: ranks run different versions of g500")

// reply writes the local ids of owned vertices into message.
func (q *Labels[P]) reply(message, ids []byte) ([]byte, error) {
	message = sized(message, len(ids))
	var damaged atomic.Bool
	par.For(q.workers, len(ids)/q.width, labelGrain, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			h := q.get(ids, i)
			if h >= uint64(len(q.g.LocalOf)) {
				damaged.Store(true)
				return
			}
			q.put(message, i, uint64(q.g.LocalOf[h]))
		}
	})
	if len(ids)%q.width > 0 || damaged.Load() {
		return message, errLabels
	}
	return message, nil
}

// piece returns the next query to each rank of the piece of indices that begins at lo.
func (q *Labels[P]) piece(lo int) []int {
	ranks := q.t.Size()
	return q.at[lo/labelGrain*ranks:][:ranks]
}

// put writes number i of a message.
func (q *Labels[P]) put(message []byte, i int, number uint64) {
	field := message[i*q.width:][:q.width]
	for b := range field {
		field[b] = byte(number >> (8 * b))
	}
}

// get returns number i of a message.
func (q *Labels[P]) get(message []byte, i int) (number uint64) {
	for b, v := range message[i*q.width:][:q.width] {
		number |= uint64(v) << (8 * b)
	}
	return number
}

// sized returns a buffer of n bytes, in the same memory if it has enough.
func sized(buffer []byte, n int) []byte { return slices.Grow(buffer[:0], n)[:n] }
