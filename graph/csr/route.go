// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"errors"
	"math"

	"g500/comm"
	"g500/internal/par"
)

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
