package csr

import (
	"errors"
	"math"

	"g500/comm"
	"g500/internal/par"
)

// route is the plan of an exchange of ends. A message has the ends at the vertices of its receiver, by block.
type route struct {
	sent    []int   // by rank: start of the message; then the number of ends sent
	starts  []int   // of this rank's blocks with the ends from all ranks
	lengths [][]int // by sender and block: ends
	places  [][]int // by sender and block: index of the first of these ends
}

// room returns the number of ends of the larger side.
func (r *route) room() int { return max(r.sent[len(r.sent)-1], r.starts[len(r.starts)-1]) }

// blockLimit is the largest number of ends of a block, because degrees have 32 bits. A variable for tests.
var blockLimit int64 = math.MaxUint32

// newRoute plans the exchange of ends, given the starts of all ranks' blocks. It is collective.
func newRoute(t comm.Transport, g grid, starts []int) (*route, error) {
	r := &route{starts: make([]int, g.each+1)}
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
	for range got {
		r.lengths, r.places = append(r.lengths, make([]int, g.each)), append(r.places, make([]int, g.each))
	}
	at, most := 0, 0
	for block := range g.each {
		r.starts[block] = at
		for from := range got {
			n := int(got[from][block])
			r.lengths[from][block], r.places[from][block] = n, at
			at += n
		}
		most = max(most, at-r.starts[block])
	}
	r.starts[g.each] = at
	largest, err := comm.Reduce(t, int64(most), comm.Max)
	if err == nil && largest > blockLimit {
		err = errors.New("a vertex or its block has 2^32 ends of edge tuples or more, and degrees have 32 bits: " +
			"choose a smaller edge factor or scale")
	}
	return r, err
}

// pieceEnds is the number of ends that a rank sends between two exchanges. It bounds the buffers, and is so large that
// the latency of exchanges is negligible. A variable for tests.
var pieceEnds = 1 << 20

// exchange sends the values of ends to the owners of their vertices, in pieces. It is collective.
func exchange[T comm.Word](b *Builder, r *route, values, into []T) error {
	ranks := b.t.Size()
	piece := max(pieceEnds/ranks, 1) // for each rank
	most := 0
	for rank := range ranks {
		most = max(most, r.sent[rank+1]-r.sent[rank])
	}
	rounds, err := comm.Reduce(b.t, int64((most+piece-1)/piece), comm.Max)
	if err != nil {
		return err
	}
	places := make([]place, ranks) // by sender
	send := make([][]T, ranks)
	for i := range int(rounds) {
		for rank := range send {
			message := values[r.sent[rank]:r.sent[rank+1]]
			lo := min(i*piece, len(message))
			send[rank] = message[lo:min(lo+piece, len(message))]
		}
		got, err := comm.Exchange(b.t, send)
		if err != nil {
			return err
		}
		par.For(b.workers, ranks, 1, func(_, from, _ int) {
			places[from] = take(into, got[from], r.lengths[from], r.places[from], places[from])
		})
	}
	return b.advance(exchangeParts)
}

// place is a place in a message: ends of a block that have arrived.
type place struct{ block, ends int }

// take copies the next piece of a message to the places of its blocks, and returns the place after it.
func take[T any](into, piece []T, lengths, places []int, at place) place {
	for len(piece) > 0 {
		n := copy(into[places[at.block]+at.ends:][:lengths[at.block]-at.ends], piece)
		piece = piece[n:]
		if at.ends += n; at.ends == lengths[at.block] {
			at = place{at.block + 1, 0}
		}
	}
	return at
}
