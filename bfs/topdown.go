// SPDX-License-Identifier: Apache-2.0

package bfs

import (
	"g500/comm"
	"g500/graph"
	"g500/graph/engine"
	"g500/partition"
)

// TopDown is the reference implementation: level by level, every rank sends every edge of its frontier to the owner of
// the other end. It has labels and one list of neighbours per vertex with duplicates, uses one goroutine, and shares no
// code with the engines that are tested with it.
type TopDown struct {
	t          comm.Transport
	layout     partition.Layout
	neighbours [][]graph.Global // by local id
	parents    []graph.Global
}

// NewTopDown is kernel 1 of TopDown. It sends all tuples in one exchange, so it is not suitable for large graphs.
func NewTopDown(t comm.Transport, tuples graph.Tuples) (engine.Engine, error) {
	host, err := tuples.Host(false)
	if err != nil {
		return nil, err
	}
	own, edges := graph.NoParent, host.Edges
	for _, e := range edges {
		own = max(own, e.U(), e.V())
	}
	highest, err := comm.Reduce(t, int64(own), comm.Max)
	if err != nil {
		return nil, err
	}
	layout := partition.NewCyclic(graph.Global(highest+1), t.Size())
	b := &TopDown{t: t, layout: layout}
	b.neighbours = make([][]graph.Global, layout.Count(t.Rank()))
	b.parents = make([]graph.Global, layout.Count(t.Rank()))

	out := make([][]graph.Global, t.Size()) // pairs: a vertex of the receiver, its neighbour
	for _, e := range edges {
		u, v := e.U(), e.V()
		if u != v {
			out[layout.Owner(u)] = append(out[layout.Owner(u)], u, v)
		}
		if u != v && !tuples.Directed() {
			out[layout.Owner(v)] = append(out[layout.Owner(v)], v, u)
		}
	}
	in, err := comm.Exchange(t, out)
	if err != nil {
		return nil, err
	}
	for _, pairs := range in {
		for i := 0; i < len(pairs); i += 2 {
			l := layout.Local(pairs[i])
			b.neighbours[l] = append(b.neighbours[l], pairs[i+1])
		}
	}
	return b, nil
}

// Layout returns the distribution of the vertices over the ranks.
func (b *TopDown) Layout() partition.Layout { return b.layout }

// HasEdge reports whether an owned vertex has a neighbour.
func (b *TopDown) HasEdge(l graph.Local) bool { return len(b.neighbours[l]) > 0 }

// Close does nothing.
func (b *TopDown) Close() error { return nil }

// Search searches from root. It terminates, because each level except the last visits a new vertex.
func (b *TopDown) Search(root graph.Global) (engine.Result, error) {
	for l := range b.parents {
		b.parents[l] = graph.NoParent
	}
	var frontier []graph.Global
	if b.layout.Owner(root) == b.t.Rank() {
		b.parents[b.layout.Local(root)] = root
		frontier = append(frontier, root)
	}
	for {
		if size, err := comm.Reduce(b.t, int64(len(frontier)), comm.Sum); err != nil || size == 0 {
			return engine.HostResult{Parents: b.parents}, err
		}
		var err error
		if frontier, err = b.level(frontier); err != nil {
			return nil, err
		}
	}
}

// level visits the neighbours of the frontier and returns the next frontier.
func (b *TopDown) level(frontier []graph.Global) ([]graph.Global, error) {
	out := make([][]graph.Global, b.t.Size()) // pairs: a vertex of the receiver, a possible parent
	for _, u := range frontier {
		for _, v := range b.neighbours[b.layout.Local(u)] {
			r := b.layout.Owner(v)
			out[r] = append(out[r], v, u)
		}
	}
	in, err := comm.Exchange(b.t, out)
	if err != nil {
		return nil, err
	}
	var next []graph.Global
	for _, pairs := range in {
		for i := 0; i < len(pairs); i += 2 {
			l := b.layout.Local(pairs[i])
			if b.parents[l] == graph.NoParent {
				b.parents[l] = pairs[i+1]
				next = append(next, pairs[i])
			}
		}
	}
	return next, nil
}
