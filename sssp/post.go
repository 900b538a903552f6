// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"g500/comm"
	"g500/graph/csr"
)

// messageWords is the length of an item: id at the owner, bits of the distance, label of the parent.
const messageWords = 3

// post sends distances to the owners of vertices. Each worker has its own bins.
type post struct {
	t    comm.Transport
	bins [][][]uint32 // by worker, then rank
	send [][]uint32
}

func newPost(t comm.Transport, workers int) *post {
	p := &post{t: t, send: make([][]uint32, t.Size())}
	for range workers {
		p.bins = append(p.bins, make([][]uint32, t.Size()))
	}
	return p
}

func (p *post) add(worker, rank int, h csr.ID, e entry) {
	bin := &p.bins[worker][rank]
	*bin = append(*bin, uint32(h), uint32(e>>32), uint32(e))
}

// deliver exchanges the added items, and calls take with each received one. It is collective.
func (p *post) deliver(take func(h csr.ID, e entry)) error {
	if p.t.Size() == 1 {
		return nil
	}
	for r := range p.send {
		p.send[r] = p.send[r][:0]
		for w := range p.bins {
			p.send[r] = append(p.send[r], p.bins[w][r]...)
			p.bins[w][r] = p.bins[w][r][:0]
		}
	}
	got, err := comm.Exchange(p.t, p.send)
	for _, words := range got {
		for ; len(words) >= messageWords; words = words[messageWords:] {
			take(csr.ID(words[0]), entry(words[1])<<32|entry(words[2]))
		}
	}
	return err
}
