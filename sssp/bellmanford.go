// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/graph/engine"
)

// NewBellmanFord is kernel 1 of the reference implementation: in each round, all vertices whose distance has decreased
// offer paths to all their neighbours, until no distance decreases. It uses one goroutine per rank.
//
// It terminates, because rounded sums of non-negative weights rise along a path: after k rounds, the distances with a
// shortest path of k edges are final, and no shortest path has more edges than there are vertices.
func NewBellmanFord(t comm.Transport, tuples graph.Tuples, prune Pruning) (engine.Engine, error) {
	s, err := build(t, tuples, 1)
	if err != nil {
		return nil, err
	}
	c, err := newCommon(t, s, 1)
	b := &bellmanFord{c}
	if err == nil && prune == PruneHub {
		err = b.prune(b.Search)
	}
	return b, err
}

type bellmanFord struct{ *common }

// Search searches from root.
func (b *bellmanFord) Search(root graph.Global) (engine.Result, error) {
	var frontier []csr.ID
	if h := b.start(root); h != csr.NoID {
		frontier = append(frontier, h)
	}
	for {
		if most, err := comm.Reduce(b.t, int64(len(frontier)), comm.Max); err != nil || most == 0 {
			return b.finish(root), err
		}
		changed := map[csr.ID]bool{}
		offer := func(h csr.ID, e entry) {
			if b.d.lower(h, e) {
				changed[h] = true
			}
		}
		for _, u := range frontier {
			for _, e := range b.s.Row(u) {
				path := entryOf(b.d.at(u).distance()+e.weight(), b.s.label(u))
				rank, h := b.s.Vertex(int(e.to()))
				if rank == b.s.Rank {
					offer(h, path)
				} else {
					b.post.add(0, rank, h, path)
				}
			}
		}
		if err := b.post.deliver(offer); err != nil {
			return nil, err
		}
		frontier = frontier[:0]
		for h := range changed {
			frontier = append(frontier, h)
		}
	}
}
