package sssp

import (
	"g500/comm"
	"g500/graph"
	"g500/internal/hugepage"
	"g500/internal/par"
	"g500/partition"
)

// common is what both engines have.
type common struct {
	t       comm.Transport
	s       *structure
	workers int
	d       distances
	post    *post
	result  HostPaths
	words   []uint64 // of share, on their way
}

func newCommon(t comm.Transport, s *structure, workers int) *common {
	owned := s.layout.Count(s.rank)
	result := HostPaths{hugepage.Make[graph.Global](owned), hugepage.Make[float32](owned)}
	return &common{
		t: t, s: s, workers: workers, d: newDistances(s.hubs()), post: newPost(t, workers), result: result,
	}
}

// Layout gives every vertex to a rank.
func (c *common) Layout() partition.Layout { return c.s.layout }

// HasEdge reports whether an owned vertex has an edge to another vertex.
func (c *common) HasEdge(l graph.Local) bool { return c.s.hubOf[l] != noHub }

// Close gives the structure's memory back.
func (c *common) Close() error {
	*c = common{}
	return nil
}

// start forgets the last search. It returns the root's hub id where it is this rank's and has an edge.
func (c *common) start(root graph.Global) hub {
	par.For(c.workers, len(c.d), 1<<14, func(_, lo, hi int) {
		for h := lo; h < hi; h++ {
			c.d[h] = uint64(unreached)
		}
	})
	if c.s.layout.Owner(root) != c.s.rank {
		return noHub
	}
	h := c.s.hubOf[c.s.layout.Local(root)]
	if h != noHub {
		c.d[h] = uint64(entryOf(0, uint32(root)))
	}
	return h
}

// finish brings the result into official form. The root may have no edge.
func (c *common) finish(root graph.Global) Paths {
	c.d.official(c.s, c.workers, &c.result)
	if c.s.layout.Owner(root) == c.s.rank {
		l := c.s.layout.Local(root)
		c.result.Parents[l], c.result.Distances[l] = root, 0
	}
	return &c.result
}

// any reports whether a count is above zero on some rank. It is collective.
func (c *common) any(n int) (bool, error) {
	sum := []int64{int64(n)}
	err := c.t.AllReduce(sum, comm.Max)
	return sum[0] > 0, err
}
