// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"slices"

	"g500/comm"
	"g500/graph"
	"g500/internal/par"
)

// ancestor is the vertex hops steps above another, following parents.
type ancestor struct {
	at   packedID // noVertex if the vertex was not reached
	hops int64
}

// climber computes the level of every vertex from the parents alone, by pointer doubling: each vertex queries its
// ancestor's ancestor, so a tree of L levels takes about log2 L rounds. A vertex whose known path is longer than any
// tree, without reaching the root, leads to a cycle.
//
// Invariant, whenever ranks exchange: up[v].at is the up[v].hops-th ancestor of v. Ancestors may therefore be updated
// in any order, and a round works in place. (On a cycle hops may overflow, and is not used.)
type climber struct {
	*Validator
	steps   int        // of limit.vertices, for the rank with the most vertices
	up      []ancestor // of each owned vertex
	next    []ancestor // of the vertices of this step: the ancestor's ancestor, or the number of the query
	queries []queries  // of each worker
	send    [][]graph.Local
	replies [][]uint64 // two words per reply: packed id and hops
}

func newClimber(v *Validator) *climber {
	layout := v.ids.layout
	most := 0
	for q := range layout.Ranks() {
		most = max(most, layout.Count(q))
	}
	owned := layout.Count(v.self)
	c := &climber{
		Validator: v,
		steps:     (most + v.limit.vertices - 1) / v.limit.vertices,
		up:        make([]ancestor, owned),
		next:      make([]ancestor, min(owned, v.limit.vertices)),
		queries:   make([]queries, v.workers),
		send:      make([][]graph.Local, layout.Ranks()),
		replies:   make([][]uint64, layout.Ranks()),
	}
	for w := range c.queries {
		c.queries[w].to = make([][]graph.Local, layout.Ranks())
		c.queries[w].base = make([]int, layout.Ranks())
	}
	return c
}

// enter sets the first ancestors to the parents.
func (c *climber) enter(root packedID, parents []graph.Global) {
	for w := range c.queries {
		a := &c.queries[w]
		a.open, a.deepest = 0, 0
	}
	par.For(c.workers, len(parents), c.limit.block, func(w, lo, hi int) {
		for v := lo; v < hi; v++ {
			switch p := parents[v]; {
			case root.rank() == c.self && int(root.local()) == v:
				c.up[v] = ancestor{root, 0}
			case p == graph.NoParent:
				c.up[v] = ancestor{at: noVertex}
			default:
				c.up[v] = ancestor{c.ids.pack(p), 1}
				c.queries[w].count(c.up[v], root)
			}
		}
	})
}

// open reports whether an owned vertex with this ancestor must climb on.
func (a ancestor) open(root packedID) bool { return a.at != root && a.at != noVertex }

// climb computes the levels, and returns the largest one, on all ranks.
func (c *climber) climb(root packedID, parents []graph.Global) (deepest int64, found Fault, err error) {
	c.enter(root, parents)
	if found, err = c.double(root, parents); found.Rule == noRule && err == nil {
		deepest, err = c.deepest()
	}
	return deepest, found, err
}

// double doubles paths until every reached vertex has its distance from the root. The first round, in which every
// vertex queries its parent, finds all vertices whose parent was not reached.
func (c *climber) double(root packedID, parents []graph.Global) (Fault, error) {
	for known := graph.Global(1); ; known *= 2 {
		own := int64(0)
		for w := range c.queries {
			own += c.queries[w].open
		}
		if open, err := comm.Reduce(c.t, own, comm.Sum); err != nil || open == 0 {
			return noFault, err
		}
		if known >= c.ids.vertices {
			return agree(c.t, c.stuck(root, parents))
		}
		orphan, err := c.round(root, parents)
		if err != nil {
			return noFault, err
		}
		if known > 1 {
			continue
		}
		if found, err := agree(c.t, orphan); found.Rule != noRule || err != nil {
			return found, err
		}
	}
}

// stuck returns a fault on the lowest owned vertex that has not reached the root.
func (c *climber) stuck(root packedID, parents []graph.Global) Fault {
	for v, a := range c.up {
		if a.open(root) {
			return Fault{Rule: ErrCycle, Vertex: c.labelOf(graph.Local(v)), Other: parents[v]}
		}
	}
	return noFault
}

// deepest returns the largest level of the tree, on all ranks.
func (c *climber) deepest() (int64, error) {
	best := int64(0)
	for w := range c.queries {
		best = max(best, c.queries[w].deepest)
	}
	return comm.Reduce(c.t, best, comm.Max)
}

// queries is the state of one worker in a round: its queries to other ranks in one step, and its counts.
type queries struct {
	to      [][]graph.Local // to[q]: vertices of q whose ancestors are queried
	base    []int           // base[q]: the index of the first one among all workers' queries to q
	open    int64           // vertices that must climb on after the round
	deepest int64           // the largest level found so far
	// recent has recent queries. Most vertices have one of few hubs as ancestor, and without it all ranks would flood
	// the owner of the largest hub.
	recent [1 << recentBits]struct {
		at     packedID
		number int
	}
}

