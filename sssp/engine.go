// SPDX-License-Identifier: Apache-2.0

package sssp

import (
	"g500/comm"
	"g500/graph"
	"g500/graph/csr"
	"g500/graph/engine"
	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/partition"
)

// Unreached is the distance of an unreached vertex, as in the Graph500 reference code.
const Unreached float32 = -1

// New is kernel 1 of an engine: it builds a searchable structure from weighted edge tuples, whose distribution over the
// ranks is arbitrary, without the pruned edges. Weights must not be negative, and no sum of weights may overflow. It is
// collective and timed. It may read the tuples until it returns, and must not change them.
type New func(t comm.Transport, tuples graph.Tuples, prune Pruning) (engine.Engine, error)

// common has the state of both engines.
type common struct {
	t       comm.Transport
	s       *structure
	labels  []uint32 // of all ranks' non-isolated vertices, by position
	workers int
	lanes   lanes
	d       distances
	post    *post
	result  *result
	words   []uint64 // buffer of share
	pruned  bool     // the structure lacks edges
}

// newCommon exchanges the labels of all ranks. It is collective.
func newCommon(t comm.Transport, s *structure, workers int) (*common, error) {
	c := &common{
		t: t, s: s, workers: workers, lanes: newLanes(workers), d: hugepage.Make[uint64](s.Connected()),
		post: newPost(t, workers), result: newResult(s, workers),
		labels: hugepage.Make[uint32](s.Positions()),
	}
	return c, c.share(s.label, func(p position, label uint32) { c.labels[p] = label })
}

// Layout returns the distribution of the vertices over the ranks.
func (c *common) Layout() partition.Layout { return c.s.Layout }

// HasEdge reports whether an owned vertex has an edge to another vertex.
func (c *common) HasEdge(l graph.Local) bool {
	h := c.s.IDOf[l]
	return h != csr.NoID && (!c.s.directed() || c.s.Degree(h) > 0)
}

// Simple implements engine.Counter.
func (c *common) Simple() (vertices, ends int64, err error) {
	if c.pruned || c.s.directed() {
		return 0, 0, nil
	}
	return int64(c.s.Connected()), c.s.Rows[c.s.Connected()], nil
}

// Close releases the structure.
func (c *common) Close() error {
	*c = common{}
	return nil
}

// start resets the distances. It returns the root's id if this rank owns it and it is not isolated, else csr.NoID.
func (c *common) start(root graph.Global) csr.ID {
	par.For(c.workers, len(c.d), 1<<14, func(_, lo, hi int) {
		for h := lo; h < hi; h++ {
			c.d[h] = uint64(unreached)
		}
	})
	if c.s.Layout.Owner(root) != c.s.Rank {
		return csr.NoID
	}
	h := c.s.IDOf[c.s.Layout.Local(root)]
	if h != csr.NoID {
		c.d[h] = uint64(entryOf(0, uint32(root)))
	}
	return h
}

// finish writes the result in the official format. The root may be isolated.
func (c *common) finish(root graph.Global) engine.Result {
	c.result.write(c.d)
	if c.s.Layout.Owner(root) == c.s.Rank {
		l := c.s.Layout.Local(root)
		c.result.Parents[l], c.result.Distances[l] = root, 0
	}
	return c.result.HostResult
}

// share replicates one word per non-isolated vertex: of returns this rank's words, and take receives all ranks' words,
// concurrently. It is collective.
func (c *common) share(of func(h csr.ID) uint32, take func(p position, word uint32)) error {
	if c.t.Size() == 1 {
		par.For(c.workers, c.s.Connected(), 1<<14, func(_, lo, hi int) {
			for h := lo; h < hi; h++ {
				take(position(h), of(csr.ID(h)))
			}
		})
		return nil
	}
	half := (c.s.Stride + 1) / 2 // two words are sent as one
	if c.words == nil {
		c.words = make([]uint64, half*c.t.Size())
	}
	own := c.words[c.s.Rank*half : (c.s.Rank+1)*half]
	par.For(c.workers, half, 1<<14, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			own[i] = 0
			for h := 2 * i; h < min(2*i+2, c.s.Connected()); h++ {
				own[i] |= uint64(of(csr.ID(h))) << (h % 2 * 32)
			}
		}
	})
	if err := c.t.AllGather(c.words); err != nil {
		return err
	}
	for r := range c.t.Size() {
		words := c.words[r*half : (r+1)*half]
		par.For(c.workers, c.s.Stride, 1<<14, func(_, lo, hi int) {
			for h := lo; h < hi; h++ {
				take(position(r*c.s.Stride+h), uint32(words[h/2]>>(h%2*32)))
			}
		})
	}
	return nil
}

// distanceBits returns the bits of a vertex' distance.
func (c *common) distanceBits(h csr.ID) uint32 { return uint32(c.d.at(h) >> 32) }