const recentBits = 12

// number returns the number of the query for the ancestor of at, and adds the query unless it is a recent one.
func (a *queries) number(at packedID) int {
	const mix = 0x9E3779B97F4A7C15 // 2^64 over the golden ratio: multiplicative hashing
	s := &a.recent[uint64(at)*mix>>(64-recentBits)]
	if s.at != at {
		q := at.rank()
		s.at, s.number = at, len(a.to[q])
		a.to[q] = append(a.to[q], at.local())
	}
	return s.number
}

// count records the progress of a climb.
func (a *queries) count(up ancestor, root packedID) {
	if up.at == root {
		a.deepest = max(a.deepest, up.hops)
	} else {
		a.open++
	}
}

// reset discards the queries of the last step.
func (a *queries) reset() {
	for q := range a.to {
		a.to[q] = a.to[q][:0]
	}
	for i := range a.recent {
		a.recent[i].at = noVertex
	}
}

// round replaces the ancestor of every open vertex by the ancestor's ancestor. It returns a fault on the lowest
// vertex whose ancestor was not reached.
func (c *climber) round(root packedID, parents []graph.Global) (Fault, error) {
	tallies := newTallies(c.workers)
	for w := range c.queries {
		c.queries[w].open = 0
	}
	for s := range c.steps {
		lo := min(s*c.limit.vertices, len(c.up))
		hi := min(lo+c.limit.vertices, len(c.up))
		par.Each(c.workers, func(w int) {
			from, to := par.Share(hi-lo, w, c.workers)
			c.query(&c.queries[w], root, c.up[lo+from:lo+to], c.next[from:to])
		})
		replies, err := c.exchange()
		if err != nil {
			return noFault, err
		}
		par.Each(c.workers, func(w int) {
			from, to := par.Share(hi-lo, w, c.workers)
			a := &c.queries[w]
			if v := c.advance(a, root, c.up[lo+from:lo+to], c.next[from:to], replies); v >= 0 {
				v += lo + from
				tallies[w].report(Fault{Rule: ErrOrphan, Vertex: c.labelOf(graph.Local(v)), Other: parents[v]})
			}
		})
	}
	return worstOf(tallies), nil
}

// query sets next to the ancestors of ancestors that this rank owns, and to the number of the query for the others. It
// writes to no ancestor.
func (c *climber) query(a *queries, root packedID, up, next []ancestor) {
	a.reset()
	for i := range up {
		if !up[i].open(root) {
			continue
		}
		if at := up[i].at; at.rank() == c.self {
			next[i] = c.up[at.local()]
		} else {
			next[i].hops = int64(a.number(at))
		}
	}
}

// exchange sends all workers' queries to the owners, and returns the replies of each rank.
func (c *climber) exchange() ([][]uint64, error) {
	for q := range c.send {
		n := 0
		for w := range c.queries {
			c.queries[w].base[q] = n
			n += len(c.queries[w].to[q])
		}
		c.send[q] = slices.Grow(c.send[q][:0], n)[:n]
	}
	par.Each(c.workers, func(w int) {
		a := &c.queries[w]
		for q, to := range a.to {
			copy(c.send[q][a.base[q]:], to)
		}
	})
	received, err := comm.Exchange(c.t, c.send)
	if err != nil {
		return nil, err
	}
	for q := range received {
		n := 2 * len(received[q])
		c.replies[q] = slices.Grow(c.replies[q][:0], n)[:n]
	}
	par.Each(c.workers, func(w int) {
		for q := range received {
			lo, hi := par.Share(len(received[q]), w, c.workers)
			for i := lo; i < hi; i++ {
				a := c.up[received[q][i]]
				c.replies[q][2*i], c.replies[q][2*i+1] = uint64(a.at), uint64(a.hops)
			}
		}
	})
	return comm.Exchange(c.t, c.replies)
}

// advance appends to each open path the path of its end. It returns the first vertex whose ancestor was not reached, or
// -1; such a vertex keeps its ancestor.
func (c *climber) advance(a *queries, root packedID, up, next []ancestor, replies [][]uint64) int {
	orphan := -1
	for i := range up {
		if !up[i].open(root) {
			continue
		}
		beyond := next[i]
		if q := up[i].at.rank(); q != c.self {
			reply := replies[q][2*(a.base[q]+int(beyond.hops)):]
			beyond = ancestor{packedID(reply[0]), int64(reply[1])}
		}
		switch {
		case beyond.at != noVertex:
			up[i] = ancestor{beyond.at, up[i].hops + beyond.hops}
			a.count(up[i], root)
		case orphan < 0:
			orphan = i
		}
	}
	return orphan
}
